"""The line at the foot: the newest banner of what is on show, else a word of help.

Its place is always there. A banner in it covers nothing, and nothing moves when it
comes or goes.
"""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from director_gui.ui import theme
from director_gui.ui.elided import ElidedLine
from director_gui.ui.widgets import Banner

_SAID_MS = 3000


class MessageLine(QStackedWidget):
    """Shows one thing at a time: what was just done, a banner, or the hint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = ElidedLine()
        self._said = ElidedLine()
        for line in (self._hint, self._said):
            line.setContentsMargins(theme.S3, 0, theme.S2, 0)
            self.addWidget(line)
        self._owners: dict[Banner, QWidget | None] = {}
        self._told: list[Banner] = []  # the newest last
        self._owner: QWidget | None = None
        self._over = QTimer(self, singleShot=True, interval=_SAID_MS)
        self._over.timeout.connect(self._choose)

    @property
    def text(self) -> str:
        """What is read here now."""
        if self.banner is not None:
            return self.banner.text
        line = self.currentWidget()
        return line.text() if isinstance(line, ElidedLine) else ""

    @property
    def banner(self) -> Banner | None:
        """The banner on show."""
        page = self.currentWidget()
        shown = [one for one in self._told if one.parentWidget() is page]
        return shown[0] if shown else None

    def host(self, banner: Banner, owner: QWidget | None = None) -> None:
        """Take `banner` in; it is shown while `owner` is (None: always)."""
        page = QWidget()
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(banner)
        self.addWidget(page)
        self._owners[banner] = owner
        banner.changed.connect(lambda: self._changed(banner))
        self._changed(banner)

    def turn_to(self, owner: QWidget | None, hint: str) -> None:
        """Show what concerns the workspace `owner`; `hint` when nothing does."""
        self._owner = owner
        self._hint.setText(hint)
        self._over.stop()
        self._choose()

    def say(self, text: str) -> None:
        """Say what was just done; what stood here comes back after a moment."""
        self._said.setText(text)
        self.setCurrentWidget(self._said)
        self._over.start()

    def _changed(self, banner: Banner) -> None:
        if banner in self._told:
            self._told.remove(banner)
        if not banner.isHidden():
            self._told.append(banner)
        self._over.stop()
        self._choose()

    def _choose(self) -> None:
        # What another workspace has to say waits until it is shown.
        fitting = [b for b in self._told if self._owners[b] in (None, self._owner)]
        page = fitting[-1].parentWidget() if fitting else self._hint
        if page is not None:
            self.setCurrentWidget(page)
