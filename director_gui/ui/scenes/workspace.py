"""The scenes workspace: outliner, editing view, both pictures, verdict, probe."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.render.live import LiveStage
from director_gui.render.still import Size
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.study.preview import Glance, Preview, Studied
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.icons import icon
from director_gui.ui.probe.drawer import ProbeDrawer
from director_gui.ui.scenes.edit_view import EditView
from director_gui.ui.scenes.outliner import Outliner
from director_gui.ui.scenes.picture_view import PictureView, TitledPicture
from director_gui.ui.scenes.properties import Properties
from director_gui.ui.scenes.studio import Studio
from director_gui.ui.scenes.verdict import Finding, Verdict
from director_gui.ui.settings import Settings
from director_gui.ui.widgets import Banner, action, scrolled, tool

_LAYOUTS = {
    "scenes": (224, 590, 410),
    "scenes.left": (300, 330),
    "scenes.right": (400, 300, 32),
    "scenes.pictures": (200, 200),
}
# left and right: px at 100 % that keep them readable, and where larger text stops
_SIDES = {0: (232, 350), 2: (392, 400)}
_LEAST_VERDICT = 240  # px; with large text the rest is scrolled to
_LEAST_BESIDE_PROBE = 196  # px; less where even that is too much
_FIRST_STUDY_MS = 100
_PROBE_WIDTH, _LEAST_EDIT = 600, 380  # px
# name, what it does, shortcut, icon
_ACTIONS = (
    ("add_block", "Add block", "B", "cube-outline"),
    ("add_partition", "Add partition", "P", "wall"),
    ("duplicate", "Duplicate", "Ctrl+D", "content-duplicate"),
    ("delete", "Delete", "Del", "trash-can-outline"),
    ("snap", "Snap to grid and table", "G", "magnet"),
    ("fit", "Fit the scene into the view", "F", "fit-to-page-outline"),
    ("from_model", "Look from the model's side", "1", "camera-outline"),
    ("from_director", "Look from the director's side", "2", "account-outline"),
    ("from_above", "Look from above", "3", "arrow-collapse-down"),
)


class ScenesWorkspace(QWidget):
    """Everything that designing one scene needs, around one document."""

    HINT = (
        "Drag to move · drag beside to orbit · Shift+drag to pan · wheel to zoom · "
        "arrows nudge, [ and ] turn, + and − resize · Alt for fine steps"
    )

    def __init__(
        self,
        document: Document,
        settings: Settings,
        preview: Preview,
        probe: ProbeDrawer,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.probe = probe
        self._settings = settings
        self.banner = Banner()
        # One for all three views: a window each would cost time and memory.
        self._stage = LiveStage()
        self.edit_view = EditView(document, self._stage)
        self.pictures = {v: PictureView(document, self._stage, v) for v in VIEWS}
        self.outliner = Outliner(document)
        self.properties = Properties(document, self.refuse)
        self.verdict = Verdict(document)
        self.studio = Studio(document, self._picture_sizes, preview, self)
        self.studio.glanced.connect(self._glanced)
        self.studio.studied.connect(self._studied)
        self.studio.failed.connect(self._study_failed)
        self._actions = self._make_actions()
        self._splitters = self._lay_out()
        self._keep_wide()
        probe.opened.connect(self._make_room)
        self.edit_view.dragging_changed.connect(self._calm)
        document.selection_changed.connect(self._enable)
        document.replaced.connect(self.studio.refresh)
        self._enable()
        # The first frame comes first; the children would slow it down.
        self._first = QTimer(self, singleShot=True, interval=_FIRST_STUDY_MS)
        self._first.timeout.connect(self.studio.refresh)
        self._first.start()

    @property
    def banners(self) -> tuple[Banner, ...]:
        """What the window shows at its foot while this workspace is open."""
        return (self.banner, *self.probe.banners)

    def close_views(self) -> None:
        """Free windows and processes, and keep the layout."""
        self._first.stop()
        self.studio.close()
        self.edit_view.stop()
        self._stage.close()
        if self.probe.is_open:
            return  # it starts closed, in the layout that it has then
        for name, splitter in self._splitters.items():
            self._settings.set_layout(name, splitter.saveState())

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        for made in self._actions.values():
            name = made.property("icon_name")
            if name:
                made.setIcon(icon(str(name)))
        self._keep_wide()
        self.outliner.retheme()
        self.properties.retheme()
        self.verdict.retheme()
        self.probe.retheme()
        self.edit_view.refresh()
        self.studio.refresh()

    def refuse(self, error: UserError) -> None:
        """Say why an edit was refused, until one is made."""
        self.banner.tell_error(error, until=(self.document.scene_changed,))

    def _study_failed(self, error: UserError) -> None:
        self.banner.tell_error(error, until=(self.studio.studied,))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        whole = self._splitters["scenes"]
        # A larger window has the room that a smaller one had not.
        if self.probe.is_open and whole.sizes()[2] < theme.px(_PROBE_WIDTH):
            self._widen(opened=True)

    # Edits --------------------------------------------------------------------

    def add_block(self) -> None:
        """Add a block on a free spot and select it."""
        self._add("Add block", edits.add_block)

    def add_partition(self) -> None:
        """Add a partition on a free spot and select it."""
        self._add("Add partition", edits.add_partition)

    def duplicate(self) -> None:
        """Duplicate the selected block or partition."""
        item = self.document.selection
        if item is not None:
            self._add(f"Duplicate {item}", lambda scene: edits.duplicate(scene, item))

    def delete(self) -> None:
        """Delete the selected block or partition."""
        item = self.document.selection
        if item is None:
            return
        try:
            scene = edits.delete(self.document.scene, item)
        except UserError as error:
            self.refuse(error)
            return
        # First, as nothing may point to what is gone.
        self.document.select(None)
        self.document.apply(scene, f"Delete {item}")

    def _add(self, text: str, edit: Callable[[Scene], tuple[Scene, Item]]) -> None:
        try:
            scene, item = edit(self.document.scene)
        except UserError as error:
            self.refuse(error)
            return
        self.document.apply(scene, text)
        self.document.select(item)

    # Verdict ------------------------------------------------------------------

    def _glanced(self, glance: Glance) -> None:
        note = "Quick look while the scene changes"
        found = Finding(glance.scene, glance.truth, glance.problems, glance.legible)
        self.verdict.show_finding(found, note)

    def _studied(self, studied: Studied) -> None:
        check = studied.check
        agree = all(p.code != "witnesses_disagree" for p in check.problems)
        note = "Both witnesses agree" if agree else "The two witnesses disagree"
        found = Finding(studied.scene, check.truth, check.problems, studied.legible)
        self.verdict.show_finding(found, note)
        for view, picture in self.pictures.items():
            height, width, _ = studied.pixels[view].shape
            # The view was resized while the picture was made; the next one fits.
            if (width, height) == picture.pixel_size():
                picture.show_pixels(studied.pixels[view])
        # Baked once for the pictures; the light serves every view.
        self.edit_view.relight(studied.scene, studied.baked)

    def _picture_sizes(self) -> dict[ViewName, Size]:
        return {view: picture.pixel_size() for view, picture in self.pictures.items()}

    # Layout -------------------------------------------------------------------

    def _calm(self, dragging: bool) -> None:
        for picture in self.pictures.values():
            picture.quiet = dragging
            picture.update()

    def _widen(self, *, opened: bool) -> None:
        """Give the open probe a column in which messages can be read."""
        whole = self._splitters["scenes"]
        left, middle, old = whole.sizes()
        wanted = theme.px(_PROBE_WIDTH if opened else _LAYOUTS["scenes"][2])
        spare = max(0, middle - theme.px(_LEAST_EDIT))
        # Closing gives all of it back, also what a smaller window had not given.
        more = min(wanted - old, spare) if opened else wanted - old
        whole.setSizes([left, middle - more, old + more])

    def _make_room(self, opened: bool) -> None:
        """Turn the right column over to the probe, or back."""
        right = self._splitters["scenes.right"]
        self._widen(opened=opened)
        pictures = self._splitters["scenes.pictures"]
        # Side by side they leave the height to the messages and replies.
        across = Qt.Orientation.Horizontal if opened else Qt.Orientation.Vertical
        pictures.setOrientation(across)
        pictures.setSizes([1000, 1000])
        height = sum(right.sizes())
        beside = min(_LEAST_BESIDE_PROBE, 2 * height // 7)
        least = beside if opened else _LEAST_VERDICT
        self._verdict_area.setMinimumHeight(least)
        # A taller window gives what it has more to what is worked with.
        right.setStretchFactor(1, 0 if opened else 1)
        right.setStretchFactor(2, 1 if opened else 0)
        if opened:
            top = min(theme.px(200), height // 3)
            verdict = min(self.verdict.whole_height(), height // 3)
            right.setSizes([top, verdict, height - top - verdict])
        else:
            right.setSizes([theme.px(size) for size in _LAYOUTS["scenes.right"]])

    def _make_actions(self) -> dict[str, QAction]:
        undo, redo = (
            self.document.undo_stack.createUndoAction(self, "Undo"),
            self.document.undo_stack.createRedoAction(self, "Redo"),
        )
        keys = QKeySequence.StandardKey
        for made, key, name in ((undo, keys.Undo, "undo"), (redo, keys.Redo, "redo")):
            # Every key that the platform has for it, such as Ctrl+Y.
            made.setShortcuts(key)
            made.setIcon(icon(name))
            made.setProperty("icon_name", name)
            self.addAction(made)
        acts: dict[str, Callable[[], object]] = {
            "add_block": self.add_block,
            "add_partition": self.add_partition,
            "duplicate": self.duplicate,
            "delete": self.delete,
            "snap": self._toggle_snap,
            "fit": self.edit_view.fit,
            "from_model": lambda: self._look_from("model"),
            "from_director": lambda: self._look_from("director"),
            "from_above": self.edit_view.look_down,
        }
        made_here = {
            name: action(self, text, acts[name], shortcut=key, icon_name=icon_name)
            for name, text, key, icon_name in _ACTIONS
        }
        made_here["snap"].setCheckable(True)
        made_here["snap"].setChecked(True)
        return {**made_here, "undo": undo, "redo": redo}

    def _look_from(self, view: ViewName) -> None:
        self.edit_view.look_from(self.document.scene.viewpoint(view))

    def _toggle_snap(self) -> None:
        self.edit_view.snapping = self._actions["snap"].isChecked()

    def _enable(self) -> None:
        item = self.document.selection
        solid = item is not None and item.kind in ("block", "partition")
        self._actions["duplicate"].setEnabled(solid)
        self._actions["delete"].setEnabled(solid)

    def _toolbar(self) -> QWidget:
        bar = QWidget()
        bar.setProperty("role", "panel")
        row = QHBoxLayout(bar)
        row.setContentsMargins(theme.S2, theme.S1, theme.S2, theme.S1)
        row.setSpacing(2)
        groups = (
            ("add_block", "add_partition", "duplicate", "delete"),
            ("undo", "redo"),
            ("snap",),
            ("fit", "from_model", "from_director", "from_above"),
        )
        for at, names in enumerate(groups):
            if at:
                row.addSpacing(theme.S3)
            for name in names:
                row.addWidget(tool(self._actions[name]))
        row.addStretch()
        return bar

    def _lay_out(self) -> dict[str, QSplitter]:
        middle = _column(self._toolbar(), self.edit_view, stretch=1)
        left = _splitter(Qt.Orientation.Vertical, self.outliner, self.properties)
        pictures = _splitter(
            Qt.Orientation.Vertical,
            TitledPicture("Picture (what the model gets)", self.pictures["model"]),
            TitledPicture("Director's view", self.pictures["director"]),
        )
        verdict = self._verdict_area = scrolled(self.verdict)
        verdict.setMinimumHeight(_LEAST_VERDICT)
        right = _splitter(Qt.Orientation.Vertical, pictures, verdict, self.probe)
        right.setStretchFactor(1, 1)
        whole = _splitter(Qt.Orientation.Horizontal, left, middle, right)
        whole.setStretchFactor(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(whole, 1)
        column.addWidget(self.banner)
        found = {
            "scenes": whole,
            "scenes.left": left,
            "scenes.right": right,
            "scenes.pictures": pictures,
        }
        for name, splitter in found.items():
            state: QByteArray = self._settings.layout(name)
            # A layout that another version kept may not fit this one.
            if state.isEmpty() or not splitter.restoreState(state):
                splitter.setSizes(list(_LAYOUTS[name]))
        return found

    def _keep_wide(self) -> None:
        """Keep the sides wide enough to be read, and room for the scene."""
        whole = self._splitters["scenes"]
        for at, (wanted, most) in _SIDES.items():
            side = whole.widget(at)
            if side is not None:
                side.setMinimumWidth(min(theme.px(wanted), most))


def _column(*widgets: QWidget, stretch: int) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    for at, widget in enumerate(widgets):
        column.addWidget(widget, 1 if at == stretch else 0)
    return made


def _splitter(way: Qt.Orientation, *widgets: QWidget) -> QSplitter:
    made = QSplitter(way)
    made.setChildrenCollapsible(False)
    for widget in widgets:
        made.addWidget(widget)
    return made
