"""Each pair's difference in points with its counts, and what may be said of it."""

from collections.abc import Sequence

from PySide6.QtWidgets import (
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from director_gui.stats.display import interval_text, points_text
from director_gui.stats.verdicts import reason_text
from director_gui.study.analysis import PairResult
from director_gui.ui import theme
from director_gui.ui.tables import LEFT, RIGHT, read_only

COLUMNS = ("Pair", "Points", "Hidden", "95 % interval")
_INTERVAL = 3
_MOST_REASONS = 2
_HINTS = (
    "The second condition is the reference",
    "Hidden-block choice rate of the first minus that of the second",
    "Hidden-block choices of answered replies: first and second condition",
    "In points; over scenes",
)


class PairTable(QTableWidget):
    """One row a pair, filled in place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        self.setHorizontalHeaderLabels(COLUMNS)
        for at, hint in enumerate(_HINTS):
            head = self.horizontalHeaderItem(at)
            if head is not None:
                head.setToolTip(hint)
                head.setTextAlignment(RIGHT if at else LEFT)
        read_only(self, "Differences of the pairs")
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._most = 6
        self.retheme()

    def limit(self, rows: int) -> None:
        """Show at most `rows` at a time; the rest is scrolled to."""
        self._most = rows
        self.retheme()

    def show_pairs(self, pairs: Sequence[PairResult]) -> None:
        """Show the pairs as they stand."""
        # With one model its name would be the same in every row.
        many = len({pair.model for pair in pairs}) > 1
        if self.rowCount() != len(pairs):
            self.setRowCount(len(pairs))
            self.retheme()
        none = all(pair.comparison.ci_low is None for pair in pairs)
        self.setColumnHidden(_INTERVAL, none)  # the reason is told once, below
        for row, pair in enumerate(pairs):
            for column, text in enumerate(pair_cells(pair, named=many)):
                self._put(row, column, text, reason_text(pair.comparison) or pair.call)

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        line = theme.px(22)
        self.verticalHeader().setDefaultSectionSize(line)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + line * max(1, min(self._most, self.rowCount())) + 2)

    def _put(self, row: int, column: int, text: str, hint: str) -> None:
        cell = self.item(row, column)
        if cell is None:
            cell = QTableWidgetItem()
            cell.setTextAlignment(RIGHT if column else LEFT)
            self.setItem(row, column, cell)
        # An unchanged cell is left alone, so that a live table does not flicker.
        if cell.text() != text:
            cell.setText(text)
        cell.setToolTip(hint)


def pair_cells(pair: PairResult, *, named: bool) -> tuple[str, ...]:
    """Return a pair's row as texts; `named` puts the model before the pair."""
    result = pair.comparison
    (k0, k1), (n0, n1) = result.k, result.n
    name = pair_name(pair.test, pair.reference)
    return (
        f"{pair.model}: {name}" if named else name,
        points_text(result.estimate, signed=True),
        f"{k1}/{n1} − {k0}/{n0}",
        interval_text(result.ci_low, result.ci_high, signed=True),
    )


def pair_name(test: str, reference: str) -> str:
    """Return a pair's short name: ``move: ask − plain``, ``ask: move − mean``."""
    (action, _, form), (other, _, base) = test.partition("."), reference.partition(".")
    # A condition of one's own may be named without a dot: it shares nothing.
    if form and base and action == other:
        return f"{action}: {form} − {base}"
    if form and form == base:
        return f"{form}: {action} − {other}"
    return f"{test} − {reference}"


def pairs_text(pairs: Sequence[tuple[str, str]]) -> str:
    """Return pairs in short, what they share named once."""
    groups: dict[str, list[str]] = {}
    for test, reference in pairs:
        # Pairs with one head share it: "move: ask − plain, count − plain".
        head, _, tail = pair_name(test, reference).rpartition(": ")
        groups.setdefault(head, []).append(tail)
    parts = [f"{head}: {', '.join(tails)}" for head, tails in groups.items() if head]
    return " · ".join([*parts, *groups.get("", [])])


def reasons(pairs: Sequence[PairResult]) -> str:
    """Return why some pairs have no interval, each reason once."""
    found = (reason_text(pair.comparison) for pair in pairs)
    texts = list(dict.fromkeys(text for text in found if text))
    # Where most pairs are silent the list would cover them; hovering tells a pair's.
    many = len(texts) > _MOST_REASONS
    told = f"{texts[0]} And {len(texts) - 1} more." if many else " ".join(texts)
    return told[:1].lower() + told[1:]
