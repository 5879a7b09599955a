"""The property panel: exact numbers with units for whatever is selected."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.scenes.fields import ColorButton, Field, NumberBox
from director_gui.ui.widgets import label

_FOLLOW_MS = 60
SCENE = Item("table")  # nothing selected: the scene's own properties


def _solid(scene: Scene, item: Item) -> Block | Partition:
    thing = edits.solid(scene, item)
    if thing is None:
        raise KeyError(item)
    return thing


def _view(scene: Scene, item: Item) -> Viewpoint:
    return scene.director if item.kind == "director" else scene.camera


def _with(point: Point, axis: int, value: float) -> Point:
    x, y, z = (value if i == axis else old for i, old in enumerate(point))
    return (x, y, z)


_PLACE = (
    Field(
        "x", "cm", -edits.FAR, edits.FAR,
        lambda s, i: _solid(s, i).x,
        lambda s, i, v: edits.move_to(s, i, v, _solid(s, i).y),
        "To the model's right",
    ),
    Field(
        "y", "cm", -edits.FAR, edits.FAR,
        lambda s, i: _solid(s, i).y,
        lambda s, i, v: edits.move_to(s, i, _solid(s, i).x, v),
        "Away from the model",
    ),
    Field(
        "Yaw", "°", -180, 180,
        lambda s, i: _solid(s, i).yaw,
        edits.turn_to,
        "Counter-clockwise, seen from above",
    ),
)  # fmt: skip


def _size(name: str, what: str) -> Field:
    return Field(
        name, "cm", edits.SMALLEST, edits.BIGGEST,
        lambda s, i: float(getattr(_solid(s, i), what)),
        lambda s, i, v: edits.size_to(s, i, v, what),  # type: ignore[arg-type] # one of the four sizes
    )  # fmt: skip


def _axis(name: str, axis: int, *, aim: bool) -> Field:
    def get(scene: Scene, item: Item) -> float:
        view = _view(scene, item)
        return (view.look_at if aim else view.eye)[axis]

    def put(scene: Scene, item: Item, value: float) -> Scene:
        view = _view(scene, item)
        if aim:
            return edits.set_aim(scene, item, _with(view.look_at, axis, value))
        return edits.set_eye(scene, item, _with(view.eye, axis, value))

    return Field(name, "cm", -edits.FAR, edits.FAR, get, put)


_VIEWPOINT = (
    *(_axis(f"Eye {name}", i, aim=False) for i, name in enumerate("xyz")),
    *(_axis(f"Looks at {name}", i, aim=True) for i, name in enumerate("xyz")),
    Field(
        "Field of view", "°", edits.NARROWEST, edits.WIDEST,
        lambda s, i: _view(s, i).fov,
        edits.set_fov,
        "Vertical",
    ),
)  # fmt: skip
_SCENE = (
    Field(
        "Table width", "cm", edits.SMALLEST, edits.BIGGEST,
        lambda s, _: s.table.width,
        lambda s, _, v: edits.set_table(s, v, s.table.depth),
    ),
    Field(
        "Table depth", "cm", edits.SMALLEST, edits.BIGGEST,
        lambda s, _: s.table.depth,
        lambda s, _, v: edits.set_table(s, s.table.width, v),
    ),
    Field(
        "Picture width", "px", 64, 8192,
        lambda s, _: s.picture.width,
        lambda s, _, v: edits.set_picture(s, round(v), s.picture.height),
    ),
    Field(
        "Picture height", "px", 64, 8192,
        lambda s, _: s.picture.height,
        lambda s, _, v: edits.set_picture(s, s.picture.width, round(v)),
    ),
)  # fmt: skip
FIELDS = {
    "block": (_size("Edge", "edge"), *_PLACE),
    "partition": (
        *_PLACE,
        _size("Width", "width"),
        _size("Height", "height"),
        _size("Thickness", "thickness"),
    ),
    "director": _VIEWPOINT,
    "camera": _VIEWPOINT,
    "table": _SCENE,
}


class Properties(QScrollArea):
    """Shows the fields of the selection and applies what is entered."""

    def __init__(
        self,
        document: Document,
        refused: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._refused = refused
        self._boxes: list[tuple[Field, NumberBox]] = []
        self._shows: list[Callable[[Scene], None]] = []
        self._item = SCENE
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        document.selection_changed.connect(self._rebuild)
        # Numbers may follow a drag a little later than the pictures do.
        self._soon = QTimer(self, singleShot=True, interval=_FOLLOW_MS)
        self._soon.timeout.connect(lambda: self._show(document.scene))
        document.scene_changed.connect(lambda _scene: self._follow())
        self._rebuild(None)

    def _follow(self) -> None:
        if not self._soon.isActive():
            self._soon.start()

    def box(self, name: str) -> NumberBox:
        """Return the entry field called `name`.

        Raises:
            KeyError: The selection has no such field.
        """
        for field, box in self._boxes:
            if field.name == name:
                return box
        raise KeyError(name)

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self._rebuild(self._document.selection)

    def _rebuild(self, item: Item | None) -> None:
        self._item = item or SCENE
        self._boxes, self._shows = [], []
        page = QWidget()
        page.setProperty("role", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        title = "Scene" if item is None else str(item).capitalize()
        column.addWidget(label(title, "strong"))
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setHorizontalSpacing(theme.S3)
        form.setVerticalSpacing(theme.S1)
        # With large text a field goes under its caption rather than out of sight.
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        column.addLayout(form)
        column.addStretch()
        self._special_rows(form)
        for field in FIELDS[self._item.kind]:
            box = NumberBox(field)
            box.entered.connect(partial(self._entered, field))
            form.addRow(_caption(field.name), box)
            self._boxes.append((field, box))
        self.setWidget(page)
        self._show(self._document.scene)

    def _special_rows(self, form: QFormLayout) -> None:
        if self._item.kind == "block":
            self._block_rows(form)
        elif self._item.kind == "table":
            self._scene_rows(form)

    def _block_rows(self, form: QFormLayout) -> None:
        digit = NumberBox(
            Field("Digit", "", 0, 99, lambda _, i: i.key, lambda s, _i, _v: s)
        )
        digit.entered.connect(self._renamed)
        color = ColorButton()
        color.chosen.connect(
            lambda name: self._apply(
                edits.paint(self._document.scene, self._item, name), "Paint"
            )
        )
        form.addRow(_caption("Digit"), digit)
        form.addRow(_caption("Colour"), color)
        self._shows.append(lambda _: digit.show_value(self._item.key))
        self._shows.append(lambda s: color.show_color(s.block(self._item.key).color))

    def _scene_rows(self, form: QFormLayout) -> None:
        name = QLineEdit()
        name.setMinimumWidth(theme.px(84))
        name.setAccessibleName("Name")
        name.editingFinished.connect(
            lambda: self._apply(
                edits.set_name(self._document.scene, name.text()), "Rename"
            )
        )
        request = QComboBox()
        request.setAccessibleName("Request")
        request.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        request.addItems(["largest", "smallest"])
        request.activated.connect(self._asked)
        form.addRow(_caption("Name"), name)
        form.addRow(_caption("Asks for"), request)
        self._shows.append(lambda s: _show_text(name, s.name))
        self._shows.append(
            lambda s: request.setCurrentIndex(int(s.request.extreme == "smallest"))
        )

    def _asked(self, index: int) -> None:
        extreme = "smallest" if index else "largest"
        scene = edits.set_request(
            self._document.scene, "smallest" if index else "largest"
        )
        self._apply(scene, f"Ask for the {extreme}")

    def _show(self, scene: Scene) -> None:
        if not edits.has_item(scene, self._item):
            return  # the selection is about to change
        for field, box in self._boxes:
            box.show_value(field.get(scene, self._item))
        for show in self._shows:
            show(scene)

    def _entered(self, field: Field, value: float) -> None:
        scene = field.put(self._document.scene, self._item, value)
        self._apply(scene, f"Set {field.name.lower()}")
        self._show(self._document.scene)  # bounds may have changed what was typed

    def _renamed(self, value: float) -> None:
        digit = round(value)
        try:
            scene = edits.rename(self._document.scene, self._item, digit)
        except UserError as error:
            self._refused(error)
            self._show(self._document.scene)
            return
        if scene != self._document.scene:
            self._apply(scene, f"Rename to {digit}")
            self._document.select(Item("block", digit))

    def _apply(self, scene: Scene, verb: str) -> None:
        target = "" if self._item == SCENE else f" of {self._item}"
        self._document.apply(scene, f"{verb}{target}")


def _caption(text: str) -> QLabel:
    made = label(text, "caption")
    # As tall as a field, so that the words stand level with the number.
    made.setFixedHeight(theme.px(28))
    return made


def _show_text(box: QLineEdit, text: str) -> None:
    if box.text() != text:
        box.setText(text)
