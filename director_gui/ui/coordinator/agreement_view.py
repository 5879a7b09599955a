"""How far passes agree: every pair in one table, the selected pair's cross-table."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QVBoxLayout, QWidget

from coding.agreement import Agreement, Pair
from coding.kappa import CodeKappa
from director_gui.study.blind.agreement import PassAgreement
from director_gui.ui import theme
from director_gui.ui.coordinator import words
from director_gui.ui.tables import Table
from director_gui.ui.widgets import label

_TWO_LINES = 40  # px


class AgreementView(QWidget):
    """One tab a field; the pairs of passes; the cross-table of the selected pair."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: PassAgreement | None = None
        self.tabs = QTabBar()
        self.tabs.setAccessibleName("Field of the codebook")
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        self.tabs.setUsesScrollButtons(False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideRight)
        self.tabs.currentChanged.connect(self._show_field)
        self.pairs = Table("Agreement of each pair of passes", row=_TWO_LINES)
        self.pairs.itemSelectionChanged.connect(self._show_pair)
        self.together = label("", "caption", wrap=True)
        self.remarks = label("", wrap=True)
        self.finer = label("", "caption", wrap=True)
        self._cross_title = label("", "section")
        self.cross = Table("Cross-table of the selected pair")
        self.codes = label("", "caption", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        for widget in (
            self.tabs,
            self.pairs,
            self.together,
            self.remarks,
            self.finer,
            self._cross_title,
            self.cross,
            self.codes,
        ):
            column.addWidget(widget)

    def show_agreement(self, found: PassAgreement) -> None:
        """Show what was found, on the tab that was open."""
        at = max(0, self.tabs.currentIndex())
        self._found = found
        # Filling the tabs is not choosing one.
        self.tabs.blockSignals(True)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for name, title in found.labels.items():
            self.tabs.addTab(title)
            self.tabs.setTabData(self.tabs.count() - 1, name)
            self.tabs.setTabToolTip(self.tabs.count() - 1, title)
        self.tabs.setCurrentIndex(min(at, self.tabs.count() - 1))
        self.tabs.blockSignals(False)
        self._show_field()

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self._show_pair()

    def _field(self) -> Agreement | None:
        name = self.tabs.tabData(self.tabs.currentIndex())
        return self._found.fields.get(name) if self._found else None

    def _show_field(self) -> None:
        field = self._field()
        if field is None:
            return
        self.pairs.show_rows(
            words.PAIR_COLUMNS, [words.pair_row(p) for p in field.pairs]
        )
        self.pairs.explain(words.PAIR_HINTS)
        said = self._known()
        if len(field.pairs) > 1:
            alpha, ac1 = words.decimal(field.alpha.value), words.decimal(field.ac1)
            said.insert(0, f"All passes together: α {alpha}, AC1 {ac1}")
        self.together.setText("\n".join(said))
        self.together.setVisible(bool(said))
        # The cross-table below always belongs to a row that is lit.
        self.pairs.selectRow(0)
        self._show_pair()

    def _known(self) -> list[str]:
        """Say how each pass did on known-code items, and on those that came twice."""
        found, name = self._found, self.tabs.tabData(self.tabs.currentIndex())
        counts = [(p.name, p.known_right(name)) for p in found.passes] if found else []
        said = [
            f"{alias}: {known[0]} of {known[1]} known-code items as intended"
            for alias, known in counts
            if known
        ]
        within = found.within.get(name, ()) if found else ()
        return said + [words.within(pair) for pair in within]

    def _show_pair(self) -> None:
        field = self._field()
        if field is None or not field.pairs:
            return
        pair = field.pairs[max(0, self.pairs.currentRow())]
        said = words.remarks(pair)
        self.remarks.setText("\n".join(f"⚠ {text}" for text in said))
        self.remarks.setVisible(bool(said))
        self.finer.setText(words.finer(pair))
        self._cross_title.setText(f"Rows: {pair.a} · columns: {pair.b}")
        self._show_cross(pair)
        self.codes.setText(_per_code(pair))

    def _show_cross(self, pair: Pair) -> None:
        rows = [
            [code, *(str(n) if n else "·" for n in counts), str(sum(counts))]
            for code, counts in zip(pair.codes, pair.table.tolist(), strict=True)
        ]
        sums = [str(n) for n in pair.table.sum(axis=0).tolist()]
        rows.append(["sum", *sums, str(pair.kappa.n)])
        # A line for each part of a name, so that the columns stay narrow.
        titles = (code.replace("-", "-\n") for code in pair.codes)
        self.cross.show_rows(["", *titles, "sum"], rows)
        for at in range(len(pair.codes)):
            self.cross.tint(at, at + 1, theme.tokens().accent_soft)


def _per_code(pair: Pair) -> str:
    listed = zip(pair.codes, pair.per_code, strict=True)
    return "Each code against the rest: " + " · ".join(_code(*one) for one in listed)


def _code(name: str, one: CodeKappa) -> str:
    if one.n_a == one.n_b == 0:
        return f"{name} not used"
    return f"{name} κ {words.decimal(one.kappa)} ({one.n_a} and {one.n_b})"
