"""The form of a family: every quantity with its unit, refusals beside the field."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.families.reading import parsed
from director_gui.study.family_boards import (
    Place,
    with_partition,
    without_partition,
)
from director_gui.study.family_text import value_in
from director_gui.ui import theme
from director_gui.ui.families.draft import Draft
from director_gui.ui.families.entries import Entry, Number, entry_for
from director_gui.ui.families.form_fields import FormGroup, groups_of
from director_gui.ui.families.readable import readable
from director_gui.ui.widgets import label

_ADDS: dict[Place, str] = {
    "hidden": "Add before the hidden block",
    "table": "Add on the table",
}


class FamilyForm(QScrollArea):
    """Shows a draft's values and puts what is entered into its text."""

    refused = Signal(object)  # UserError that concerns no field

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._groups: list[FormGroup] = []
        self.entries: dict[str, Entry] = {}
        self.refusals: dict[str, QLabel] = {}
        self.setWidgetResizable(True)
        self.setAccessibleName("Family as a form")
        # New rows can be scrolled to only once they are laid out.
        self._placing: Callable[[], None] | None = None
        self.verticalScrollBar().rangeChanged.connect(self._ranged)
        draft.changed.connect(self.follow)

    def follow(self) -> None:
        """Show what the draft's text says; a text that is no TOML leaves it be."""
        try:
            tables = parsed(self._draft.text.encode())
        except UserError:
            self._enable(on=False)
            return
        groups = groups_of(tables)
        if groups != self._groups:
            self._rebuild(groups)
        for path, entry in self.entries.items():
            entry.show_value(value_in(tables, path))
        self._enable(on=self._draft.editable)
        self._show_refusal()

    def retheme(self) -> None:
        """Build the rows anew in the text size that is shown now."""
        self._groups = []
        if self._draft.name:
            self.follow()

    def _enable(self, *, on: bool) -> None:
        page = self.widget()
        if page is not None:
            page.setEnabled(on)

    def _entered(self, path: str, value: Any) -> None:  # noqa: ANN401 - what TOML holds
        error = self._draft.put(path, value)
        for place in self.refusals:
            self._show_told(place, refused=place == path and error is not None)
        if error is not None:
            self.refusals[path].setText(_words(error, path))

    def _show_refusal(self) -> None:
        error = self._draft.error
        where = "" if error is None else error.where
        for path, told in self.refusals.items():
            mine = error is not None and (where == path or where.startswith(f"{path}["))
            self._show_told(path, refused=mine or where.startswith(f"{path}."))
            if error is not None and told.isVisibleTo(self):
                told.setText(_words(error, path))

    def _show_told(self, path: str, *, refused: bool) -> None:
        self.refusals[path].setVisible(refused)
        self.entries[path].show_refused(refused=refused)

    def _rebuild(self, groups: Sequence[FormGroup]) -> None:
        self._groups = list(groups)
        self.entries, self.refusals = {}, {}
        column = readable(self, spacing=theme.S1)
        # A narrow form scrolls sideways rather than hide what cannot be seen.
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        for group in groups:
            self._add_group(column, group)
        column.addStretch()

    def _head(self, group: FormGroup) -> QHBoxLayout:
        """Return a group's title with what can be done to the whole of it."""
        title = label(group.title, "strong")
        head = QHBoxLayout()
        head.setContentsMargins(0, theme.S2, 0, theme.S1)
        head.setSpacing(theme.S2)
        head.addWidget(title)
        for place in group.adds:
            act = partial(self._add_board, place)
            head.addWidget(self._act(_ADDS[place], act))
        head.addStretch()
        if group.board is not None:
            made = self._act("Remove", partial(self._remove_board, group.board))
            made.setAccessibleName(f"Remove: {group.title}")
            head.addWidget(made)
        return head

    def _act(self, words: str, act: Callable[[], None]) -> QPushButton:
        made = QPushButton(words)
        # Queued: the button is gone with the old rows before its click has ended.
        made.clicked.connect(lambda _on: QTimer.singleShot(0, self, act))
        return made

    def _add_board(self, place: Place) -> None:
        self._change(lambda text: with_partition(text, place))
        last = max((g.board for g in self._groups if g.board is not None), default=-1)
        rows = [e for p, e in self.entries.items() if p.startswith(_board(last))]
        if rows:
            rows[0].findChildren(Number)[0].setFocus()
            self._placing = lambda: self._show_rows(rows)

    def _remove_board(self, index: int) -> None:
        bar = self.verticalScrollBar()
        place = bar.value()
        self._change(lambda text: without_partition(text, index))
        self._placing = lambda: bar.setValue(place)

    def _change(self, change: Callable[[str], str]) -> None:
        error = self._draft.edit(change)
        if error is not None:
            self.refused.emit(error)

    def _ranged(self, least: int, greatest: int) -> None:
        del least
        if greatest and self._placing is not None:
            place, self._placing = self._placing, None
            place()

    def _show_rows(self, rows: Sequence[Entry]) -> None:
        for row in (rows[-1], rows[0]):  # all of them where there is room
            self.ensureWidgetVisible(row, 0, theme.px(40))

    def _add_group(self, column: QVBoxLayout, group: FormGroup) -> None:
        column.addLayout(self._head(group))
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.S3)
        grid.setVerticalSpacing(theme.S1)
        grid.setColumnMinimumWidth(0, theme.px(150))
        grid.setColumnStretch(1, 1)
        for at, field in enumerate(group.fields):
            entry = entry_for(field)
            entry.entered.connect(partial(self._entered, field.path))
            caption = label(field.name, "caption")
            for widget in (caption, entry):
                widget.setToolTip(field.hint or field.path)
            told = label("", "error", wrap=True)
            told.setAccessibleName(f"{field.name} is refused")
            told.hide()
            grid.addWidget(caption, 2 * at, 0)
            grid.addWidget(entry, 2 * at, 1)
            grid.addWidget(told, 2 * at + 1, 1)
            self.entries[field.path], self.refusals[field.path] = entry, told
        column.addLayout(grid)


def _board(index: int) -> str:
    return f"partitions[{index}]."


def _words(error: UserError, path: str) -> str:
    # The path is beside the words already, unless the fault is elsewhere.
    inside = error.where.startswith(path)
    return error.what if inside else f"{error.where}: {error.what}"
