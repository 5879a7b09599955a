"""One family: form and text at the left, its extents and sampling at the right."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.families.reading import MOST_SCENES
from director_gui.ui import theme
from director_gui.ui.families.draft import Draft
from director_gui.ui.families.extents_view import ExtentsView
from director_gui.ui.families.form import FamilyForm
from director_gui.ui.families.sampling import Sampling
from director_gui.ui.families.sampling_view import SamplingView
from director_gui.ui.flow import Halves
from director_gui.ui.icons import icon
from director_gui.ui.widgets import action, button, label, restyle, tool

_RIGHT, _FORM = 380, 520  # px
_DIGITS = 40  # of a whole number; a seed has up to 20


class FamilyPage(QWidget):
    """Shows a draft; the workspace keeps and samples it."""

    copy_wanted = Signal()
    forget_wanted = Signal()
    sample_wanted = Signal(str, int, int)  # the set's name, count, seed
    outlook_wanted = Signal()

    def __init__(
        self, draft: Draft, sampling: Sampling, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.draft, self._sampling = draft, sampling
        self.title = label("", "title")
        self.state = label("", "caption")
        self.form = FamilyForm(draft)
        self.text = _text_of(draft)
        self.fault = label("", "error", wrap=True)
        self.fault.setAccessibleName("Why the text is refused")
        self.extents = ExtentsView()
        self.set_name = QLineEdit()
        self.count, self.seed = QLineEdit(), QLineEdit()
        self.told = label("", "error", wrap=True)
        self.view = SamplingView(sampling)
        self._make_buttons()
        self._lay_out()
        self._connect()

    def show_draft(self, state: str, set_name: str, *, own: bool) -> None:
        """Show the draft that was opened, and the name a new set would get."""
        self.copy.setVisible(not own)
        self.forget.setVisible(own)
        self.text.setReadOnly(not own)
        self.state.setText(state)
        self.set_name.setText(set_name)
        family = self.draft.family
        if family is not None:
            self.count.setText(str(family.count))
            self.seed.setText(str(family.seed))
        self.view.follow(set_name)
        self.extents.open_family(family)
        self.follow()

    def follow(self) -> None:
        """Show what the draft amounts to now."""
        family, error = self.draft.family, self.draft.error
        self.title.setText(family.name if family else self.draft.name)
        self.extents.show_family(family)
        self.fault.setVisible(error is not None)
        self.fault.setText("" if error is None else str(error))
        self._enable()

    def ask_sample(self) -> None:
        """Ask for a set with the name, count and seed that are entered."""
        try:
            name = self.set_name.text().strip()
            count = _whole(self.count, "Scenes", 1, MOST_SCENES)
            # What SQLite can hold.
            seed = _whole(self.seed, "Seed", 1 - 2**63, 2**63 - 1)
        except UserError as error:
            self._refuse(error)
            return
        self.told.hide()
        self.view.follow(name)
        self.sample_wanted.emit(name, count, seed)

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self.text.setFont(theme.mono(12))
        self.form.retheme()
        self.halves.fit()
        self.undo.setIcon(icon("undo"))
        self.redo.setIcon(icon("redo"))
        self.extents.retheme()

    def _refuse(self, error: UserError) -> None:
        self.told.setText(error.what)
        self.told.show()

    def _forgive(self) -> None:
        """Take a refusal back once it is being mended."""
        self.told.hide()
        for box in (self.count, self.seed):
            box.setProperty("state", "")
            restyle(box)

    def _family_changed(self) -> None:
        family = self.draft.family
        # A number that is being typed must not be taken away.
        if family is not None and not self.count.hasFocus():
            self.count.setText(str(family.count))
            self.seed.setText(str(family.seed))
        self.follow()

    def _enable(self) -> None:
        ready = self.draft.family is not None and not self._sampling.busy
        self.sample.setEnabled(ready)
        self.outlook.setEnabled(ready)
        for made, can in (
            (self.undo, self.draft.document.isUndoAvailable()),
            (self.redo, self.draft.document.isRedoAvailable()),
        ):
            made.setEnabled(can and self.draft.editable)

    # Layout -------------------------------------------------------------------

    def _make_buttons(self) -> None:
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        document = self.draft.document
        self.undo = action(
            self, "Undo", document.undo, shortcut="Ctrl+Z", icon_name="undo",
            scope=inside,
        )  # fmt: skip
        self.redo = action(
            self, "Redo", document.redo, shortcut="Ctrl+Shift+Z", icon_name="redo",
            scope=inside,
        )  # fmt: skip
        self.copy = button("Edit a copy", self.copy_wanted.emit)
        self.forget = button("Remove", self.forget_wanted.emit)
        self.forget.setToolTip("Take the family out of the study; its sets stay")
        self.sample = button("Sample the set", self.ask_sample, primary=True)
        self.outlook = button("How likely?", self.outlook_wanted.emit)
        self.outlook.setToolTip("Try candidates for some seconds, without keeping any")

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(theme.S4, theme.S2, theme.S3, theme.S2)
        head.setSpacing(theme.S2)
        head.addWidget(self.title)
        head.addWidget(self.state)
        head.addStretch()
        for made in (self.undo, self.redo):
            head.addWidget(tool(made))
        head.addWidget(self.copy)
        head.addWidget(self.forget)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.form, "Form")
        self.tabs.addTab(self.text, "Text")
        left = _column(self.tabs, self.fault)
        self.fault.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S2)
        self.halves = Halves(left, self._side(), _RIGHT, _FORM)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.halves, 1)

    def _side(self) -> QWidget:
        inner = QWidget()
        inner.setProperty("role", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.extents, 1)
        column.addWidget(label("Sample", "section"))
        for row in self._sample_rows():
            column.addLayout(row)
        self.told.hide()
        column.addWidget(self.told)
        column.addWidget(self.view)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        return area

    def _sample_rows(self) -> list[QHBoxLayout]:
        fields = (
            ("Set", self.set_name, 3),
            ("Scenes", self.count, 1),
            ("Seed", self.seed, 2),
        )
        first, second = QHBoxLayout(), QHBoxLayout()
        first.setSpacing(theme.S2)
        for name, box, stretch in fields:
            box.setAccessibleName(name)
            first.addWidget(label(name, "caption"))
            first.addWidget(box, stretch)
        second.setSpacing(theme.S2)
        second.addWidget(self.sample)
        second.addWidget(self.outlook)
        second.addStretch()
        return [first, second]

    def _connect(self) -> None:
        self.draft.changed.connect(self._family_changed)
        self.draft.document.undoAvailable.connect(lambda _on: self._enable())
        self.draft.document.redoAvailable.connect(lambda _on: self._enable())
        self._sampling.started.connect(self._enable)
        self._sampling.ended.connect(self._enable)
        for box in (self.set_name, self.count, self.seed):
            box.returnPressed.connect(self.sample.click)
            box.textEdited.connect(lambda _text: self._forgive())


def _text_of(draft: Draft) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setDocument(draft.document)
    made.setFont(theme.mono(12))
    # A wrapped line would look like two of the file.
    made.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    # The keyboard must find its way out; TOML needs no tabs.
    made.setTabChangesFocus(True)
    made.setAccessibleName("Family as text (TOML)")
    return made


def _column(*widgets: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for at, widget in enumerate(widgets):
        column.addWidget(widget, 0 if at else 1)
    return made


def _whole(box: QLineEdit, name: str, low: int, high: int) -> int:
    text = box.text().strip()
    # Python reads no number of thousands of digits, as a slip of the clipboard has.
    number = text.removeprefix("-").isdecimal() and len(text) <= _DIGITS
    good = number and low <= int(text) <= high
    box.setProperty("state", "" if good else "refused")
    restyle(box)
    if not good:
        raise UserError(f"{name} must be a whole number from {low} to {high}")
    return int(text)
