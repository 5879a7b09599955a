"""The form of a family: every quantity with its unit, refusals beside the field."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.families.reading import parsed
from director_gui.study.family_text import value_in
from director_gui.ui import theme
from director_gui.ui.families.draft import Draft
from director_gui.ui.families.entries import Entry, entry_for
from director_gui.ui.families.form_fields import FormGroup, groups_of
from director_gui.ui.families.readable import readable
from director_gui.ui.widgets import label


class FamilyForm(QScrollArea):
    """Shows a draft's values and puts what is entered into its text."""

    def __init__(self, draft: Draft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._groups: list[FormGroup] = []
        self.entries: dict[str, Entry] = {}
        self.refusals: dict[str, QLabel] = {}
        self.setWidgetResizable(True)
        self.setAccessibleName("Family as a form")
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
        note = "Partitions are added and removed in the text."
        column.addWidget(label(note, "caption", wrap=True))
        column.addStretch()

    def _add_group(self, column: QVBoxLayout, group: FormGroup) -> None:
        title = label(group.title, "strong")
        title.setContentsMargins(0, theme.S2, 0, theme.S1)
        column.addWidget(title)
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


def _words(error: UserError, path: str) -> str:
    # The path is beside the words already, unless the fault is elsewhere.
    inside = error.where.startswith(path)
    return error.what if inside else f"{error.where}: {error.what}"
