"""Characters that an editor slips into a text and that nobody sees.

Two prompts that look the same on screen may differ in such a character, and then a
difference between them is no longer one of wording. Each find has its position and
what should stand there instead.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

# Letters that most typefaces draw like a Latin one (Unicode TR 39, confusables).
_CYRILLIC = (
    "\u0410A \u0412B \u0415E \u041aK \u041cM \u041dH \u041eO \u0420P \u0421C \u0422T"
    " \u0425X \u0405S \u0406I \u0408J \u0430a \u0435e \u043eo \u0440p \u0441c \u0443y"
    " \u0445x \u0455s \u0456i \u0458j \u04bbh \u0501d \u051bq \u051dw"
)
_GREEK = (
    "\u0391A \u0392B \u0395E \u0396Z \u0397H \u0399I \u039aK \u039cM \u039dN \u039fO"
    " \u03a1P \u03a4T \u03a5Y \u03a7X \u03b9i \u03bak \u03bdv \u03bfo \u03c1p"
)
_LETTERS = {pair[0]: pair[1] for pair in f"{_CYRILLIC} {_GREEK}".split()}
_QUOTES = {
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\uff07", "'"),
}
_SIGNS = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"),
    "\u2026": "...",
    "\u037e": ";",
}
_LINE_ENDS = re.compile("\r\n?|\u2028|\u2029|\x85|\x0b|\x0c")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
_LEADING = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Found:
    """One stretch of a text that an editor may have slipped in.

    Attributes:
        start: Where it begins, in code points from 0.
        end: Where it ends.
        line: The line that it stands in, from 1.
        column: The column in that line, from 1.
        what: What it is, such as ``no-break space (U+00A0)``.
        instead: What should stand there; empty when nothing should.
    """

    start: int
    end: int
    line: int
    column: int
    what: str
    instead: str

    def __str__(self) -> str:
        """Say where and what it is, in words."""
        return f"line {self.line}, column {self.column}: {self.what}"


def find(text: str, *, lines: bool = True) -> tuple[Found, ...]:
    """Return everything suspicious in `text`, in order.

    Args:
        text: A piece's text.
        lines: Whether it is whole lines; a part of a line may end in a blank.
    """
    found = [*_line_ends(text), *_characters(text)]
    if lines:
        found += _blanks(text)
    return tuple(_placed(text, *one) for one in _apart(sorted(found)))


def mend(text: str, found: tuple[Found, ...]) -> str:
    """Return `text` with each of the stretches `found` in it replaced."""
    for one in reversed(found):
        text = text[: one.start] + one.instead + text[one.end :]
    return text


def mend_all(text: str, *, lines: bool = True) -> str:
    """Return `text` without anything that `find` would find."""
    # One mend can bare another: a no-break space at a line's end becomes a blank.
    while found := find(text, lines=lines):
        text = mend(text, found)
    return text


_Stretch = tuple[int, int, str, str]  # start, end, what, instead


def _apart(found: list[_Stretch]) -> Iterator[_Stretch]:
    """Leave out what overlaps an earlier stretch: it is found after that is mended."""
    reached = 0
    for one in found:
        if one[0] >= reached:
            yield one
            reached = one[1]


def _line_ends(text: str) -> Iterator[_Stretch]:
    names = {"\r\n": "Windows line end (CRLF)", "\r": "old line end (CR)"}
    for match in _LINE_ENDS.finditer(text):
        what = names.get(match[0]) or f"line separator ({_code(match[0])})"
        yield match.start(), match.end(), what, "\n"


def _blanks(text: str) -> Iterator[_Stretch]:
    for pattern, where in ((_TRAILING, "end"), (_LEADING, "beginning")):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), f"blank at the line’s {where}", ""
    at = 0
    for line in text.removesuffix("\n").split("\n"):
        if not line and text:
            # Of an empty last line only the newline before it can be taken away.
            start = at if at < len(text.removesuffix("\n")) else max(0, at - 1)
            yield start, start + 1, "empty line", ""
        at += len(line) + 1


def _characters(text: str) -> Iterator[_Stretch]:
    # In a Russian text Cyrillic letters are at home; among Latin ones they are not.
    # Counted by letters: quotes and signs say nothing about the language.
    latin = sum("a" <= c.lower() <= "z" for c in text)
    strange = sum(c.isalpha() and not c.isascii() for c in text)
    for at, char in enumerate(text):
        if char.isascii() and (char >= " " or char in "\n\r\x0b\x0c"):
            continue
        judged = _judged(char, at_home=strange > latin)
        if judged:
            yield at, at + 1, *judged


def _judged(char: str, *, at_home: bool) -> tuple[str, str] | None:
    code = _code(char)
    if char in _QUOTES:
        return f"curly quote {char} ({code}) for {_QUOTES[char]}", _QUOTES[char]
    if char in _SIGNS:
        return f"sign {char} ({code}) for {_SIGNS[char]}", _SIGNS[char]
    if char in _LETTERS:
        name = unicodedata.name(char).split()[0].capitalize()
        instead = _LETTERS[char]
        what = f"{name} letter {char} ({code}) that looks like {instead}"
        return None if at_home else (what, instead)
    return _unseen(char, code)


def _unseen(char: str, code: str) -> tuple[str, str] | None:
    kind = unicodedata.category(char)
    if char == "\ufeff":
        return f"byte order mark ({code})", ""
    if char == "\t":
        return f"tab ({code})", " "
    if kind == "Zs" and char != " ":
        return f"{unicodedata.name(char).lower()} ({code})", " "
    if kind in ("Cf", "Cc") and char != "\x85":
        name = unicodedata.name(char, "control character").lower()
        return f"unseen character: {name} ({code})", ""
    return _compatible(char, code)


def _compatible(char: str, code: str) -> tuple[str, str] | None:
    """Full-width letters and ligatures look like the plain ones."""
    plain = unicodedata.normalize("NFKC", char)
    # Only what is plain ASCII has one obvious replacement.
    if plain != char and plain.isascii() and plain.isprintable():
        return f"{unicodedata.name(char).lower()} ({code}) for {plain}", plain
    return None


def _placed(text: str, start: int, end: int, what: str, instead: str) -> Found:
    before = _LINE_ENDS.sub("\n", text[:start])
    line_start = before.rfind("\n") + 1
    return Found(
        start=start,
        end=end,
        line=before.count("\n") + 1,
        column=len(before) - line_start + 1,
        what=what,
        instead=instead,
    )


def _code(char: str) -> str:
    return f"U+{ord(char):04X}"
