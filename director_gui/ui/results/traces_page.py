"""How coders read the traces: one of the codebook's fields at a time."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout

from director_gui.study.results.sheet import Sheet
from director_gui.ui import theme
from director_gui.ui.results.combo import Combo
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.widgets import label


class TracesPage(SheetPage):
    """Offers the fields that have codes."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._sheets: tuple[Sheet, ...] = ()
        self.fields = Combo("Field of the codebook")
        title = label("Field", "caption")
        title.setBuddy(self.fields)
        row = QHBoxLayout()
        row.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S1)
        row.setSpacing(theme.S2)
        row.addWidget(title)
        row.addWidget(self.fields)
        row.addStretch()
        self.fields.setMaximumWidth(theme.px(320))
        self.head.addLayout(row)
        self.fields.currentIndexChanged.connect(self._turn)

    def show_sheets(self, sheets: Sequence[Sheet]) -> None:
        """Show the sheets of a packet; the chosen field stays chosen where it can."""
        before = self.fields.currentData()
        self._sheets = tuple(sheets)
        with QSignalBlocker(self.fields):
            self.fields.clear()
            for sheet in sheets:
                words = sheet.title.removeprefix("Traces: ")
                self.fields.addItem(words.capitalize(), sheet.name)
            self.fields.setCurrentIndex(max(self.fields.findData(before), 0))
        self._turn(self.fields.currentIndex())

    def _turn(self, at: int) -> None:
        if 0 <= at < len(self._sheets):
            self.show_sheet(self._sheets[at])
