"""The run workspace: the plan at the left, live arms in the middle, replies right."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.store.runs import runs
from director_gui.study.plan_draft import plan_toml
from director_gui.study.plan_file import Plan, read_plan
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.margins import NarrowEmpty
from director_gui.ui.places import ask_open, ask_save
from director_gui.ui.probe.profile_dialog import ProfileDialog
from director_gui.ui.run.board import Board
from director_gui.ui.run.compose import ComposePlan
from director_gui.ui.run.plan_card import PlanCard
from director_gui.ui.run.replies import ArmPane
from director_gui.ui.run.sending import Opened, RunSending
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, action

PLANS = "Plans (*.toml);;All files (*)"
_NEW = "New plan"
_LEFT, _RIGHT = 320, 348  # px at 100 %
# Of these at most, in px: large text must not push the arms out of sight. Composing
# leaves more room, as nothing stands at the right then.
_LEAST, _LEAST_FORM = 1.1, 1.6
_NO_ARM = "Choose an arm to read its replies."

Refuse = Callable[[UserError], None]


class RunWorkspace(QWidget):
    """Everything about runs: planning, sending, watching, reading, correcting.

    Args:
        session: Holds the study and sends calls.
        jobs: Does long work.
        refuse: Shows an error that concerns no part of this workspace.
    """

    HINT = "Planning and sending runs"
    show_scene = Signal(object)  # Scene: to be opened in the editor

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Refuse,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self.sending = RunSending(session, jobs, self)
        self.banner = Banner()
        self.which = QComboBox()
        self.compose = ComposePlan(session)
        self.card = PlanCard(self.sending)
        self.board = Board(self.sending)
        self.pane = ArmPane(session, jobs, self.sending)
        self.no_arm = NarrowEmpty(_NO_ARM)
        self._left, self._middle, self._right = (QStackedWidget() for _ in range(3))
        self._plan = QWidget()
        self._shown = ""  # the run whose arms stand in the middle
        self._columns = QSplitter(Qt.Orientation.Horizontal)
        self._lay_out()
        self._connect()

    @property
    def banners(self) -> tuple[Banner, ...]:
        """What the window shows at its foot while this workspace is open."""
        return (self.banner, self.board.banner, self.pane.detail.banner)

    # What is shown ------------------------------------------------------------

    def refresh(self) -> None:
        """Read the study's runs and scenes again; what is shown stays."""
        try:
            study = self._session.study
            found = list(reversed(runs(study, "plan")))
            self.compose.show_study(study)
        except UserError as error:
            self._refuse(error)
            return
        self.which.blockSignals(True)
        self.which.clear()
        self.which.addItem(_NEW, "")
        for run in found:
            practice = " · practice" if run.practice else ""
            self.which.addItem(f"{run.label}{practice}", run.id)
        at = self.which.findData(self.sending.run_id)
        # A run of another study is not found, and nothing is followed then.
        self.which.setCurrentIndex(max(at, 0))
        self.which.blockSignals(False)

    def show_run(self, run_id: str) -> None:
        """Read a stored run and show it."""
        self.banner.hide()
        self.sending.open(run_id)

    def show_compose(self) -> None:
        """Show the plan that is composed, beside no run."""
        if self.sending.running:
            return
        self.sending.forget()
        self.pane.clear()
        self._shown = ""
        self.which.setCurrentIndex(0)
        self._left.setCurrentWidget(self.compose)
        self._size()
        self._middle.setCurrentWidget(self.compose.outlook)
        self._right.hide()

    def load(self, path: Path) -> None:
        """Compose the plan of a file."""
        try:
            plan = read_plan(path)
        except UserError as error:
            self.banner.tell_error(error)
            return
        self.show_compose()
        self.compose.show_plan(plan)

    def save(self, plan: Plan, path: Path) -> None:
        """Write a plan to a file."""
        try:
            path.write_text(plan_toml(plan), encoding="utf-8")
        except OSError as error:
            what = f"the plan cannot be saved ({error.strerror})"
            self.banner.tell_error(UserError(what, where=str(path)))
        except UserError as error:
            self.banner.tell_error(error)
        else:
            self.banner.tell(f"Saved the plan to {path}")

    def close_views(self) -> None:
        """Let go of what is watched; a run in flight is the session's."""
        self.pane.clear()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        for part in (self.compose, self.board, self.pane, self.no_arm):
            part.retheme()
        self._size()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()

    # What happens -------------------------------------------------------------

    def _connect(self) -> None:
        sending, session = self.sending, self._session
        self.which.activated.connect(self._turn)
        self.compose.wanted.connect(self._prepare)
        self.compose.load_wanted.connect(self._ask_load)
        self.compose.save_wanted.connect(self._ask_save)
        self.compose.manage.connect(self._manage)
        self.card.wanted.connect(sending.start)
        self.card.save_wanted.connect(self._ask_save)
        self.card.copy_wanted.connect(self._copy)
        self.board.arm_chosen.connect(self._show_arm)
        self.pane.refused.connect(self.banner.tell_error)
        self.pane.corrected.connect(self.board.show_now)
        self.pane.detail.sent.scene_wanted.connect(self.show_scene)
        sending.prepared.connect(self.show_run)
        sending.opened.connect(self._opened)
        sending.refused.connect(self.banner.tell_error)
        sending.state_changed.connect(self._state)
        session.study_changed.connect(self._study_changed)

    def _turn(self, at: int) -> None:
        run_id = self.which.itemData(at)
        if self.sending.running:
            # One run is followed at a time; another would lose its events.
            self.which.setCurrentIndex(self.which.findData(self.sending.run_id))
            self.banner.tell(
                "This run is being sent: pause or cancel it first",
                until=(self.sending.state_changed,),
            )
        elif run_id:
            self.show_run(run_id)
        else:
            self.show_compose()

    def _prepare(self, plan: Plan) -> None:
        self.banner.hide()
        try:
            self.sending.prepare(plan)
        except UserError as error:
            self.banner.tell_error(error)

    def _opened(self, found: Opened) -> None:
        if self.isVisible():
            self.refresh()
        self.card.show_opened(found, writable=not self._session.study.read_only)
        # Before the arms are shown: one that takes the focus is chosen with it. Whoever
        # is reading a reply goes on reading it when the run has ended.
        if found.view.run.id != self._shown:
            self._shown = found.view.run.id
            self.board.arms.choose_none()
            self._right.setCurrentWidget(self.no_arm)
        self.board.show_run()
        self._left.setCurrentWidget(self.card)
        self._size()
        self._middle.setCurrentWidget(self.board)
        self._right.show()

    def _show_arm(self, key: tuple[str, str, str]) -> None:
        self._right.setCurrentWidget(self.pane)
        self.pane.show_arm(key)

    def _copy(self, plan: Plan) -> None:
        self.show_compose()
        self.compose.show_plan(plan)
        self.compose.form.rename(f"{plan.name} again")

    def _state(self) -> None:
        self.compose.hold(self.sending.doing)

    def _study_changed(self) -> None:
        # Runs of another study mean nothing here; none can be in flight now.
        self.show_compose()
        if self.isVisible():
            self.refresh()

    def _ask_load(self) -> None:
        path = ask_open(self, "Load a plan", PLANS, self._session)
        if path is not None:
            self.load(path)

    def _ask_save(self, plan: Plan) -> None:
        name = f"{plan.name or 'plan'}.toml"
        path = ask_save(self, "Save the plan", name, PLANS, self._session)
        if path is not None:
            self.save(plan, path)

    def _manage(self) -> None:
        dialog = ProfileDialog(self._session.keys, self._jobs, self)
        # The dialog holds what was typed; it goes when it is closed.
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.saved.connect(self.compose.form.models.load)
        dialog.open()

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.which.setAccessibleName("Run")
        for stack, pages in (
            (self._left, (self.compose, self.card)),
            (self._middle, (self.compose.outlook, self.board)),
            (self._right, (self.no_arm, self.pane)),
        ):
            for page in pages:
                page.setProperty("role", "panel")
                page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
                stack.addWidget(page)
        left = self._plan
        left.setProperty("role", "panel")
        head = QHBoxLayout()
        head.setContentsMargins(theme.S3, theme.S2, theme.S3, 0)
        head.addWidget(self.which, 1)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._left, 1)
        self._columns.setChildrenCollapsible(False)
        for widget in (left, self._middle, self._right):
            self._columns.addWidget(widget)
        self._columns.setStretchFactor(1, 1)
        self._columns.setSizes([theme.px(_LEFT), 10_000, theme.px(_RIGHT)])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._columns, 1)
        whole.addWidget(self.banner)
        action(self, "Send or prepare", self._go, shortcut="Ctrl+Return")
        self._right.hide()
        self.retheme()

    def _go(self) -> None:
        composing = self._left.currentWidget() is self.compose
        primary = self.compose.prepare if composing else self.card.send
        primary.click()

    def _size(self) -> None:
        form = self._left.currentWidget() is self.compose
        most = _LEAST_FORM if form else _LEAST
        self._plan.setMinimumWidth(min(theme.px(_LEFT), round(most * _LEFT)))
        self._right.setMinimumWidth(min(theme.px(_RIGHT), round(_LEAST * _RIGHT)))
