"""What the coders said about one item, side by side, under letters and not names."""

from itertools import pairwise
from string import ascii_uppercase

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QWidget

from coding.codebook import CHOICES, Codebook, Field
from coding.textmap import TextMap
from director_gui.study.blind.adjudicating import ELSEWHERE, Disagreement, Said
from director_gui.ui import theme
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.reading import Shade
from director_gui.ui.tables import side

Line = QTextCharFormat.UnderlineStyle
_LINES = (Line.DashUnderline, Line.DotLine, Line.DashDotLine)
_QUOTE, _LONGEST = 80, 220  # characters of a quote, of a note; the trace has the rest
_NAMES, _NAMED = 190, 0.3  # px of the fields' names, and the most of the width
_MOST = 0.4  # of the height that trace and codes share


def letter(place: int) -> str:
    """Return the letter of a coder by place; beyond Z they are numbered."""
    letters = ascii_uppercase
    return letters[place] if place < len(letters) else str(place + 1)


def color_of(place: int) -> str:
    """Return the colour of a coder's quotes in the theme that is shown now."""
    t = theme.tokens()
    return (t.accent_soft, t.warning_soft, t.error_soft)[place % 3]


def shades(one: Disagreement) -> list[Shade]:
    """Return the coders' quotes as spans of the text, those that it lacks left out.

    Where quotes overlap, the first coder's colour and the last one's line show both.
    """
    quoted = [
        (at, quote.start, quote.end)
        for at, said in enumerate(one.said)
        for quote in said.state.quotes.values()
        if quote != ELSEWHERE
    ]
    ends = sorted({end for _, *span in quoted for end in span})
    found = []
    for start, end in pairwise(ends):
        over = sorted(at for at, low, high in quoted if low <= start and end <= high)
        if over:
            line = _LINES[over[-1] % len(_LINES)]
            found.append(Shade(start, end, color_of(over[0]), line))
    return found


class Sides(QScrollArea):
    """A grid: a field a row, a coder a column; rows that differ stand out.

    As high as it needs, up to a share of the page: the trace is what is read.
    """

    def __init__(self, book: Codebook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self.setObjectName("sides")
        self.setAccessibleName("What the coders said")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._room = 0
        self.rows: list[tuple[str, ...]] = []

    def show_item(self, one: Disagreement) -> None:
        """Show what each coder said about an item."""
        t = theme.tokens()
        self.setStyleSheet(
            f"#sides, #said {{ background: {t.window}; border: none; }}"
            f" #sides {{ border-bottom: 1px solid {t.line}; }}"
        )
        self.rows = [("", *(f"Coder {letter(at)}" for at in range(len(one.said))))]
        self.rows += self._said(one)
        # A screen reader hears the rows in one go; the labels are for the eye.
        words = "; ".join(": ".join(row) for row in self.rows[1:])
        self.setAccessibleDescription(words)
        self.setWidget(self._filled(one))
        self.fit(self._room)

    def fit(self, room: int) -> None:
        """Take as much of `room` (px, the page's height) as is needed and fair."""
        self._room = room
        grid = self.widget()
        page = grid.layout() if grid is not None else None
        if isinstance(page, QGridLayout) and room:
            width = self.viewport().width()
            page.setColumnMinimumWidth(0, min(side(_NAMES), round(_NAMED * width)))
            needed = page.totalHeightForWidth(width)
            self.setFixedHeight(min(needed, round(_MOST * room)) + 1)

    def _said(self, one: Disagreement) -> list[tuple[str, ...]]:
        rows = []
        # What differs first: large text may leave no room for all of it.
        fields = sorted(self._book.fields, key=lambda f: f.name not in one.fields)
        for field in fields:
            head = f"≠ {field.label}" if field.name in one.fields else field.label
            rows.append((head, *(_words(field, said) for said in one.said)))
        notes = [_short(said.state.note) for said in one.said]
        return [*rows, ("Note", *notes)] if any(notes) else rows

    def _filled(self, one: Disagreement) -> QWidget:
        grid = QWidget()
        grid.setObjectName("said")
        page = QGridLayout(grid)
        page.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        page.setHorizontalSpacing(theme.S4)
        page.setVerticalSpacing(theme.S1)
        for row, texts in enumerate(self.rows):
            differs = texts[0].startswith("≠")
            for column, text in enumerate(texts):
                label = _cell(text, head=not row or not column, strong=differs)
                if not row and column:
                    _tint(label, column - 1)
                page.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)
        for column in range(1, len(one.said) + 1):
            page.setColumnStretch(column, 1)
        return grid


def _cell(text: str, *, head: bool, strong: bool) -> QLabel:
    role = "strong" if strong else "caption" if head else ""
    return plain_label(text, role)


def _tint(label: QLabel, place: int) -> None:
    """Give a coder's heading the colour and the line that its quotes have."""
    style = ("dashed", "dotted", "double")[place % 3]
    t = theme.tokens()
    label.setStyleSheet(
        f"background: {color_of(place)}; color: {t.text}; padding: 2px 6px;"
        f" border-bottom: 1px {style} {t.text};"
    )


def _words(field: Field, said: Said) -> str:
    state = said.state
    if field.kind == "quote":
        quote = state.quotes.get(field.name)
        if quote == ELSEWHERE:
            return "not in this form of the text"
        return f"“{_short(quote.text, _QUOTE)}”" if quote else "–"
    value = state.values.get(field.name, "")
    if field.kind in CHOICES:
        return next((c.label for c in field.codes if c.name == value), "–")
    return _short(value) or "–"


def _short(text: str, most: int = _LONGEST) -> str:
    shown = " ".join(TextMap(text).display.split())
    return shown if len(shown) <= most else f"{shown[:most]} …"
