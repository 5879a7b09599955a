"""The probe drawer: a row that opens it, and its four pages."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.study.prompt_library import study_library
from director_gui.study.running import Draft, warm_up
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.elided import ElidedLine
from director_gui.ui.icons import icon
from director_gui.ui.jobs import Jobs
from director_gui.ui.probe.compose import ComposePage
from director_gui.ui.probe.earlier import EarlierPage
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.probe.messages import MessagesPage
from director_gui.ui.probe.profile_dialog import ProfileDialog
from director_gui.ui.probe.replies import RepliesPage
from director_gui.ui.probe.sending import Sending
from director_gui.ui.session import READ_ONLY, Session
from director_gui.ui.widgets import Banner, label

_REST_MS = 200  # the scene is counted anew after it rested this long
_WARM_MS = 400  # the opened pages are painted first

Refuse = Callable[[UserError], None]


class ProbeDrawer(QWidget):
    """Asks models about the open scene.

    Args:
        document: Holds the open scene.
        session: Holds the study and sends calls.
        jobs: Does long work.
        refuse: Shows an error that concerns no page of the drawer.
    """

    opened = Signal(bool)
    show_scene = Signal(object)  # Scene: to be opened in the editor

    def __init__(
        self,
        document: Document,
        session: Session,
        jobs: Jobs,
        refuse: Refuse,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._session = session
        self._jobs = jobs
        self._refuse = refuse
        self.sending = Sending(session, jobs, self)
        self.compose = ComposePage()
        self.messages = MessagesPage()
        self.replies = RepliesPage(session, self.sending)
        self.earlier = EarlierPage(session, jobs)
        self.tabs = QTabWidget()
        self.toggle = QToolButton()
        self.state = ElidedLine()
        self.state.setProperty("role", "caption")
        self.practice = label("practice")
        self._is_open = False
        self._warm = False
        self._warmer = QTimer(self, interval=_WARM_MS, singleShot=True)
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._lay_out()
        self._connect()
        self._turned(opened=False)

    @property
    def is_open(self) -> bool:
        """Whether the pages are shown."""
        return self._is_open

    @property
    def banners(self) -> tuple[Banner, ...]:
        """What the window shows at its foot for the pages here."""
        return (self.replies.banner, self.replies.detail.banner, self.earlier.banner)

    def open(self, *, opened: bool = True) -> None:
        """Open or close the drawer."""
        if opened != self._is_open:
            self._turned(opened)

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self._show_arrow()
        for page in (self.compose, self.messages, self.replies, self.earlier):
            page.retheme()
        # Hidden pages would else keep the room that a larger text took.
        for layout in self.findChildren(QLayout):
            layout.invalidate()

    def hideEvent(self, event: QHideEvent) -> None:
        # A closing window takes the jobs away; nothing may be begun after that.
        self._warmer.stop()
        super().hideEvent(event)

    # Events -------------------------------------------------------------------

    def _connect(self) -> None:
        self.toggle.clicked.connect(lambda _on: self.open(opened=not self._is_open))
        self._rest.timeout.connect(self._show_scene)
        self._warmer.timeout.connect(self._warm_up)
        self._document.scene_changed.connect(lambda _scene: self._wait_for_rest())
        self.compose.sent.connect(self._send)
        self.compose.manage.connect(self._manage)
        self.replies.compose_wanted.connect(lambda: self._turn_to(self.compose))
        self.earlier.compose_wanted.connect(lambda: self._turn_to(self.compose))
        self.earlier.replies_wanted.connect(self._show_replies)
        self.earlier.resume_wanted.connect(self._resume)
        self.earlier.scene_wanted.connect(self.show_scene)
        self.tabs.currentChanged.connect(lambda _at: self._load_earlier())
        self.sending.begun.connect(self._show_replies)
        self.sending.moved.connect(lambda _live, _rows: self._say())
        self.sending.state_changed.connect(self._hold)
        self.sending.refused.connect(self._refused)
        self._session.study_changed.connect(self._study_changed)

    def _turned(self, opened: bool) -> None:
        self._is_open = opened
        self._show_arrow()
        self.tabs.setVisible(opened)
        policy = QSizePolicy.Policy
        self.setSizePolicy(
            policy.Preferred, policy.Expanding if opened else policy.Fixed
        )
        if opened:
            self._warmer.start()
            self._show_library()
            self._show_scene()
            self._hold()
            self._load_earlier()
        self.opened.emit(opened)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Prompts may have been written in another workspace meanwhile.
        if self.is_open:
            self._show_library()

    def _show_library(self) -> None:
        try:
            known = study_library(self._session.opened)
        except UserError as error:
            self._refuse(error)
            known = library()
        self.compose.show_library(known)
        self.messages.show_library(known)

    def _warm_up(self) -> None:
        if self.is_open and not self._warm:
            self._warm = True
            self._jobs.start("Getting ready to probe", lambda _progress: warm_up())

    def _wait_for_rest(self) -> None:
        if self.is_open:
            self._rest.start()

    def _show_scene(self) -> None:
        scene = self._document.scene
        # 10 ms: quick enough for a scene at rest, too slow for each step of a drag.
        truth = truth_of(scene)
        self.compose.show_scene(scene, truth)
        self.messages.show_scene(scene, truth)
        self.replies.show_scene(scene)

    def _send(self, draft: Draft) -> None:
        # The scene may have moved in the last moment, before it was counted.
        scene = self._document.scene
        self.compose.notice.close_remark()
        # Send is held now; its focus would wander off to the next widget there is.
        self.tabs.tabBar().setFocus(Qt.FocusReason.OtherFocusReason)
        self.sending.send(replace(draft, label=scene.name, scenes=(scene,)))
        self._hold()

    def _refused(self, error: UserError) -> None:
        page = self.compose
        if self.is_open:
            self._turn_to(page)
            page.notice.tell_error(error)
        else:
            self._refuse(error)

    def _show_replies(self, live: LiveProbe) -> None:
        self.replies.show_probe(self._same(live))
        self._turn_to(self.replies)
        self._say()

    def _resume(self, live: LiveProbe) -> None:
        if not self.sending.busy:
            self._show_replies(live)
            self.sending.resend(live)

    def _same(self, live: LiveProbe) -> LiveProbe:
        """Return the probe in flight rather than a second copy of it."""
        # Two copies would differ as soon as the next reply arrives.
        mine = self.sending.live
        same = mine is not None and mine.probe.run.id == live.probe.run.id
        return mine if same and mine is not None else live

    def _study_changed(self) -> None:
        # Runs of another study mean nothing here; none can be in flight now.
        self.sending.forget()
        self.replies.show_probe(None)
        self.earlier.forget()
        self._show_library()
        self._hold()
        self._load_earlier()

    def _load_earlier(self) -> None:
        if self.is_open and self.tabs.currentWidget() is self.earlier:
            self.earlier.load()

    def _manage(self) -> None:
        dialog = ProfileDialog(self._session.keys, self._jobs, self)
        # The dialog holds what was typed; it goes when it is closed.
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.saved.connect(self.compose.load_profiles)
        dialog.open()

    # What is shown ------------------------------------------------------------

    def _hold(self) -> None:
        study = self._session.opened
        closed = study is not None and study.read_only
        # A probe in flight holds the button back, for one is followed at a time.
        reason = READ_ONLY if closed else self.sending.busy
        self.compose.hold(reason)
        self.earlier.hold(reason)
        self._say()

    def _say(self) -> None:
        live = self.replies.live
        said = self.sending.busy
        if live is not None:
            done = len(live.rows) - live.open
            said = f"{done} of {len(live.rows)} replies"
            self.tabs.setTabText(self._at(self.replies), f"Replies {done}")
        else:
            self.tabs.setTabText(self._at(self.replies), "Replies")
        self.state.setText(said or "Ask a model about this scene")
        self.practice.setVisible(live is not None and live.probe.run.practice)

    def _at(self, page: QWidget) -> int:
        return self.tabs.indexOf(page)

    def _turn_to(self, page: QWidget) -> None:
        self.tabs.setCurrentWidget(page)

    def _show_arrow(self) -> None:
        self.toggle.setIcon(icon("chevron-down" if self.is_open else "chevron-right"))
        self.toggle.setAccessibleDescription("open" if self.is_open else "closed")

    def _lay_out(self) -> None:
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.toggle.setText("Probe")
        self.toggle.setProperty("flat", True)
        self.toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggle.setToolTip("Open or close the probe (Ctrl+P)")
        # Nothing here is printed, so the key is free.
        self.toggle.setShortcut("Ctrl+P")
        self.toggle.setAccessibleName("Probe")
        self.practice.setObjectName("practiceBadge")
        self.practice.hide()  # until practice replies are shown
        self.practice.setToolTip("Shown replies come from the practice reader")
        row = QHBoxLayout()
        row.setContentsMargins(theme.S2, theme.S1, theme.S3, theme.S1)
        row.setSpacing(theme.S2)
        row.addWidget(self.toggle)
        row.addWidget(self.state, 1)
        row.addWidget(self.practice)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        pages = {
            "Compose": self.compose,
            "Messages": self.messages,
            "Replies": self.replies,
            "Earlier": self.earlier,
        }
        for name, page in pages.items():
            self.tabs.addTab(page, name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(self.tabs, 1)
