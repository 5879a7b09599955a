"""Which condition a request is in, read off its text as a model would.

Pieces that ship with the program are recognised by their text. Each question stands
on a line of its own and names its own JSON key (METHOD section 3), so lines and keys
are enough for a user's own wording, which is understood as far as it keeps to that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from director_gui import assets
from director_gui.runner.practice.mixture import FALLBACK_GROUP, FIRST_TURN_GROUP

KEYS = ("visible", "known", "count", "choice")
# Any quotes: a person who writes a piece elsewhere may not type straight ones.
_KEY = re.compile(r"""["“”'`](visible|known|count|choice)["“”'`]""")
_QUESTION_OF = {"visible": "ask", "known": "knows", "count": "count"}
_CONSTRAINT_PIECES = ("both", "knowledge", "reference", "padding")  # whole before part
# The rewordings contain the plain action's words, so they come first.
_ACTIONS = (
    ("want", re.compile(r"want you to move", re.IGNORECASE)),
    ("youwill", re.compile(r"the block that you will move", re.IGNORECASE)),
    ("move", re.compile(r"\bmove", re.IGNORECASE)),
    ("mean", re.compile(r"\b(mean|refer)", re.IGNORECASE)),
)
_STATEMENT = re.compile(r"director\b.*\bsees?\b.*(\d|\bnone\b)", re.IGNORECASE)
_KNOWLEDGE = re.compile(r"director\b.*\bknow", re.IGNORECASE)
_REFERENCE = re.compile(r"\b(refers?|words)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the last message asks for, and the condition that this makes."""

    group: str  # a condition's name, such as move.ask
    keys: tuple[str, ...]  # JSON keys in the order they are asked for


def read_condition(turns: Sequence[str]) -> Asked:
    """Return what a conversation asks.

    Args:
        turns: The texts of the user's messages in order; the last one is answered.
    """
    earlier, last = turns[:-1], turns[-1] if turns else ""
    keys = _keys(last)
    if "choice" not in keys:
        # A turn that asks no choice stands before the action, which is not known yet.
        return Asked(FIRST_TURN_GROUP if keys else FALLBACK_GROUP, keys)
    action = _action(last)
    question = _first_turn(earlier) or _question(last, keys)
    # A constraint of the first turn still holds in the second.
    middle = _constraint("\n".join(turns))
    return Asked(".".join(filter(None, (action, middle, question))), keys)


def _keys(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_KEY.findall(text)))


def _line_with(text: str, key: str) -> str:
    return next((line for line in text.splitlines() if key in _keys(line)), "")


def _action(text: str) -> str:
    piece = _piece_in(text, tuple(name for name, _ in _ACTIONS))
    line = _line_with(text, "choice")
    return piece or next((name for name, cue in _ACTIONS if cue.search(line)), "move")


def _question(text: str, keys: tuple[str, ...]) -> str:
    asked = [key for key in keys if key in _QUESTION_OF]
    if not asked:
        stated = any(_STATEMENT.search(line) for line in _plain_lines(text))
        return "state" if stated else "plain"
    if asked[0] == "visible" and keys.index("visible") > keys.index("choice"):
        return "after"
    return _QUESTION_OF[asked[0]]


def _first_turn(earlier: Sequence[str]) -> str:
    keys = _keys("\n".join(earlier))
    if not keys:
        return ""
    return "first_turn_count" if "count" in keys else "first_turn"


def _plain_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if not _keys(line)]


def _constraint(text: str) -> str:
    piece = _piece_in(text, _CONSTRAINT_PIECES)
    if piece:
        return piece
    plain = _plain_lines(text)
    knowledge = any(_KNOWLEDGE.search(line) for line in plain)
    reference = any(_REFERENCE.search(line) for line in plain)
    if knowledge and reference:
        return "both"
    return "knowledge" if knowledge else "reference" if reference else ""


def _piece_in(text: str, names: tuple[str, ...]) -> str:
    return next((name for name in names if _piece(name) in text), "")


@cache
def _piece(name: str) -> str:
    return assets.read_text(f"prompts/pieces/{name}.txt").strip()
