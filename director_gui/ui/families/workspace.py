"""The sets workspace: families and sets at the left, one of them beside."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.forecast import HardFamilyError
from director_gui.families.model import Family
from director_gui.store.database import Study
from director_gui.store.sets import StoredSet
from director_gui.study import balance
from director_gui.study.family_text import finder, free_name, recipe_in, recipe_of_set
from director_gui.ui.document import Document
from director_gui.ui.families import acts
from director_gui.ui.families.draft import Draft
from director_gui.ui.families.family_page import FamilyPage
from director_gui.ui.families.keeping import Keeping
from director_gui.ui.families.listing import Entry, Listing, SetRow
from director_gui.ui.families.sampling import Sampling, outlook_of
from director_gui.ui.families.set_page import SetPage
from director_gui.ui.families.starting import start_job
from director_gui.ui.jobs import Jobs, Progress
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner

# Word of a set comes many times a second, and each list reads the study.
_SOON_MS = 1000
# The paper's main set, for a study that holds nothing yet.
FIRST = Entry("built_in", "main")


class SetsWorkspace(QWidget):
    """Everything between one scene that looks right and a set that is right."""

    show_scene = Signal(object)  # Scene, to open in the editor
    HINT = (
        "Choose a family to sample it · in the gallery type to filter, Return opens a "
        "scene in the editor, Ctrl+Z takes back a pin or a drop"
    )

    def __init__(
        self,
        document: Document,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._session = document, session
        self._jobs, self._refuse = jobs, refuse
        self._current: Entry | None = None
        self._rows: list[SetRow] = []
        self._asked = 0
        self.banner = Banner()
        self.list = Listing()
        self.sampling = Sampling(jobs, self)
        self.draft = Draft(self._find, self)
        self.keeping = Keeping(self.draft, session, self)
        self.family = FamilyPage(self.draft, self.sampling)
        self.set = SetPage(self.sampling, refuse)
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self.refresh)
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    @property
    def current(self) -> Entry | None:
        """What is shown: a set or a family."""
        return self._current

    def refresh(self) -> None:
        """List families and sets again; what is shown stays."""
        study = self._study()
        if study is None:
            return
        try:
            self._rows = acts.set_rows(study)
            own = acts.family_names(study)
        except UserError as error:
            self._refuse(error)
            return
        self.list.show_all(self._rows, own, library.names(), self._current)
        row = self._row()
        if row is not None:
            self.set.show_row(row)
        # It was removed, or belongs to the study before.
        if self._current not in self.list.entries():
            rows = self._rows
            self.show_entry(Entry("set", rows[0].item.id) if rows else FIRST)

    def show_entry(self, entry: Entry) -> None:
        """Show a set or a family."""
        self.keeping.save_now()
        # Asked before the draft is replaced: its text is nowhere else.
        unkept = self.keeping.unkept
        self.banner.hide()
        self._current = entry
        self.list.select(entry)
        if entry.kind == "set":
            self._show_set()
        else:
            self._show_family(entry)
        if unkept is not None:
            self._offer(*unkept)

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        for part in (self.list, self.family, self.set):
            part.retheme()

    def close_views(self) -> None:
        """Stop what goes on and end the thread that decodes."""
        self._soon.stop()
        self.keeping.save_now()
        self.sampling.cancel()
        self.family.extents.close_views()
        self.set.gallery.close_views()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.keeping.save_now()

    # Families -----------------------------------------------------------------

    def _find(self, name: str) -> Family:
        return finder(self._session.opened)(name)

    def _show_family(self, entry: Entry) -> None:
        own = entry.kind == "own"
        try:
            text = (
                self.keeping.text(entry.key)
                if own
                else library.built_in(entry.key).text
            )
        except UserError as error:
            self._refuse(error)
            return
        self.draft.open(entry.key, text, editable=own)
        state = "kept in the study" if own else "built in"
        self.family.show_draft(state, self._set_name(), own=own)
        self._stack.setCurrentWidget(self.family)

    def _set_name(self) -> str:
        family = self.draft.family
        name = family.name if family else self.draft.name
        # A name that is taken would be refused only after a click.
        return free_name(name, {row.item.name for row in self._rows})

    def _copy(self) -> None:
        self._keep_new(self.draft.text, self.draft.name)

    def _around(self) -> None:
        text, name = self.keeping.around(self._document.scene)
        self._keep_new(text, name)

    def _keep_new(self, text: str, name: str) -> None:
        try:
            kept = self.keeping.add(text, name)
        except UserError as error:
            self._refuse(error)
            return
        self.refresh()
        self.show_entry(Entry("own", kept))
        self.family.tabs.setCurrentWidget(self.family.form)

    def _forget(self) -> None:
        name, text = self.draft.name, self.draft.text
        self._try(lambda: self.keeping.forget(name))
        self._current = None
        self.refresh()
        # No question beforehand: what can be taken back need not be confirmed.
        undo = ("Undo", lambda: self._keep_new(text, name))
        self.banner.tell(f"“{name}” was taken out of the study.", undo)

    def _offer(self, name: str, text: str) -> None:
        def back() -> None:
            self.show_entry(Entry("own", name))
            self.draft.replace(text)
            self.family.tabs.setCurrentWidget(self.family.text)

        told = f"The last text of “{name}” is no family and was not kept."
        self.banner.tell(told, ("Go back to it", back))

    def _renamed(self, name: str) -> None:
        self._current = Entry("own", name)
        self.refresh()

    def _kept(self) -> None:
        self.family.state.setText("kept in the study")

    # Sampling -----------------------------------------------------------------

    def _sample(self, name: str, count: int, seed: int) -> None:
        study = self._study()
        if study is None:
            return
        text = self.draft.text

        def start() -> None:
            recipe = recipe_in(study, text, count=count, seed=seed, name=name)
            self.sampling.start(study, recipe)

        self._try(start)

    def _resume(self) -> None:
        row, study = self.set.row, self._study()
        if row is None or study is None:
            return
        self.set.show_sampling()
        self._try(lambda: self.sampling.start(study, recipe_of_set(study, row.item)))

    def _outlook(self) -> None:
        family = self.draft.family
        if family is None:
            return
        self.family.outlook.setEnabled(False)
        self._job(
            "Trying candidates",
            lambda progress: outlook_of(family, progress),
            self.family.view.show_outlook,
            lambda: self.family.outlook.setEnabled(True),
        )

    def _sampling_failed(self, error: UserError) -> None:
        views = (self.family.view, self.set.sampling)
        told = any(view.isVisible() and view.follows_sampling for view in views)
        # A verdict stands beside the button that asked; once is enough.
        if not (told and isinstance(error, HardFamilyError)):
            self._refuse(error)

    def _sampled(self) -> None:
        if self._session.opened is None:
            return  # the window is closing
        self.refresh()
        made = next((r for r in self._rows if r.item.name == self.sampling.name), None)
        if made is None:
            return
        entry = Entry("set", made.item.id)
        if self._current == entry:
            self._show_set()
        elif made.kept:
            self.banner.tell(
                f"“{made.item.name}” has {made.state}.",
                ("Open it", lambda: self.show_entry(entry)),
            )

    # Sets -----------------------------------------------------------------------

    def _row(self) -> SetRow | None:
        """Return the set that is shown, None when none is."""
        entry = self._current
        found = (r for r in self._rows if entry == Entry("set", r.item.id))
        return next(found, None)

    def _show_set(self) -> None:
        row, study = self._row(), self._study()
        if row is None or study is None:
            return
        self._stack.setCurrentWidget(self.set)
        self.set.show_row(row)
        self._asked += 1
        asked = self._asked

        def show(found: acts.SetShown) -> None:
            if asked == self._asked:
                self.set.show_cards(study, found)

        self._job("Reading the set", lambda p: acts.read_set(study, row, p), show)

    def _compare(self, set_id: str) -> None:
        study = self._study()
        tallies = self.set.tallies
        if not set_id or study is None:
            tallies.show_other("", None)
            return

        def show(found: Any) -> None:  # noqa: ANN401 - a job's result
            if found is not None:
                tallies.show_other(*found)

        self._job("Reading a set", lambda _: acts.read_cards(study, set_id), show)

    def _balance(self) -> None:
        row, study = self.set.row, self._study()
        if row is not None and study is not None:
            page = self.set.balance
            page.show_busy()
            self._job(
                "Checking the balance",
                lambda _: balance.balance_of(study, row.item),
                page.show_found,
                page.show_idle,
            )

    def _family_of_set(self) -> None:
        row = self.set.row
        if row is None:
            return
        item = row.item
        self.keeping.save_now()
        # The set's own copy: the study's family may have been edited since.
        self.draft.open(item.name, item.family, editable=False)
        self.family.show_draft(f"of the set {item.name}", self._set_name(), own=False)
        self._stack.setCurrentWidget(self.family)

    # Files ----------------------------------------------------------------------

    def _verify(self) -> None:
        study, files = self._study(), self.set.files
        if study is not None:
            files.show_busy(verifying=True)
            self._job(
                "Verifying the sets",
                lambda p: acts.verify(study, p),
                files.show_verified,
                files.show_idle,
            )

    def _ask_export(self) -> None:
        folder = self._ask_folder("Export all sets to")
        if folder is not None:
            self.export(folder)

    def export(self, folder: Path) -> None:
        """Write every set of the study into a folder."""
        study, files = self._study(), self.set.files
        if study is not None:
            files.show_busy(verifying=False)
            self._job(
                "Exporting the sets",
                lambda _: acts.export(study, folder),
                lambda found: files.show_exported(*found),
                files.show_idle,
            )

    def _ask_import(self) -> None:
        folder = self._ask_folder("Import a set from")
        if folder is not None:
            self.take_in(folder)

    def take_in(self, folder: Path) -> None:
        """Take a folder of scenes into the study, and show the set."""
        study = self._study()
        if study is not None:
            self._job(
                "Importing a set", lambda p: acts.take_in(study, folder, p), self._taken
            )

    def _taken(self, item: StoredSet) -> None:
        self.refresh()
        self.show_entry(Entry("set", item.id))

    def _ask_folder(self, title: str) -> Path | None:
        start = str(self._session.folder)
        name = QFileDialog.getExistingDirectory(self, title, start)
        if not name:
            return None
        self._session.folder = Path(name)
        return Path(name)

    # Plumbing -------------------------------------------------------------------

    def _study(self) -> Study | None:
        try:
            return self._session.study
        except UserError as error:
            self._refuse(error)
            return None

    def _study_changed(self) -> None:
        self._current = None
        self._asked += 1
        self.sampling.cancel()
        self.keeping.let_go()
        self.set.forget()
        if self.isVisible():
            self.refresh()

    def _try(self, act: Callable[[], None]) -> None:
        try:
            act()
        except UserError as error:
            self._refuse(error)

    def _job(
        self,
        title: str,
        work: Callable[[Progress], object],
        done: Callable[[Any], None],
        ended: Callable[[], None] | None = None,
    ) -> None:
        study = self._session.opened

        def show(result: object) -> None:
            if self._session.opened is study:  # else it is about another study
                done(result)

        start_job(self._jobs, title, work, done=show, failed=self._refuse, ended=ended)

    def _lay_out(self) -> None:
        for page in (self.family, self.set):
            self._stack.addWidget(page)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        row.addWidget(self.list)
        row.addWidget(right, 1)
        self.setObjectName("sets")

    def _connect(self) -> None:
        self.list.chosen.connect(self.show_entry)
        self.list.around_wanted.connect(self._around)
        self.list.import_wanted.connect(self._ask_import)
        self._session.study_changed.connect(self._study_changed)
        self.keeping.renamed.connect(self._renamed)
        self.keeping.kept.connect(self._kept)
        self.keeping.refused.connect(self._refuse)
        self.family.extents.failed.connect(self._refuse)
        self.family.form.refused.connect(self._refuse)
        self.family.copy_wanted.connect(self._copy)
        self.family.forget_wanted.connect(self._forget)
        self.family.sample_wanted.connect(self._sample)
        self.family.outlook_wanted.connect(self._outlook)
        self.sampling.told.connect(lambda _told: self._later())
        self.sampling.ended.connect(self._sampled)
        self.sampling.failed.connect(self._sampling_failed)
        self.set.resume_wanted.connect(self._resume)
        self.set.family_wanted.connect(self._family_of_set)
        self.set.gallery.show_scene.connect(self.show_scene)
        self.set.tallies.compare_wanted.connect(self._compare)
        self.set.balance.wanted.connect(self._balance)
        self.set.files.verify_wanted.connect(self._verify)
        self.set.files.export_wanted.connect(self._ask_export)

    def _later(self) -> None:
        if not self._soon.isActive() and self.isVisible():
            self._soon.start()
