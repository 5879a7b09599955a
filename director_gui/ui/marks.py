"""The marks inside controls: the tick of a box, the arrow of a list.

A stylesheet that gives a control a border must bring these marks itself, as files.
They are drawn once per theme into the cache folder, at twice their size for sharp
screens.
"""

from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from director_gui import home

_SIZE = 12  # px
_SCALE = 2
_LINES = {
    "tick": ((2.5, 6.5), (5.0, 9.0), (9.5, 3.5)),
    "arrow": ((2.5, 4.5), (6.0, 8.0), (9.5, 4.5)),
}


def mark_urls(tick: str, arrow: str) -> dict[str, str]:
    """Return the files of both marks in the given colours, by mark.

    A file that cannot be written is named all the same; the control then shows none.
    """
    colors = {"tick": tick, "arrow": arrow}
    return {name: str(_file(name, color)) for name, color in colors.items()}


def _file(name: str, color: str) -> Path:
    path = home.cache_folder() / f"{name}-{color[1:]}@{_SCALE}x.png"
    if not path.exists():
        with suppress(OSError):
            _drawn(name, color).save(str(path))
    return path


def _drawn(name: str, color: str) -> QImage:
    side = _SIZE * _SCALE
    image = QImage(side, side, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_SCALE, _SCALE)
    pen = QPen(QColor(color), 1.8)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.drawPolyline([QPointF(x, y) for x, y in _LINES[name]])
    painter.end()
    return image
