"""A button that shows the one key that presses it."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.coder.words import breakable

_FEW = 6  # signs that a line of words must have room for
_WRAP = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap


class KeyButton(QPushButton):
    """A checkable choice: its key on a small cap, then its words, wrapped.

    Args:
        label: Its words.
        key: The key to show; '' for none.
        parent: The widget to live in.
        color: The code's colour, shown beside the key; '' for none.
    """

    def __init__(
        self, label: str, key: str, parent: QWidget | None = None, *, color: str = ""
    ) -> None:
        super().__init__(parent)
        self.label, self.key, self.color = label, key, color
        self._words = breakable(label)
        # Several of them share a stretch of keys: a click leaves the keys to the trace.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCheckable(True)
        self.setAutoDefault(False)
        # "&" in a label would otherwise be eaten as a mnemonic.
        self.setText(label.replace("&", "&&"))
        self.setAccessibleName(label)
        self.setAccessibleDescription(f"Key {key}" if key else "")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """Return room for the words on one line."""
        words = self.fontMetrics().horizontalAdvance(self.label)
        return QSize(words + self._left() + theme.px(theme.S3), self._least())

    def minimumSizeHint(self) -> QSize:
        """Return room for the key and a few signs; the words wrap."""
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self.label)
        few = min(words, metrics.averageCharWidth() * _FEW)
        return QSize(few + self._left() + theme.px(theme.S3), self._least())

    def hasHeightForWidth(self) -> bool:
        """Tell layouts that a narrow button grows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height that the wrapped words need."""
        room = QRect(0, 0, width - self._left() - theme.px(theme.S3), 10_000)
        words = self.fontMetrics().boundingRect(room, _WRAP, self._words)
        return max(self._least(), words.height() + 2 * theme.px(theme.S2))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the style's own button, then the cap and the words."""
        del event
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""  # the style would centre it and cannot wrap it
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        if self.color:
            self._draw_color(painter)
        if self.key:
            self._draw_cap(painter)
        self._draw_words(painter)
        painter.end()

    def _draw_words(self, painter: QPainter) -> None:
        t = theme.tokens()
        font = self.font()
        font.setWeight(QFont.Weight.DemiBold if self.isChecked() else font.weight())
        painter.setFont(font)
        painter.setPen(QColor(t.text if self.isEnabled() else t.strong_line))
        room = self.rect().adjusted(self._left(), 0, -theme.px(theme.S2), 0)
        painter.drawText(room, int(_WRAP), self._words)

    def _draw_color(self, painter: QPainter) -> None:
        # Beside the words, never instead of them: some coders cannot tell colours.
        bar = QRect(theme.S1, theme.S1, theme.S1, self.height() - 2 * theme.S1)
        painter.fillRect(bar, QColor(self.color))

    def _draw_cap(self, painter: QPainter) -> None:
        t = theme.tokens()
        font = theme.mono(theme.CAPTION)
        side = self._cap()
        cap = QRect(0, 0, side, side)
        left = self._left() - theme.px(theme.S2) - side // 2
        cap.moveCenter(QPoint(left, self.rect().center().y()))
        chosen = self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(t.accent if chosen else t.strong_line))
        painter.setBrush(QColor(t.accent if chosen else t.sunken))
        painter.drawRoundedRect(cap, 4, 4)
        painter.setPen(QColor(t.accent_text if chosen else t.muted))
        painter.setFont(font)
        painter.drawText(cap, int(Qt.AlignmentFlag.AlignCenter), self.key.upper())

    def _cap(self) -> int:
        return QFontMetrics(theme.mono(theme.CAPTION)).height() + theme.px(theme.S1)

    def _left(self) -> int:
        cap = self._cap() + theme.px(theme.S2) if self.key else 0
        bar = theme.S1 if self.color else 0
        return theme.px(theme.S2) + bar + cap

    def _least(self) -> int:
        return self._cap() + 2 * theme.px(6)
