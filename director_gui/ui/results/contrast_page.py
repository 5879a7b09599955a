"""The study's contrasts: their table with its plot, and the form for a new one."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.study.results.contrasts import (
    Contrast,
    drop_contrast,
    keep_contrast,
)
from director_gui.study.results.sheet import Sheet
from director_gui.ui import theme
from director_gui.ui.results.contrast_form import ContrastForm
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.widgets import button, label

_NONE = (
    "A contrast weighs several conditions at once: how one effect differs from "
    "another, or a statement from a question."
)


class ContrastPage(SheetPage):
    """Tells when contrasts were kept or forgotten."""

    changed = Signal()

    def __init__(
        self,
        name: str,
        study: Callable[[], Study],
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(name, parent)
        self._study, self._refuse = study, refuse
        self._conditions: tuple[str, ...] = ()
        self.form = ContrastForm()
        self.new = button("New contrast…", self._begin)
        self.drop = button("Forget it", self._drop)
        self.drop.setToolTip("Forget the chosen contrast; it can be made again")
        self._empty = label(_NONE, "caption", wrap=True)
        row = QHBoxLayout()
        row.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S1)
        row.setSpacing(theme.S2)
        for widget in (self.new, self.drop):
            row.addWidget(widget)
        row.addWidget(self._empty, 1)
        row.addStretch()
        self.head.addLayout(row)
        self.head.addWidget(self.form)
        self.head.addStretch()
        self.form.made.connect(self._keep)

    def offer(self, conditions: tuple[str, ...]) -> None:
        """Make contrasts of these conditions from now on."""
        if conditions != self._conditions:
            # Its conditions are those of another run.
            self.form.hide()
        self._conditions = conditions

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet; an empty one says what would stand there."""
        super().show_sheet(sheet)
        self.drop.setVisible(bool(sheet.rows))
        self._empty.setVisible(not sheet.rows)
        # Titles over nothing would look like a fault.
        for widget in (self._split, self.note):
            widget.setVisible(bool(sheet.rows))

    def _begin(self) -> None:
        self.form.begin(self._conditions)

    def _keep(self, made: Contrast) -> None:
        try:
            keep_contrast(self._study(), made)
        except UserError as error:
            self._refuse(error)
            return
        self.form.hide()
        self.changed.emit()

    def _drop(self) -> None:
        at = self.table.currentIndex().row()
        if at < 0:
            return
        try:
            # One contrast has a row for each model and batch; all of them go.
            drop_contrast(self._study(), self.table.sheets.row_at(at).key)
        except UserError as error:
            self._refuse(error)
            return
        self.changed.emit()
