"""Replies with their scores: always computed from what is stored, never kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from director_gui.geometry.truth import Truth
from director_gui.prompts.conditions import TURN_SLOTS
from director_gui.scene.model import Scene
from director_gui.scoring.score import Kind, Score, choice_kind, score_reply
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.conditions import StoredCondition, condition
from director_gui.store.corrections import Correction, current_corrections
from director_gui.store.database import Study
from director_gui.study.stimuli import truths_in


@dataclass(frozen=True, slots=True)
class Scored:
    """One call's reply with its score.

    Attributes:
        reply: What the call came to.
        score: By the rules; None while the call is open.
        kind: What kind of block was chosen; None without a choice.
        correction: A person's correction, kept beside the score.
    """

    reply: Reply
    score: Score | None
    kind: Kind | None
    correction: Correction | None = None


def scored_replies(study: Study, run_id: str) -> tuple[Scored, ...]:
    """Return a run's calls in the order they are sent, each with its score.

    Raises:
        UserError: The study does not hold the run, or is damaged.
    """
    replies = replies_of(study, run_id)
    truths = truths_in(study, {reply.call.scene for reply in replies})
    keys = keys_of(study, {reply.call.condition_hash for reply in replies})
    corrections = current_corrections(study, run_id)
    return tuple(
        scored_reply(
            reply,
            truths[reply.call.scene],
            keys[reply.call.condition_hash],
            corrections.get(reply.call.id),
        )
        for reply in replies
    )


def score_of(
    reply: Reply, truth: Truth, digits: Iterable[int], keys: tuple[tuple[str, ...], ...]
) -> Score | None:
    """Return the score of a reply; None while its call is open.

    Args:
        reply: What the call came to.
        truth: Of the scene that was shown.
        digits: The scene's digits.
        keys: The JSON keys that each turn asked for.
    """
    if reply.status == "open":
        return None
    last = reply.last
    return score_reply(
        # None is "failed"; an empty text would be scored as `empty`.
        reply.text if reply.status == "reply" else None,
        keys=keys[-1],
        finish_reason=last.finish_reason if last is not None else None,
        digits=tuple(digits),
        hidden=truth.key.hidden,
        sees=truth.sees["director"],
        turn1_text=reply.turn1_text,
        # The report of a two-turn call comes from turn 1 (METHOD §5.9).
        turn1_keys=keys[0] if len(keys) > 1 else (),
    )


def scored_reply(
    reply: Reply,
    shown: tuple[Scene, Truth],
    keys: tuple[tuple[str, ...], ...],
    correction: Correction | None = None,
) -> Scored:
    """Return a reply with its score and the kind of block it chose.

    Args:
        reply: What the call came to.
        shown: The scene and its truth.
        keys: The JSON keys that each turn asked for (`keys_of`).
        correction: A person's correction, kept beside the score.
    """
    scene, truth = shown
    score = score_of(reply, truth, scene.digits, keys)
    kind = None
    if score is not None and score.choice is not None:
        kind = choice_kind(
            score.choice,
            digits=scene.digits,
            hidden=truth.key.hidden,
            sees=truth.sees["director"],
            director_view=truth.key.director_view,
        )
    return Scored(reply, score, kind, correction)


def keys_of(
    study: Study, versions: set[str]
) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return the JSON keys that each turn of some condition versions asked for.

    Raises:
        UserError: The study does not hold a version.
    """
    # By version: today's condition of the name may ask for other keys.
    return {version: _keys(condition(study, version)) for version in versions}


def _keys(stored: StoredCondition) -> tuple[tuple[str, ...], ...]:
    """Return the keys that each turn of a stored version asked for."""
    value = stored.pieces
    asked = [(piece["slot"], piece["key"]) for piece in value["pieces"]]
    return tuple(
        tuple(key for slot, key in asked if key and slot in slots)
        # The stored version has pieces alone; which turn a slot is in follows from it.
        for slots in TURN_SLOTS[value["turns"]]
    )
