"""Pieces: the named byte strings that prompts are joined from.

A piece is a fixed text or a fixed function of what the scene says. Two kinds need
the scene: the statement of what the director sees, and the request, whose referring
expression names the extreme that the scene asks for.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any

from director_gui.errors import UserError

SLOTS = (
    "setting",
    "constraint",
    "report",
    "request",
    "action",
    "report_after",
    "reply_format",
)
# What a reply can hold; scoring has a type for each.
KEYS = ("visible", "count", "known", "choice")


@dataclass(frozen=True, slots=True)
class Given:
    """What a scene tells a prompt.

    Args:
        sees: The digits of the blocks that the director sees, in any order.
        extreme: What the request asks for, ``largest`` or ``smallest``.
    """

    sees: tuple[int, ...]
    extreme: str

    @classmethod
    def of(cls, sees: Collection[int], extreme: str) -> "Given":
        """Return the same facts with digits ascending and without repeats."""
        return cls(tuple(sorted(set(sees))), extreme)


@dataclass(frozen=True, slots=True)
class Part:
    """A piece made out for one scene: what a message holds, byte for byte."""

    name: str
    slot: str
    data: bytes


@dataclass(frozen=True, slots=True)
class FixedText:
    """The same bytes for every scene."""

    data: bytes

    def made_out(self, name: str, given: Given) -> tuple[str, bytes]:
        """Return the part's name and its bytes."""
        del given  # the same for every scene
        return name, self.data

    def texts(self) -> tuple[bytes, ...]:
        """Return every text that must stand as lines of a prompt."""
        return (self.data,)

    def value(self) -> dict[str, object]:
        """Return the JSON value that the version's hash is made from."""
        return {"text": self.data.decode()}


@dataclass(frozen=True, slots=True)
class SeesText:
    """States the digits that the director sees, ascending, in fixed wording."""

    head: bytes
    between: bytes
    none: bytes
    tail: bytes

    def made_out(self, name: str, given: Given) -> tuple[str, bytes]:
        """Return the part's name and its bytes."""
        return name, self._stated(given.sees)

    def texts(self) -> tuple[bytes, ...]:
        """Return every text that must stand as lines of a prompt."""
        # None, one and several: each joins its words in another way.
        return tuple(self._stated(sees) for sees in ((), (5,), (2, 10)))

    def value(self) -> dict[str, object]:
        """Return the JSON value that the version's hash is made from."""
        words = (self.head, self.between, self.none, self.tail)
        return {"sees": [word.decode() for word in words]}

    def _stated(self, sees: tuple[int, ...]) -> bytes:
        # Sorted here too: the wording must not tell in which order a scene was made.
        digits = self.between.join(str(digit).encode() for digit in sorted(sees))
        return self.head + (digits or self.none) + self.tail


@dataclass(frozen=True, slots=True)
class ExtremeText:
    """One text for each extreme that a scene's request can name."""

    variants: tuple[tuple[str, str, bytes], ...]  # extreme, part name, bytes

    def made_out(self, name: str, given: Given) -> tuple[str, bytes]:
        """Return the variant's name and its bytes.

        Raises:
            UserError: The piece has no text for this extreme.
        """
        for extreme, part, data in self.variants:
            if extreme == given.extreme:
                return part, data
        raise UserError(f"has no text for “the {given.extreme} block”", where=name)

    def texts(self) -> tuple[bytes, ...]:
        """Return every text that must stand as lines of a prompt."""
        return tuple(data for _, _, data in self.variants)

    def value(self) -> dict[str, object]:
        """Return the JSON value that the version's hash is made from."""
        texts = {extreme: data.decode() for extreme, _, data in self.variants}
        return {"extremes": texts}


Text = FixedText | SeesText | ExtremeText


@dataclass(frozen=True, slots=True)
class Piece:
    """A named text for one slot.

    Args:
        name: Its name in conditions.
        slot: One of `SLOTS`.
        text: Its bytes, or how they follow from the scene.
        key: The JSON key that its question asks for, one of `KEYS`; None when it
            asks nothing.

    Raises:
        UserError: The text is not clean lines, or does not name exactly its key.
    """

    name: str
    slot: str
    text: Text
    key: str | None = None

    def __post_init__(self) -> None:
        if self.slot not in SLOTS:
            raise UserError(f"“{self.slot}” is no slot", where=self.name)
        if self.key is not None and self.key not in KEYS:
            raise UserError(f"“{self.key}” is no key of a reply", where=self.name)
        for data in self.text.texts():
            _check_lines(self.name, data)
            _check_key(self.name, data, self.key)

    def part(self, given: Given) -> Part:
        """Return the piece as it stands in the message for one scene."""
        name, data = self.text.made_out(self.name, given)
        return Part(name, self.slot, data)

    def value(self) -> dict[str, object]:
        """Return the JSON value that the version's hash is made from."""
        return {
            "name": self.name,
            "slot": self.slot,
            "key": self.key,
            **self.text.value(),
        }


def request_variants(texts: Mapping[str, tuple[str, bytes]]) -> ExtremeText:
    """Return the request's texts from extreme -> (part name, bytes), sorted."""
    # Sorted, so that the order in a file does not make another version.
    return ExtremeText(tuple((key, *texts[key]) for key in sorted(texts)))


def own_variants(name: str, texts: Mapping[str, str]) -> ExtremeText:
    """Return the texts of the request `name` from extreme -> text."""
    parts = {key: (f"{name}.{key}", str(text).encode()) for key, text in texts.items()}
    return request_variants(parts)


def read_text(name: str, value: Mapping[str, Any]) -> Text:
    """Return the text of the piece `name` from what its `value` gave.

    Raises:
        UserError: It is no such value.
    """
    if "sees" in value and len(value["sees"]) == len(fields(SeesText)):
        return SeesText(*(word.encode() for word in value["sees"]))
    if "extremes" in value:
        return own_variants(name, value["extremes"])
    if "text" in value:
        return FixedText(value["text"].encode())
    raise UserError("its text cannot be read", where=name)


def _check_lines(name: str, data: bytes) -> None:
    """Refuse what would let two pieces run together or hide a difference."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text at byte {error.start}", where=name) from error
    if text.startswith("\ufeff") or any(c < " " and c != "\n" for c in text):
        raise UserError(
            "holds a byte order mark or a control character",
            where=name,
            todo="Write plain lines that end in LF",
        )
    if not text.endswith("\n"):
        raise UserError("does not end its last line", where=name)
    # A blank at a line's end is a difference that nobody sees.
    for number, line in enumerate(text[:-1].split("\n"), 1):
        if not line or line != line.strip():
            raise UserError(
                f"line {number} is empty or begins or ends with a blank", where=name
            )


def _check_key(name: str, data: bytes, key: str | None) -> None:
    # A key that a text names by the way would stay asked for when the question goes.
    # In quotes, as a reply would hold it; the bare word may stand in a sentence.
    named = [other for other in KEYS if f'"{other}"'.encode() in data]
    if named != ([key] if key else []):
        raise UserError(
            f"names the keys {named or 'none'}, but asks for {key or 'none'}",
            where=name,
            todo="A question names its own key in double quotes, and no other",
        )
