"""Readings by model and condition: shown once a packet is unblinded."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.study.blind.joining import Joined, JoinedPass
from director_gui.ui import theme
from director_gui.ui.coordinator.words import share_cell
from director_gui.ui.tables import Table
from director_gui.ui.widgets import label

_THREE_LINES = 56  # px


class JoinedView(QWidget):
    """One table a pass: an arm a row, a code a column, intervals over scenes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tables: list[Table] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.S2)

    def show_joined(self, joined: Joined) -> None:
        """Show every pass of a field."""
        # Passes come and go, so the tables are made anew.
        while item := self._column.takeAt(0):
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.tables = []
        said = "Shares of the items coded, with 95 % intervals over scenes."
        self._column.addWidget(label(f"{joined.label}. {said}", "caption", wrap=True))
        for one in joined.passes:
            self._column.addWidget(label(_title(one), "section"))
            self._column.addWidget(self._table(joined, one))

    def _table(self, joined: Joined, one: JoinedPass) -> Table:
        table = Table(f"{joined.label} by condition, {one.name}", row=_THREE_LINES)
        rows = [
            [
                f"{arm.condition}\n{arm.model}",
                str(arm.n),
                *(share_cell(arm.shares[code]) for code in joined.codes),
            ]
            for arm in one.arms
        ]
        labels = [joined.labels[code].replace(" ", "\n") for code in joined.codes]
        table.show_rows(["Condition, model", "n", *labels], rows)
        self.tables.append(table)
        return table


def _title(one: JoinedPass) -> str:
    parts = [one.name]
    if one.practice:
        parts.append("practice coder")
    if one.known_right:
        right, count = one.known_right
        parts.append(f"{right} of {count} known-code items as intended")
    if one.late:
        parts.append(f"{one.late} later events left out")
    parts += [f"{count} {source}" for source, count in one.sources.items() if count]
    return " · ".join(parts)
