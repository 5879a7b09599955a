"""Find every strict JSON object in a text, in time linear in its length.

A decoder tried at each brace takes quadratic time on text such as ``{"a":{"a":…``
and stops at Python's recursion and digit limits. Here an attempt starts at a brace,
keeps its own stack, and marks every brace that it met *outside* strings: if the
attempt fails, those fail with it at the same place, so they need no attempt of their
own. A brace met inside a string gets its own attempt, which reads every quote the
other way round; two attempts that overlap thus disagree on what is a string, so at
most two ever cover one character.
"""

import json
import re
from dataclasses import dataclass, field

# A scalar is its JSON text; a list is its items' texts; None stands for what no
# question asks for: an object, or a list inside a list.
Raw = str | list[str | None] | None

_WS = r"[ \t\n\r]*+"
_STRING = r'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+"'
_NUMBER = r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?+(?:[eE][+\-]?[0-9]++)?+"
# One object's opening, up to its first member's value. A brace that begins none of
# these begins no object that could hold an answer, so floods of braces cost little.
_OPENING = rf"\{{{_WS}{_STRING}{_WS}:{_WS}"
_START = re.compile(rf"\{{(?={_WS}{_STRING}{_WS}:)")
_OPEN = re.compile(rf"\{{{_WS}({_STRING}){_WS}:{_WS}")
_VALUE = re.compile(
    rf"{_WS}(?:((?:{_OPENING})++)"  # a run of objects, each the next one's first value
    rf"|(\[)(?!{_WS}\])"
    rf"|(\[{_WS}\])"
    rf"|({_STRING}|{_NUMBER}|true|false|null|\{{{_WS}\}}))"
)
_OPEN_OBJECTS, _OPEN_LIST, _EMPTY_LIST, _SCALAR = range(1, 5)
_AFTER = re.compile(rf"{_WS}(?:,{_WS}({_STRING}){_WS}:|(,)|(\}})|(\]))")
_NEXT_MEMBER, _COMMA, _CLOSE_OBJECT, _CLOSE_LIST = range(1, 5)


@dataclass(slots=True)
class JsonObject:
    """One object in a text.

    Args:
        start: Where its brace opens, in code points.
        end: Just past its closing brace; -1 while it is open.
        members: Key -> value; a repeated key holds its last value.
        repeated: Whether a key occurs twice in the object itself.
        key: The member that is being read.
    """

    start: int
    end: int = -1
    members: dict[str, Raw] = field(default_factory=dict)
    repeated: bool = False
    key: str = ""

    def open_member(self, quoted: str) -> None:
        """Begin a member, given its key as JSON text."""
        self.key = json.loads(quoted) if "\\" in quoted else quoted[1:-1]
        self.repeated = self.repeated or self.key in self.members
        self.members[self.key] = None  # an earlier value is forgotten


def scan(text: str) -> list[JsonObject]:
    """Return the strict JSON objects in `text` that have members, by their start.

    The list is what a strict decoder finds that is tried at each brace from left to
    right and goes on behind what it could read, together with every object nested in
    what it read.
    """
    met: set[int] = set()
    done: list[JsonObject] = []
    at = 0
    while brace := _START.search(text, at):
        at = brace.end()
        if brace.start() in met:
            continue
        attempt = _Attempt(text)
        stop = attempt.read(brace.start())
        done += attempt.done
        # Counting costs far less than remembering each brace of a flood.
        if text.count("{", brace.start(), stop) == len(attempt.met):
            at = stop  # no brace stood in a string
        else:
            met.update(attempt.met)
    # An object is complete after those nested in it, but begins before them.
    done.sort(key=lambda found: found.start)
    return _without_straddlers(done)


def _without_straddlers(found: list[JsonObject]) -> list[JsonObject]:
    """Drop objects that begin in a string of an earlier object and end behind it."""
    kept, end = [], 0
    for item in found:
        if item.start >= end:
            end = item.end
        if item.end <= end:
            kept.append(item)
    return kept


class _Attempt:
    """Read one object from its brace until it closes or the text is no JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        # An object that only holds another so far is its brace's place, no more:
        # most of a flood of openings never closes.
        self.stack: list[JsonObject | list[str | None] | int] = []
        self.met: list[int] = []  # braces outside strings
        self.done: list[JsonObject] = []

    def read(self, at: int) -> int:
        """Read from the brace at `at` and return where reading stopped.

        The objects that were completed go to `done`.
        """
        value_next = True
        while found := (_VALUE if value_next else _AFTER).match(self.text, at):
            value_next = self._value(found) if value_next else self._after(found)
            if not self.stack:
                return found.end()
            at = found.end()
        return at

    def _value(self, found: re.Match[str]) -> bool:
        """Take in a value or the beginning of one; tell whether a value is next."""
        kind = found.lastindex
        if kind == _OPEN_OBJECTS:
            self._open_objects(*found.span(_OPEN_OBJECTS))
        elif kind == _SCALAR:
            self._put(self._scalar(found[_SCALAR], found.start(_SCALAR)))
        else:
            items: list[str | None] = []
            self._put(items)
            if kind == _OPEN_LIST:
                self.stack.append(items)
        return kind in (_OPEN_OBJECTS, _OPEN_LIST)

    def _open_objects(self, start: int, end: int) -> None:
        starts = [found.start() for found in _OPEN.finditer(self.text, start, end)]
        self._put(None)
        self.met += starts
        self.stack += starts
        self._top()

    def _scalar(self, raw: str, at: int) -> Raw:
        if raw[0] != "{":
            return raw
        self.met.append(at)  # an empty object holds no answer
        return None

    def _after(self, found: re.Match[str]) -> bool:
        """Take in what follows a value; tell whether a value is next."""
        kind, top = found.lastindex, self._top()
        if isinstance(top, JsonObject) and kind == _NEXT_MEMBER:
            top.open_member(found[_NEXT_MEMBER])
        elif isinstance(top, JsonObject) and kind == _CLOSE_OBJECT:
            top.end = found.end()
            self.done.append(top)
            self.stack.pop()
        elif isinstance(top, list) and kind == _CLOSE_LIST:
            self.stack.pop()
        elif isinstance(top, JsonObject) or kind != _COMMA:
            self.stack.clear()  # a bracket or comma that cannot stand here
        return kind in (_NEXT_MEMBER, _COMMA)

    def _put(self, value: Raw) -> None:
        if not self.stack:
            return
        top = self._top()
        if isinstance(top, list):
            top.append(value if isinstance(value, str) else None)
        else:
            top.members[top.key] = value

    def _top(self) -> JsonObject | list[str | None]:
        top = self.stack[-1]
        if not isinstance(top, int):
            return top
        opening = _OPEN.match(self.text, top)
        assert opening, "a place on the stack is an opening"  # noqa: S101 - for mypy
        opened = self.stack[-1] = JsonObject(top)
        opened.open_member(opening[1])
        return opened
