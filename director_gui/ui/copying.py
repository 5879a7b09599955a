"""Copying to the clipboard, which else happens out of sight: it is said each time."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QStatusTipEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

COPIED = "Copied"
_SAID_MS = 2000


def copy_text(text: str, near: QWidget, what: str) -> None:
    """Copy `text` and say in the window's status line that `what` was copied.

    Args:
        text: What goes to the clipboard.
        near: The widget whose window says so.
        what: What it is, such as "the table".
    """
    QApplication.clipboard().setText(text)
    said = f"{COPIED} {what}"
    # Qt hands a status tip up to the window, so that nobody here needs to know it.
    QApplication.sendEvent(near, QStatusTipEvent(said))
    announce(near, said)


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say `text`."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


class CopyButton(QPushButton):
    """Copies what `find` returns and says so in its own place; None copies nothing."""

    def __init__(self, text: str, find: Callable[[], str | None]) -> None:
        super().__init__(text)
        self._name, self._find = text, find
        self._said = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._said.timeout.connect(self._restore)
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        found = self._find()
        if found is None:
            return
        QApplication.clipboard().setText(found)
        # What stands beside it must not move under the pointer.
        self.setMinimumWidth(max(self.minimumWidth(), self.width()))
        self.setText(COPIED)
        announce(self, COPIED)
        self._said.start()

    def _restore(self) -> None:
        self.setText(self._name)
        self.setMinimumWidth(0)
