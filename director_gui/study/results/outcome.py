"""What counts of a score: five small facts, which fit one whole number."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from director_gui.ids import hash_of
from director_gui.scoring import score
from director_gui.scoring.score import Score, choice_kind, score_reply
from director_gui.study.results.columns import ENDINGS, KINDS, NOTHING, OPEN, SceneFact

Keys = tuple[tuple[str, ...], ...]
SmallArray = npt.NDArray[np.int8]
# Values of each part of a code, the last one changing fastest. A change of these, of
# ENDINGS or of KINDS changes what stored codes mean; `basis_of` names them.
_WIDTHS = (len(ENDINGS), 3, 3, 3, len(KINDS) + 1)


class Outcome(NamedTuple):
    """What tables count of a reply, in the order of `Columns`.

    Attributes:
        status: Place in `ENDINGS`.
        hidden: 1 for a hidden choice, 0 for another, `NOTHING` without one.
        correct: 1 for an exactly right report, 0, or `NOTHING`.
        leaves_out: 1 when the report leaves the hidden block out, 0, or `NOTHING`.
        kind: Place in `KINDS`, or `NOTHING`.
    """

    status: int
    hidden: int
    correct: int
    leaves_out: int
    kind: int

    @property
    def code(self) -> int:
        """All five as one number, 0 or more."""
        status, hidden, correct, leaves_out, kind = self
        # Each part is -1, 0 or 1, moved up by one so that NOTHING is a digit too.
        found = (status * 3 + hidden + 1) * 3 + correct + 1
        return (found * 3 + leaves_out + 1) * _WIDTHS[4] + kind + 1


NO_REPLY = Outcome(OPEN, NOTHING, NOTHING, NOTHING, NOTHING)


def decoded(codes: npt.NDArray[np.int64]) -> tuple[SmallArray, ...]:
    """Return the five facts of many codes, an array each."""
    parts = np.unravel_index(codes, _WIDTHS)
    return tuple(
        # The status alone has no NOTHING, so it was not moved.
        (part - (place > 0)).astype(np.int8)
        for place, part in enumerate(parts)
    )


def score_with(
    fact: SceneFact,
    keys: Keys,
    text: str | None,
    first: str | None,
    finish_reason: str | None,
) -> Score:
    """Return a reply's score.

    Args:
        fact: The scene that was shown.
        keys: The JSON keys that each turn asked for.
        text: The reply; None when the call failed.
        first: The reply to turn 1 of a two-turn call.
        finish_reason: In Chat's words.
    """
    return score_reply(
        text,
        keys=keys[-1],
        finish_reason=finish_reason,
        digits=fact.digits,
        hidden=fact.hidden,
        sees=fact.sees,
        turn1_text=first,
        turn1_keys=keys[0] if len(keys) > 1 else (),
    )


def outcome_of(fact: SceneFact, found: Score) -> Outcome:
    """Return what counts of a score."""
    kind = NOTHING
    if found.choice is not None:
        kind = KINDS.index(
            choice_kind(
                found.choice,
                digits=fact.digits,
                hidden=fact.hidden,
                sees=fact.sees,
                director_view=fact.director_view,
            )
        )
    left = None
    # With several hidden blocks there is no one block to leave out.
    if found.visible is not None and fact.hidden is not None:
        left = fact.hidden not in found.visible
    return Outcome(
        ENDINGS.index(found.status),
        _small(found.hidden_choice),
        _small(found.report_correct),
        _small(left),
        kind,
    )


def basis_of(keys: Mapping[str, Keys], facts: Mapping[str, SceneFact]) -> str:
    """Return the hash of everything but the replies that outcomes depend on.

    Args:
        keys: The JSON keys that each condition version asked for.
        facts: What is known of each scene, by hash.
    """
    known = {
        name: [fact.digits, fact.hidden, fact.director_view, fact.sees]
        for name, fact in facts.items()
    }
    # Looked up when asked for: it is the version of the rule that scores now.
    return hash_of([score.SCORER_VERSION, ENDINGS, KINDS, dict(keys), known])


def _small(value: bool | None) -> int:  # noqa: FBT001 - it is the value, no switch
    return NOTHING if value is None else int(value)
