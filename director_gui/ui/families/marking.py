"""Pins and drops as undoable steps; each is kept in the study at once."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QUndoCommand, QUndoStack

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.store.marks import Kind, Mark, add_marks
from director_gui.study.blind.actor import user_name
from director_gui.study.gallery import Card

_VERBS: dict[Kind, str] = {"pin": "Pin", "drop": "Drop", "none": "Clear the mark of"}


class _SetMarks(QUndoCommand):
    """Put new marks in place of old ones."""

    def __init__(
        self,
        text: str,
        keep: Callable[[Sequence[Mark]], None],
        old: Sequence[Mark],
        new: Sequence[Mark],
    ) -> None:
        super().__init__(text)
        self._keep, self._old, self._new = keep, old, new

    def redo(self) -> None:
        self._keep(self._new)

    def undo(self) -> None:
        self._keep(self._old)


class Marking:
    """Marks scenes of one set; `done` is told after each step, undone ones too."""

    def __init__(
        self, done: Callable[[], None], refuse: Callable[[UserError], None]
    ) -> None:
        self.stack = QUndoStack()
        self._done, self._refuse = done, refuse
        self._study: Study | None = None
        self._set = ""

    def open(self, study: Study, set_id: str) -> None:
        """Mark scenes of another set; the history starts here."""
        # Reading the same set anew must not cost its history.
        if (self._study, self._set) != (study, set_id):
            self.stack.clear()
        self._study, self._set = study, set_id

    def mark(self, cards: Sequence[Card], kind: Kind, reason: str) -> None:
        """Pin, drop or clear some scenes, as one step."""
        # Here too: a refusal inside a command would leave it in the history.
        if kind != "none" and not reason.strip():
            todo = "Say in a few words why"
            self._refuse(UserError(f"a {kind} needs a reason", todo=todo))
            return
        # Undoing adds a row that takes the mark back: rows are never removed.
        old = [card.mark or Mark(card.scene, "none") for card in cards]
        new = [Mark(card.scene, kind, reason, user_name()) for card in cards]
        what = cards[0].name if len(cards) == 1 else f"{len(cards)} scenes"
        if cards:
            self.stack.push(_SetMarks(f"{_VERBS[kind]} {what}", self._keep, old, new))

    def _keep(self, marks: Sequence[Mark]) -> None:
        if self._study is None:
            return
        try:
            add_marks(self._study, self._set, marks)
        except UserError as error:
            self._refuse(error)
        # Also after a refusal, so that what is shown is what is stored.
        self._done()
