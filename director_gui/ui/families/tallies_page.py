"""METHOD §2's tallies of a set, beside another set's and the paper's, with bars."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QScrollArea, QWidget

from director_gui.families.tallies import PAPER, PAPER_SCENES
from director_gui.store.sets import StoredSet
from director_gui.study.gallery import Card, dropped_words, tallies
from director_gui.ui import theme
from director_gui.ui.families.bar_chart import Bar, BarChart, BarGroup
from director_gui.ui.families.entries import Choice
from director_gui.ui.families.readable import readable
from director_gui.ui.tables import Table
from director_gui.ui.widgets import label

_NAMES = {
    "hidden_has_largest_digit": "Hidden block has the largest digit",
    "smaller_visible_has_larger_digit": "A smaller visible block outranks in digit",
    "apparent_size_confound": "Apparent-size confounds",
}
_NOTE = (
    "The paper’s figures are those of its main set of 160 scenes. A set of one’s own "
    "need not equal them."
)
Tally = Mapping[str, Any]


class TalliesPage(QScrollArea):
    """Shows one set's tallies, and another's beside them."""

    compare_wanted = Signal(str)  # id of the other set; empty for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._other_name = "", ""
        self._cards: Sequence[Card] = ()
        self._other: Sequence[Card] | None = None
        self.other = Choice("Compare with")
        self.other.currentIndexChanged.connect(
            lambda _at: self.compare_wanted.emit(self.other.currentData() or "")
        )
        self.dropped = QCheckBox("count dropped scenes too")
        self.dropped.toggled.connect(lambda _on: self._show())
        self.gone = label("", "caption", wrap=True)
        self.gone.setAccessibleName("Dropped scenes")
        self.table = Table("Tallies")
        self.chart = BarChart("Tallies as bars")
        self._lay_out()

    def show_set(
        self, item: StoredSet, cards: Sequence[Card], others: Sequence[StoredSet]
    ) -> None:
        """Show a set's tallies and offer the others for comparison."""
        if item.name != self._name:
            self._other = None
        self._name, self._cards = item.name, cards
        now = self.other.currentData() if self._other is not None else None
        # Refilling is no choice; it would read the other set anew.
        self.other.blockSignals(True)
        self.other.clear()
        self.other.addItem("no other set", "")
        for one in others:
            if one.id != item.id:
                self.other.addItem(one.name, one.id)
        self.other.setCurrentIndex(max(0, self.other.findData(now)))
        self.other.setEnabled(self.other.count() > 1)
        self.other.blockSignals(False)
        self._show()

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show the same set's cards with other marks."""
        self._cards = cards
        self._show()

    def show_other(self, name: str, cards: Sequence[Card] | None) -> None:
        """Show another set's tallies beside, or none."""
        self._other_name, self._other = name, cards
        self._show()

    def retheme(self) -> None:
        """Take the text size that is shown now."""
        self._show()

    def _show(self) -> None:
        dropped = self.dropped.isChecked()
        gone = "" if dropped else dropped_words(self._name, self._cards)
        self.gone.setText(gone)
        self.gone.setVisible(bool(gone))
        found = [(self._name, tallies(self._cards, dropped=dropped))]
        if self._other is not None:
            found.append((self._other_name, tallies(self._other, dropped=dropped)))
        columns = ["", *(name for name, _ in found), "The paper"]
        self.table.show_rows(columns, table_rows([tally for _, tally in found]))
        series, groups = bars_of(found)
        self.chart.show_bars(series, groups)

    def _lay_out(self) -> None:
        column = readable(self, spacing=theme.S3)
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        row.addWidget(label("Compare with", "caption"))
        row.addWidget(self.other)
        row.addWidget(self.dropped)
        row.addStretch()
        column.addLayout(row)
        column.addWidget(self.gone)
        column.addWidget(self.table)
        column.addWidget(label(_NOTE, "caption", wrap=True))
        column.addWidget(self.chart)
        column.addStretch()


def table_rows(found: Sequence[Tally]) -> list[list[str]]:
    """Return the tallies' rows: a name, one figure a set, the paper's figure."""
    rows = [["Scenes", *(f"{tally['scenes']:,}" for tally in found), "160"]]
    for name, title in (("blocks", "{} blocks"), ("hidden_rank", "Hidden: the {}")):
        # Of both sets: a kind that only the other has would lack its row.
        keys = list(dict.fromkeys(key for tally in found for key in tally[name]))
        for key in keys:
            counts = [_of(tally[name].get(key, 0), tally["scenes"]) for tally in found]
            rows.append([title.format(key), *counts, _paper_rank(name, key)])
    for name, words in _NAMES.items():
        counts = [_of(tally[name], tally["scenes"]) for tally in found]
        rows.append([words, *counts, _of(PAPER[name], PAPER_SCENES)])
    return rows


def bars_of(found: Sequence[tuple[str, Tally]]) -> tuple[list[str], list[BarGroup]]:
    """Return the bars of the tallies that the paper has a figure for."""
    series = [*(name for name, _ in found), "the paper’s main set"]
    groups = []
    for name, words in _NAMES.items():
        bars = [
            _bar(at, tally[name], tally["scenes"])
            for at, (_, tally) in enumerate(found)
        ]
        bars.append(_bar(2, PAPER[name], PAPER_SCENES))
        groups.append(BarGroup(words, tuple(bars)))
    # The paper keeps its colour, so a missing second set leaves a gap in the series.
    names = series if len(found) == 2 else [series[0], "", series[1]]
    return names, groups


def _bar(series: int, count: int, of: int) -> Bar:
    return Bar(series, count / of if of else 0.0, _of(count, of))


def _of(count: int, total: int) -> str:
    return f"{count:,} ({count / total:.1%})".replace("%", " %") if total else "0"


def _paper_rank(name: str, key: str) -> str:
    # Its main set hides the largest of all in every scene (METHOD §2).
    return "160 (100.0 %)" if (name, key) == ("hidden_rank", "largest") else "–"
