"""Declare comparisons before the run: a tick and a family for each pair."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from director_gui.study.plan_file import DeclaredFamily
from director_gui.ui import theme
from director_gui.ui.probe.pair_table import pair_name

Pair = tuple[str, str]
_MAIN = "main"
_LINES = 6  # in sight; the rest is scrolled to


class Families(QTableWidget):
    """The pairs that the plan can answer; a ticked one is declared."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, 2, parent)
        self._pairs: tuple[Pair, ...] = ()
        # What is left out and not what is ticked: new pairs are then declared by
        # themselves.
        self._left_out: set[Pair] = set()
        self._named: dict[Pair, str] = {}
        self._loaded: tuple[DeclaredFamily, ...] | None = None
        self.setHorizontalHeaderLabels(["Comparison", "Family"])
        self.setAccessibleName("Declared comparisons")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Interactive)
        self.itemChanged.connect(self._take)
        self.retheme()

    @property
    def families(self) -> tuple[DeclaredFamily, ...]:
        """The declared families, in the order of their first pair."""
        ticked = {pair for pair in self._pairs if pair not in self._left_out}
        loaded = self._loaded
        if loaded is not None and ticked == {p for f in loaded for p in f.pairs}:
            # As the plan has them: another order would make another plan of it.
            return loaded
        groups: dict[str, list[Pair]] = {}
        for pair in self._pairs:
            if pair not in self._left_out:
                groups.setdefault(self._named.get(pair, _MAIN), []).append(pair)
        return tuple(DeclaredFamily(name, tuple(p)) for name, p in groups.items())

    @property
    def own(self) -> tuple[Pair, ...]:
        """The pairs of the plan that was shown; no library need declare them."""
        return tuple(dict.fromkeys(p for f in self._loaded or () for p in f.pairs))

    def declare_all(self) -> None:
        """Declare every pair that is offered, in one family."""
        self._loaded, self._named, self._left_out = None, {}, set()
        self._fill(self._pairs)
        self.changed.emit()

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        """Offer the pairs that the plan can answer now; new ones are declared."""
        if tuple(pairs) != self._pairs:
            self._fill(pairs)

    def show_families(self, families: Sequence[DeclaredFamily]) -> None:
        """Take over the families of a plan; pairs in none are not declared."""
        self._loaded = tuple(families)
        self._named = {p: family.name for family in families for p in family.pairs}
        self._left_out = set(self._pairs) - set(self._named)
        self._fill(self._pairs)

    def _fill(self, pairs: Sequence[Pair]) -> None:
        self._pairs = tuple(pairs)
        # Every cell would else be counted as a change of mind.
        self.blockSignals(True)
        self.setRowCount(len(pairs))
        for row, pair in enumerate(pairs):
            name = QTableWidgetItem(pair_name(*pair))
            flags = Qt.ItemFlag
            name.setFlags(flags.ItemIsEnabled | flags.ItemIsUserCheckable)
            states = Qt.CheckState
            out = pair in self._left_out
            name.setCheckState(states.Unchecked if out else states.Checked)
            self.setItem(row, 0, name)
            self.setItem(row, 1, QTableWidgetItem(self._named.get(pair, _MAIN)))
        self.blockSignals(False)
        self.retheme()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        line = theme.px(24)
        self.verticalHeader().setDefaultSectionSize(line)
        head = self.horizontalHeader().sizeHint().height()
        rows = max(1, min(_LINES, self.rowCount()))
        self.setFixedHeight(head + line * rows + 2)
        self.setColumnWidth(1, theme.px(96))

    def _take(self, item: QTableWidgetItem) -> None:
        pair = self._pairs[item.row()]
        # A family that was renamed is no longer the plan's.
        self._loaded = None if item.column() == 1 else self._loaded
        if item.column() == 1:
            self._named[pair] = item.text().strip() or _MAIN
        elif item.checkState() is Qt.CheckState.Checked:
            self._left_out.discard(pair)
        else:
            self._left_out.add(pair)
        self.changed.emit()
