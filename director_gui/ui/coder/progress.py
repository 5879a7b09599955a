"""The thin line above the trace: how far the packet is, and what is left."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.ui import theme


class ProgressLine(QWidget):
    """A line over the whole width, with one row of words under it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Traces decided")
        self._bar.setFixedHeight(4)
        self._place = _label("strong")
        self._counts, self._left = _label("caption"), _label("caption")
        row = QHBoxLayout()
        row.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S1)
        row.setSpacing(theme.S4)
        row.addWidget(self._place)
        row.addWidget(self._counts)
        row.addStretch(1)
        row.addWidget(self._left)
        self._row = row
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self._bar)
        page.addLayout(row)

    def add_action(self, widget: QWidget) -> None:
        """Put a button at the right end of the row."""
        self._row.addWidget(widget)

    def show_place(self, number: int, total: int, mark: str) -> None:
        """Show which trace is up, and a word about it."""
        words = f"Trace {number:,} of {total:,}"
        self.show_words(f"{words} · {mark}" if mark else words)

    def show_words(self, words: str) -> None:
        """Show what is up."""
        self._place.setText(words)

    def show_counts(
        self, coded: int, skipped: int, total: int, left: str, what: str = "coded"
    ) -> None:
        """Show how many are decided and the time that the rest will take."""
        # A maximum of 0 would make Qt's bar run for ever.
        self._bar.setMaximum(max(1, total))
        self._bar.setValue(coded + skipped)
        words = f"{coded:,} {what}"
        self._counts.setText(f"{words} · {skipped:,} skipped" if skipped else words)
        self._left.setText(left)
        self._bar.setAccessibleDescription(f"{self._counts.text()} of {total:,} {left}")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out words where large text has no room for them."""
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return the room for the place and the buttons: words never widen the page."""
        least = super().minimumSizeHint()
        return QSize(0, least.height())

    def _fit(self) -> None:
        # What matters least goes first; the bar tells a screen reader all of it.
        words = (self._left, self._counts)
        room = self.width() - sum(w.sizeHint().width() for w in self._rest())
        for word in reversed(words):
            room -= word.sizeHint().width() + theme.S4 if word.text() else 0
            word.setVisible(bool(word.text()) and room >= 0)

    def _rest(self) -> list[QWidget]:
        buttons = self.findChildren(QPushButton)
        return [self._place, *buttons]


def _label(role: str) -> QLabel:
    label = QLabel()
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
