"""What stands around the blocks: the table, its legs, the floor, the backdrop."""

from functools import lru_cache

import numpy as np

from director_gui.render import light
from director_gui.render.mesh import (
    Floats,
    Mesh,
    box,
    grid_triangles,
    join,
    painted,
)
from director_gui.scene.model import Table

THICKNESS = 0.034  # m, of the table top
FLOOR = -0.72  # m, below the table top
_LEG = 0.055  # m
_WOOD = np.array([0.845, 0.715, 0.555], np.float32)
_FLOOR_COLOR = np.array([0.845, 0.855, 0.87], np.float32)
_WALL_COLOR = np.array([0.955, 0.96, 0.967], np.float32)
_FAR = 36.0  # m: radius of the backdrop, beyond every camera
_TEXEL = 0.00125  # m of wood per pixel, on tables of usual size
# On larger tables; baking takes time by the texel.
_MOST_TEXELS = 1400


@lru_cache(maxsize=2)
def room(table: Table) -> Mesh:
    """Return everything of the room that never moves, with its light."""
    return join([backdrop(), floor(table), *_slab_sides(table), *_legs(table)])


def table_top(table: Table) -> Mesh:
    """Return the table's top, white, for a texture of wood and light."""
    half = np.array([table.width, table.depth]) / 2
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]])
    points = np.zeros((4, 3), np.float32)
    points[:, :2] = corners * half
    return Mesh(
        points=points,
        normals=np.tile(np.array([0, 0, 1], np.float32), (4, 1)),
        colors=np.ones((4, 3), np.float32),
        triangles=grid_triangles(2, 2),
        uv=((corners + 1) / 2).astype(np.float32),
    )


@lru_cache(maxsize=2)
def wood(table: Table) -> Floats:
    """Return the table top's colour, (rows, columns, 3); the first row is the far edge.

    Boards run along the table with a calm grain; the same table has the same wood.
    """
    columns, rows = _texels(table)
    x = (np.arange(columns, dtype=np.float32) + 0.5) / columns * table.width
    y = (0.5 - (np.arange(rows, dtype=np.float32) + 0.5) / rows) * table.depth
    boards = np.floor((y + table.depth / 2) / _board_depth(table)).astype(np.int64)
    # A seed of its own: the wood must not depend on the scene's.
    noise = _Noise(11)
    shift = noise.at(boards * 7.31 + 0.5, np.zeros(1))[:, 0] * 9.0
    along = x[None, :] * 1.0 + shift[:, None]
    wave = noise.at_points(along * 1.7, y[:, None] * 9.0 + shift[:, None]) - 0.5
    # Stretched along the board, as grain is.
    streak = noise.at_points(along * 2.2, (y[:, None] + wave * 0.016) * 95.0) - 0.5
    fine = noise.at_points(along * 9.0, (y[:, None] + wave * 0.016) * 420.0) - 0.5
    tone = noise.at(boards * 3.77 + 0.25, np.ones(1))[:, 0] - 0.5
    value = 1 + 0.05 * wave + 0.06 * streak + 0.035 * fine + 0.055 * tone[:, None]
    value *= _seams(y, table)[:, None]
    warm = np.array([0.35, 0.0, -0.35], np.float32) * (streak * 0.08)[..., None]
    found: Floats = np.clip(_WOOD * value[..., None] * (1 + warm), 0, 1)
    return found.astype(np.float32)


def floor(table: Table) -> Mesh:
    """Return the floor with the table's soft shadow on it, fading into the backdrop."""
    x, y = (_spread(side / 2) for side in (table.width, table.depth))
    across, away = np.meshgrid(x, y)
    points = np.stack([across, away, np.full_like(across, FLOOR)], -1).reshape(-1, 3)
    # Shifted away from the key light.
    shade = _under(across - 0.12, table.width / 2) * _under(away, table.depth / 2)
    fade = np.clip((np.hypot(across, away) - 1.5) / 7.0, 0, 1).ravel()[:, None]
    smooth = fade * fade * (3 - 2 * fade)
    colors = _FLOOR_COLOR * (1 - 0.24 * shade.ravel()[:, None]) * (1 - smooth)
    return Mesh(
        points=points.astype(np.float32),
        normals=np.tile(np.array([0, 0, 1], np.float32), (len(points), 1)),
        colors=(colors + _horizon() * smooth).astype(np.float32),
        triangles=grid_triangles(*across.shape),
    )


def backdrop() -> Mesh:
    """Return the wall all around: the floor's far colour rising to near white."""
    around = np.linspace(0, 2 * np.pi, 33)
    rise = np.concatenate([np.linspace(0, 0.6, 13), [0.9, 1.2, np.pi / 2]])
    azimuth, height = np.meshgrid(around, rise)
    points = np.stack(
        [
            _FAR * np.cos(height) * np.sin(azimuth),
            _FAR * np.cos(height) * np.cos(azimuth),
            _FAR * np.sin(height) + FLOOR,
        ],
        -1,
    ).reshape(-1, 3)
    share = np.clip(height.ravel() / 0.45, 0, 1)[:, None]
    smooth = share * share * (3 - 2 * share)
    colors = _horizon() * (1 - smooth) + _WALL_COLOR * smooth
    return Mesh(
        points=points.astype(np.float32),
        normals=(-points / _FAR).astype(np.float32),
        colors=colors.astype(np.float32),
        triangles=grid_triangles(*azimuth.shape),
    )


def _horizon() -> Floats:
    return (_FLOOR_COLOR * 0.35 + _WALL_COLOR * 0.65).astype(np.float32)


def _slab_sides(table: Table) -> list[Mesh]:
    slab = box(
        # A hair below the top, or the two would fight for each pixel.
        (table.width, table.depth, THICKNESS),
        (0.0, 0.0, -THICKNESS / 2 - 0.0004),
    )
    shade = light.fill(slab.normals) + light.key(slab.normals)
    lower = np.clip(-slab.points[:, 2:] / THICKNESS, 0, 1)
    return [painted(slab, _WOOD * 0.93 * shade * (1.0 - 0.22 * lower**2))]


def _legs(table: Table) -> list[Mesh]:
    height = -FLOOR - THICKNESS
    inset = np.array([table.width, table.depth]) / 2 - 0.09
    legs = []
    for sx in (-1, 1):
        for sy in (-1, 1):
            at = (sx * float(inset[0]), sy * float(inset[1]), FLOOR + height / 2)
            leg = box((_LEG, _LEG, height), at)
            dark = np.clip((leg.points[:, 2:] - FLOOR) / height, 0, 1)
            shade = light.fill(leg.normals) * (0.95 - 0.40 * dark)
            legs.append(painted(leg, _WOOD * 0.9 * shade))
    return legs


def _under(distance: Floats, half: float) -> Floats:
    """Return the shadow under a strip of half width `half`, 1 in its middle, soft."""
    share: Floats = np.clip((half + 0.30 - np.abs(distance)) / 0.60, 0, 1)
    return share * share * (3 - 2 * share)


def _spread(half: float) -> Floats:
    """Return floor coordinates: dense around the table, wide apart further out."""
    near = np.linspace(-half - 0.6, half + 0.6, 19)
    out = half + 0.6 + np.geomspace(0.3, _FAR, 9)
    return np.concatenate([-out[::-1], near, out])


def _texels(table: Table) -> tuple[int, int]:
    step = max(_TEXEL, max(table.width, table.depth) / _MOST_TEXELS)
    return max(8, round(table.width / step)), max(8, round(table.depth / step))


def _board_depth(table: Table) -> float:
    # Whole boards of about 20 cm.
    return table.depth / max(1, round(table.depth / 0.20))


def _seams(y: Floats, table: Table) -> Floats:
    """Return the factor per row that draws thin dark lines between the boards."""
    board = _board_depth(table)
    at = (y + table.depth / 2) / board
    distance = np.abs(at - np.round(at)) * board
    # The table's own edges are no seams.
    inner = (at > 0.5) & (at < table.depth / board - 0.5)
    line: Floats = np.clip(1 - distance / 0.0022, 0, 1) * inner
    return (1 - 0.22 * line).astype(np.float32)


class _Noise:
    """Smooth noise from 0 to 1 on a lattice of seeded random numbers."""

    def __init__(self, seed: int) -> None:
        # Named, as numpy's default generator may become another.
        generator = np.random.Generator(np.random.PCG64(seed))
        self._lattice = generator.random((256, 256)).astype(np.float32)

    def at(self, x: Floats, y: Floats) -> Floats:
        """Return the noise on the grid of `x` by `y`, (len(x), len(y))."""
        return self.at_points(x[:, None], y[None, :])

    def at_points(self, x: Floats, y: Floats) -> Floats:
        """Return the noise at points; `x` and `y` broadcast."""
        x, y = np.broadcast_arrays(x, y)
        left, low = np.floor(x), np.floor(y)
        fx, fy = (x - left).astype(np.float32), (y - low).astype(np.float32)
        # Straight blending would show the lattice as creases.
        fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
        # Wraps round: a large table repeats the lattice rather than ends it.
        i, j = left.astype(np.int64) & 255, low.astype(np.int64) & 255
        grid, i2, j2 = self._lattice, (i + 1) & 255, (j + 1) & 255
        lower = grid[i, j] * (1 - fx) + grid[i2, j] * fx
        upper = grid[i, j2] * (1 - fx) + grid[i2, j2] * fx
        found: Floats = lower * (1 - fy) + upper * fy
        return found
