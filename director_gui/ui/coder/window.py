"""The coder's window: one packet, three pages, and a title that says nothing more."""

from functools import cached_property
from pathlib import Path
from typing import get_args

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from coding.errors import CodingError
from coding.packet import Packet
from coding.results import CodingSession
from director_gui.ui import theme
from director_gui.ui.coder import keys
from director_gui.ui.coder.finish import FinishPage
from director_gui.ui.coder.guess_page import GuessPage
from director_gui.ui.coder.guide import TRAINING_KEY
from director_gui.ui.coder.pane import CoderPane
from director_gui.ui.coder.practice import PracticePage
from director_gui.ui.coder.shortcuts import bind
from director_gui.ui.coder.training import TrainingPage
from director_gui.ui.coder.welcome import WelcomePage
from director_gui.ui.settings import Settings

_STEP, _LEAST, _MOST = 0.1, 0.8, 2.0  # text size, 1.0 = 100 %
_SIZE = (1180, 760)  # px at 100 %

_PAGES = (
    WelcomePage, TrainingPage, PracticePage, CoderPane, FinishPage, GuessPage
)  # fmt: skip


class CoderWindow(QWidget):
    """Leads from the first page over the traces to the file to hand back.

    Args:
        packet: The packet.
        folder: Where the results file goes unless the coder chooses otherwise.
        alias: The coder's alias, '' to ask for it.
    """

    def __init__(self, packet: Packet, folder: Path, alias: str = "") -> None:
        super().__init__()
        self.setWindowTitle(packet.id)
        self.setObjectName("coder")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._packet = packet
        self._settings = Settings()
        self.session: CodingSession | None = None
        self.pane: CoderPane | None = None
        self._warned = False
        self.plan = keys.plan(packet.codebook)
        self.welcome = WelcomePage(packet, folder, alias)
        self.practice: PracticePage | None = None
        self.guesses: GuessPage | None = None
        self.finish = FinishPage()
        self.pages = QStackedWidget()
        self.pages.addWidget(self.welcome)
        self.pages.addWidget(self.finish)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.addWidget(self.pages)
        self._connect()
        self.resize(*_SIZE)

    @cached_property
    def training(self) -> TrainingPage:
        """The training page, made when it is first shown: the window opens faster."""
        page = TrainingPage(self._packet.codebook, self.plan)
        page.coding_asked.connect(self._show_pane)
        page.practice_asked.connect(self.show_practice)
        self.pages.addWidget(page)
        return page

    def begin(self, alias: str, results: Path) -> None:
        """Open the results file; show the training page once, then the traces."""
        # Nothing is on disk before this: opening a packet to look at it leaves no file.
        try:
            session = CodingSession(self._packet, results, alias)
        except CodingError as error:
            self.welcome.banner.say(str(error), error=True)
            return
        self.session = session
        self.pane = CoderPane(self._packet, session)
        self.pane.finished.connect(self._show_end)
        self.pane.training_asked.connect(self.show_training)
        self.pages.addWidget(self.pane)
        if _is_fresh(session):
            self.show_training()
            return
        self._show_pane()
        if session.progress().open == 0:
            self._show_end()

    def show_training(self) -> None:
        """Show the training page; coding goes on where it was."""
        pane = self.pane
        if pane is not None:
            pane.column.commit()
            fresh = _is_fresh(pane.desk.session)
            self.pages.setCurrentWidget(self.training)
            self.training.show_place(pane.desk.index + 1, fresh=fresh)

    def show_practice(self) -> None:
        """Show practice on the codebook's examples, where it was left or anew."""
        if self.practice is None:
            # Made when it is wanted: most days a coder goes straight to the traces.
            self.practice = PracticePage(self._packet.codebook, self.plan)
            self.practice.coding_asked.connect(self._show_pane)
            self.practice.training_asked.connect(self.show_training)
            self.pages.addWidget(self.practice)
        elif self.practice.practice.over:
            self.practice.begin()
        self.pages.setCurrentWidget(self.practice)
        self.practice.passage.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_guesses(self) -> None:
        """Show the guesses at what was asked, which come after the last code."""
        pane = self.pane
        if pane is None:
            return
        if self.guesses is None:
            self.guesses = GuessPage(pane.desk)
            self.guesses.left.connect(self._show_end)
            self.pages.addWidget(self.guesses)
        self.pages.setCurrentWidget(self.guesses)
        self.guesses.begin()

    def set_scale(self, scale: float) -> None:
        """Show text at `scale` (1.0 = 100 %), from now on."""
        # Rounded: steps of 0.1 drift, and 100 % would never come again.
        self._settings.text_scale = min(_MOST, max(_LEAST, round(scale, 1)))
        self._restyle()

    def set_mode(self, mode: str) -> None:
        """Show light, dark, high-contrast or the system's colours, from now on."""
        for known in get_args(theme.Mode):
            if mode == known:
                self._settings.theme = known
        self._restyle()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close, but not over a decision that the disk has not taken yet."""
        pane = self.pane
        if pane is not None:
            pane.column.commit()
            if not pane.desk.retry() and not self._warned:
                self._warned = True
                pane.say("One decision is not saved. Close again to give it up")
                event.ignore()
                return
            pane.desk.session.close()
        event.accept()

    def _connect(self) -> None:
        self.welcome.started.connect(self.begin)
        self.welcome.looks.sized.connect(self._step)
        self.welcome.looks.colored.connect(self.set_mode)
        self.welcome.looks.show_mode(self._settings.theme)
        self.finish.back.connect(self._show_pane)
        self.finish.open_asked.connect(self._show_open)
        self.finish.guess_asked.connect(self.show_guesses)
        # The system's night mode may begin while the window is open.
        hints = QApplication.styleHints()
        hints.colorSchemeChanged.connect(self._restyle)
        for pressed, step in ((("Ctrl++", "Ctrl+="), 1), (("Ctrl+-",), -1)):
            for key in pressed:
                QShortcut(QKeySequence(key), self, lambda by=step: self._step(by))
        QShortcut(QKeySequence("Ctrl+0"), self, lambda: self.set_scale(1.0))
        # The pane has this key itself, as it may stand in another window.
        bind(self.finish, TRAINING_KEY, self.show_training)

    def _step(self, steps: int) -> None:
        self.set_scale(self._settings.text_scale + steps * _STEP)

    def _restyle(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, self._settings.theme, self._settings.text_scale)
        for at in range(self.pages.count()):
            page = self.pages.widget(at)
            if isinstance(page, _PAGES):
                page.restyle()

    def _show_pane(self) -> None:
        if self.pane is not None:
            self.pages.setCurrentWidget(self.pane)
            self.pane.trace.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_open(self) -> None:
        self._show_pane()
        if self.pane is not None:
            self.pane.go_to_uncoded()

    def _show_end(self) -> None:
        if self.pane is not None:
            self.finish.show_session(self.pane.desk.session)
            self.pages.setCurrentWidget(self.finish)


def _is_fresh(session: CodingSession) -> bool:
    """Tell whether nothing has been decided in these results, not even undone."""
    progress = session.progress()
    decided = progress.coded or progress.skipped
    return not (decided or session.can_undo() or session.can_redo())
