"""Everything a report says, read from the study; nothing else goes into it."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.ids import Json
from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import Library
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.stats.verdicts import call_in_words
from director_gui.store.conditions import StoredCondition, condition
from director_gui.store.database import Study
from director_gui.store.log import entries
from director_gui.store.runs import Run, calls_of, planned_call, run
from director_gui.store.scenes import StoredImage, image, stimulus
from director_gui.store.sets import SetScene, StoredSet, sets
from director_gui.study.analysis import ArmCount, PairResult, arm_counts
from director_gui.study.asking import (
    ProvedPair,
    prompts_for,
    prove_pairs,
    without_refused,
)
from director_gui.study.correcting import counted_as
from director_gui.study.prompt_library import study_library
from director_gui.study.report.coded import Coded, coded_in
from director_gui.study.results.columns import Columns, Outcome
from director_gui.study.results.comparing import compared
from director_gui.study.results.contrasts import (
    Contrasted,
    contrasted,
    contrasts_of,
)
from director_gui.study.results.families import Pair
from director_gui.study.results.reading import ReplyCache
from director_gui.study.scored import Scored, scored_replies
from director_gui.study.set_tallies import every_scene
from director_gui.study.stimuli import truths_in

# METHOD §9: accuracy under MOVE against MEAN, both with the question.
_ACCURACY = ("move.ask", "mean.ask")  # test and reference
MADE = "demo made"  # the log's action


@dataclass(frozen=True, slots=True)
class Shown:
    """A scene of the run, its truth and the two pictures of it."""

    hash: str
    scene: Scene
    truth: Truth
    images: Mapping[ViewName, StoredImage]


@dataclass(frozen=True, slots=True)
class Asked:
    """What one condition sent about the first scene.

    Attributes:
        condition: The stored version.
        turns: The messages, exactly as they were sent.
        prompt: The same messages in pieces; None when this program words them
            differently today, so that nothing can be shown lit.
    """

    condition: StoredCondition
    turns: tuple[str, ...]
    prompt: Prompt | None


@dataclass(frozen=True, slots=True)
class Facts:
    """A run of a study with all that was made of it.

    Attributes:
        name: The study's name.
        program: The version of the program that made the study.
        created: When, UTC.
        run: The run.
        scenes: Its scenes in the order they were given.
        asked: One entry a condition, in the run's order.
        pairs: The declared pairs among them, each proved again.
        scored: Every call with the score that counts: corrections by hand do.
        arms: Counts per model, condition and batch.
        results: The declared pairs' comparisons.
        accuracy: Visibility accuracy under MOVE against MEAN, one entry a model.
        contrasts: The study's contrasts of several conditions.
        corrected: How many replies count by a correction by hand.
        coded: The blind coding; None when no packet was made of the run.
        origins: The set and the row of each scene that was sampled, by its hash.
        seeds: The practice reader's and the coders'; None for other studies.
    """

    name: str
    program: str
    created: str
    run: Run
    scenes: tuple[Shown, ...]
    asked: tuple[Asked, ...]
    pairs: tuple[ProvedPair, ...]
    scored: tuple[Scored, ...]
    arms: tuple[ArmCount, ...]
    results: tuple[PairResult, ...]
    accuracy: tuple[PairResult, ...]
    contrasts: tuple[Contrasted, ...]
    corrected: int
    coded: Coded | None
    origins: Mapping[str, tuple[StoredSet, SetScene]]
    seeds: Json

    @property
    def practice(self) -> bool:
        """Whether the practice reader or practice coders spoke."""
        return self.run.practice or bool(self.coded and self.coded.practice)

    def named(self, model: str, what: str) -> str:
        """Return `what` with its model before it where there are several."""
        several = len({arm.model for arm in self.arms}) > 1
        return f"{model}: {what}" if several else what

    def arm_name(self, arm: ArmCount) -> str:
        """Return what tables and figures call an arm."""
        return self.named(arm.model, in_batch(arm.condition, arm.batch))

    def pair_name(self, result: PairResult) -> str:
        """Return what tables and figures call a comparison."""
        pair = f"{result.test} \N{MINUS SIGN} {result.reference}"
        return self.named(result.model, in_batch(pair, result.batch))


def in_batch(words: str, batch: str) -> str:
    """Return `words` with the batch behind them where there are several."""
    return f"{words} (batch {batch})" if batch else words


def facts_of(study: Study, run_id: str) -> Facts:
    """Return what a report of a run says.

    Raises:
        UserError: The study does not hold the run, or is damaged.
    """
    stored = run(study, run_id)
    scenes = _scenes(study, stored.settings["scenes"])
    shown = {one.hash: (one.scene, one.truth) for one in scenes}
    scored = tuple(
        counted_as(item, shown[item.reply.call.scene])
        for item in scored_replies(study, run_id)
    )
    columns = ReplyCache(study).columns(run_id)
    # One scene stands for all: only `state` words a message by the scene.
    library = study_library(study)
    asked = _asked(study, run_id, scenes[0], library)
    whole = {a.condition.name: a.prompt for a in asked if a.prompt is not None}
    known = without_refused(whole, library)
    return Facts(
        name=study.meta("name") or study.path.stem,
        program=study.meta("program") or "",
        created=study.meta("created") or "",
        run=stored,
        scenes=scenes,
        asked=asked,
        pairs=prove_pairs(whole, known),
        scored=scored,
        arms=arm_counts(scored, known),
        results=_compared(columns, known.pairs),
        accuracy=_accuracy(columns),
        contrasts=contrasted(columns, contrasts_of(study)),
        corrected=columns.corrected,
        coded=coded_in(study, {item.reply.call.id for item in scored}),
        origins=_origins(study, {shown.hash for shown in scenes}),
        seeds=next((e.detail for e in entries(study, MADE)), None),
    )


def _origins(
    study: Study, wanted: AbstractSet[str]
) -> dict[str, tuple[StoredSet, SetScene]]:
    return {
        row.scene: (stored, row)
        for stored in sets(study)
        for row in every_scene(study, stored.id)
        if row.scene in wanted
    }


def _compared(
    columns: Columns, pairs: tuple[Pair, ...], outcome: Outcome = "hidden_choice"
) -> tuple[PairResult, ...]:
    """Return the pairs that some batch holds, corrected together."""
    found = compared(columns, pairs, outcome)
    # A batch's name says nothing where there is only one.
    several = len(columns.batches) > 1
    return tuple(
        PairResult(
            model=one.model,
            reference=one.reference,
            test=one.test,
            comparison=one.found,
            adjusted=one.adjusted,
            call=one.call,
            batch=one.batch if several else "",
        )
        for one in found
        if one.found is not None
    )


def _accuracy(columns: Columns) -> tuple[PairResult, ...]:
    """Return how report accuracy differs between the actions, outside every family."""
    return tuple(
        # The margin is judged on its own: METHOD keeps it out of every family.
        replace(one, adjusted=None, call=_plain_call(one))
        for one in _compared(columns, (_ACCURACY,), "report_correct")
        if one.comparison.method != "none"
    )


def _plain_call(one: PairResult) -> str:
    found = one.comparison
    return call_in_words(found.ci_low, found.ci_high, found.p)


def _scenes(study: Study, hashes: list[str]) -> tuple[Shown, ...]:
    truths = truths_in(study, set(hashes))
    return tuple(
        Shown(found, *truths[found], _images(study, found)) for found in hashes
    )


def _images(study: Study, scene: str) -> dict[ViewName, StoredImage]:
    return {view: image(study, _image(study, scene, view)) for view in VIEWS}


def _image(study: Study, scene: str, view: ViewName) -> str:
    found = stimulus(study, scene, view)
    if found is None:
        raise UserError(
            f"the study has no picture of the {view}'s view", where=scene[:16]
        )
    return found.image


def _asked(
    study: Study, run_id: str, first: Shown, known: Library
) -> tuple[Asked, ...]:
    calls = {c.condition: c for c in calls_of(study, run_id) if c.scene == first.hash}
    found = []
    for name in run(study, run_id).settings["conditions"]:
        turns = planned_call(study, calls[name].id).turns
        stored = condition(study, calls[name].condition_hash)
        found.append(Asked(stored, turns, _prompt(first, stored, turns, known)))
    return tuple(found)


def _prompt(
    first: Shown, stored: StoredCondition, turns: tuple[str, ...], known: Library
) -> Prompt | None:
    try:
        made = prompts_for(first.scene, first.truth, [stored.name], known)[stored.name]
    except UserError:
        return None  # a condition that nobody has any more
    # Shown are the stored bytes; pieces of another wording would be a false claim.
    return made if made.texts == turns else None
