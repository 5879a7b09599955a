"""The verdict: who sees what, per block, in figures, a sign and plain words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QListWidget,
    QListWidgetItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from director_gui.geometry.problems import Problem
from director_gui.geometry.truth import State, Truth
from director_gui.geometry.words import percent, summary_of
from director_gui.scene.items import Item
from director_gui.scene.model import Block, Scene
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.icons import icon
from director_gui.ui.widgets import label, swatch

COLUMNS = ("Block", "Model", "Director", "Rank", "Digit", "Verdict")
_HINTS = (
    "Digit and edge",
    "Share of the block that the model's picture shows",
    "Share of the block that the director sees",
    "Apparent size, 1 is largest: in the picture · for the director",
    "Whether the model can read the digit",
    "What counts for the director",
)
# A sign and a word beside the colour, which not everybody can tell apart.
_SIGNS: dict[State, str] = {
    "sees": "✓ sees",
    "hidden": "⊘ hidden",
    "ambiguous": "? ambiguous",
    "cut": "▚ cut by frame",
    "out_of_frame": "▚ out of frame",
}
_ITEM = Qt.ItemDataRole.UserRole
_LEAST_ROWS = 4  # that show before the table scrolls
_WORDS = 100  # px for three lines of words, the note, margins and spacing
_LEAST_LIST = 40  # px of the problems, enough for a line to be found and scrolled
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def color_of(state: State) -> str:
    """Return the semantic colour of a state in the theme that is shown now."""
    t = theme.tokens()
    colors: dict[State, str] = {
        "sees": t.sees,
        "hidden": t.hidden,
        "ambiguous": t.ambiguous,
        "cut": t.cut,
        "out_of_frame": t.cut,
    }
    return colors[state]


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """What is to be shown of a scene, however it was found.

    Attributes:
        scene: The scene.
        truth: What is true of it.
        problems: What is wrong with it.
        legible: Whether the model can read each digit.
    """

    scene: Scene
    truth: Truth
    problems: Sequence[Problem]
    legible: Mapping[int, bool]


def cells_of(found: Finding, digit: int) -> tuple[str, ...]:
    """Return a block's row as texts, in the order of `COLUMNS`."""
    truth = found.truth
    model, director = truth.sights["model"][digit], truth.sights["director"][digit]
    return (
        f"{digit}",
        percent(model.fraction),
        percent(director.fraction),
        f"{_rank(truth, 'model', digit)} · {_rank(truth, 'director', digit)}",
        "✓" if found.legible[digit] else "✗",
        _SIGNS[truth.states["director"][digit]],
    )


def _rank(truth: Truth, view: str, digit: int) -> str:
    apparent = truth.apparent["model" if view == "model" else "director"][digit]
    # Blocks out of sight are ranked too, but no rank of theirs means anything.
    return str(apparent.rank) if apparent.area > 0 else "–"


class VerdictTable(QTableWidget):
    """One row a block; updated in place, so nothing jumps under the pointer."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        self._document = document
        self._shown: dict[int, object] = {}
        self.setHorizontalHeaderLabels(COLUMNS)
        for at, hint in enumerate(_HINTS):
            header = self.horizontalHeaderItem(at)
            if header is not None:
                header.setToolTip(hint)
                if at in (0, len(COLUMNS) - 1):
                    header.setTextAlignment(_LEFT)
        self.verticalHeader().hide()
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setAccessibleName("Who sees what")
        fit = QHeaderView.ResizeMode.ResizeToContents
        self.horizontalHeader().setSectionResizeMode(fit)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setHighlightSections(False)
        self.retheme()
        self.cellEntered.connect(lambda row, _: document.set_hover(self._item(row)))
        self.cellClicked.connect(lambda row, _: document.select(self._item(row)))
        document.selection_changed.connect(self._mark)

    def sizeHint(self) -> QSize:
        return QSize(320, self._height_of(max(1, self.rowCount())))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._height_of(min(_LEAST_ROWS, max(1, self.rowCount()))))

    def _height_of(self, rows: int) -> int:
        return self.horizontalHeader().sizeHint().height() + rows * theme.px(24) + 4

    def leaveEvent(self, event: object) -> None:
        del event
        self._document.set_hover(None)

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.verticalHeader().setDefaultSectionSize(theme.px(24))
        self.horizontalHeader().setMinimumSectionSize(theme.px(36))
        self.setMaximumHeight(self.sizeHint().height())
        self.updateGeometry()

    def show_finding(self, found: Finding) -> None:
        """Show what was found; only cells that differ are touched."""
        blocks = found.scene.blocks
        if self.rowCount() != len(blocks):
            self.setRowCount(len(blocks))
            self._shown = {}
            self.setMaximumHeight(self.sizeHint().height())
            self.updateGeometry()
        for row, block in enumerate(blocks):
            texts = cells_of(found, block.digit)
            state = found.truth.states["director"][block.digit]
            # With the theme's tokens, as a cell's colour is set and not styled.
            look = (texts, block.color, state, theme.tokens())
            # Filling all cells ten times a second is what a drag would feel.
            if self._shown.get(row) != look:
                self._shown[row] = look
                self._fill(row, texts, block, state)
        self._mark(self._document.selection)

    def _fill(
        self, row: int, texts: tuple[str, ...], block: Block, state: State
    ) -> None:
        for column, text in enumerate(texts):
            self._put(row, column, text)
        first, last = self.item(row, 0), self.item(row, len(COLUMNS) - 1)
        if first is not None and last is not None:
            first.setData(_ITEM, Item("block", block.digit))
            first.setIcon(swatch(block.color))
            last.setForeground(QColor(color_of(state)))

    def _put(self, row: int, column: int, text: str) -> None:
        cell = self.item(row, column)
        if cell is None:
            cell = QTableWidgetItem()
            if column in (1, 2):
                right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                cell.setTextAlignment(right)
            elif column in (3, 4):
                cell.setTextAlignment(Qt.AlignmentFlag.AlignCenter)
            self.setItem(row, column, cell)
        if cell.text() != text:
            cell.setText(text)

    def _item(self, row: int) -> Item | None:
        cell = self.item(row, 0)
        item = cell.data(_ITEM) if cell is not None else None
        return item if isinstance(item, Item) else None

    def _mark(self, item: Item | None) -> None:
        rows = [r for r in range(self.rowCount()) if self._item(r) == item]
        if item is None or not rows:
            self.clearSelection()
        # Selecting anew would scroll the table under the pointer.
        elif {index.row() for index in self.selectedIndexes()} != set(rows):
            self.selectRow(rows[0])


class ProblemList(QListWidget):
    """What is wrong with the scene; a click selects the culprit."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: tuple[Problem, ...] | None = None
        self.setWordWrap(True)
        self.setAccessibleName("Problems of the scene")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._chosen)
        # For the keyboard: a click alone would leave it out.
        self.itemActivated.connect(self._chosen)

    def sizeHint(self) -> QSize:
        # Small, so that the table gets its rows first; the rest comes by stretching.
        return QSize(160, theme.px(_LEAST_LIST))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Show `problems`; the list is left alone when they are the same."""
        if tuple(problems) == self._shown:
            return
        self._shown = tuple(problems)
        self.clear()
        for problem in problems:
            line = QListWidgetItem(_sentence(problem.message))
            # Only these keep a scene from being sent.
            name = "alert-outline" if problem.blocks_stimulus else "information-outline"
            line.setIcon(icon(name))
            line.setToolTip(f"{problem.code} at {problem.where}")
            line.setData(_ITEM, culprit(problem))
            self.addItem(line)

    def _chosen(self, line: QListWidgetItem) -> None:
        item = line.data(_ITEM)
        if isinstance(item, Item):
            self._document.select(item)


def culprit(problem: Problem) -> Item:
    """Return the item that a problem is about, from the path of its value."""
    # Paths look like `partitions[0].x` or `camera.eye`.
    kind = problem.where.split("[")[0].split(".")[0]
    if kind == "partitions":
        return Item("partition", int(problem.where.split("[")[1].split("]")[0]))
    if kind == "blocks" and problem.digits:
        return Item("block", problem.digits[0])
    if kind == "director":
        return Item("director")
    return Item("camera") if kind == "camera" else Item("table")


class Verdict(QWidget):
    """The table, the line of plain words, and the problems."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S2, theme.S2, theme.S2, theme.S2)
        column.setSpacing(theme.S1)
        self.table = VerdictTable(document)
        self.words = label("", "strong", wrap=True)
        self.words.setAccessibleName("The verdict in words")
        self.note = label("", "caption")
        self.problems = ProblemList(document)
        self.problems.hide()
        self._no_problems = label("No problems.", "caption")
        self._no_problems.hide()
        column.addWidget(self.table)
        column.addWidget(self.words)
        column.addWidget(self.note)
        column.addWidget(self._no_problems)
        column.addWidget(self.problems, 1)
        column.addStretch()

    def least_height(self) -> int:
        """Return the height in px below which the parts would lie over each other."""
        return self.table.minimumSizeHint().height() + self._below_table()

    def heightForWidth(self, width: int) -> int:
        # A scroll area asks: the table scrolls first, so that the words stay in sight.
        del width
        return self.least_height()

    def whole_height(self) -> int:
        """Return the height in px that shows all but the list of problems whole."""
        return self.table.sizeHint().height() + self._below_table()

    def _below_table(self) -> int:
        return theme.px(_WORDS + (_LEAST_LIST if self.problems.count() else 0))

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.table.retheme()
        self.setMinimumHeight(self.least_height())

    def show_finding(self, found: Finding, note: str) -> None:
        """Show a verdict and how it was reached."""
        self.table.show_finding(found)
        self.words.setText(summary_of(found.scene, found.truth))
        self.note.setText(note)
        self.problems.show_problems(found.problems)
        self.setMinimumHeight(self.least_height())
        self.problems.setVisible(bool(found.problems))
        self._no_problems.setVisible(not found.problems)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
