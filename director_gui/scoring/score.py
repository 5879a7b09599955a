"""The score of one reply: METHOD's nine rules, in their order."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from director_gui.scoring.clean import is_blank, without_reasoning
from director_gui.scoring.extract import Answer, Value, last_answer

# Raise it when any reply may be scored otherwise than before: stored counts of scores
# name it, and are made anew. A test tells when the rules' code has changed.
SCORER_VERSION = 1

Status = Literal["answered", "truncated", "filtered", "empty", "unparsed", "failed"]
Kind = Literal[
    "director_view", "largest_digit", "other_visible", "hidden", "unseen", "not_a_block"
]
STATUSES: tuple[Status, ...] = (
    "answered",
    "truncated",
    "filtered",
    "empty",
    "unparsed",
    "failed",
)
FLAGS = (  # the order in which a score lists them
    "conflicting_answers",
    "repeated_key",
    "not_a_block",
    "report_not_a_block",
    "unasked_report",
    "report_unparsed",
)


@dataclass(frozen=True, slots=True)
class Score:
    """What one reply says, and whether it is right; None where there is no value.

    Args:
        status: Only `answered` replies enter the rates.
        visible: The visibility report, ascending; None when not asked or not found.
        choice: The number of the chosen block.
        report_correct: Whether the report is exactly what the director sees.
        hidden_choice: Whether the choice is the hidden block; None also when the
            scene has no single hidden block.
        known: The answer to the knowledge question, ascending.
        count: The answer to the block-count question.
        flags: What a person should know, in the order of `FLAGS`.
    """

    status: Status
    visible: tuple[int, ...] | None = None
    choice: int | None = None
    report_correct: bool | None = None
    hidden_choice: bool | None = None
    known: tuple[int, ...] | None = None
    count: int | None = None
    flags: tuple[str, ...] = ()

    @property
    def joint(self) -> bool | None:
        """A correct report *and* a hidden choice; None when either has no value."""
        if self.report_correct is None or self.hidden_choice is None:
            return None
        return self.report_correct and self.hidden_choice

    def value(self) -> dict[str, object]:
        """Return the JSON value that ``score`` prints, without the reply's id."""
        return {
            "status": self.status,
            "visible": None if self.visible is None else list(self.visible),
            "choice": self.choice,
            "report_correct": self.report_correct,
            "hidden_choice": self.hidden_choice,
            "flags": list(self.flags),
            "known": None if self.known is None else list(self.known),
            "count": self.count,
        }


def score_reply(
    text: str | None,
    *,
    keys: Sequence[str],
    finish_reason: str | None,
    digits: Collection[int],
    hidden: int | None,
    sees: Collection[int],
    turn1_text: str | None = None,
    turn1_keys: Sequence[str] = (),
) -> Score:
    """Score one reply.

    Args:
        text: The reply (of the last turn); None when none came after retries.
        keys: The JSON keys that this turn asked for.
        finish_reason: Why the model stopped; ``length`` and ``content_filter`` matter.
        digits: The digits of the scene's blocks.
        hidden: The digit of the hidden block, None when there is no single one.
        sees: The digits that the director sees.
        turn1_text: The reply to the first of two turns.
        turn1_keys: The JSON keys that the first of two turns asked for; empty when
            there was one turn.
    """
    status, answer = _status(text, keys, finish_reason)
    if answer is None:
        return Score(status)
    # The turns share no key, so their answers can be laid together; what is odd about
    # either is odd about the reply.
    first = _first_answer(turn1_text, turn1_keys)
    answers = [answer, first] if first else [answer]
    values = {key: item for found in answers for key, item in found.values.items()}
    visible, known = _listed(values, "visible"), _listed(values, "known")
    choice, count = _single(values, "choice"), _single(values, "count")
    flags = {
        "conflicting_answers": any(found.conflicting for found in answers),
        "repeated_key": any(found.repeated for found in answers),
        "not_a_block": choice is not None and choice not in digits,
        "report_not_a_block": not set(visible or ()) <= set(digits),
        "unasked_report": any(found.unasked_report for found in answers),
        # The block-count control asks for no report, so it cannot miss one.
        "report_unparsed": "visible" in turn1_keys and first is None,
    }
    return Score(
        status=status,
        visible=visible,
        choice=choice,
        report_correct=None if visible is None else set(visible) == set(sees),
        hidden_choice=None if None in (choice, hidden) else choice == hidden,
        known=known,
        count=count,
        flags=tuple(flag for flag in FLAGS if flags[flag]),
    )


def choice_kind(
    choice: int,
    *,
    digits: Collection[int],
    hidden: int | None,
    sees: Collection[int],
    director_view: int | None,
) -> Kind:
    """Return what kind of block a choice names, for the breakdown of choices.

    A director-view block that also carries the largest visible digit counts as the
    director-view block. ``unseen`` is a block that the director does not see and that
    is not *the* hidden block, as in scenes with several.
    """
    if choice not in digits:
        return "not_a_block"
    if choice == hidden:
        return "hidden"
    if choice == director_view:
        return "director_view"
    if choice not in sees:
        return "unseen"
    return "largest_digit" if choice == max(sees) else "other_visible"


def _status(
    text: str | None, keys: Sequence[str], finish_reason: str | None
) -> tuple[Status, Answer | None]:
    if finish_reason == "content_filter":
        return "filtered", None
    if text is None:
        # A server that ran into its limit did reply, if with nothing.
        return ("truncated" if finish_reason == "length" else "failed"), None
    said = without_reasoning(text)
    answer = last_answer(said, keys)
    # A complete answer counts even when the model was cut off behind it.
    if answer is not None:
        return "answered", answer
    if finish_reason == "length":
        return "truncated", None
    return ("empty" if is_blank(said) else "unparsed"), None


def _first_answer(text: str | None, keys: Sequence[str]) -> Answer | None:
    if text is None or not keys:
        return None
    return last_answer(without_reasoning(text), keys)


def _listed(values: dict[str, Value], key: str) -> tuple[int, ...] | None:
    value = values.get(key)
    return tuple(sorted(value)) if isinstance(value, frozenset) else None


def _single(values: dict[str, Value], key: str) -> int | None:
    value = values.get(key)
    return value if isinstance(value, int) else None
