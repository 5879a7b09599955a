"""A scene as VTK actors that follow it step by step.

`SceneActors` serves the editor and the stills alike. While something is dragged it
shows plain light and changes only what moved; at rest `light` puts the baked light on.
"""

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from director_gui.render import digits, light, room, vtk_arrays
from director_gui.render.bake import Baked, Key
from director_gui.render.figure import mannequin
from director_gui.render.mesh import Floats, Mesh, turned, turned_uv, unit_box
from director_gui.scene.model import Block, Partition, Scene, Table, Viewpoint

NEAR, FAR = 0.01, 90.0  # m: the depth buffer then tells 0.02 mm apart at arm's length
PARTITION_COLOR = np.array([0.40, 0.45, 0.52], np.float32)
_GLOW = 0.22  # how much brighter a highlighted block is


@dataclass(slots=True)
class _Shown:
    value: Hashable
    actor: vtkActor
    data: vtkPolyData


class SceneActors:
    """The actors of one scene in one renderer.

    Args:
        renderer: Where the actors are shown; its own lights are not used.
        figure: Whether the director's figure is drawn. It never is in the view from
            the director's own eye.
        mipmap: Smooth the digits for single frames; stills jitter instead.
    """

    def __init__(
        self, renderer: vtkRenderer, *, figure: bool, mipmap: bool = True
    ) -> None:
        self._renderer = renderer
        self._figure = figure
        self._mipmap = mipmap
        self._shown: dict[Key, _Shown] = {}
        self._lit = False
        self._glowing: int | None = None
        # Near the backdrop's grey, should a camera ever look past it.
        renderer.SetBackground(0.93, 0.937, 0.945)
        renderer.AutomaticLightCreationOff()

    def sync(self, scene: Scene) -> bool:
        """Show `scene`, changing only what differs from what is shown.

        Returns:
            Whether anything changed; then plain light is back.
        """
        # Values compare as wholes, so that no setter can forget to say what changed.
        wanted = dict(_parts(scene, figure=self._figure))
        stale = [key for key, shown in self._shown.items() if key not in wanted]
        changed = [
            key
            for key, value in wanted.items()
            if key not in self._shown or self._shown[key].value != value
        ]
        if not stale and not changed:
            return False
        # Baked shadows are those of the old places.
        self.plain()
        for key in stale:
            self._remove(key)
        for key in changed:
            self._put(key, wanted[key])
        return True

    def light(self, baked: Baked) -> None:
        """Put baked light on; it must be of the scene that is shown."""
        for key, colors in baked.solids.items():
            vtk_arrays.paint(self._shown[key].data, _tinted(key, colors))
        # The table's light lies in its texture: its four corners could not hold
        # shadows.
        self._shown["table", 0].actor.GetTexture().SetInputData(
            vtk_arrays.image_data(baked.table)
        )
        self._lit = True

    def plain(self) -> None:
        """Go back to plain light, which needs no baking."""
        if not self._lit:
            return
        self._lit = False
        for shown in self._shown.values():
            # Figure and room carry light of their own, which is never baked.
            if isinstance(shown.value, Block | Partition):
                vtk_arrays.paint(shown.data, _plain_colors(shown.value))
            elif isinstance(shown.value, Table):
                shown.actor.GetTexture().SetInputData(_wood(shown.value))

    @property
    def lit(self) -> bool:
        """Whether baked light is shown."""
        return self._lit

    def highlight(self, digit: int | None) -> None:
        """Make one block brighter, or none."""
        for key, amount in ((self._glowing, 0.0), (digit, _GLOW)):
            shown = self._shown.get(("block", key))
            if shown is not None:
                # Lighting is off: VTK then adds the ambient part to the plain colour.
                shown.actor.GetProperty().SetAmbient(amount)
        self._glowing = digit

    def block_actor(self, digit: int) -> vtkActor:
        """Return the actor of a block.

        Raises:
            KeyError: The scene that is shown has no such block.
        """
        return self._shown["block", digit].actor

    def clear(self) -> None:
        """Take every actor out of the renderer."""
        for key in list(self._shown):
            self._remove(key)

    def _remove(self, key: Key) -> None:
        self._renderer.RemoveActor(self._shown.pop(key).actor)

    def _put(self, key: Key, value: Hashable) -> None:
        old = self._shown.get(key)
        if old is not None and _moved(old, value):
            old.value = value
            return
        if old is not None:
            self._remove(key)
        data, actor = self._made(value)
        self._shown[key] = _Shown(value, actor, data)
        self._renderer.AddActor(actor)

    def _made(self, value: Hashable) -> tuple[vtkPolyData, vtkActor]:
        match value:
            case Block():
                return self._block(value)
            case Partition():
                data = vtk_arrays.poly_data(unit_box())
                actor = vtk_arrays.actor(data, closed=True)
                _pose_partition(actor, data, value)
                return data, actor
            case Table():
                data = vtk_arrays.poly_data(room.table_top(value))
                skin = vtk_arrays.texture(_wood(value), mipmap=self._mipmap)
                return data, vtk_arrays.actor(data, skin)
            case ("room", Table() as table):
                return _whole(room.room(table), closed=False)
            case (Viewpoint() as eye, Table() as table):
                return _whole(mannequin(eye, table), closed=True)
        raise TypeError(value)

    def _block(self, block: Block) -> tuple[vtkPolyData, vtkActor]:
        image = vtk_arrays.image_data(digits.face_pixels(block.digit, block.color))
        data = vtk_arrays.poly_data(unit_box())
        skin = vtk_arrays.texture(image, mipmap=self._mipmap)
        actor = vtk_arrays.actor(data, skin, closed=True)
        _pose_block(actor, data, block)
        return data, actor


def aim(renderer: vtkRenderer, eye: Viewpoint) -> None:
    """Set a renderer's camera to an eye; the picture's aspect is the window's."""
    camera = renderer.GetActiveCamera()
    camera.SetPosition(*eye.eye)
    camera.SetFocalPoint(*eye.look_at)
    camera.SetViewUp(0.0, 0.0, 1.0)
    # Vertical, in degrees, in VTK as in the scene.
    camera.SetViewAngle(eye.fov)
    camera.SetClippingRange(NEAR, FAR)


def quarter_turns(yaw: float) -> int:
    """Return the quarter turns that make a top digit most upright for the model."""
    # Not round(), which takes halves to the even number.
    return math.floor(yaw / 90 + 0.5) % 4


def _parts(scene: Scene, *, figure: bool) -> list[tuple[Key, Hashable]]:
    """Return what is drawn, the front things first: what they cover costs nothing."""
    parts: list[tuple[Key, Hashable]]
    parts = [(("block", block.digit), block) for block in scene.blocks]
    parts += [(("partition", i), item) for i, item in enumerate(scene.partitions)]
    if figure:
        parts.append((("figure", 0), (scene.director, scene.table)))
    parts.append((("table", 0), scene.table))
    parts.append((("room", 0), ("room", scene.table)))
    return parts


def _moved(shown: _Shown, value: Hashable) -> bool:
    """Pose an actor anew when that is all that `value` needs."""
    match shown.value, value:
        # A digit names its actor, so only another colour needs another face.
        case (Block() as old, Block() as new) if old.color == new.color:
            _pose_block(shown.actor, shown.data, new, old)
            return True
        case (Partition() as board, Partition() as other):
            _pose_partition(shown.actor, shown.data, other, board)
            return True
    return False


def _pose_block(
    actor: vtkActor, data: vtkPolyData, new: Block, old: Block | None = None
) -> None:
    actor.SetPosition(new.x, new.y, new.edge / 2)
    actor.SetOrientation(0.0, 0.0, new.yaw)
    # One unit box for all: resizing needs no new mesh.
    actor.SetScale(new.edge)
    # Plain light falls by the side that a face turns to; moving changes nothing.
    if old is None or old.yaw != new.yaw:
        vtk_arrays.paint(data, _plain_colors(new))
    if old is None or quarter_turns(old.yaw) != quarter_turns(new.yaw):
        vtk_arrays.set_uv(data, turned_uv(quarter_turns(new.yaw)))


def _pose_partition(
    actor: vtkActor, data: vtkPolyData, new: Partition, old: Partition | None = None
) -> None:
    actor.SetPosition(new.x, new.y, new.height / 2)
    actor.SetOrientation(0.0, 0.0, new.yaw)
    actor.SetScale(new.width, new.thickness, new.height)
    if old is None or (old.yaw, old.height) != (new.yaw, new.height):
        vtk_arrays.paint(data, _plain_colors(new))


def _plain_colors(item: Block | Partition) -> Floats:
    """Return the colours of a body that stands alone, without cast shadows."""
    unit = unit_box()
    height = item.edge if isinstance(item, Block) else item.height
    shade = light.open_light(
        (unit.points[:, 2] + 0.5) * np.float32(height),
        turned(unit.normals, item.yaw),
        reach=0.14 * height,
    )
    return shade if isinstance(item, Block) else shade * PARTITION_COLOR


def _tinted(key: Key, shade: Floats) -> Floats:
    return shade * PARTITION_COLOR if key[0] == "partition" else shade


def _wood(table: Table) -> vtkImageData:
    return vtk_arrays.image_data(vtk_arrays.quantise(room.wood(table)))


def _whole(mesh: Mesh, *, closed: bool) -> tuple[vtkPolyData, vtkActor]:
    data = vtk_arrays.poly_data(mesh)
    return data, vtk_arrays.actor(data, closed=closed)
