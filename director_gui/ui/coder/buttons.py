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

_WRAP = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap


class KeyButton(QPushButton):
    """A checkable choice: its key on a small cap, then its words, wrapped."""

    def __init__(
        self,
        label: str,
        key: str,
        parent: QWidget | None = None,
        *,
        wraps: bool = False,
    ) -> None:
        super().__init__(parent)
        self.label, self.key, self._wraps = label, key, wraps
        # Several of them share a stretch of keys: a click leaves the keys to the trace.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCheckable(True)
        self.setAutoDefault(False)
        # "&" in a label would otherwise be eaten as a mnemonic.
        self.setText(label.replace("&", "&&"))
        self.setAccessibleName(label)
        self.setAccessibleDescription(f"Key {key}" if key else "")
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(wraps)
        self.setSizePolicy(policy)

    def sizeHint(self) -> QSize:
        """Return room for the words on one line."""
        words = self.fontMetrics().horizontalAdvance(self.label)
        return QSize(words + self._left() + theme.px(theme.S3), self._least())

    def minimumSizeHint(self) -> QSize:
        """Return room for the longest word when the rest may wrap."""
        if not self._wraps:
            return self.sizeHint()
        longest = max(map(self.fontMetrics().horizontalAdvance, self.label.split()))
        return QSize(longest + self._left() + theme.px(theme.S3), self._least())

    def hasHeightForWidth(self) -> bool:
        """Tell layouts whether a narrow button grows."""
        return self._wraps

    def heightForWidth(self, width: int) -> int:
        """Return the height that the wrapped words need."""
        room = QRect(0, 0, width - self._left() - theme.px(theme.S3), 10_000)
        words = self.fontMetrics().boundingRect(room, _WRAP, self.label)
        return max(self._least(), words.height() + 2 * theme.px(theme.S2))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the style's own button, then the cap and the words."""
        del event
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""  # the style would centre it and cannot wrap it
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
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
        painter.drawText(room, int(_WRAP), self.label)

    def _draw_cap(self, painter: QPainter) -> None:
        t = theme.tokens()
        font = theme.mono(theme.CAPTION)
        side = self._cap()
        cap = QRect(0, 0, side, side)
        cap.moveCenter(QPoint(theme.px(theme.S2) + side // 2, self.rect().center().y()))
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
        return theme.px(theme.S2) + cap

    def _least(self) -> int:
        return self._cap() + 2 * theme.px(6)
