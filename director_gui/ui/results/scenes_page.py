"""A comparison scene by scene, with the chosen scene beside it."""

from PySide6.QtCore import Signal

from director_gui.study.results.scene_look import Look
from director_gui.study.results.sheet import Sheet
from director_gui.ui.results.scene_look import SceneLook
from director_gui.ui.results.sheet_page import SheetPage

_ROOM = [480, 0, 640]  # px: shares of table, drawings (there are none), scene


class ScenesPage(SheetPage):
    """Asks for a scene as soon as a row is chosen; Enter opens the editor."""

    wanted = Signal(str)  # the row's key

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.look = SceneLook()
        self._split.addWidget(self.look)
        self._split.setStretchFactor(2, 1)
        self._split.setSizes(_ROOM)
        self.table.chosen.connect(self._chosen)
        self.table.entered_row.connect(lambda _key: self.look.edit.click())

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another comparison; the look at a scene of the old one goes."""
        if sheet != self.table.sheets.sheet:
            self.look.clear()
        super().show_sheet(sheet)

    def show_look(self, key: str, look: Look) -> None:
        """Show a scene, if it still is the chosen one."""
        if key == self.key():
            self.look.show_look(look)

    def key(self) -> str:
        """Return the chosen row's key; empty without one."""
        at = self.table.currentIndex()
        return self.table.sheets.row_at(at.row()).key if at.isValid() else ""

    def retheme(self) -> None:
        """Take the colours and the text size of the theme that is shown now."""
        super().retheme()
        self.look.retheme()

    def ask_again(self) -> None:
        """Ask for the chosen scene, as when the page comes into sight."""
        if self.key() and self.isVisible():
            self.wanted.emit(self.key())

    def _share_room(self, drawings: int) -> None:
        self._drawing.setVisible(drawings > 0)

    def _chosen(self, _source: int) -> None:
        self.ask_again()
