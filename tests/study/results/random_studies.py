"""Studies whose replies are drawn from everything that a reply may be."""

import random
from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np

from director_gui.geometry.truth import Truth, truth_of
from director_gui.ids import sha256_hex
from director_gui.runner.plan import Batch, Shown, make_plan
from director_gui.runner.records import Attempt, Outcome, PlannedCall
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.scoring.score import choice_kind
from director_gui.store.corrections import add_correction
from director_gui.store.database import Study, create_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene
from director_gui.study.asking import arms, keep_conditions, prompts_for
from director_gui.study.correcting import score_given, undone
from director_gui.study.results.columns import ENDINGS, KINDS, NOTHING, Columns
from director_gui.study.results.facts import SceneFacts
from director_gui.study.scored import Scored, scored_replies
from tests import blind_studies
from tests.made_runs import PNG

RUN = "drawn"
FIRST = ("mean.ask", "mean.plain", "move.ask", "move.plain", "move.first_turn")
SECOND = ("move.ask", "move.count", "move.knows")
BATCHES = (Batch("1", FIRST), Batch("2", SECOND))
PROFILES = (blind_studies.OPEN, replace(blind_studies.OPEN, name="another"))
_TEXTS = (
    '{{"visible": [{see}, {saw}], "known": [{see}], "count": 3, "choice": {any}}}',
    '{{"visible": [{see}, {saw}], "known": [{see}], "count": 3, "choice": {hid}}}',
    '```json\n{{"visible": [{see}, {hid}], "count": 4, "choice": {hid}}}\n```',
    '{{"visible": [9], "choice": {hid}}} or {{"visible": [], "choice": 7}}',
    '<think>{{"choice": {hid}}}</think>{{"choice": "{any}", "visible": []}}',
    '{{"choice": {any}}}',
    '{{"visible": [{see}, {saw}]}}',
    "no answer",
    " ",
)


@cache
def scenes() -> tuple[Scene, ...]:
    """The example with its digits in every order: other keys, other marks."""
    made = example_scene()
    return tuple(
        replace(
            made,
            name=f"digits {digits}",
            blocks=tuple(
                replace(block, digit=digit)
                for block, digit in zip(made.blocks, digits, strict=True)
            ),
        )
        for digits in permutations(made.digits)
    )


def planned(path: Path) -> tuple[Study, list[PlannedCall]]:
    """Make a study with a run of two batches, nothing of it sent."""
    study = create_study(path, "drawn")
    image = add_image(
        study, PNG, pixels_sha256=sha256_hex(b"p"), renderer="test 1", view="model",
        width=4, height=3,
    )  # fmt: skip
    names = tuple(dict.fromkeys((*FIRST, *SECOND)))
    keep_conditions(study, names)
    shown = {add_scene(study, s.name, canonical_bytes(s)): s for s in scenes()}
    texts = {
        (name, at): prompt.texts
        for at, scene in shown.items()
        for name, prompt in prompts_for(scene, truth_of(scene), names).items()
    }
    calls = make_plan(
        RUN, BATCHES, arms(), [Shown(at, image) for at in shown], PROFILES,
        texts=lambda c, s: texts[c, s], samples=2, seed=1,
    )  # fmt: skip
    add_run(
        study, RUN, "plan", "drawn", practice=True,
        settings={"profiles": [asdict(p) for p in PROFILES]}, calls=calls,
    )  # fmt: skip
    return study, list(calls)


def ends(calls: list[PlannedCall], rng: random.Random) -> list[list[Attempt]]:
    """Draw what calls come to, in the order it comes in; some come to nothing."""
    found = []
    for one in calls:
        turns = len(one.turns)
        retries = [_attempt(one, 1, Outcome.RETRY, n + 1) for n in range(2)]
        tried = retries[: rng.choice((0, 0, 0, 1, 2))]
        at = len(tried) + 1
        replies = [
            _attempt(
                one, turn + 1, Outcome.REPLY, at if turn == 0 else 1, text=_text(rng),
                finish=rng.choice(("stop", "stop", "length", "content_filter")),
            )
            for turn in range(turns)
        ]  # fmt: skip
        failed = _attempt(one, 1, Outcome.FAILED, at)
        half = [*tried, *replies[:-1]]
        ways = ([], half, [*tried, failed], *([[*tried, *replies]] * 6))
        found.append(list(rng.choice(ways)))
    return found


def correct_some(study: Study, calls: list[PlannedCall], rng: random.Random) -> None:
    for one in rng.sample(calls, rng.randrange(4)):
        read = rng.choice(({"choice": 3}, {"choice": 5, "visible": [5, 8]}, {}))
        add_correction(study, one.call.id, read, actor="me", reason="read")


def columns_by_rows(study: Study, run_id: str = RUN) -> Columns:
    """The columns that scoring each reply on its own gives: the way to check counts."""
    scored = scored_replies(study, run_id)
    calls = [item.reply.call for item in scored]
    hashes = {call.scene for call in calls}
    parts = {
        "model": [c.profile for c in calls], "condition": [c.condition for c in calls],
        "batch": [c.batch for c in calls], "scene": [c.scene for c in calls],
    }  # fmt: skip
    names = {part: tuple(sorted(set(values))) for part, values in parts.items()}
    places = {
        part: np.array([names[part].index(value) for value in values], np.int32)
        for part, values in parts.items()
    }
    outcomes = np.array([list(_outcome(item)) for item in scored], np.int8)
    status, chose, correct, leaves_out, kind = outcomes.T
    return Columns(
        models=names["model"], conditions=names["condition"], batches=names["batch"],
        scenes=names["scene"], **places, status=status, hidden=chose, correct=correct,
        leaves_out=leaves_out, kind=kind, n=np.ones(len(calls), np.int32),
        facts=SceneFacts(study).of(hashes),
        corrected=sum(item.score is not None and not undone(item) for item in scored),
    )  # fmt: skip


@cache
def truths() -> dict[str, tuple[Scene, Truth]]:
    """Measured here, and not read from what the study keeps."""
    return {
        sha256_hex(canonical_bytes(scene)): (scene, truth_of(scene))
        for scene in scenes()
    }


def _outcome(item: Scored) -> Iterator[int]:
    scene, truth = truths()[item.reply.call.scene]
    key, sees, score = truth.key, truth.sees["director"], item.score
    if score is not None and item.correction is not None:
        score = score_given(item.correction.score, key.hidden, sees)
    yield ENDINGS.index("open" if score is None else score.status)
    yield _small(score and score.hidden_choice)
    yield _small(score and score.report_correct)
    visible = score.visible if score is not None else None
    yield NOTHING if visible is None else key.hidden not in visible
    if score is None or score.choice is None:
        yield NOTHING
        return
    yield KINDS.index(
        choice_kind(
            score.choice, digits=scene.digits, hidden=key.hidden, sees=sees,
            director_view=key.director_view,
        )
    )  # fmt: skip


def _small(value: object) -> int:
    return NOTHING if value is None else int(bool(value))


def _attempt(
    one: PlannedCall,
    turn: int,
    outcome: Outcome,
    number: int,
    *,
    text: str = "",
    finish: str | None = None,
) -> Attempt:
    return Attempt(
        one.call.id, turn, len(one.turns), number, outcome, "t", 1.0, "h", text=text,
        finish_reason=finish,
    )  # fmt: skip


def _text(rng: random.Random) -> str:
    digits = {"see": 5, "saw": 8, "hid": 3, "any": rng.choice((3, 5, 8, 4))}
    shift = rng.choice(list(permutations((3, 5, 8))))
    mapped = {3: shift[0], 5: shift[1], 8: shift[2], 4: 4}
    return rng.choice(_TEXTS).format(**{k: mapped[v] for k, v in digits.items()})
