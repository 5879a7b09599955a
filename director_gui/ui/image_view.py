"""A widget that shows pixels which `render` drew, letterboxed to their shape."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from director_gui.ui import theme

Pixels = NDArray[np.uint8]  # (height, width, 3), top row first


def image_of(pixels: Pixels) -> QImage:
    """Return a QImage over `pixels`, which must not be written to any more."""
    height, width, _ = pixels.shape
    rows = np.ascontiguousarray(pixels)
    # PySide keeps the buffer, and so the array behind it, as long as the image.
    return QImage(rows.data, width, height, 3 * width, QImage.Format.Format_RGB888)


class ImageView(QWidget):
    """Shows one image; subclasses say when it is stale and draw over it.

    The picture is as large as fits the widget in the shape `aspect`; an aspect of
    None fills the widget.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image: QImage | None = None
        self._stale = True  # a subclass may know nothing to draw before `refresh`
        self.aspect: float | None = None
        self.setMinimumSize(160, 120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        # All of it is painted here, so Qt need not paint what lies behind.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def sizeHint(self) -> QSize:
        return QSize(400, 300)

    def frame(self) -> QRectF:
        """Return where the picture lies in the widget, in its own units."""
        width, height = float(self.width()), float(self.height())
        if self.aspect is None:
            return QRectF(0, 0, width, height)
        fitted = min(width, height * self.aspect)
        tall = fitted / self.aspect
        left, top = round((width - fitted) / 2), round((height - tall) / 2)
        return QRectF(left, top, round(fitted), round(tall))

    def pixel_size(self) -> tuple[int, int]:
        """Return width and height of the picture in physical pixels."""
        ratio, frame = self.devicePixelRatioF(), self.frame()
        width = max(2, round(frame.width() * ratio))
        return width, max(2, round(frame.height() * ratio))

    def picture_point(self, position: QPointF) -> tuple[float, float] | None:
        """Return (u, v) in the picture for a position in the widget, else None."""
        frame = self.frame()
        u = (position.x() - frame.left()) / max(1.0, frame.width())
        v = (position.y() - frame.top()) / max(1.0, frame.height())
        inside = 0 <= u <= 1 and 0 <= v <= 1
        return (u, v) if inside or self.aspect is None else None

    def widget_point(self, point: tuple[float, float]) -> QPointF:
        """Return the position in the widget of picture point (u, v)."""
        frame = self.frame()
        x = frame.left() + point[0] * frame.width()
        return QPointF(x, frame.top() + point[1] * frame.height())

    @property
    def is_stale(self) -> bool:
        """Whether the image will be drawn anew at the next paint."""
        return self._stale

    def refresh(self) -> None:
        """Draw anew at the next paint; many calls in one turn cost one drawing."""
        self._stale = True
        self.update()

    def show_pixels(self, pixels: Pixels) -> None:
        """Show `pixels` until the next `refresh`."""
        self._image = image_of(pixels)
        self._stale = False
        self.update()

    def draw_pixels(self) -> Pixels | None:
        """Return new pixels of `pixel_size`, or None to keep the old image."""
        return None

    def paint_over(self, painter: QPainter) -> None:
        """Paint what lies over the picture, in the widget's units."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._stale:
            self._stale = False
            pixels = self.draw_pixels()
            if pixels is not None:
                self._image = image_of(pixels)
        painter = QPainter(self)
        frame = self.frame()
        if frame != QRectF(self.rect()) or self._image is None:
            painter.fillRect(self.rect(), QColor(theme.tokens().sunken))
        if self._image is not None:
            same = (self._image.width(), self._image.height()) == self.pixel_size()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not same)
            painter.drawImage(frame, self._image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(frame)
        self.paint_over(painter)
        if self.hasFocus():
            painter.setClipping(False)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(theme.tokens().accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
