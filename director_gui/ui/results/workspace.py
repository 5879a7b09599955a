"""The results workspace: a family's comparisons above, what is behind them below."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.study.results import view
from director_gui.study.results.comparing import Compared
from director_gui.study.results.filters import Filter, keep_filter
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.scene_look import look_at
from director_gui.study.results.sensitivity import exchangeable
from director_gui.study.results.sheet import Sheet
from director_gui.study.results.view import Found, Outline, Question
from director_gui.ui import theme
from director_gui.ui.jobs import JobCancelledError, Jobs, Progress
from director_gui.ui.results.chooser import Chooser
from director_gui.ui.results.contrast_page import ContrastPage
from director_gui.ui.results.details import Details
from director_gui.ui.results.exporting import ExportButton
from director_gui.ui.results.filter_form import FilterForm
from director_gui.ui.results.foreign_page import ForeignPage
from director_gui.ui.results.planner_page import PlannerPage
from director_gui.ui.results.scenes_page import ScenesPage
from director_gui.ui.results.scoring_note import ScoringNote
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.results.traces_page import TracesPage
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, EmptyState, label

_EMPTY = (
    "Differences between paired conditions stand here as soon as this study holds "
    "replies: each with its interval, its correction and a plot beside it. Probe a "
    "scene, or run a plan."
)
# In the order of the tabs.
BELOW = (
    "scenes",
    "contrasts",
    "rates",
    "choices",
    "accuracy",
    "given",
    "drift",
    "traces",
)
TABS = {
    "scenes": "By scene",
    "contrasts": "Contrasts",
    "rates": "Replies and rates",
    "choices": "Choices",
    "accuracy": "Visibility accuracy",
    "given": "Given the report",
    "drift": "Batch drift",
    "traces": "Traces",
}


class ResultsWorkspace(QWidget):
    """Shows what a run's replies come to."""

    HINT = "Paired differences, with what they rest on"
    show_scene = Signal(object)  # Scene
    probe_wanted = Signal()

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self._cache: tuple[Study, ReplyCache] | None = None
        self._asked = 0
        self._own_split = False  # whether the user has moved it
        self._job: Progress | None = None
        self.found: Found | None = None
        self.banner = Banner()
        self.chooser = Chooser()
        self.filter_form = FilterForm()
        self.state = label("", "caption", wrap=True)
        self.scoring = ScoringNote()
        self.main = SheetPage("Comparisons of the family")
        self.details = Details()
        self.contrasts = ContrastPage(
            TABS["contrasts"], lambda: session.study, self._failed
        )
        self.pages = {name: SheetPage(TABS[name]) for name in BELOW}
        self.pages["contrasts"] = self.contrasts
        self.pages["traces"] = self.traces = TracesPage(TABS["traces"])
        self.pages["scenes"] = self.scenes = ScenesPage(TABS["scenes"])
        self.tabs = QTabWidget()
        self.export = ExportButton(session, jobs, self.banner, self._shown_sheets)
        self.empty = EmptyState(_EMPTY, ("Probe a scene", self.probe_wanted.emit))
        self.foreign = ForeignPage(session, jobs, self.banner)
        self.planner = PlannerPage(self._chosen)
        self.views = QTabWidget()
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Read on what came in, while the workspace is shown."""
        # Replies come in all the time; nobody looks at these tables now.
        if not self.isVisible():
            return
        try:
            study = self._session.study
            outline = view.outline(study, self.chooser.question().run)
        except UserError as error:
            self.banner.tell_error(error)
            return
        if outline is None:
            self.found = None
            self._stack.setCurrentWidget(self.empty)
            return
        self._show_outline(outline)
        self._ask(study)

    def close_views(self) -> None:
        """Do nothing: all that it starts are jobs."""

    def retheme(self) -> None:
        """Take the colours and the text size of the theme that is shown now."""
        for page in (self.main, *self.pages.values()):
            page.retheme()
        self.foreign.retheme()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # A window that comes back from the task bar has nothing new to ask.
        if not event.spontaneous():
            self.refresh()

    # Asking ---------------------------------------------------------------------

    def _ask(self, study: Study) -> None:
        # What an earlier question has scored is kept, so it need not be waited for.
        self._stop()
        self._asked += 1
        asked, question = self._asked, self.chooser.question()
        cache = self._cache_of(study)
        self.scoring.begin()
        job = self._jobs.start(
            "Scoring replies",
            lambda progress: _answer(study, cache, question, progress),
            lambda found: self._answered(asked, found),
            lambda error: self._answered(asked, None, error),
        )
        self._job = job.progress
        job.progressed.connect(self.scoring.tell, Qt.ConnectionType.QueuedConnection)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def _answered(
        self, asked: int, found: Found | None, error: UserError | None = None
    ) -> None:
        if error is not None:
            self._failed(error)
        # An answer to an earlier question would undo what was chosen since.
        if asked != self._asked:
            return
        self._job = None
        self.scoring.end(stopped=found is None)
        if found is not None:
            self._show(found)

    def _cache_of(self, study: Study) -> ReplyCache:
        if self._cache is None or self._cache[0] is not study:
            # With its study: another one's counts must never be asked for this.
            self._cache = (study, ReplyCache(study))
        return self._cache[1]

    def _failed(self, error: UserError) -> None:
        self.banner.tell_error(error)

    def _show_outline(self, outline: Outline) -> None:
        self.chooser.show_runs(outline.runs, outline.run.id)
        self._stack.setCurrentIndex(1)
        if self.found is None or self.found.run.id != outline.run.id:
            self.state.setText(outline.state)
            # Another run's figures must not stand under this one's name.
            self._body.setCurrentWidget(self.scoring)

    def _show(self, found: Found) -> None:
        self.found = found
        self._body.setCurrentIndex(0)
        self.export.offer(self._session.study, found)
        self.chooser.show_found(found)
        self.state.setText(found.state)
        self.main.setVisible("comparisons" in found.sheets)
        self.details.clear()
        self.contrasts.offer(found.columns.conditions)
        for name, sheet in found.sheets.items():
            page = self.main if name == "comparisons" else self.pages.get(name)
            if page is not None:
                page.show_sheet(sheet)
        self.traces.show_sheets(found.sheets.values())
        for name in BELOW:
            at = self.tabs.indexOf(self.pages[name])
            # Not among the sheets: it is made for the comparison that is chosen.
            by_scene = name == "scenes" and bool(found.comparisons)
            self.tabs.setTabVisible(at, name in found.sheets or by_scene)
        self._share_height()
        self._choose(max(self.main.table.chosen_row(), 0))

    def _share_height(self) -> None:
        """Give the table above what its rows need, at most half, until it is moved."""
        if self._own_split or not self.main.isVisible():
            return
        every = sum(self._split.sizes())
        wanted = min(self.main.wanted_height(), every // 2)
        self._split.setSizes([wanted, every - wanted])

    def _take_split(self) -> None:
        self._own_split = True

    def _choose(self, place: int) -> None:
        if self.found is None or place >= len(self.found.comparisons):
            return
        self.details.show_comparison(self.found, self.found.comparisons[place])
        by_scene = self.found.scenes_of(place)
        self.details.show_scenes(by_scene)
        self.scenes.show_sheet(by_scene)
        self.scenes.ask_again()

    def _shown_sheets(self) -> list[Sheet]:
        below = self.tabs.currentWidget()
        pages = [self.main, below] if isinstance(below, SheetPage) else [self.main]
        sheets = [page.table.sheets.sheet for page in pages]
        return [sheet for sheet in sheets if sheet.columns]

    # What the user does -----------------------------------------------------------

    def _chosen(self) -> Compared | None:
        place = self.main.table.chosen_row()
        known = self.found.comparisons if self.found else ()
        return known[place] if 0 <= place < len(known) else None

    def _check(self) -> None:
        one = self._chosen()
        replies = one.replies if one else None
        if one is None or replies is None:
            return
        self._jobs.start(
            "Fitting the exchangeable model",
            lambda _: exchangeable(replies, one.reference, one.test),
            self.details.show_sensitivity,
            self._failed,
        )

    def _look(self, scene_hash: str) -> None:
        found, one = self.found, self._chosen()
        if found is None or one is None:
            return
        study, run = self._session.study, found.run.id
        # Of what is shown, not of the box, which may be changed already.
        automatic = found.columns.automatic
        self._jobs.start(
            "Reading the scene’s replies",
            lambda _: look_at(study, run, scene_hash, one, automatic=automatic),
            lambda look: self.scenes.show_look(scene_hash, look),
            self._failed,
        )

    def _keep_filter(self, made: Filter) -> None:
        try:
            keep_filter(self._session.study, made)
        except UserError as error:
            self._failed(error)
            return
        self.filter_form.hide()
        self.chooser.choose_scenes(made)

    def _study_changed(self) -> None:
        self._stop()
        self.found, self._cache, self._job = None, None, None
        self._asked += 1
        # Or the next question would name a run of the study before.
        self.chooser.show_runs((), "")
        self.refresh()

    # Layout -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.details_area = QScrollArea()
        self.details_area.setWidgetResizable(True)
        self.details_area.setWidget(self.details)
        self.tabs.addTab(self.details_area, "Details")
        for name, page in self.pages.items():
            self.tabs.addTab(page, TABS[name])
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        split = self._split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.main)
        split.addWidget(self.tabs)
        split.setSizes([320, 320])
        split.setChildrenCollapsible(False)
        split.splitterMoved.connect(self._take_split)
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._shown(split))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        self.views.setDocumentMode(True)
        self.views.tabBar().setDrawBase(False)
        self.views.addTab(self._stack, "This study")
        self.views.addTab(self.foreign, "Other people’s replies")
        self.views.addTab(self.planner, "Planner")
        column.addWidget(self.views, 1)

    def _shown(self, split: QWidget) -> QWidget:
        self.bar = QHBoxLayout()
        self.bar.setSpacing(theme.S2)
        self.bar.addWidget(self.chooser, 1)
        self.bar.addWidget(self.export)
        head = QFrame()
        head.setProperty("role", "panel")
        top = QVBoxLayout(head)
        top.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S2)
        top.setSpacing(theme.S1)
        top.addLayout(self.bar)
        second = QHBoxLayout()
        second.setSpacing(theme.S3)
        second.addWidget(self.state, 1)
        second.addWidget(self.chooser.automatic)
        top.addLayout(second)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(head)
        column.addWidget(self.filter_form)
        self._body = QStackedWidget()
        self._body.addWidget(split)
        self._body.addWidget(self.scoring)
        column.addWidget(self._body, 1)
        return made

    def _connect(self) -> None:
        self.chooser.changed.connect(self.refresh)
        self.scoring.stop_wanted.connect(self._stop)
        self.scoring.go_on_wanted.connect(self.refresh)
        self.chooser.filter_wanted.connect(self.filter_form.begin)
        self.chooser.typed.connect(self.main.table.set_filter)
        self.filter_form.made.connect(self._keep_filter)
        self.main.table.chosen.connect(self._choose)
        self.scenes.wanted.connect(self._look)
        self.scenes.look.edit_wanted.connect(self.show_scene)
        self.foreign.show_scene.connect(self.show_scene)
        self.tabs.currentChanged.connect(lambda _at: self.scenes.ask_again())
        self.contrasts.changed.connect(self.refresh)
        self.details.sensitivity_wanted.connect(self._check)
        self._session.study_changed.connect(self._study_changed)
        self._session.run_ended.connect(lambda _run, _end: self.refresh())


def _answer(
    study: Study, cache: ReplyCache, question: Question, progress: Progress
) -> Found | None:
    """Answer a question in a job's thread; None when the user stopped it."""
    try:
        return view.answer(study, cache, question, progress.report)
    # Stopping is no failure: what was scored is kept.
    except JobCancelledError:
        return None
