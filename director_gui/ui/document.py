"""Owner of the open scene, the selection and the undo stack.

Every view observes the document and none knows another. A change is a new Scene put
in by `apply`, one undo step a gesture; setting what is already there ends the loop.
"""

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Scene

_GESTURE_COMMAND = 1  # id that lets Qt try to merge two commands
_NO_GESTURE = 0


class _SetScene(QUndoCommand):
    """Swap one scene for another; steps of one gesture melt into one."""

    def __init__(
        self, document: "Document", scene: Scene, text: str, gesture: int
    ) -> None:
        super().__init__(text)
        self._document = document
        self.gesture = gesture
        self.old, self.new = document.scene, scene

    def id(self) -> int:
        return _GESTURE_COMMAND if self.gesture else -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _SetScene) or other.gesture != self.gesture:
            return False
        self.new = other.new
        self.setObsolete(self.new == self.old)  # dragged there and back again
        return True

    def redo(self) -> None:
        self._document.show(self.new)

    def undo(self) -> None:
        self._document.show(self.old)


class Document(QObject):
    """The one scene that the window shows, and what is selected in it."""

    scene_changed = Signal(object)  # Scene
    selection_changed = Signal(object)  # Item | None
    hover_changed = Signal(object)  # Item | None
    file_changed = Signal()  # path or "modified" is other than before
    replaced = Signal()  # another scene was opened: views may fit anew

    def __init__(self, scene: Scene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._scene = scene
        self._selection: Item | None = None
        self._hover: Item | None = None
        self._path: Path | None = None
        self._gesture = _NO_GESTURE
        self.undo_stack = QUndoStack(self)
        self.undo_stack.cleanChanged.connect(self._clean_changed)

    @property
    def scene(self) -> Scene:
        """The scene as it stands."""
        return self._scene

    @property
    def selection(self) -> Item | None:
        """The selected item, or None."""
        return self._selection

    @property
    def hover(self) -> Item | None:
        """The item under the pointer in any view, or None."""
        return self._hover

    @property
    def path(self) -> Path | None:
        """The scene's file, or None when it has none yet."""
        return self._path

    @property
    def modified(self) -> bool:
        """Whether the scene differs from what its file holds."""
        return not self.undo_stack.isClean()

    def begin_gesture(self) -> int:
        """Return the id under which the steps of one drag melt into one."""
        self._gesture += 1
        return self._gesture

    def apply(self, scene: Scene, text: str, gesture: int = _NO_GESTURE) -> None:
        """Make `scene` the open one, as an undo step called `text`."""
        if scene != self._scene:
            self.undo_stack.push(_SetScene(self, scene, text, gesture))

    def show(self, scene: Scene) -> None:
        """Show `scene`, without a step of its own; commands alone call this."""
        if scene == self._scene:
            return
        self._scene = scene
        if self._selection is not None and not edits.has_item(scene, self._selection):
            self.select(None)
        if self._hover is not None and not edits.has_item(scene, self._hover):
            self.set_hover(None)
        self.scene_changed.emit(scene)

    def select(self, item: Item | None) -> None:
        """Select `item`, or nothing when the scene does not hold it."""
        if item is not None and not edits.has_item(self._scene, item):
            item = None
        if item != self._selection:
            self._selection = item
            self.selection_changed.emit(item)

    def set_hover(self, item: Item | None) -> None:
        """Light `item` in every view, or nothing."""
        if item != self._hover:
            self._hover = item
            self.hover_changed.emit(item)

    def open(self, scene: Scene, path: Path | None, *, saved: bool = True) -> None:
        """Replace everything by another scene; its history starts here."""
        self.select(None)
        self.set_hover(None)
        self._path = path
        self.undo_stack.clear()
        if not saved:
            self.undo_stack.resetClean()
        self._scene = scene
        self.scene_changed.emit(scene)
        self.replaced.emit()
        self.file_changed.emit()

    def saved_as(self, path: Path) -> None:
        """Note that the scene as it stands is what `path` holds."""
        self._path = path
        self.undo_stack.setClean()
        self.file_changed.emit()

    def _clean_changed(self, clean: bool) -> None:
        del clean
        self.file_changed.emit()
