"""Owner of the study's own prompts in the window; every change is an undo step."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from director_gui.errors import UserError
from director_gui.prompts.library import Library, library
from director_gui.store.database import Study
from director_gui.store.prompts import OwnPrompts, own_prompts
from director_gui.study.prompt_library import Frozen, frozen, keep, merged
from director_gui.ui.session import Session


class _SetOwn(QUndoCommand):
    """Swap one value for another; what the study refuses leaves no step."""

    def __init__(self, book: "PromptBook", own: OwnPrompts, text: str) -> None:
        super().__init__(text)
        self._book = book
        self._old, self._new = book.own, own

    def redo(self) -> None:
        self.setObsolete(not self._book.write(self._new))

    def undo(self) -> None:
        self.setObsolete(not self._book.write(self._old))


class PromptBook(QObject):
    """The open study's pieces, conditions and pairs, with the program's."""

    changed = Signal()
    went_well = Signal()  # the study was read or a change kept: no refusal stands
    refused = Signal(object)  # UserError

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.own = OwnPrompts()
        self.frozen = Frozen()
        self.library: Library = library()
        self.read_only = False
        self.undo_stack = QUndoStack(self)

    def load(self) -> None:
        """Read the open study anew; its history starts here."""
        # A step back must not write one study's prompts into another.
        self.undo_stack.clear()
        study = self._study()
        found = None if study is None else self._read(study)
        self.read_only = study is None or study.read_only or found is None
        self._show(found or OwnPrompts())
        if found is not None:
            self.went_well.emit()

    def look_again(self) -> None:
        """Read what runs have used since; what is shown else stays."""
        study = self._session.opened
        if study is None:
            return
        try:
            used = frozen(study)
        except UserError as error:
            self.refused.emit(error)
            return
        # Nothing is drawn anew for a run that used what was used before.
        if used != self.frozen:
            self.frozen = used
            self.changed.emit()

    def apply(self, own: OwnPrompts, text: str) -> bool:
        """Keep `own` as an undo step called `text`; return whether it was kept."""
        if own == self.own:
            return True
        # Pushing a command carries it out; one that is refused takes itself off.
        self.undo_stack.push(_SetOwn(self, own, text))
        if self.own != own:
            return False
        self.went_well.emit()
        return True

    def write(self, own: OwnPrompts) -> bool:
        """Keep `own`, without a step of its own; commands alone call this."""
        study = self._study()
        if study is None:
            return False
        # Also when the study could not be read: writing would lose what it holds.
        if self.read_only:
            self.refused.emit(UserError("the prompts of this study are read-only"))
            return False
        try:
            keep(study, own)
        except UserError as error:
            self.refused.emit(error)
            return False
        self._show(own)
        return True

    def is_own_piece(self, name: str) -> bool:
        """Whether a piece is the study's own."""
        return any(row.name == name for row in self.own.pieces)

    def is_own_condition(self, name: str) -> bool:
        """Whether a condition is the study's own."""
        return any(row.name == name for row in self.own.conditions)

    def can_change_piece(self, name: str) -> bool:
        """Whether an edit may change this piece itself."""
        return self.is_own_piece(name) and name not in self.frozen.pieces

    def can_change_condition(self, name: str) -> bool:
        """Whether an edit may change this condition itself."""
        return self.is_own_condition(name) and name not in self.frozen.conditions

    def users(self, piece: str) -> tuple[str, ...]:
        """Return the conditions that use a piece."""
        return tuple(
            condition.name
            for condition in self.library.conditions
            if piece in [one.name for one in condition.pieces]
        )

    def _show(self, own: OwnPrompts) -> None:
        self.own = own
        self.library = merged(own)
        self.changed.emit()

    def _study(self) -> Study | None:
        # The first look opens the scratch study, which may fail.
        try:
            return self._session.study
        except UserError as error:
            self.refused.emit(error)
            return None

    def _read(self, study: Study) -> OwnPrompts | None:
        try:
            own = own_prompts(study)
            merged(own)
            self.frozen = frozen(study)
        except UserError as error:
            # The program's own conditions are there whatever the study holds.
            self.refused.emit(error)
            return None
        return own
