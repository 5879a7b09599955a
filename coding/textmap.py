"""What a text box shows, and where that is in the original text.

Qt counts UTF-16 units and changes what it is given: CRLF, CR, U+2028 and U+2029
become line ends, NBSP comes back as a space, some noncharacters mean frames, and a
leading U+FEFF is lost. `TextMap` makes a text that Qt leaves as it is and maps
positions in it back to code points of the original.
"""

import re
from bisect import bisect_left
from typing import Final

from coding.errors import CodingError

LINE_END, UNSHOWN, BIDI_MARK = "\n", "\ufffd", "\u21c4"
_CRLF = re.compile(r"\r\n")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
# Every code point that changes alone; ranges are half open.
_RANGES: Final = (
    (0x80, 0xA0, UNSHOWN),  # C1 controls
    (0xD800, 0xE000, UNSHOWN),  # lone surrogates
    (0xFDD0, 0xFDF0, UNSHOWN),  # noncharacters; Qt takes two for frame marks
    (0xFFFC, 0xFFFD, UNSHOWN),  # Qt takes it for an embedded object
    (0xFFFE, 0x10000, UNSHOWN),
    (0xFEFF, 0xFF00, UNSHOWN),  # taken for a byte-order mark
    (0x200E, 0x2010, BIDI_MARK),
    (0x202A, 0x202F, BIDI_MARK),
    (0x2066, 0x206A, BIDI_MARK),
    (0x061C, 0x061D, BIDI_MARK),
    (0x2028, 0x202A, LINE_END),
)
_SHOWN = {
    **{code: chr(0x2400 + code) for code in range(0x20)},  # control pictures
    **{code: mark for low, high, mark in _RANGES for code in range(low, high)},
    0x09: "\t",
    0x0A: LINE_END,
    0x0D: LINE_END,
    0x7F: "\u2421",
    0xA0: " ",
}


class TextMap:
    """A text, what is shown of it, and the way back.

    Attributes:
        original: The text as it is stored.
        display: A text of the same order in which each code point of the original
            (and each CRLF) is exactly one code point. Controls, lone surrogates and
            direction overrides show as symbols.
    """

    __slots__ = ("_astral", "_crlf", "display", "original")

    def __init__(self, original: str) -> None:
        self.original = original
        self.display = _CRLF.sub(LINE_END, original).translate(_SHOWN)
        # Display positions of line ends that are two code points in the original …
        self._crlf = [m.start() - i for i, m in enumerate(_CRLF.finditer(original))]
        # … and UTF-16 positions of code points that are two units in the display.
        found = _ASTRAL.finditer(self.display)
        self._astral = [m.start() + i for i, m in enumerate(found)]

    def span(self, utf16_start: int, utf16_end: int) -> tuple[int, int]:
        """Return the code points of the original behind a selection.

        Args:
            utf16_start: Where the selection begins in the display, in UTF-16 units.
            utf16_end: Where it ends (exclusive). An end inside a character is moved
                outwards, so that no character is split.

        Returns:
            Start and end (exclusive) in code points of `original`.

        Raises:
            CodingError: The selection lies outside the text.
        """
        length = len(self.display) + len(self._astral)
        if not 0 <= utf16_start <= utf16_end <= length:
            raise CodingError("the selection lies outside the text")
        start = self._display_of(utf16_start)
        end = self._display_of(utf16_end) + self._splits(utf16_end)
        # A caret is nothing, even between the halves of a character.
        if utf16_start == utf16_end:
            end = start
        return self._original_of(start), self._original_of(end)

    def selection(self, start: int, end: int) -> tuple[int, int]:
        """Return the UTF-16 positions in the display of a span of the original.

        Args:
            start: Code point of the original.
            end: Code point of the original, exclusive.

        Raises:
            CodingError: The span lies outside the text.
        """
        if not 0 <= start <= end <= len(self.original):
            raise CodingError("the quote lies outside the text")
        return self._utf16_of(start, ends=False), self._utf16_of(end, ends=True)

    def original_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the code points of the original behind code points of the display."""
        return self._original_of(start), self._original_of(end)

    def _display_of(self, utf16: int) -> int:
        return utf16 - bisect_left(self._astral, utf16)

    def _splits(self, utf16: int) -> int:
        before = bisect_left(self._astral, utf16) - 1
        return int(before >= 0 and self._astral[before] + 1 == utf16)

    def _original_of(self, display: int) -> int:
        return display + bisect_left(self._crlf, display)

    def _utf16_of(self, original: int, *, ends: bool) -> int:
        display = original - self._crlf_before(original)
        if not ends and self.original[original - 1 : original + 1] == "\r\n":
            display -= 1  # a span that starts at the LF shows its whole line end
        # The i-th wide character starts at display position `_astral[i] - i`.
        wide = bisect_left(range(len(self._astral)), display, key=self._narrow)
        return display + wide

    def _crlf_before(self, original: int) -> int:
        return bisect_left(
            range(len(self._crlf)),
            original - 1,
            key=lambda i: self._crlf[i] + i,
        )

    def _narrow(self, i: int) -> int:
        return self._astral[i] - i
