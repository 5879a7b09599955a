"""A family around one scene: ranges that hold it, as a file with comments.

How wide the ranges are is ours: 10 % of a size, 8 cm of a place, 20° of a turn. They
are a beginning that a person widens or narrows.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin

from director_gui.families.model import Rank, Span
from director_gui.families.tallies import rank_of
from director_gui.geometry.problems import SIZE_STEP
from director_gui.geometry.truth import Truth
from director_gui.scene.bounds import SIZE
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint

_PLACE, _TURN, _EYE = 0.08, 20.0, 0.05  # m, degrees, m
_SIZE = 0.1  # share of a size
_NEAR = 1.5  # a partition this many edges off the hidden block is its hider
# Beside the scene's own, so that no colour tells which block is hidden.
_COLORS = ("#c0504d", "#4f81bd", "#7fa14a", "#d99a2b", "#7e62a3", "#3b9c9c")
_COUNT, _SEED = 40, 1


def family_around(scene: Scene, truth: Truth, name: str) -> str:
    """Return the text of a family that could have drawn a scene.

    The block that the director does not see stays the one that is hidden; a partition
    that stands before it goes with it, the others have places of their own.

    Args:
        scene: The scene; the largest block counts as hidden when none or several are.
        truth: What is true of it.
        name: The family's name.
    """
    biggest = max(scene.blocks, key=lambda block: block.edge)
    hidden = scene.block(truth.key.hidden) if truth.key.hidden is not None else biggest
    parts = [
        _head(scene, name),
        _blocks(scene, hidden),
        _hidden(hidden, rank_of(scene, hidden.digit) or "largest"),
        *(_partition(board, hidden, scene.director) for board in scene.partitions),
        _eye("director", scene.director),
        _eye("camera", scene.camera),
        _DEMANDS,
    ]
    return "\n".join(parts)


def _head(scene: Scene, name: str) -> str:
    table, picture, request = scene.table, scene.picture, scene.request
    return f"""\
# A family around one scene. A quantity is a number, which fixes it, or a range
# [least, greatest], from which it is drawn uniformly. Lengths are in metres, angles in
# degrees; x runs to the model’s right, y away from the model, z up.
format = "director-family/1"
name = "{name}"
about = "Scenes like the one that was open."
count = {_COUNT}
seed = {_SEED}

[request]
dimension = "{request.dimension}"
extreme = "{request.extreme}"

[picture]
width = {picture.width}
height = {picture.height}

[table]
width = {_number(table.width)}
depth = {_number(table.depth)}
"""


def _blocks(scene: Scene, hidden: Block) -> str:
    edges = sorted((block.edge for block in scene.blocks), reverse=True)
    # One block alone has no ratio.
    ratios = [a / b for a, b in pairwise(edges)] or [SIZE_STEP]
    ratio = Span(max(SIZE_STEP, min(ratios) - 0.05), max(SIZE_STEP, max(ratios) + 0.05))
    # The hidden block has a place of its own below.
    others = [block for block in scene.blocks if block is not hidden] or [hidden]
    digits = sorted({*range(1, 10), *scene.digits})
    colors = list(dict.fromkeys((*(b.color for b in scene.blocks), *_COLORS)))
    return f"""\
[blocks]
counts = {{ {max(2, len(scene.blocks))} = 1 }}
largest = {_about(edges[0])}  # edge of the largest block
ratio = {_range(ratio)}  # each edge over the next smaller one; 1.15 is the least
x = {_range(_room([b.x for b in others], scene.table.width))}
y = {_range(_room([b.y for b in others], scene.table.depth))}
yaw = {_range(_turns([b.yaw for b in scene.blocks]))}
gap = 0.03  # room between any two things on the table
digit_rule = "draw"  # without replacement, independent of size
digits = {digits}
colors = [{", ".join(f'"{color}"' for color in colors)}]
"""


def _hidden(block: Block, rank: Rank) -> str:
    return f"""\
[hidden]
ranks = {{ {rank} = 1 }}
x = {_range(Span(block.x - _PLACE, block.x + _PLACE))}  # where the hidden block may be
y = {_range(Span(block.y - _PLACE, block.y + _PLACE))}
"""


def _partition(board: Partition, hidden: Block, director: Viewpoint) -> str:
    away = atan2(director.eye[1] - hidden.y, director.eye[0] - hidden.x)
    dx, dy = board.x - hidden.x, board.y - hidden.y
    ahead = dx * cos(away) + dy * sin(away)
    side = -dx * sin(away) + dy * cos(away)
    # Only what stands before the block, and close, is bound to it.
    if ahead > 0 and hypot(dx, dy) < hidden.edge * _NEAR + board.thickness:
        return _hider(board, hidden, away, (ahead, side))
    return f"""\
[[partitions]]
at = "table"  # with a place of its own
x = {_range(Span(board.x - _PLACE / 2, board.x + _PLACE / 2))}
y = {_range(Span(board.y - _PLACE / 2, board.y + _PLACE / 2))}
yaw = {_range(Span(board.yaw - _TURN / 2, board.yaw + _TURN / 2))}
width = {_about(board.width)}
height = {_about(board.height)}
thickness = {_number(board.thickness)}
"""


def _hider(
    board: Partition, hidden: Block, away: float, place: tuple[float, float]
) -> str:
    ahead, side = place
    turn = radians(hidden.yaw) - away
    # Half of what a turned square measures along the line of sight.
    reach = hidden.edge / 2 * (abs(cos(turn)) + abs(sin(turn)))
    gap = max(0.0, ahead - reach - board.thickness / 2)
    # A board turned by 180° is the same board.
    square = (board.yaw - degrees(away) - 90 + 90) % 180 - 90
    return f"""\
[[partitions]]
at = "hidden"  # between the hidden block and the director
gap = {_range(Span(max(0.01, gap - 0.02), max(0.03, gap + 0.02)))}  # between the two
side = {_range(Span(side - 0.02, side + 0.02))}  # to the director’s left or right
turn = {_range(Span(square - 10, square + 10))}  # against facing the director squarely
width = {_about(board.width / hidden.edge)}  # in edges of the hidden block
height = {_about(board.height / hidden.edge)}  # in edges of the hidden block
thickness = {_number(board.thickness)}
"""


def _eye(name: str, view: Viewpoint) -> str:
    x, y, z = view.eye
    spans = (
        Span(x - _EYE, x + _EYE),
        Span(y - _EYE, y + _EYE),
        Span(z - 0.03, z + 0.03),
    )
    eye = ", ".join(map(_range, spans))
    return f"""\
[{name}]
eye = [{eye}]
look_at = {_point(view.look_at)}
fov = {_number(view.fov)}
"""


_DEMANDS = """\
[demands]
director_sees = 0.75  # of each block that is not hidden
model_sees = 0.75  # of every block
confounds = "keep"  # apparent-size confounds are flagged, not refused
"""


def _about(value: float) -> str:
    low = max(SIZE.low, value * (1 - _SIZE))
    return _range(Span(low, value * (1 + _SIZE)))


def _room(values: Sequence[float], size: float) -> Span:
    """Return a range around some places that stays on the table."""
    edge = size / 2
    return Span(max(-edge, min(values) - _PLACE), min(edge, max(values) + _PLACE))


def _turns(values: Sequence[float]) -> Span:
    # A cube looks the same after a quarter turn.
    near = [(value + 45) % 90 - 45 for value in values]
    return Span(max(-45.0, min(near) - _TURN), min(45.0, max(near) + _TURN))


def _range(span: Span) -> str:
    low, high = _number(min(span)), _number(max(span))
    return low if low == high else f"[{low}, {high}]"


def _point(point: Point) -> str:
    return f"[{', '.join(map(_number, point))}]"


def _number(value: float) -> str:
    # + 0.0 turns -0.0 into 0; millimetres are finer than any range needs.
    return f"{round(value, 3) + 0.0:g}"
