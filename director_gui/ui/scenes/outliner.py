"""The outliner: everything in the scene as a list that shares the selection."""

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from director_gui.scene.items import Item
from director_gui.scene.model import Scene
from director_gui.ui.document import Document
from director_gui.ui.icons import icon
from director_gui.ui.widgets import swatch

_ITEM = Qt.ItemDataRole.UserRole
_FOLLOW_MS = 60
Row = tuple[Item, str, str, str]  # item, name, size, colour or icon


def rows_of(scene: Scene) -> list[Row]:
    """Return the outliner's rows: item, name, size, and colour or icon name."""
    rows: list[Row] = [
        (Item("block", b.digit), str(b.digit), f"{100 * b.edge:.1f} cm", b.color)
        for b in scene.blocks
    ]
    rows += [
        (Item("partition", i), _board(i, scene), _board_size(i, scene), "wall")
        for i in range(len(scene.partitions))
    ]
    rows.append((Item("director"), "Director", _eye(scene.director.eye), "account"))
    rows.append((Item("camera"), "Camera", _eye(scene.camera.eye), "camera-outline"))
    # The table stands for the scene: it is what name and request are edited at.
    rows.append((Item("table"), "Scene", scene.name, "table-furniture"))
    return rows


class Outliner(QTreeWidget):
    """Lists the items; choosing one selects it everywhere."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._rows: list[Row] = []
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setMouseTracking(True)
        self.setAccessibleName("Everything in the scene")
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(False)
        self.currentItemChanged.connect(self._chosen)
        self.itemEntered.connect(lambda row: document.set_hover(row.data(0, _ITEM)))
        # Sizes may follow a drag a little later than the pictures do.
        self._soon = QTimer(self, singleShot=True, interval=_FOLLOW_MS)
        self._soon.timeout.connect(lambda: self._show(document.scene))
        document.scene_changed.connect(self._changed)
        document.selection_changed.connect(self._mark)
        self._show(document.scene)

    def _changed(self, scene: Scene) -> None:
        if [row[0] for row in self._rows] != [row[0] for row in rows_of(scene)]:
            self._show(scene)  # what is gone must not be chosen any more
        elif not self._soon.isActive():
            self._soon.start()

    def leaveEvent(self, event: object) -> None:
        del event
        self._document.set_hover(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._document.select(None)
        else:
            super().keyPressEvent(event)

    def retheme(self) -> None:
        """Tint the icons for the theme that is shown now."""
        self._rows = []
        self._show(self._document.scene)

    def _show(self, scene: Scene) -> None:
        rows = rows_of(scene)
        if [row[0] for row in rows] != [row[0] for row in self._rows]:
            self._rebuild(len(rows))
        for at, new in enumerate(rows):
            if at >= len(self._rows) or new != self._rows[at]:
                self._fill(self.topLevelItem(at), new)
        self._rows = rows
        self._mark(self._document.selection)

    def _rebuild(self, count: int) -> None:
        self._rows = []
        # Rebuilding moves the current row, which nobody chose.
        self.blockSignals(True)
        self.clear()
        self.addTopLevelItems([QTreeWidgetItem() for _ in range(count)])
        self.blockSignals(False)

    def _fill(self, line: QTreeWidgetItem | None, row: Row) -> None:
        if line is None:
            return
        item, name, size, look = row
        line.setData(0, _ITEM, item)
        line.setText(0, name)
        line.setText(1, size)
        line.setTextAlignment(1, Qt.AlignmentFlag.AlignRight)
        line.setIcon(0, swatch(look) if look.startswith("#") else icon(look))

    def _mark(self, item: Item | None) -> None:
        self.blockSignals(True)
        self.clearSelection()
        self.setCurrentIndex(QModelIndex())
        for at, row in enumerate(self._rows):
            if row[0] == item:
                self.setCurrentIndex(self.model().index(at, 0))
        self.blockSignals(False)

    def _chosen(self, line: QTreeWidgetItem | None) -> None:
        if line is not None:
            self._document.select(line.data(0, _ITEM))


def _board(index: int, scene: Scene) -> str:
    return "Partition" if len(scene.partitions) == 1 else f"Partition {index + 1}"


def _board_size(index: int, scene: Scene) -> str:
    board = scene.partitions[index]
    return f"{100 * board.width:.0f} × {100 * board.height:.0f}"


def _eye(eye: tuple[float, float, float]) -> str:
    return f"{100 * eye[2]:.0f} cm up"
