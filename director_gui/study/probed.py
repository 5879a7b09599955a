"""Probes that were sent: their replies as they arrive, their lists, their details."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from director_gui.geometry.truth import Truth
from director_gui.prompts.library import Library
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Call
from director_gui.runner.wire import as_curl, as_python
from director_gui.scene.model import Scene
from director_gui.stats.result import Share
from director_gui.store.attempts import attempts_of, reply_of
from director_gui.store.database import Study
from director_gui.store.progress import ended_calls
from director_gui.store.runs import Run, call_input, run, runs
from director_gui.store.scenes import image
from director_gui.study.analysis import arm_counts
from director_gui.study.prompt_library import study_library
from director_gui.study.scored import Scored, keys_of, scored_replies, scored_reply
from director_gui.study.stimuli import scene_in, truths_in

BODY_SHOWN = 200_000  # bytes of a raw body that are shown
_LONGEST_LINE = 2_000  # characters; longer lines hold a text view up

Form = Literal["curl", "python"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A probe as a list shows it.

    Attributes:
        run: The stored run.
        scene_hash: Of the exact scene it was made on.
        scene: That scene.
        ended: Calls that have an end; None where they were not counted.
    """

    run: Run
    scene_hash: str
    scene: Scene
    ended: int | None = None

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, joined bases included."""
        return tuple(self.run.settings["conditions"])

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the model profiles."""
        return tuple(profile["name"] for profile in self.run.settings["profiles"])

    @property
    def samples(self) -> int:
        """Replies per condition and model."""
        return int(self.run.settings["samples"])

    @property
    def calls(self) -> int:
        """Replies that were asked for."""
        return self.samples * len(self.conditions) * len(self.models)

    @property
    def open(self) -> int:
        """Calls that were counted and have no end."""
        return 0 if self.ended is None else self.calls - self.ended


@dataclass(frozen=True, slots=True)
class Replies:
    """A probe with all its replies, in the order of a table.

    Attributes:
        probe: Which one.
        truth: Of its scene.
        keys: The JSON keys of each turn, by the hash of the condition's version.
        scored: One entry a call, by model, condition and sample.
        attempts: What was tried so far of each call that is still open, by call id.
        known: The study's conditions and pairs; None for the program's own.
    """

    probe: Probe
    truth: Truth
    keys: Mapping[str, tuple[tuple[str, ...], ...]]
    scored: tuple[Scored, ...]
    attempts: Mapping[str, tuple[Attempt, ...]]
    known: Library | None = None


@dataclass(frozen=True, slots=True)
class ArmPair:
    """One model and condition in two probes; None where a probe lacks it."""

    model: str
    condition: str
    first: Share | None
    second: Share | None


def probes_of(study: Study) -> tuple[Probe, ...]:
    """Return the study's probes, newest first.

    Raises:
        UserError: The study cannot be read.
    """
    known: dict[str, Scene] = {}
    ended = ended_calls(study, "probe")
    found = []
    for item in reversed(runs(study, "probe")):
        scene_hash = item.settings["scenes"][0]
        # Many probes are made on one scene; it is read once.
        if scene_hash not in known:
            known[scene_hash] = scene_in(study, scene_hash)
        scene, count = known[scene_hash], ended.get(item.id, 0)
        found.append(Probe(item, scene_hash, scene, count))
    return tuple(found)


def replies_in(study: Study, run_id: str) -> Replies:
    """Return a probe of the study with all its replies, scored.

    Raises:
        UserError: The study does not hold it, or is damaged.
    """
    stored = run(study, run_id)
    scene_hash = stored.settings["scenes"][0]
    scene, truth = truths_in(study, {scene_hash})[scene_hash]
    known = study_library(study)
    scored = sorted(scored_replies(study, run_id), key=_table_order(known))
    # Whoever resumes must count on: a call remembers its tries across sessions.
    tried = [i for i in scored if i.reply.status == "open" and i.reply.attempts]
    return Replies(
        probe=Probe(stored, scene_hash, scene),
        truth=truth,
        keys=keys_of(study, {item.reply.call.condition_hash for item in scored}),
        scored=tuple(scored),
        attempts={
            item.reply.call.id: tuple(attempts_of(study, item.reply.call.id))
            for item in tried
        },
        known=known,
    )


def rescored(replies: Replies, call: Call, attempts: Sequence[Attempt]) -> Scored:
    """Return a call's score after new attempts, without reading the study again."""
    shown = (replies.probe.scene, replies.truth)
    keys = replies.keys[call.condition_hash]
    return scored_reply(reply_of(call, list(attempts)), shown, keys)


def compare_arms(first: Replies, second: Replies) -> tuple[ArmPair, ...]:
    """Return the hidden-block choices of every arm of two probes, side by side."""
    counts = [
        {(arm.model, arm.condition): arm.hidden for arm in arm_counts(one.scored)}
        for one in (first, second)
    ]
    return tuple(
        ArmPair(*key, counts[0].get(key), counts[1].get(key))
        for key in dict.fromkeys((*counts[0], *counts[1]))
    )


def picture_of(study: Study, replies: Replies) -> bytes:
    """Return the stored PNG that a probe showed to its models.

    Raises:
        UserError: The picture is damaged.
    """
    # Of the call, not of the scene: another renderer may have drawn it anew since.
    return image(study, replies.scored[0].reply.call.image).png


def copied(study: Study, item: Scored, profile: Profile, form: Form) -> str:
    """Return a call as a shell command or a script; the key is never in it.

    Args:
        study: Holds the call.
        item: The reply whose call is meant; of two turns the last is copied.
        profile: As the call was planned with.
        form: Which language.

    Raises:
        UserError: The study does not hold the call.
    """
    # The untouched bytes from the study: the copy is the call, not one like it.
    given = call_input(study, item.reply.call)
    replies = item.reply.texts[: len(given.turns) - 1]
    return (as_curl if form == "curl" else as_python)(profile, given, replies)


def body_text(body: bytes | None) -> tuple[str, str]:
    """Return a raw body as it can be shown, and a note about what was left out."""
    if body is None:
        return "", "No body arrived"
    if len(body) > BODY_SHOWN:
        text = body[:BODY_SHOWN].decode("utf-8", "replace")
        kilo = len(body) / 1000
        return shown_text(text), f"The first 200 kB of {kilo:,.0f} kB, as served"
    text = body.decode("utf-8", "replace")
    try:
        # Keys keep the order in which the server sent them.
        pretty = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return shown_text(text), "Not JSON; shown as served"
    if len(pretty) > BODY_SHOWN:
        return shown_text(text), "Too long to be set out; shown as served"
    return shown_text(pretty), ""


def shown_text(text: str) -> str:
    """Return `text` as a view can lay it out at once: endless lines are broken.

    Only what is far beyond any reply that answers is changed: lines above 2,000
    characters, and all that follows the first 200,000.
    """
    return "\n".join(
        line[at : at + _LONGEST_LINE]
        for line in text[:BODY_SHOWN].split("\n")
        for at in range(0, max(1, len(line)), _LONGEST_LINE)
    )


def _table_order(known: Library) -> "_Order":
    names = [condition.name for condition in known.conditions]
    return _Order({name: at for at, name in enumerate(names)})


@dataclass(frozen=True, slots=True)
class _Order:
    """Sorts calls by model, the library's order of conditions, and sample."""

    places: Mapping[str, int]

    def __call__(self, item: Scored) -> tuple[str, int, str, int]:
        call = item.reply.call
        place = self.places.get(call.condition, len(self.places))
        return call.profile, place, call.condition, call.sample
