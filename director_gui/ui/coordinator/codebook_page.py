"""The codebook editor: versions above, outline at the left, one part beside it."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from coding import book_edits as edits
from coding.book_files import book_data
from coding.codebook import Code, Codebook, Field, Kind
from director_gui import home
from director_gui.errors import UserError
from director_gui.study.blind.keys import mended
from director_gui.ui import theme
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coordinator.codebook_bar import BookBar
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.coordinator.codebook_forms import BookForm, CodeForm, FieldForm
from director_gui.ui.coordinator.codebook_outline import Outline
from director_gui.ui.coordinator.codebook_remarks import RemarkList
from director_gui.ui.coordinator.codebook_tree import Place
from director_gui.ui.coordinator.codebook_trial import TrialWindow
from director_gui.ui.icons import icon
from director_gui.ui.jobs import Jobs
from director_gui.ui.recovery import write_atomically
from director_gui.ui.session import Session
from director_gui.ui.widgets import action, tool

FILES = "Codebooks (*.toml *.qdc *.json);;All files (*)"
KINDS_OF_FILE = "TOML (*.toml);;REFI-QDA Codebook (*.qdc);;JSON (*.json)"
_FORM = 620  # px at 100 %
_HISTORY = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class CodebookPage(QWidget):
    """Edits the study's codebooks; each edit is an undo step and is kept by itself."""

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._refuse = refuse
        self.desk = BookDesk(session, jobs, refuse, self)
        self.bar, self.outline, self.remarks = BookBar(), Outline(), RemarkList()
        self.book_form, self.field_form = BookForm(), FieldForm()
        self.code_form = CodeForm()
        self._forms = (self.book_form, self.field_form, self.code_form)
        self.shown = QStackedWidget()
        self.trial: TrialWindow | None = None
        self._lay_out()
        self._connect()
        self._add_history()
        self.retheme()

    def begin(self) -> None:
        """Show what the study holds now."""
        self.desk.load()
        self.outline.tree.setFocus()

    def close_views(self) -> None:
        """Keep what was edited last."""
        self.desk.save()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        # Whatever is shown next may ask for the codebook that was just edited.
        self.desk.save()

    def forget(self) -> None:
        """Let go of a study that is not open any more."""
        self.desk.forget()

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self.outline.retheme()
        for one in self._history:
            one.setIcon(icon(one.property("icon_name")))
        self.shown.setMaximumWidth(theme.px(_FORM))
        for form in self._forms:
            form.retheme()
        self._show_draft()

    # What is shown --------------------------------------------------------------

    def _show_draft(self) -> None:
        self.outline.show_book(self.desk.draft)
        self.remarks.show_remarks(self.desk.remarks())
        self.bar.show_state(self.desk)
        self._show_part()

    def _show_part(self) -> None:
        book, (field, code) = self.desk.draft, self.outline.place
        form: BookForm | FieldForm | CodeForm
        if field < 0:
            form = self.book_form
            form.show_value(book)
        elif code < 0:
            form = self.field_form
            form.show_value(book.fields[field])
        else:
            form, owner = self.code_form, book.fields[field]
            form.show_value(owner.codes[code], owner, book)
        self.shown.setCurrentWidget(form)
        form.setEnabled(self.desk.writable)
        self.outline.enable(book, writable=self.desk.writable)

    def _show_versions(self) -> None:
        self.bar.show_desk(self.desk)
        self._show_part()

    # What the user does -----------------------------------------------------------

    def _edit_book(self, book: Codebook, part: str) -> None:
        self.desk.apply(book, "Edit codebook", part)

    def _edit_field(self, value: Field, part: str) -> None:
        at, _ = self.outline.place
        book = edits.with_field(self.desk.draft, at, value)
        self.desk.apply(book, "Edit field", f"{at} {part}" if part else "")

    def _edit_code(self, value: Code, part: str) -> None:
        at, place = self.outline.place
        field = edits.with_code(self.desk.draft.fields[at], place, value)
        book = edits.with_field(self.desk.draft, at, field)
        self.desk.apply(book, "Edit code", f"{at} {place} {part}" if part else "")

    def _add_field(self, kind: str) -> None:
        book = self.desk.draft
        made = edits.plus_field(book, edits.fresh_field(book, cast("Kind", kind)))
        self.desk.apply(made, "Add field")
        self._go((len(made.fields) - 1, -1), self.field_form.shown)

    def _add_code(self) -> None:
        at, _ = self.outline.place
        field = self.desk.draft.fields[at]
        more = edits.plus_code(field, edits.fresh_code(field))
        self.desk.apply(edits.with_field(self.desk.draft, at, more), "Add code")
        self._go((at, len(more.codes) - 1), self.code_form.shown)

    def _remove(self) -> None:
        book, (at, place) = self.desk.draft, self.outline.place
        if place < 0:
            self.desk.apply(edits.minus_field(book, at), "Remove field")
        else:
            less = edits.minus_code(book.fields[at], place)
            self.desk.apply(edits.with_field(book, at, less), "Remove code")

    def _move(self, by: int) -> None:
        book, (at, place) = self.desk.draft, self.outline.place
        if place < 0:
            self.desk.apply(edits.moved_field(book, at, by), "Move field")
            self._go((_within(at + by, len(book.fields)), -1))
        else:
            moved = edits.moved_code(book.fields[at], place, by)
            self.desk.apply(edits.with_field(book, at, moved), "Move code")
            self._go((at, _within(place + by, len(moved.codes))))

    def _go(self, place: Place, entry: QLineEdit | None = None) -> None:
        self.outline.tree.choose(place)
        if entry is not None:
            entry.setFocus()
            entry.selectAll()

    def _start_new(self) -> None:
        taken = {kept.book.name for kept in self.desk.known}
        names = (f"codebook-{n}" for n in range(1, len(taken) + 2))
        self.desk.start_new(next(name for name in names if name not in taken))

    def _bring_in(self) -> None:
        start = str(home.data_folder())
        name, _ = QFileDialog.getOpenFileName(self, "Import a codebook", start, FILES)
        if name:
            self.desk.bring_in(Path(name))

    def try_out(self) -> None:
        """Open the coders' window on the draft, with nothing kept."""
        if self.trial is not None:
            self.trial.close()
        try:
            made = TrialWindow(self.desk.draft)
        except UserError as error:
            self._refuse(error)
            return
        made.destroyed.connect(lambda: self._forget_trial(made))
        self.trial = made
        made.show()
        made.activateWindow()

    def _forget_trial(self, gone: TrialWindow) -> None:
        # Another one may be open by now.
        if self.trial is gone:
            self.trial = None

    def _send_out(self) -> None:
        book = self.desk.draft
        start = home.data_folder() / f"{book.name}-{book.version}.toml"
        name, kind = QFileDialog.getSaveFileName(
            self, "Export the codebook", str(start), KINDS_OF_FILE
        )
        if name:
            self.export(with_suffix(Path(name), kind))

    def export(self, path: Path) -> None:
        """Write the draft to a .toml, .qdc or .json file; refuse what cannot be."""
        try:
            with mended():
                data = book_data(self.desk.draft, path)
            write_atomically(path, data)
        except UserError as error:
            self._refuse(error)
        except OSError as error:
            what = f"the codebook was not written ({error.strerror})"
            self._refuse(UserError(what, where=str(path), todo="Choose another folder"))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave undo to the codebook: an entry's own would know nothing of it."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent):
            # Not accepted, so that the page's own shortcut gets the key.
            return any(event.matches(key) for key in _HISTORY)
        return super().eventFilter(watched, event)

    # Layout -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.outline)
        body.addWidget(self._right(), 1)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.bar)
        page.addLayout(body, 1)

    def _right(self) -> QWidget:
        for form in self._forms:
            self.shown.addWidget(form)
        inside = QWidget()
        inside.setProperty("role", "panel")
        row = QHBoxLayout(inside)
        row.setContentsMargins(theme.S6, theme.S4, theme.S6, theme.S4)
        row.addWidget(self.shown, 100)
        row.addStretch(1)
        right = QFrame()
        right.setProperty("role", "panel")
        page = QVBoxLayout(right)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(FittedArea(inside), 1)
        below = QVBoxLayout()
        below.setContentsMargins(theme.S4, 0, theme.S4, theme.S3)
        below.addWidget(self.remarks)
        page.addLayout(below)
        return right

    def _connect(self) -> None:
        desk, bar, outline = self.desk, self.bar, self.outline
        desk.changed.connect(self._show_draft)
        desk.listed.connect(self._show_versions)
        desk.saved.connect(lambda: self.bar.show_state(desk))
        bar.chosen.connect(desk.open)
        bar.new_asked.connect(self._start_new)
        bar.import_asked.connect(self._bring_in)
        bar.export_asked.connect(self._send_out)
        bar.discard_asked.connect(desk.discard)
        bar.trial_asked.connect(self.try_out)
        outline.chosen.connect(self._show_part)
        outline.field_asked.connect(self._add_field)
        outline.code_asked.connect(self._add_code)
        outline.removal_asked.connect(self._remove)
        outline.move_asked.connect(self._move)
        self.remarks.chosen.connect(self._go)
        self.book_form.edited.connect(self._edit_book)
        self.field_form.edited.connect(self._edit_field)
        self.code_form.edited.connect(self._edit_code)

    def _add_history(self) -> None:
        stack, scope = (
            self.desk.undo_stack,
            Qt.ShortcutContext.WidgetWithChildrenShortcut,
        )
        undo = action(
            self, "Undo", stack.undo, shortcut="Ctrl+Z", icon_name="undo", scope=scope
        )
        redo = action(
            self, "Redo", stack.redo, shortcut="Ctrl+Y", icon_name="redo", scope=scope
        )
        redo.setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        for one, can in ((undo, stack.canUndoChanged), (redo, stack.canRedoChanged)):
            one.setEnabled(False)
            can.connect(one.setEnabled)
            self.bar.tools.addWidget(tool(one))
        self._history = (undo, redo)
        for kind in (QLineEdit, QPlainTextEdit):
            for entry in self.findChildren(kind):
                entry.installEventFilter(self)


def with_suffix(path: Path, kind: str) -> Path:
    """Return the path with the suffix of the kind that was chosen, if it has none."""
    if path.suffix:
        return path
    return path.with_suffix("." + kind.partition("*.")[2].rstrip(")"))


def _within(at: int, count: int) -> int:
    return min(count - 1, max(0, at))
