"""Paints one card: both pictures side by side, the name, the key, what is special."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from director_gui.study.gallery import Card
from director_gui.ui import theme
from director_gui.ui.families.cards import CARD, Index
from director_gui.ui.families.thumbnails import Thumbnails
from director_gui.ui.icons import icon
from director_gui.ui.tables import side

_LEAST = 280  # px, the width of a card
_PAD, _GAP = 9, 3


class CardDelegate(QStyledItemDelegate):
    """All cards are of one size, so that no row has to be measured."""

    def __init__(self, thumbnails: Thumbnails, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._width = _LEAST
        self.retheme()

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self._pin = icon("pin")
        self._bold, self._small = QFont(), QFont()
        self._bold.setPixelSize(theme.px(theme.BODY))
        self._bold.setWeight(QFont.Weight.DemiBold)
        self._small.setPixelSize(theme.px(theme.CAPTION))
        self._measure()

    def fit(self, room: int, ratio: float) -> None:
        """Make cards as wide as fills `room` px with as many as fit beside another.

        Args:
            room: The list's width.
            ratio: Physical pixels in one of Qt's.
        """
        columns = max(1, room // side(_LEAST))
        # A few px less: a list breaks its line when the last card fits exactly.
        self._width = max(_LEAST // 2, (room - 4) // columns)
        self._measure()
        # Physical pixels: a picture for half of them would look soft.
        self._thumbnails.fit(round(self._picture * ratio))

    def _measure(self) -> None:
        # Emptied here, as a new size or theme makes all of them wrong.
        self._backs: dict[tuple[int, int, bool, float], QPixmap] = {}
        self._picture = (self._width - 2 * _PAD - _GAP) // 2
        # Kept, as it is asked for every card that is painted.
        self._elide = QFontMetrics(self._small)
        self._line = QFontMetrics(self._bold).height()
        line = self._line + self._elide.height()
        height = self._picture * 3 // 4 + line + 2 * _PAD + theme.S1
        self._size = QSize(self._width, height)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return self._size

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        card = index.data(CARD)
        if not isinstance(card, Card):
            return
        painter.save()
        # A copy: Qt hands out the option's own rectangle.
        rect = QRect(option.rect).adjusted(2, 2, -2, -2)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ratio = painter.device().devicePixelRatio()
        painter.drawPixmap(rect.topLeft(), self._back(rect.size(), selected, ratio))
        inner = rect.adjusted(_PAD - 2, _PAD - 2, 2 - _PAD, 2 - _PAD)
        below = self._paint_pictures(painter, inner, card)
        self._paint_words(painter, inner, below, card)
        painter.restore()

    def _back(self, size: QSize, selected: bool, ratio: float) -> QPixmap:
        """Return a card's ground; round corners are too dear to paint each time."""
        key = (size.width(), size.height(), selected, ratio)
        if key not in self._backs:
            t = theme.tokens()
            made = QPixmap(size * ratio)
            made.setDevicePixelRatio(ratio)
            made.fill(QColor(t.panel))
            painter = QPainter(made)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(t.accent if selected else t.line), 1 + selected))
            painter.setBrush(QColor(t.accent_soft if selected else t.panel))
            inset = QRectF(0, 0, size.width(), size.height()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(inset, 6, 6)
            painter.end()
            self._backs[key] = made
        return self._backs[key]

    def _paint_pictures(self, painter: QPainter, inner: QRect, card: Card) -> int:
        t = theme.tokens()
        tall = self._picture * 3 // 4
        pair = self._thumbnails.pair(card.scene)
        for at in (0, 1):
            left = inner.left() + at * (self._picture + _GAP)
            frame = QRect(left, inner.top(), self._picture, tall)
            if pair is None:
                painter.fillRect(frame, QColor(t.sunken))
            else:
                _draw_fitted(painter, frame, pair[at], faint=card.dropped)
        if pair is None and self._thumbnails.failed(card.scene):
            painter.setPen(QColor(t.muted))
            painter.setFont(self._small)
            whole = QRect(inner.left(), inner.top(), inner.width(), tall)
            painter.drawText(whole, Qt.AlignmentFlag.AlignCenter, "no picture")
        return inner.top() + tall + theme.S1

    def _paint_words(
        self, painter: QPainter, inner: QRect, top: int, card: Card
    ) -> None:
        t = theme.tokens()
        first = self._line
        line = QRect(inner.left(), top, inner.width(), first)
        painter.setFont(self._bold)
        painter.setPen(QColor(t.muted if card.dropped else t.text))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft, card.name)
        sign, color = _sign(card)
        painter.setFont(self._small)
        painter.setPen(QColor(color))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(line, right, sign)
        if card.mark is not None and not card.dropped:
            size = first - 2
            spot = QRect(line.right() - size + 1, line.top(), size, size)
            self._pin.paint(painter, spot)
        second = line.translated(0, first)
        painter.setPen(QColor(t.muted))
        shown = self._elide.elidedText(
            _key_words(card), Qt.TextElideMode.ElideRight, second.width()
        )
        painter.drawText(second, Qt.AlignmentFlag.AlignLeft, shown)


def _draw_fitted(
    painter: QPainter, frame: QRect, map_: QPixmap, *, faint: bool
) -> None:
    size = map_.size().scaled(frame.size(), Qt.AspectRatioMode.KeepAspectRatio)
    spot = QRect(0, 0, size.width(), size.height())
    spot.moveCenter(frame.center())
    # Still to be seen: a drop can be taken back.
    painter.setOpacity(0.3 if faint else 1.0)
    painter.setRenderHint(
        # Smoothing a picture of the right size costs time and changes nothing.
        QPainter.RenderHint.SmoothPixmapTransform,
        map_.width() != size.width(),
    )
    painter.drawPixmap(spot, map_)
    painter.setOpacity(1.0)


def _sign(card: Card) -> tuple[str, str]:
    t = theme.tokens()
    if card.dropped:
        return "dropped", t.error
    if card.mark is not None:
        # The pin stands in this place.
        return "", t.text
    return ("≠ confound", t.ambiguous) if card.features.confound else ("", t.text)


def _key_words(card: Card) -> str:
    hidden = "none" if card.key.hidden is None else str(card.key.hidden)
    rank = f", {card.features.hidden_rank}" if card.features.hidden_rank else ""
    view = "none" if card.key.director_view is None else str(card.key.director_view)
    return (
        f"hidden {hidden}{rank} · director-view {view} · {card.features.blocks} blocks"
    )
