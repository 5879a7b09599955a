"""What of a set the gallery shows, and in which order."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from director_gui.families.model import RANKS
from director_gui.study.gallery import SORTS, Card, Wanted
from director_gui.ui import theme
from director_gui.ui.families.entries import Choice
from director_gui.ui.flow import Flow
from director_gui.ui.icons import icon
from director_gui.ui.widgets import action, label, tool

_MARKS = (
    ("all scenes", "any"),
    ("without dropped", "kept"),
    ("pinned", "pin"),
    ("dropped", "drop"),
)


class FilterBar(QWidget):
    """A line to type in, one choice a property, and the order."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = QLineEdit()
        self.text.setPlaceholderText("Filter: name, digit, “confound”, a reason")
        self.text.setClearButtonEnabled(True)
        self.text.setAccessibleName("Filter the scenes by typing")
        self.rank = _choice(
            "Hidden rank", [("any rank", None), *((r, r) for r in RANKS)]
        )
        self.blocks = _choice("Number of blocks", [("any number", None)])
        self.confound = _three("Confound", "confound", "no confound")
        self.digit = _three(
            "Largest digit hidden", "largest digit hidden", "not hidden"
        )
        self.mark = _choice("Marks", _MARKS)
        self.least = _share("Least visible at most", "visible ≤ ")
        self.margin = _share("Margin at most", "margin ≤ ")
        self.sort = _choice("Order", [(name, name) for name in SORTS])
        self.down = action(self, "Reverse the order", self.changed.emit)
        self.down.setCheckable(True)
        self.count = label("", "caption")
        self.clear = action(self, "Show all scenes", self.reset)
        self._lay_out()
        self._connect()
        self.retheme()

    @property
    def wanted(self) -> Wanted:
        """The filter as it stands."""
        return Wanted(
            text=self.text.text(),
            hidden_rank=self.rank.currentData(),
            blocks=self.blocks.currentData(),
            confound=self.confound.currentData(),
            hidden_has_largest=self.digit.currentData(),
            mark=self.mark.currentData(),
            least=self.least.value() / 100,
            margin=self.margin.value() / 100,
        )

    def offer(self, cards: Sequence[Card]) -> None:
        """Offer the numbers of blocks that occur."""
        numbers = sorted({card.features.blocks for card in cards})
        now = self.blocks.currentData()
        # Refilling is no choice of the user's; the gallery would arrange for each item.
        self.blocks.blockSignals(True)
        self.blocks.clear()
        self.blocks.addItem("any number", None)
        for number in numbers:
            self.blocks.addItem(f"{number} blocks", number)
        # A number that this set has not falls back to any.
        self.blocks.setCurrentIndex(max(0, self.blocks.findData(now)))
        self.blocks.blockSignals(False)

    def reset(self) -> None:
        """Show all scenes."""
        # One change instead of eight: each would arrange thousands of cards.
        self.blockSignals(True)
        self.text.clear()
        for box in (self.rank, self.blocks, self.confound, self.digit, self.mark):
            box.setCurrentIndex(0)
        for share in (self.least, self.margin):
            share.setValue(100.0)
        self.blockSignals(False)
        self.changed.emit()

    def tell(self, shown: int, total: int) -> None:
        """Say how many scenes are shown."""
        of = f" of {total:,}" if shown != total else ""
        self.count.setText(f"{shown:,}{of} scenes")
        # By value: a filter that hides nothing can be cleared too.
        self.clear.setEnabled(self.wanted != Wanted())

    def retheme(self) -> None:
        """Tint the icons for the theme that is shown now."""
        self.down.setIcon(icon("sort-descending"))
        self.clear.setIcon(icon("filter-off-outline"))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S1)
        first, second = QHBoxLayout(), Flow()
        first.setSpacing(theme.S2)
        first.addWidget(self.text, 1)
        first.addWidget(tool(self.clear))
        first.addWidget(self.count)
        first.addWidget(self.sort)
        first.addWidget(tool(self.down))
        choices = (self.mark, self.rank, self.blocks, self.confound, self.digit)
        for widget in (*choices, self.least, self.margin):
            second.addWidget(widget)
        column.addLayout(first)
        column.addLayout(second)

    def _connect(self) -> None:
        self.text.textChanged.connect(lambda _text: self.changed.emit())
        for box in (
            self.rank, self.blocks, self.confound, self.digit, self.mark, self.sort,
        ):  # fmt: skip
            box.currentIndexChanged.connect(lambda _at: self.changed.emit())
        for share in (self.least, self.margin):
            share.valueChanged.connect(lambda _v: self.changed.emit())


def _choice(name: str, items: Sequence[tuple[str, Any]]) -> Choice:
    made = Choice(name)
    made.setToolTip(name)
    made.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
    for words, value in items:
        made.addItem(words, value)
    return made


def _three(name: str, yes: str, no: str) -> Choice:
    # The name in its first item, as the bar has no room for labels.
    return _choice(name, [(f"{name}: any", None), (yes, True), (no, False)])


def _share(name: str, prefix: str) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setPrefix(prefix)
    # A margin is negative where less is visible than the family demands.
    made.setRange(-100.0, 100.0)
    made.setDecimals(1)
    made.setValue(100.0)
    made.setSuffix(" %")
    # While "12" is typed, "1" must not empty the gallery.
    made.setKeyboardTracking(False)
    made.setAccessibleName(name)
    made.setToolTip(f"{name}: of the blocks that are meant to be seen, in either view")
    return made
