"""Closing the window while calls are in flight: wait for them, stop them, or stay."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner

TITLE = "Calls are in flight"
WAIT, STOP, STAY = "Wait, then close", "Stop now", "Stay"
_MORE = (
    "Waiting sends nothing new: the calls in hand are finished and their replies"
    " kept, and then the window closes.\n\n"
    "Stopping drops the calls in hand. What was answered is kept, but a call that was"
    " dropped may be paid for twice when its run is resumed."
)
_WAITING = "The window closes when the calls in hand are finished."


class Leaving(QObject):
    """Asks before calls are dropped; the window asks it before it closes.

    Args:
        window: What closes.
        session: Its runs are what is waited for.
        banner: Says what is waited for, with a way out.
    """

    def __init__(self, window: QWidget, session: Session, banner: Banner) -> None:
        super().__init__(window)
        self._window, self._session, self._banner = window, session, banner
        self._box: QMessageBox | None = None
        self._waiting = False
        self._stop = False
        session.rested.connect(self._rested)

    def may_close(self) -> bool:
        """Return whether nothing is in flight or it may be dropped; else ask.

        The question does not block: events of the run go on arriving behind it, and
        the window is closed again when it is answered.
        """
        # Taken once: a window that is not closed after all must ask again.
        stop, self._stop = self._stop, False
        if stop or not self._session.busy:
            return True
        if self._waiting:
            self._tell()
        elif self._box is None:
            self._ask()
        return False

    def _ask(self) -> None:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(TITLE)
        box.setText(TITLE)
        box.setInformativeText(_MORE)
        roles = QMessageBox.ButtonRole
        box.setDefaultButton(box.addButton(WAIT, roles.AcceptRole))
        box.addButton(STOP, roles.DestructiveRole)
        box.setEscapeButton(box.addButton(STAY, roles.RejectRole))
        box.finished.connect(lambda _result: self._answered())
        self._box = box
        box.open()

    def _answered(self) -> None:
        box, self._box = self._box, None
        clicked = box.clickedButton() if box is not None else None
        answer = clicked.text() if clicked is not None else STAY
        if box is not None:
            box.deleteLater()
        if answer == STOP:
            self._stop_now()
        elif answer == WAIT:
            self._wait()

    def _wait(self) -> None:
        if not self._session.busy:  # they ended while the question was read
            self._window.close()
            return
        self._waiting = True
        self._session.drain_all()
        self._tell()

    def _tell(self) -> None:
        # A reply that never comes must not hold the window open for ever.
        self._banner.tell(_WAITING, (STOP, self._stop_now), (STAY, self._stay))

    def _stop_now(self) -> None:
        self._waiting, self._stop = False, True
        self._window.close()

    def _stay(self) -> None:
        self._waiting = False

    def _rested(self) -> None:
        if self._waiting:
            self._waiting = False
            self._window.close()
