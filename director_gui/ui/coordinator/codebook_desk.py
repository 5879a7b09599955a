"""Owner of the codebook that is being edited: its draft, its history, its versions.

Views observe it and ask it for edits. A draft goes into the study by itself as soon as
a packet could be made with it; what is wrong is told meanwhile and stays in the window.
"""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from coding.book_checks import Remark, remarks
from coding.book_edits import fresh_book, same_content
from coding.codebook import Codebook
from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.study.blind.codebooks import (
    KeptBook,
    codebooks,
    discard_codebook,
    import_codebook,
    keep_codebook,
)
from director_gui.ui.coordinator.codebook_words import PANE_KEYS
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session

_REST = 500  # ms without an edit after which the draft goes to the study


class _Edit(QUndoCommand):
    """Swap one draft for another; typing on in one place is one step."""

    def __init__(self, desk: "BookDesk", new: Codebook, text: str, place: str) -> None:
        super().__init__(text)
        self._desk, self.place = desk, place
        self._old, self.new = desk.draft, new

    def redo(self) -> None:
        self._desk.show_draft(self.new)

    def undo(self) -> None:
        self._desk.show_draft(self._old)

    def id(self) -> int:
        return hash(self.place) % 2**30 if self.place else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or other.place != self.place:
            return False
        self.new = other.new
        return True


class BookDesk(QObject):
    """The versions of the open study, and a draft that begins as one of them."""

    changed = Signal()  # another draft
    listed = Signal()  # other versions
    saved = Signal()  # the draft is in the study

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self.known: tuple[KeptBook, ...] = ()
        self.base: KeptBook | None = None
        self.draft: Codebook = fresh_book()
        self._said: tuple[Codebook, list[Remark]] | None = None
        self.undo_stack = QUndoStack(self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.save)

    @property
    def writable(self) -> bool:
        """Whether the study takes edits."""
        study = self._session.opened
        return study is not None and not study.read_only

    @property
    def unsaved(self) -> bool:
        """Whether the draft differs from what the study keeps."""
        return self.base is not None and not same_content(self.base.book, self.draft)

    def remarks(self) -> list[Remark]:
        """Return what there is to say about the draft."""
        # Asked for several times at each key, and slow for hundreds of codes.
        if self._said is None or self._said[0] is not self.draft:
            self._said = (self.draft, remarks(self.draft, PANE_KEYS))
        return self._said[1]

    @property
    def usable(self) -> bool:
        """Whether a packet could be made with the draft."""
        return not any(remark.stops for remark in self.remarks())

    def forget(self) -> None:
        """Drop versions, draft and history: they belong to another study."""
        self._rest.stop()
        self.known, self.base = (), None
        self.undo_stack.clear()
        self.draft = fresh_book()

    def load(self) -> None:
        """Read the versions of the open study; the one on show stays."""
        self._work("Reading the codebooks", codebooks, self._listed)

    def open(self, kept: KeptBook) -> None:
        """Show a version; its history begins here."""
        self.save()
        self.base = kept
        self.undo_stack.clear()
        self.show_draft(kept.book)
        self.listed.emit()

    def apply(self, book: Codebook, text: str, place: str = "") -> None:
        """Take an edit as an undo step.

        Args:
            book: The codebook after it.
            text: What undo calls it.
            place: The entry that was typed in; typing on there is the same step.
        """
        if book != self.draft and self.writable:
            self.undo_stack.push(_Edit(self, book, text, place))
            self._rest.start()

    def show_draft(self, book: Codebook) -> None:
        """Show a draft; the undo stack's commands alone call this from outside."""
        self.draft = book
        if self.unsaved and self.writable:
            self._rest.start()
        self.changed.emit()

    def start_new(self, name: str) -> None:
        """Begin a codebook of this name in the study."""
        book = fresh_book(name)
        self._work(
            "Beginning a codebook", lambda s: keep_codebook(s, book, None), self._came
        )

    def bring_in(self, path: Path) -> None:
        """Import a codebook file and show it."""
        self._work(
            "Importing a codebook", lambda s: import_codebook(s, path), self._came
        )

    def discard(self) -> None:
        """Take the version on show out of the study."""
        base = self.base
        if base is not None:
            self._rest.stop()
            self._work(
                "Discarding a version", lambda s: discard_codebook(s, base), self._gone
            )

    def save(self) -> None:
        """Keep the draft now, if it is an edit that can be kept."""
        self._rest.stop()
        study = self._session.opened
        if study is None or not self.unsaved or not self.writable or not self.usable:
            return
        # Here and now, as it takes some milliseconds: an edit must not be on its way
        # when another version is opened or the window goes.
        try:
            self.base = keep_codebook(study, self.draft, self.base, self.known)
        except UserError as error:
            self._refuse(error)
            return
        self.saved.emit()
        self.load()

    # What comes back ------------------------------------------------------------

    def _listed(self, known: tuple[KeptBook, ...]) -> None:
        self.known = known
        hashes = {one.book.hash: one for one in known}
        base = hashes.get(self.base.book.hash) if self.base else None
        if base is None and not (
            self.base and self.unsaved and self.undo_stack.count()
        ):
            if known:
                self.open(known[0])
            return
        self.base = base or self.base
        self.listed.emit()

    def _came(self, kept: KeptBook) -> None:
        self.open(kept)
        self.load()

    def _gone(self, _nothing: None) -> None:
        self.base = None
        self.undo_stack.clear()
        self.load()

    def _work(
        self,
        title: str,
        work: Callable[[Study], object],
        done: Callable[..., None],
    ) -> None:
        study = self._session.opened
        if study is None:
            return
        # A study that was closed meanwhile is not this page's any more.
        self._jobs.start(
            title,
            lambda _: work(study),
            lambda found: done(found) if self._session.opened is study else None,
            self._refuse,
        )
