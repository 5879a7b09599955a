"""The codebook editor: versions above, outline at the left, one part beside it."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from coding.codebook import Code, Field
from director_gui.errors import UserError
from director_gui.ui import theme
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coordinator.codebook_acts import BookActs
from director_gui.ui.coordinator.codebook_bar import BookBar
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.coordinator.codebook_files import BookFiles
from director_gui.ui.coordinator.codebook_forms import BookForm, CodeForm, FieldForm
from director_gui.ui.coordinator.codebook_outline import Outline
from director_gui.ui.coordinator.codebook_remarks import RemarkList
from director_gui.ui.coordinator.codebook_tree import Place
from director_gui.ui.icons import icon
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from director_gui.ui.widgets import action, tool

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
        self.desk = BookDesk(session, jobs, refuse, self)
        self.acts, self.files = BookActs(self.desk), BookFiles(self.desk, self, refuse)
        self.bar, self.outline, self.remarks = BookBar(), Outline(), RemarkList()
        self.book_form, self.field_form = BookForm(), FieldForm()
        self.code_form = CodeForm()
        self._forms = (self.book_form, self.field_form, self.code_form)
        self.shown = QStackedWidget()
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

    def _edit_field(self, value: Field, part: str) -> None:
        self.acts.edit_field(self.outline.place, value, part)

    def _edit_code(self, value: Code, part: str) -> None:
        self.acts.edit_code(self.outline.place, value, part)

    def _add_field(self, kind: str) -> None:
        self._go(self.acts.add_field(kind), self.field_form.shown)

    def _add_code(self) -> None:
        self._go(self.acts.add_code(self.outline.place), self.code_form.shown)

    def _remove(self) -> None:
        self.acts.remove(self.outline.place)

    def _move(self, by: int) -> None:
        self._go(self.acts.move(self.outline.place, by))

    def _go(self, place: Place, entry: QLineEdit | None = None) -> None:
        self.outline.tree.choose(place)
        if entry is not None:
            entry.setFocus()
            entry.selectAll()

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
        desk, bar, outline, files = self.desk, self.bar, self.outline, self.files
        desk.changed.connect(self._show_draft)
        desk.listed.connect(self._show_versions)
        desk.saved.connect(lambda: self.bar.show_state(desk))
        bar.chosen.connect(desk.open)
        bar.new_asked.connect(files.start_new)
        bar.import_asked.connect(files.bring_in)
        bar.export_asked.connect(files.send_out)
        bar.discard_asked.connect(desk.discard)
        bar.trial_asked.connect(files.try_out)
        outline.chosen.connect(self._show_part)
        outline.field_asked.connect(self._add_field)
        outline.code_asked.connect(self._add_code)
        outline.removal_asked.connect(self._remove)
        outline.move_asked.connect(self._move)
        self.remarks.chosen.connect(self._go)
        self.book_form.edited.connect(self.acts.edit_book)
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
