"""A scene as frozen values, in metres and degrees.

The table top is the plane z = 0, x runs to the model's right, y away from the model,
z up. Yaw turns counter-clockwise seen from above. Blocks and partitions stand on the
table.
"""

from dataclasses import dataclass
from typing import Literal

ViewName = Literal["model", "director"]
VIEWS: tuple[ViewName, ViewName] = ("model", "director")

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Table:
    """The table top, centred on the origin."""

    width: float  # m, along x
    depth: float  # m, along y


@dataclass(frozen=True, slots=True)
class Block:
    """A cube with one digit on every face."""

    digit: int  # 0-99, unique in a scene: a block's name everywhere
    edge: float  # m
    x: float  # m, centre
    y: float  # m, centre
    yaw: float  # degrees
    color: str  # "#rrggbb"


@dataclass(frozen=True, slots=True)
class Partition:
    """An opaque upright board; at yaw 0 its width runs along x."""

    x: float  # m, centre
    y: float  # m, centre
    yaw: float  # degrees
    width: float  # m
    height: float  # m
    thickness: float  # m


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """An eye, what it looks at, and its vertical field of view."""

    eye: Point  # m
    look_at: Point  # m
    fov: float  # degrees, vertical


@dataclass(frozen=True, slots=True)
class Picture:
    """The size of the picture that the model gets; both views have its shape."""

    width: int  # px
    height: int  # px

    @property
    def aspect(self) -> float:
        """Width over height."""
        return self.width / self.height


@dataclass(frozen=True, slots=True)
class Request:
    """What the director asks for: the block that is extreme in one dimension."""

    dimension: Literal["size"] = "size"
    extreme: Literal["largest", "smallest"] = "largest"


@dataclass(frozen=True, slots=True)
class Scene:
    """Blocks and partitions on a table, seen by the model and by a director."""

    name: str
    table: Table
    blocks: tuple[Block, ...]
    partitions: tuple[Partition, ...]
    director: Viewpoint
    camera: Viewpoint
    picture: Picture
    request: Request

    def viewpoint(self, view: ViewName) -> Viewpoint:
        """Return the camera for ``model`` and the director's eye for ``director``."""
        return self.camera if view == "model" else self.director

    def block(self, digit: int) -> Block:
        """Return the block that carries `digit`.

        Raises:
            KeyError: No block carries it.
        """
        for block in self.blocks:
            if block.digit == digit:
                return block
        raise KeyError(digit)

    @property
    def digits(self) -> tuple[int, ...]:
        """The digits in the order of the blocks."""
        return tuple(block.digit for block in self.blocks)
