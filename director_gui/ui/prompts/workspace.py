"""The prompts workspace: conditions and slots, messages, pairs, pieces."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.scene.model import Scene
from director_gui.store.prompts import OwnPrompts
from director_gui.study.prompt_overview import Overview, overview
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.changes import Changes
from director_gui.ui.prompts.condition_form import ConditionForm, MadeCondition
from director_gui.ui.prompts.condition_model import ConditionModel
from director_gui.ui.prompts.condition_table import ConditionTable
from director_gui.ui.prompts.details import ConditionDetails
from director_gui.ui.prompts.files import PromptFiles
from director_gui.ui.prompts.pair_view import PairView
from director_gui.ui.prompts.piece_form import PieceForm, WrittenPiece
from director_gui.ui.prompts.piece_list import PieceList
from director_gui.ui.prompts.scene_facts import SceneFacts
from director_gui.ui.prompts.toolbar import Toolbar
from director_gui.ui.session import Session
from director_gui.ui.settings import Settings
from director_gui.ui.widgets import Banner, EmptyState, button, label

Refuse = Callable[[UserError], None]
_SIDE = 312  # px
_NARROWEST = 240  # px of the pages at the right
_LAYOUTS = {"prompts": (912, _SIDE), "prompts.left": (330, 380)}
_FIRST = "move.ask"  # what is shown before anything was chosen


class PromptsWorkspace(QWidget):
    """Everything that writing and comparing prompts needs, around one study.

    Args:
        document: Holds the open scene, which the messages are about.
        session: Holds the study, whose own prompts are shown and changed.
        refuse: Shows an error that the workspace cannot show itself.
    """

    HINT = "Enter edits the piece of the chosen slot · Ctrl+C copies the table"

    def __init__(
        self,
        document: Document,
        session: Session,
        refuse: Refuse,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._refuse_elsewhere = refuse
        self._settings = Settings()
        self._facts: tuple[Scene, tuple[int, ...]] | None = None
        self._found: Overview | None = None
        self._name = _FIRST
        self._loaded = False
        self.banner = Banner()
        self.book = PromptBook(session, self)
        self.facts = SceneFacts(self)
        self.model = ConditionModel(self.book)
        self.table = ConditionTable(self.model)
        self.pair = PairView()
        self.details = ConditionDetails(self.book)
        self.pieces = PieceList(self.book)
        self.piece_form = PieceForm(self.book)
        self.condition_form = ConditionForm(self.book)
        self.tabs = QTabWidget()
        self.side = QStackedWidget()
        self.body = QStackedWidget()
        self.listed = QStackedWidget()
        self.changes = Changes(self.book)
        self.files = PromptFiles(self.book, session, self.banner, self)
        self.bar = self._make_toolbar()
        self.filter = self.bar.filter
        self._splitters = self._lay_out()
        self._connect()

    def close_views(self) -> None:
        """End the thread, and keep the layout."""
        self.facts.close()
        for name, splitter in self._splitters.items():
            self._settings.set_layout(_sized(name), splitter.saveState())
        head = self.table.horizontalHeader()
        self._settings.set_layout(_sized("prompts.columns"), head.saveState())

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        for part in (
            self.bar, self.table, self.pair, self.details, self.pieces, self.piece_form,
        ):  # fmt: skip
            part.retheme()
        self.side.setMinimumWidth(theme.px(_NARROWEST))
        self.table.fit_columns()

    def show_condition(self, name: str) -> None:
        """Choose a condition, whatever the filter hides."""
        self._name = name
        if not self.table.choose(name):
            self.filter.clear()
            self.table.choose(name)
        self._show_chosen()

    # What is shown ------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._loaded:
            self._loaded = True
            # The frame comes first; opening a study may take a moment.
            QTimer.singleShot(0, self.book.load)
        else:
            self.book.look_again()
        self.facts.ask(self._document.scene, at_once=True)
        self.table.setFocus()

    def _scene_changed(self, scene: Scene) -> None:
        # Nobody looks: it is asked for when the workspace is shown.
        if self.isVisible():
            self.facts.ask(scene)

    def _facts_found(self, scene: Scene, sees: tuple[int, ...]) -> None:
        self._facts = (scene, sees)
        self._make_out()

    def _make_out(self) -> None:
        """Make all conditions out for the scene, and show what came of it."""
        if self._facts is None:
            return
        scene, sees = self._facts
        first = self._found is None
        book = self.book
        self._found = overview(book.library, book.own, sees, scene.request.extreme)
        self.model.show_overview(self._found)
        if first:
            self._first_columns()
        # It was deleted, or belongs to another study.
        if self.model.at(self._name) < 0:
            self._name = _FIRST
        self.table.choose(self._name)
        self._show_chosen()
        self.body.setCurrentIndex(1)

    def _first_columns(self) -> None:
        kept = self._settings.layout(_sized("prompts.columns"))
        head = self.table.horizontalHeader()
        if kept.isEmpty() or not head.restoreState(kept):
            self.table.fit_columns()
        # An order that was left behind would hide the method's own.
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)

    def _show_chosen(self) -> None:
        if self._found is None or self._facts is None:
            return
        condition = self.book.library.condition(self._name)
        self.pair.show_condition(self._name, self._found, self._facts[0].picture)
        self.details.show_condition(condition, self._found)
        self._light()
        self._enable()

    def _light(self) -> None:
        partner = self.pair.chosen_partner
        if not partner:
            self.model.light(frozenset())
            return
        known = self.book.library
        here, there = known.condition(self._name), known.condition(partner)
        # By piece, not by text: what the table shows are names.
        slots = [s for s in here.slots if here.slots[s] != there.slots[s]]
        cells = {(c.name, slot) for c in (here, there) for slot in slots}
        self.model.light(frozenset(cells))

    def _enable(self) -> None:
        writable = not self.book.read_only
        self.bar.locked.setVisible(self._loaded and not writable)
        self.pair.hold(writable=writable)
        for name in ("new_condition", "new_piece", "edit", "import"):
            self.bar.enable(name, enabled=writable)
        can = writable and self.book.can_change_condition(self._name)
        self.bar.enable("delete", enabled=can)
        self.bar.enable("export", enabled=bool(self.book.own != OwnPrompts()))
        slot = self.table.slot()
        self.bar.enable("edit", enabled=writable and bool(self._piece_at(slot)))

    def _piece_at(self, slot: str) -> str:
        if not slot:
            return ""
        piece = self.book.library.condition(self._name).slots[slot]
        return piece.name if piece else ""

    # What is done -------------------------------------------------------------

    def new_condition(self) -> None:
        """Open the form for a copy of the chosen condition."""
        self.condition_form.make_version(self.book.library.condition(self._name))
        self.side.setCurrentWidget(self.condition_form)

    def new_piece(self) -> None:
        """Open the form for a new piece of the chosen slot."""
        self.piece_form.write_new(self.table.slot() or "report")
        self.side.setCurrentWidget(self.piece_form)

    def edit_slot(self) -> None:
        """Edit the chosen condition's piece in the chosen slot."""
        name = self._piece_at(self.table.slot())
        if name and not self.book.read_only:
            self.edit_piece(name, self._name)
        elif not self.book.read_only:
            self.new_condition()

    def edit_piece(self, name: str, condition: str = "") -> None:
        """Open the form for a version of a piece."""
        self.piece_form.write_version(self.book.library.piece(name), condition)
        self.side.setCurrentWidget(self.piece_form)

    def delete_condition(self) -> None:
        """Delete the chosen condition when it is the study's own and unused."""
        if self.book.can_change_condition(self._name):
            self.changes.delete_condition(self._name)

    def _keep_piece(self, written: WrittenPiece) -> None:
        shown = self.changes.keep_piece(written)
        if shown is None:
            return
        self._show_pages()
        if shown:
            self.show_condition(shown)
        else:
            self.tabs.setCurrentWidget(self.pieces)
            self.pieces.choose(written.piece.name)

    def _keep_condition(self, made: MadeCondition) -> None:
        shown = self.changes.keep_condition(made)
        if shown:
            self._show_pages()
            self.show_condition(shown)

    def _show_pages(self) -> None:
        self.side.setCurrentWidget(self.tabs)
        self.table.setFocus()

    def _refused(self, error: UserError) -> None:
        # A banner that is out of sight would tell nobody.
        if self.isVisible():
            self.banner.tell_error(error, until=(self.book.went_well,))
        else:
            self._refuse_elsewhere(error)

    def _chosen(self, name: str, slot: str) -> None:
        del slot
        if name != self._name:
            self._name = name
            self._show_chosen()
        self._enable()

    def _look_for(self, text: str) -> None:
        self.listed.setCurrentIndex(0 if self.table.look_for(text) else 1)
        self.table.choose(self._name)

    def _study_changed(self) -> None:
        # Not before the first showing: a study may be changed many times till then.
        if self._loaded:
            self.book.load()
            self._show_pages()

    # Layout -------------------------------------------------------------------

    def _connect(self) -> None:
        self._document.scene_changed.connect(self._scene_changed)
        self._session.study_changed.connect(self._study_changed)
        self._session.run_ended.connect(lambda _id, _end: self.book.look_again())
        self.facts.found.connect(self._facts_found)
        self.book.changed.connect(self._make_out)
        self.book.refused.connect(self._refused)
        self.table.chosen.connect(self._chosen)
        self.table.opened.connect(lambda _name, _slot: self.edit_slot())
        self.filter.textChanged.connect(self._look_for)
        self.pair.partner_chosen.connect(lambda _name: self._light())
        self.pair.declare.connect(self.changes.declare)
        self.details.partner_chosen.connect(self.pair.choose_partner)
        self.details.edit.connect(self.new_condition)
        self.details.delete.connect(self.delete_condition)
        self.details.withdraw.connect(self.changes.withdraw)
        self.details.family_given.connect(self.changes.put_in_family)
        self.pieces.new.connect(self.new_piece)
        self.pieces.edit.connect(self.edit_piece)
        self.pieces.delete.connect(self.changes.delete_piece)
        self.piece_form.saved.connect(self._keep_piece)
        self.condition_form.saved.connect(self._keep_condition)
        self.piece_form.cancelled.connect(self._show_pages)
        self.condition_form.cancelled.connect(self._show_pages)

    def _make_toolbar(self) -> Toolbar:
        acts: dict[str, Callable[[], object]] = {
            "new_condition": self.new_condition,
            "new_piece": self.new_piece,
            "edit": self.edit_slot,
            "delete": self.delete_condition,
            "import": self.files.ask_import,
            "export": self.files.ask_export,
        }
        return Toolbar(acts, self.book.undo_stack, self.table, self)

    def _lay_out(self) -> dict[str, QSplitter]:
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.details, "Condition")
        self.tabs.addTab(self.pieces, "Pieces")
        for page in (self.tabs, self.piece_form, self.condition_form):
            self.side.addWidget(page)
        left = QSplitter(Qt.Orientation.Vertical)
        self.listed.addWidget(self.table)
        self.listed.addWidget(_nothing_found(self.filter.clear))
        left.addWidget(_column(self.bar, self.listed))
        left.addWidget(self.pair)
        self.side.setMinimumWidth(theme.px(_NARROWEST))
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.addWidget(left)
        whole.addWidget(self.side)
        whole.setStretchFactor(0, 1)
        self.body.addWidget(
            EmptyState("Working out what the director sees in the open scene")
        )
        self.body.addWidget(whole)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.body, 1)
        column.addWidget(self.banner)
        found = {"prompts": whole, "prompts.left": left}
        for name, splitter in found.items():
            splitter.setChildrenCollapsible(False)
            state = self._settings.layout(_sized(name))
            if state.isEmpty() or not splitter.restoreState(state):
                splitter.setSizes(list(_LAYOUTS[name]))
        return found


def _column(*widgets: QWidget) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for at, widget in enumerate(widgets):
        column.addWidget(widget, at)
    return made


def _sized(name: str) -> str:
    """Return a layout's name; widths of another text size would not fit."""
    return f"{name}.{theme.px(100)}"


def _nothing_found(clear: Callable[[], object]) -> QWidget:
    # Narrower than an `EmptyState`, whose width large text would force on the table.
    words = label("No condition holds these words.", "empty", wrap=True)
    words.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made = QWidget()
    column = QVBoxLayout(made)
    column.addStretch()
    column.addWidget(words)
    row = QHBoxLayout()
    row.addStretch()
    row.addWidget(button("Clear the filter", clear))
    row.addStretch()
    column.addLayout(row)
    column.addStretch()
    return made
