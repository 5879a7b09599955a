"""A top view of the table with the extents of a family as ghosts."""

from collections.abc import Collection, Iterable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from director_gui.families.model import Family
from director_gui.ui import theme
from director_gui.ui.families import extents
from director_gui.ui.families.extents import Region, Role, Shape, Spot

_MARGIN = 18  # px
_GHOST, _SOLID = 34, 90  # alpha
_LEAST_EYE = 0.05  # m; a fixed eye is drawn as a spot
NOTHING = "Nothing to draw until the text is a family"
_NAMES: dict[Role, str] = {
    "blocks": "blocks",
    "hidden": "hidden block",
    "partition": "partition",
    "director": "director",
    "camera": "camera",
}
_LEGEND: tuple[Role, ...] = ("blocks", "hidden", "partition")


class Ghost(QWidget):
    """Draws where things may be, and how small and large; the model is below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._family: Family | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumHeight(140)
        self.setAccessibleName("Extents of the family, from above")

    def show_family(self, family: Family | None) -> None:
        """Draw a family, or nothing."""
        self._family = family
        self.setAccessibleDescription("" if family is None else in_words(family))
        self.setToolTip(self.accessibleDescription())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(360), theme.px(280))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        t = theme.tokens()
        painter.fillRect(self.rect(), QColor(t.sunken))
        family = self._family
        if family is None:
            painter.setPen(QColor(t.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, NOTHING)
            return
        plan = _Plan(family, QRectF(self.rect()))
        _paint_table(painter, plan, family)
        for gaze in extents.gazes_of(family):
            painter.setPen(QPen(color_of(gaze.role, 130), 1, Qt.PenStyle.DashLine))
            painter.drawLine(plan.at(gaze.eye), plan.at(gaze.aim))
        for region in extents.own_regions(family):
            _paint_region(painter, plan, region)
        for shape in extents.shapes_of(family):
            _paint_shape(painter, plan, shape)
        _paint_names(painter, plan, family)


class _Plan:
    """Table metres to the widget's pixels; y grows upwards, away from the model."""

    def __init__(self, family: Family, frame: QRectF) -> None:
        # Eyes stand beyond the table, so the table alone would not hold the drawing.
        xs, ys = zip(*_reach(family), strict=True)
        margin = theme.px(_MARGIN)
        inner = frame.adjusted(margin, margin, -margin, -margin)
        wide, tall = max(xs) - min(xs), max(ys) - min(ys)
        # One scale for both, or cubes would not look square.
        self.scale = min(inner.width() / wide, inner.height() / tall)
        self._x = inner.center().x() - self.scale * (max(xs) + min(xs)) / 2
        self._y = inner.center().y() + self.scale * (max(ys) + min(ys)) / 2

    def at(self, spot: Spot) -> QPointF:
        return QPointF(self._x + self.scale * spot[0], self._y - self.scale * spot[1])

    def rect(self, region: Region) -> QRectF:
        least = _LEAST_EYE if region.role in ("director", "camera") else 0.0
        rect = QRectF(
            self.at((region.x.low, region.y.high)),
            self.at((region.x.high, region.y.low)),
        )
        grow = [
            max(0.0, least * self.scale - s) / 2 for s in (rect.width(), rect.height())
        ]
        return rect.adjusted(-grow[0], -grow[1], grow[0], grow[1])


def in_words(family: Family) -> str:
    """Return what the drawing shows, for those who cannot see it."""
    least = extents.smallest_edge(family) * 100
    most = family.blocks.largest.high * 100
    parts = [f"Blocks with edges from {least:.1f} to {most:.1f} cm"]
    for region in extents.own_regions(family):
        x = f"x {region.x.low * 100:.0f} to {region.x.high * 100:.0f} cm"
        y = f"y {region.y.low * 100:.0f} to {region.y.high * 100:.0f} cm"
        parts.append(f"{_NAMES[region.role]}: {x}, {y}")
    return "; ".join(parts)


def _reach(family: Family) -> Iterable[Spot]:
    half = family.table.width / 2, family.table.depth / 2
    yield (-half[0], -half[1])
    yield half
    for region in extents.regions_of(family):
        yield region.x.low, region.y.low
        yield region.x.high, region.y.high


def color_of(
    role: Role, alpha: int = 255, tokens: theme.Tokens | None = None
) -> QColor:
    """Return the colour that a role's extents have, in the theme that is shown."""
    t = tokens or theme.tokens()
    named = {
        "blocks": t.accent,
        "hidden": t.hidden,
        "partition": t.text,
        "director": t.ambiguous,
        "camera": t.sees,
    }
    color = QColor(named[role])
    color.setAlpha(alpha)
    return color


def _paint_table(painter: QPainter, plan: _Plan, family: Family) -> None:
    t = theme.tokens()
    half = family.table.width / 2, family.table.depth / 2
    table = QRectF(plan.at((-half[0], half[1])), plan.at((half[0], -half[1])))
    painter.setPen(QPen(QColor(t.strong_line), 1))
    painter.setBrush(QColor(t.panel))
    painter.drawRoundedRect(table, 3, 3)


def _paint_region(painter: QPainter, plan: _Plan, region: Region) -> None:
    painter.setPen(QPen(color_of(region.role, 150), 1, Qt.PenStyle.DotLine))
    painter.setBrush(color_of(region.role, _GHOST))
    painter.drawRoundedRect(plan.rect(region), 3, 3)


def _paint_shape(painter: QPainter, plan: _Plan, shape: Shape) -> None:
    painter.setPen(QPen(color_of(shape.role, 200), 1))
    painter.setBrush(color_of(shape.role, _GHOST if shape.greatest else _SOLID))
    painter.drawPolygon(QPolygonF([plan.at(spot) for spot in shape.corners]))


def _paint_names(painter: QPainter, plan: _Plan, family: Family) -> None:
    font = QFont(painter.font())
    font.setPixelSize(theme.px(theme.CAPTION))
    painter.setFont(font)
    for region in extents.regions_of(family):
        if region.role in ("director", "camera"):
            rect = plan.rect(region)
            painter.setPen(color_of(region.role))
            spot = QPointF(rect.right() + theme.S1, rect.center().y() + theme.S1)
            painter.drawText(spot, _NAMES[region.role])
    roles: set[Role] = {"blocks"}
    # Named only where it has a place of its own to be drawn at.
    roles |= {"hidden"} if family.hidden.x or family.hidden.y else set()
    roles |= {"partition"} if family.partitions else set()
    paint_legend(painter, roles)


def paint_legend(
    painter: QPainter, roles: Collection[Role], tokens: theme.Tokens | None = None
) -> None:
    """Name the colours of those roles that have no name beside them."""
    t = tokens or theme.tokens()
    font = QFont(painter.font())
    font.setPixelSize(theme.px(theme.CAPTION))
    painter.setFont(font)
    x, y = theme.px(8), theme.px(16)
    # Eyes have their names beside them.
    for role in (role for role in _LEGEND if role in roles):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color_of(role, 170, t))
        painter.drawRect(QRectF(x, y - theme.px(8), theme.px(9), theme.px(9)))
        painter.setPen(QColor(t.muted))
        painter.drawText(QPointF(x + theme.px(14), y), _NAMES[role])
        y += theme.px(15)
