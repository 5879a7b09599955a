"""How blind the coders were: their guesses against the conditions, once unblinded.

CODING.md, section 8.5. A guess is about the one thing that the conditions differ in for
a coder: whether the visibility question was asked.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from coding.bang import Bang, bang
from coding.events import ASKED, NOT_ASKED
from director_gui.ids import Json
from director_gui.store.conditions import condition
from director_gui.store.database import Study
from director_gui.study.blind.keys import opened
from director_gui.study.blind.passes import Pass, passes_of, refuse_while_blind

_REPORT_KEY = "visible"  # the key of the reply that only the visibility question names


@dataclass(frozen=True, slots=True)
class Guessed:
    """One coder's guesses of one condition."""

    coder: str
    condition: str
    asked: bool
    index: Bang

    def value(self) -> Json:
        """Return the JSON value; the index is null when nobody guessed."""
        one = self.index
        return {
            "coder": self.coder,
            "condition": self.condition,
            "asked": self.asked,
            "right": one.right,
            "wrong": one.wrong,
            "unknown": one.unknown,
            "bang": one.value,
            "se": one.se,
            "ci": list(one.ci) if one.ci else None,
            "note": one.note,
        }


def guesses_of(study: Study, packet_id: str) -> tuple[Guessed, ...]:
    """Return Bang's blinding index of each coder and condition, of items guessed at.

    Empty when no coder guessed at all.

    Raises:
        UserError: The packet is still blind: the index would tell who is in which
            condition.
    """
    refuse_while_blind(study, packet_id)
    found = opened(study, packet_id)
    wanted = set(found.calls.values())
    rows = study.query("SELECT id, condition, condition_hash FROM calls")
    calls = {r["id"]: r for r in rows if r["id"] in wanted}
    # A condition that was edited between runs may ask in one version only.
    asked = {
        version: _asks(study, version)
        for version in {row["condition_hash"] for row in calls.values()}
    }
    arms = {
        call: (r["condition"], asked[r["condition_hash"]]) for call, r in calls.items()
    }
    return tuple(
        guessed for one in passes_of(study, found) for guessed in _guessed(one, arms)
    )


def _asks(study: Study, version: str) -> bool:
    pieces = condition(study, version).pieces["pieces"]
    return any(piece.get("key") == _REPORT_KEY for piece in pieces)


def _guessed(one: Pass, arms: Mapping[str, tuple[str, bool]]) -> list[Guessed]:
    counts: dict[tuple[str, bool], Counter[str]] = {}
    for item, call in one.opened.calls.items():
        # Not asked is not "don't know": the index would take silence for blindness.
        if guess := one.states[item].guess:
            counts.setdefault(arms[call], Counter())[guess] += 1
    return [
        Guessed(one.name, name, asked, _index(counts[name, asked], asked=asked))
        for name, asked in sorted(counts)
    ]


def _index(answers: Counter[str], *, asked: bool) -> Bang:
    right, wrong = (ASKED, NOT_ASKED) if asked else (NOT_ASKED, ASKED)
    known = answers[right] + answers[wrong]
    # One index a condition: a coder who always says "asked" is right in half of them.
    return bang(answers[right], answers[wrong], answers.total() - known)
