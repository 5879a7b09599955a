"""How coders read the traces: one of the codebook's fields at a time."""

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QHBoxLayout

from director_gui.study.results.sheet import Sheet
from director_gui.study.results.traces import HIDDEN, NAME
from director_gui.ui import theme
from director_gui.ui.results.combo import Combo
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.widgets import label


class TracesPage(SheetPage):
    """Offers the fields that have codes, over all traces or hidden choices alone."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._sheets: dict[str, Sheet] = {}
        self.fields = Combo("Field of the codebook")
        self.hidden = QCheckBox("Hidden-block choices alone")
        self.hidden.setToolTip("Counts only traces of replies that chose that block")
        title = label("Field", "caption")
        title.setBuddy(self.fields)
        row = QHBoxLayout()
        row.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S1)
        row.setSpacing(theme.S2)
        row.addWidget(title)
        row.addWidget(self.fields)
        row.addSpacing(theme.S2)
        row.addWidget(self.hidden)
        row.addStretch()
        self.fields.setMaximumWidth(theme.px(320))
        self.head.addLayout(row)
        self.fields.currentIndexChanged.connect(lambda _at: self._turn())
        self.hidden.toggled.connect(lambda _on: self._turn())

    def show_sheets(self, sheets: Iterable[Sheet]) -> None:
        """Show the sheets of a packet among a run's; what was chosen stays chosen."""
        before = self.fields.currentData()
        self._sheets = {sheet.name: sheet for sheet in sheets}
        with QSignalBlocker(self.fields):
            self.fields.clear()
            for sheet in self._sheets.values():
                # Those over hidden choices have another prefix; the box turns to them.
                if sheet.name.startswith(NAME):
                    words = sheet.title.removeprefix("Traces: ")
                    self.fields.addItem(words.capitalize(), sheet.name)
            self.fields.setCurrentIndex(max(self.fields.findData(before), 0))
        self._turn()

    def _turn(self) -> None:
        name = self.fields.currentData()
        if name is None:
            return
        restricted = self._sheets.get(f"{HIDDEN}{name}")
        # Its mark stays, so that another field shows the same replies.
        self.hidden.setEnabled(restricted is not None)
        wanted = restricted if self.hidden.isChecked() else None
        self.show_sheet(wanted or self._sheets[name])
