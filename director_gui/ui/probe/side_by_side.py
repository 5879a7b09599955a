"""Two probes side by side: pictures, what differs between the scenes, the arms."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QGridLayout,
    QHeaderView,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from director_gui.stats.result import Share
from director_gui.store.database import Study
from director_gui.study.probed import (
    Probe,
    Replies,
    compare_arms,
    picture_of,
    replies_in,
)
from director_gui.study.scene_changes import difference_lines
from director_gui.ui import theme
from director_gui.ui.widgets import button, label

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_WIDE = 560  # px at 100 %: from here a side has room for two buttons in a row
_HEADS = ("Condition", "First", "Second")


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One probe as the comparison shows it."""

    replies: Replies
    picture: QImage

    @property
    def probe(self) -> Probe:
        """Which probe it is."""
        return self.replies.probe


def side_of(study: Study, probe: Probe) -> Side:
    """Read one side; a QImage may be made in any thread.

    Raises:
        UserError: The study is damaged.
    """
    replies = replies_in(study, probe.run.id)
    return Side(replies, QImage.fromData(picture_of(study, replies)))


class Picture(QWidget):
    """A stored picture, as large as it fits."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._image = QImage()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        # Both pictures get the width they can, and just the height for it.
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_image(self, image: QImage) -> None:
        """Show `image`."""
        self._image = image
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        size = self._image.size()
        return width * size.height() // size.width() if not size.isEmpty() else 60

    def sizeHint(self) -> QSize:
        return QSize(180, self.heightForWidth(180))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.tokens().sunken))
        if self._image.isNull():
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        size = self._image.size().scaled(
            self.size(), Qt.AspectRatioMode.KeepAspectRatio
        )
        left, top = self.width() - size.width(), self.height() - size.height()
        frame = QRectF(left / 2, top / 2, size.width(), size.height())
        painter.drawImage(frame, self._image)


class SideBySide(QScrollArea):
    """One probe or two, the older at the left."""

    scene_wanted = Signal(object)  # Scene
    replies_wanted = Signal(object)  # Probe

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sides: tuple[Side, ...] = ()
        self.titles = [label("", "strong", wrap=True) for _ in range(2)]
        self.pictures = [Picture() for _ in range(2)]
        self.opens = [_at_button("Open this scene", self._open, at) for at in range(2)]
        self.shows = [_at_button("Show replies", self._show, at) for at in range(2)]
        self.changes = label("", wrap=True)
        self.arms = QTableWidget(0, len(_HEADS))
        self._rows = [QBoxLayout(QBoxLayout.Direction.TopToBottom) for _ in range(2)]
        self._columns = [self._column(at) for at in range(2)]
        self._lay_out()
        self.clear()

    def clear(self) -> None:
        """Show nothing."""
        self.show_sides(())

    def show_sides(self, sides: Sequence[Side]) -> None:
        """Show one probe, or two to compare."""
        self._sides = tuple(sides)
        for at, column in enumerate(self._columns):
            column.setVisible(at < len(sides))
        for at, side in enumerate(sides):
            probe = side.probe
            self.titles[at].setText(title_text(probe, at))
            self.pictures[at].show_image(side.picture)
            self.pictures[at].setAccessibleName(f"Picture of {probe.scene.name}")
        self.changes.setText(change_text(sides))
        self.changes.setVisible(len(sides) == 2)
        self._show_arms(sides)

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        line = theme.px(24)
        self.arms.verticalHeader().setDefaultSectionSize(line)
        head = self.arms.horizontalHeader().sizeHint().height()
        # The page scrolls as a whole; a table that scrolls inside would hide arms.
        self.arms.setFixedHeight(head + line * max(1, self.arms.rowCount()) + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        wide = self.width() >= theme.px(_WIDE)
        for row in self._rows:
            row.setDirection(ways.LeftToRight if wide else ways.TopToBottom)

    def _show_arms(self, sides: Sequence[Side]) -> None:
        self.arms.setVisible(bool(sides))
        if not sides:
            return
        # One probe alone is its own partner; the second column is hidden then.
        first, last = sides[0].replies, sides[-1].replies
        pairs = compare_arms(first, last)
        many = len({pair.model for pair in pairs}) > 1
        self.arms.setColumnHidden(2, len(sides) < 2)
        self.arms.setRowCount(len(pairs))
        for row, pair in enumerate(pairs):
            name = f"{pair.model}: {pair.condition}" if many else pair.condition
            texts = (name, count_text(pair.first), count_text(pair.second))
            for column, text in enumerate(texts):
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(_RIGHT if column else _LEFT)
                self.arms.setItem(row, column, cell)
        self.retheme()

    def _open(self, at: int) -> None:
        self.scene_wanted.emit(self._sides[at].probe.scene)

    def _show(self, at: int) -> None:
        self.replies_wanted.emit(self._sides[at].probe)

    def _column(self, at: int) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S1)
        column.addWidget(self.titles[at])
        column.addWidget(self.pictures[at])
        column.addLayout(self._rows[at])
        self._rows[at].setSpacing(theme.S1)
        for widget in (self.opens[at], self.shows[at]):
            self._rows[at].addWidget(widget)
        column.addStretch()
        return made

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setProperty("role", "panel")
        grid = QGridLayout(inner)
        grid.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S3)
        grid.setSpacing(theme.S2)
        for at, column in enumerate(self._columns):
            grid.addWidget(column, 0, at)
            grid.setColumnStretch(at, 1)
        grid.addWidget(self.changes, 1, 0, 1, 2)
        grid.addWidget(
            label("Hidden-block choices of answered replies", "section"), 2, 0, 1, 2
        )
        grid.addWidget(self.arms, 3, 0, 1, 2)
        grid.setRowStretch(4, 1)
        self.changes.setAccessibleName("What differs between the scenes")
        self._set_up_arms()
        self.setWidgetResizable(True)
        self.setWidget(inner)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def _set_up_arms(self) -> None:
        table = self.arms
        table.setHorizontalHeaderLabels(_HEADS)
        for at in range(len(_HEADS)):
            head = table.horizontalHeaderItem(at)
            if head is not None:
                head.setTextAlignment(_RIGHT if at else _LEFT)
        table.setAccessibleName("Hidden-block choices of both probes")
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        table.verticalHeader().hide()
        table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)


def title_text(probe: Probe, at: int) -> str:
    """Return what stands above a side: which, when, and whether it was practice."""
    made = datetime.fromisoformat(probe.run.created).astimezone()
    practice = " · practice" if probe.run.practice else ""
    when = made.strftime("%m-%d %H:%M:%S")
    return f"{_HEADS[at + 1]} · {probe.run.label}\n{when}{practice}"


def change_text(sides: Sequence[Side]) -> str:
    """Return what differs between the two scenes, one line a change."""
    if len(sides) < 2:
        return ""
    lines = difference_lines(sides[0].probe.scene, sides[1].probe.scene)
    return "\n".join(f"{line[:1].upper()}{line[1:]}" for line in lines)


def count_text(share: Share | None) -> str:
    """Return an arm's hidden-block choices as k/n, a dash when it was not asked."""
    return "\N{EN DASH}" if share is None else f"{share.k}/{share.n}"


def _at_button(name: str, act: Callable[[int], None], at: int) -> QPushButton:
    made = button(name, lambda: act(at))
    made.setAccessibleName(f"{name}, {_HEADS[at + 1].lower()}")
    return made
