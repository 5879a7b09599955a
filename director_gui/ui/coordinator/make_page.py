"""Make a packet: draw, look at what the scanner found, seal, save."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from coding.codebook import Codebook
from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.store.runs import Run, runs
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.codebooks import KeptBook, codebook_for, codebooks
from director_gui.study.blind.known import read_known
from director_gui.study.blind.overview import PacketRow, overview
from director_gui.study.blind.preparing import Prepared, Request, prepare
from director_gui.study.blind.scanner import Decision
from director_gui.study.blind.sealing import release, seal_packet
from director_gui.study.blind.traces import Traces, Wanted, traces_in
from director_gui.ui import theme
from director_gui.ui.coordinator.hits import Hits
from director_gui.ui.coordinator.make_form import MakeForm
from director_gui.ui.flow import Flow
from director_gui.ui.jobs import Jobs, Progress
from director_gui.ui.places import ask_folder
from director_gui.ui.session import Session
from director_gui.ui.tables import side
from director_gui.ui.widgets import button, label

Held = tuple[list[Run], tuple[PacketRow, ...], tuple[KeptBook, ...]]
Looked = tuple[Prepared, Traces]
_FORM_WIDTH, _TEXT_WIDTH = 340, 860  # px


class MakePage(QWidget):
    """The form at the left; what it comes to, and what to resolve, at the right."""

    sealed = Signal(str)  # packet id
    failed = Signal()  # a packet may be sealed whose file could not be saved

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self._asked = 0
        self._traces: tuple[tuple[str, ...], Traces] | None = None  # of which runs
        self.prepared: Prepared | None = None
        self.form = MakeForm()
        self.form.edited.connect(self._edited)
        self.tally = label("", "strong", wrap=True)
        self.leak = label("", "caption", wrap=True)
        self.hits_title = label("", "section", wrap=True)
        self.hits = Hits()
        self.hits.decided.connect(self._enable)
        self.accept_all = button("Keep all", lambda: self.hits.decide_all("keep"))
        self.cut_all = button("Cut all", lambda: self.hits.decide_all("cut"))
        self.sample = QPlainTextEdit()
        self.sample.setReadOnly(True)
        self.sample.setAccessibleName("What a coder would read of one item")
        self.seal = button("Seal and save…", self._seal, primary=True)
        self.state = label("", "caption", wrap=True)
        self._lay_out()
        self.retheme()

    def begin(self) -> None:
        """Show what the study holds now and look at its traces."""
        study = self._session.study
        # A run may have ended meanwhile.
        self._traces = None
        self._job("Reading the runs", lambda _: _held(study), self._begun)

    def _edited(self) -> None:
        # Filling the form counts as editing it; a page nobody sees need not look.
        if self.isVisible():
            self.look()

    def retheme(self) -> None:
        """Take the text size that is shown now."""
        self._beside.setFixedWidth(side(_FORM_WIDTH))

    def look(self) -> None:
        """Prepare what the form asks for, off this thread; the newest answer counts."""
        if not self.isVisible():
            return  # it begins anew when it is shown
        study, request = self._session.study, self.form.request()
        file, book = self.form.known.path, self.form.book.book
        # Edits come faster than answers; only the newest one may be sealed.
        self._asked += 1
        asked = self._asked
        self.prepared = None
        self._enable()
        if not request.again and not request.wanted.runs:
            self._nothing("Choose a run to draw from", "")
            return
        known = None
        if self._traces and self._traces[0] == request.wanted.runs:
            known = self._traces[1]
        self._jobs.start(
            "Looking at the traces",
            lambda _: _look(study, request, known, (file, book)),
            lambda found: self._looked(asked, request, found),
            lambda error: self._cannot(asked, error),
        )

    def _held_words(self, prepared: Prepared) -> str:
        practice = " (practice)" if prepared.practice else ""
        mixed = _mixed_in(prepared)
        said = prepared.tally.in_words()
        return f"{len(prepared.items)} items{practice}{mixed}: {said}."

    def _begun(self, held: Held) -> None:
        in_runs, packets, books = held
        self.form.show_runs(in_runs, packets)
        self.form.book.show_books(books)
        self.look()

    def _looked(self, asked: int, request: Request, found: Looked) -> None:
        if asked != self._asked:
            return
        self.prepared, traces = found
        self._traces = (request.wanted.runs, traces)
        self.form.show_labels(traces)
        self.tally.setText(self._held_words(self.prepared))
        self.leak.setText(self.prepared.leak.in_words())
        self.hits.show_findings(self.prepared.findings)
        self.sample.setPlainText(self.prepared.items[0].text)
        self._enable()

    def _cannot(self, asked: int, error: UserError) -> None:
        if asked == self._asked:
            self._nothing(f"{error.what[:1].upper()}{error.what[1:]}", str(error))

    def _nothing(self, what: str, detail: str) -> None:
        self.tally.setText(what)
        self.leak.setText(detail)
        self.hits.show_findings(())
        self.sample.clear()
        self._enable()

    def _enable(self) -> None:
        ready = self.prepared is not None
        left = self.hits.open
        found = len(self.hits.choices)
        for widget in (self.accept_all, self.cut_all):
            widget.setVisible(found > 0)
        if found:
            title = f"The scanner found {found} to resolve; {left} undecided"
        else:
            title = (
                "The scanner found no name and no words of the prompt" if ready else ""
            )
        self.hits_title.setText(title)
        writable = not self._session.study.read_only
        self.seal.setEnabled(ready and not left and writable)
        self.state.setText(self._why_not(ready=ready, left=left, writable=writable))
        self.state.setVisible(bool(self.state.text()))

    def _why_not(self, *, ready: bool, left: int, writable: bool) -> str:
        if not writable:
            return "This study is open read-only, so nothing can be sealed."
        if ready and left:
            return "Decide about each hit first: a coder must not read the condition."
        return ""

    def _seal(self) -> None:
        prepared = self.prepared
        if prepared is None:
            return
        folder = ask_folder(self, "Save the packet to", self._session)
        if folder is None:
            return
        study, decisions = self._session.study, self.hits.decisions
        book = self.form.book.book
        self._job(
            "Sealing the packet",
            lambda _: _sealed(study, prepared, book, decisions, folder),
            self.sealed.emit,
        )
        self.prepared = None  # sealing it twice would hand the same draw out twice
        self._enable()

    def _job(
        self,
        title: str,
        work: Callable[[Progress], object],
        done: Callable[[Any], None],
    ) -> None:
        self._jobs.start(title, work, done, self._failed)

    def _failed(self, error: UserError) -> None:
        self._refuse(error)
        self.failed.emit()
        self.look()

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(theme.S4, theme.S4, theme.S4, theme.S4)
        column.setSpacing(theme.S3)
        column.addWidget(label("Make a packet", "title"))
        column.addWidget(self.form, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(left)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._beside = scroll
        row.addWidget(scroll)
        row.addWidget(self._right(), 1)

    def _for_all(self) -> Flow:
        row = Flow(theme.S2)
        for widget in (self.accept_all, self.cut_all):
            row.addWidget(widget)
        return row

    def _right(self) -> QWidget:
        right = QFrame()
        right.setProperty("role", "panel")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.S6, theme.S4, theme.S6, theme.S4)
        column.setSpacing(theme.S2)
        column.addWidget(self.tally)
        column.addWidget(self.leak)
        column.addSpacing(theme.S2)
        column.addWidget(self.hits_title)
        column.addLayout(self._for_all())
        column.addWidget(self.hits)
        column.addWidget(
            label("What a coder would read, one item", "section", wrap=True)
        )
        column.addWidget(self.sample, 1)
        column.addWidget(self.state)
        column.addWidget(self.seal, 0, Qt.AlignmentFlag.AlignRight)
        inside.setMaximumWidth(theme.px(_TEXT_WIDTH))
        row = QHBoxLayout(right)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(inside, 1)
        row.addStretch()
        return right


def _mixed_in(prepared: Prepared) -> str:
    repeats, known = len(prepared.repeats), len(prepared.known)
    counts = ((repeats, "of them a second time"), (known, "with a known code"))
    return "".join(f", {count} {words}" for count, words in counts if count)


def _held(study: Study) -> Held:
    return runs(study), overview(study), codebooks(study)


def _look(
    study: Study,
    request: Request,
    known: Traces | None,
    mixed_in: tuple[Path | None, Codebook],
) -> Looked:
    file, book = mixed_in
    # Read anew each time: whoever mends the file need not choose it again.
    if file is not None:
        used = codebook_for(study, request.again, book)
        request = replace(request, known=read_known(file, used))
    # All traces of the runs: what the filters offer must not shrink with a filter.
    every = known or traces_in(study, Wanted(runs=request.wanted.runs))
    return prepare(study, request, every), every


def _sealed(
    study: Study,
    prepared: Prepared,
    book: Codebook,
    decisions: dict[str, Decision],
    folder: Path,
) -> str:
    actor = user_name()
    used = codebook_for(study, prepared.request.again, book)
    found = seal_packet(study, prepared, used, actor, decisions=decisions)
    release(study, found.stored.id, folder, actor)
    return found.stored.id
