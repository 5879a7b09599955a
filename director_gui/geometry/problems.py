"""What is wrong with a scene as a stimulus: every code but the witnesses' own.

A scene with problems loads and can be edited. The sampler and `run` refuse those
that block a stimulus; an apparent-size confound is flagged and kept (METHOD §2).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from director_gui.geometry.boxes import box_of, solids_of
from director_gui.geometry.camera import basis_of, picture_point
from director_gui.geometry.footprint import ROUNDING, overhang, overlaps
from director_gui.geometry.legible import MIN_HEIGHT, MIN_SCALED, legibility_of
from director_gui.geometry.robust import find_break
from director_gui.geometry.truth import CUT_FROM, SEES_FROM, State, Truth
from director_gui.geometry.words import and_list, percent, who
from director_gui.scene.looks import HEAD_RADIUS
from director_gui.scene.model import VIEWS, Block, Point, Scene

Code = Literal[
    "overlap",
    "off_table",
    "partition_cuts_block",
    "ambiguous",
    "cut_by_frame",
    "out_of_frame",
    "not_legible",
    "sizes_too_close",
    "witnesses_disagree",
    "apparent_size_confound",
    "director_out_of_picture",
    "no_hidden_block",
    "several_hidden_blocks",
    "key_fragile",
]
SIZE_STEP = 1.15  # each edge at least this many times the next smaller one
_KEPT: frozenset[Code] = frozenset({"apparent_size_confound"})


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a scene.

    Attributes:
        code: One of INTERFACES' problem codes.
        message: What is wrong, with numbers and units, and what to do.
        where: The path of the value in the scene file, such as ``blocks[0]``.
        digits: The digits of the blocks concerned.
    """

    code: Code
    message: str
    where: str
    digits: tuple[int, ...] = ()

    @property
    def blocks_stimulus(self) -> bool:
        """Whether the sampler and `run` refuse the scene for it."""
        return self.code not in _KEPT


def problems_of(
    scene: Scene, truth: Truth, *, robust: bool = True
) -> tuple[Problem, ...]:
    """Return the problems of a scene, in the order of INTERFACES' codes.

    Args:
        scene: The scene.
        truth: What is true of it (`truth.truth_of`).
        robust: Also try 14 moves of the director's eye (`key_fragile`), which takes
            longer than all else; a live readout leaves it out.
    """
    # Last because it is the slowest, and so that a quick answer is its beginning.
    checks = (*_CHECKS, _fragile) if robust else _CHECKS
    return tuple(problem for check in checks for problem in check(scene, truth))


def _overlaps(scene: Scene, _truth: Truth) -> Iterator[Problem]:
    # Pairs come with the smaller number first, and blocks before partitions.
    blocks = len(scene.blocks)
    for i, j, depth in overlaps(scene):
        apart = f"by {depth * 1000:.1f} mm; move them apart"
        if j < blocks:
            digits = (scene.blocks[i].digit, scene.blocks[j].digit)
            text = f"blocks {digits[0]} and {digits[1]} overlap {apart}"
            yield Problem("overlap", text, f"blocks[{j}]", digits)
        elif i < blocks:
            digit = scene.blocks[i].digit
            text = f"a partition cuts into block {digit} {apart}"
            where = f"partitions[{j - blocks}]"
            yield Problem("partition_cuts_block", text, where, (digit,))
        else:
            where = f"partitions[{j - blocks}]"
            yield Problem("overlap", f"two partitions overlap {apart}", where)


def _off_table(scene: Scene, _truth: Truth) -> Iterator[Problem]:
    for i, item in enumerate(solids_of(scene)):
        over = overhang(scene, box_of(item))
        if over <= ROUNDING:
            continue
        if isinstance(item, Block):
            name, where = f"block {item.digit}", f"blocks[{i}]"
            digits: tuple[int, ...] = (item.digit,)
        else:
            name, where = "a partition", f"partitions[{i - len(scene.blocks)}]"
            digits = ()
        text = (
            f"{name} reaches {over * 1000:.1f} mm over the table's edge; move it in "
            f"or enlarge the table"
        )
        yield Problem("off_table", text, where, digits)


def _sight(scene: Scene, truth: Truth) -> Iterator[Problem]:
    for view in VIEWS:
        for i, block in enumerate(scene.blocks):
            sight = truth.sights[view][block.digit]
            found = _VERDICTS.get(truth.states[view][block.digit])
            if found is not None:
                text = found[1].format(
                    who=who(view),
                    digit=block.digit,
                    seen=percent(sight.fraction),
                    outside=percent(sight.outside),
                    least=percent(SEES_FROM),
                    most=percent(CUT_FROM),
                )
                yield Problem(found[0], text, f"blocks[{i}]", (block.digit,))


_VERDICTS: dict[State, tuple[Code, str]] = {
    "ambiguous": (
        "ambiguous",
        (
            "{who} has {seen} of block {digit} in sight, which is neither nothing nor "
            "enough; hide it wholly or show at least {least}"
        ),
    ),
    "cut": (
        "cut_by_frame",
        (
            "the edge of {who}'s picture cuts {outside} off block {digit}, more than "
            "{most}; move the block or turn the view"
        ),
    ),
    "out_of_frame": (
        "out_of_frame",
        "block {digit} is not in {who}'s picture; move the block or turn the view",
    ),
}


def _legible(scene: Scene, truth: Truth) -> Iterator[Problem]:
    for i, block in enumerate(scene.blocks):
        if truth.states["model"][block.digit] == "out_of_frame":
            continue  # said already
        best = legibility_of(scene, block)
        if best is None:
            text = (
                f"no face of block {block.digit} shows its digit to the model (within "
                f"65°, inside the picture, nothing in front); turn or move the block"
            )
        elif not best.ok:
            text = (
                f"the digit of block {block.digit} is {best.height:.1f} px high at "
                f"768 px and {best.scaled:.1f} px at 512 px wide, below "
                f"{MIN_HEIGHT:g} or {MIN_SCALED:g} px; bring the block closer or make "
                f"it larger"
            )
        else:
            continue
        yield Problem("not_legible", text, f"blocks[{i}]", (block.digit,))


def _sizes(scene: Scene, _truth: Truth) -> Iterator[Problem]:
    ordered = sorted(enumerate(scene.blocks), key=lambda pair: pair[1].edge)
    for (_, small), (i, large) in pairwise(ordered):
        ratio = large.edge / small.edge
        # 0.115 / 0.1 is a hair off 1.15 in binary; that is no reason to refuse.
        if ratio < SIZE_STEP - 1e-9:
            text = (
                f"block {large.digit} ({large.edge * 1000:.1f} mm) is only "
                f"{ratio - 1:.1%} larger than block {small.digit} "
                f"({small.edge * 1000:.1f} mm); make it at least 15 % larger"
            )
            digits = (large.digit, small.digit)
            yield Problem("sizes_too_close", text, f"blocks[{i}].edge", digits)


def _confound(scene: Scene, truth: Truth) -> Iterator[Problem]:
    digit = truth.key.director_view
    if not truth.confound or digit is None:
        return
    extreme = scene.request.extreme
    sight = truth.sights["director"][digit]
    text = (
        f"block {digit} is the {extreme} that the director sees, but another looks "
        f"{'larger' if extreme == 'largest' else 'smaller'} from there "
        f"({sight.visible_area:.2%} of the picture is block {digit}); the scene can "
        f"be left out of a re-analysis"
    )
    where = f"blocks[{scene.digits.index(digit)}]"
    yield Problem("apparent_size_confound", text, where, (digit,))


def _head(scene: Scene, _truth: Truth) -> Iterator[Problem]:
    if not all(_inside(scene, point) for point in _head_points(scene)):
        text = (
            "the director's head is not wholly inside the model's picture; move the "
            "director or turn the camera"
        )
        yield Problem("director_out_of_picture", text, "director.eye")


def _head_points(scene: Scene) -> Iterator[Point]:
    x, y, z = scene.director.eye
    camera = basis_of(scene.camera)
    # Four points in the picture's own directions bound the head there.
    for axis in (camera.right, camera.up):
        for r in (-HEAD_RADIUS, HEAD_RADIUS):
            yield (x + r * axis[0], y + r * axis[1], z + r * axis[2])


def _inside(scene: Scene, point: Point) -> bool:
    spot = picture_point(scene.camera, scene.picture.aspect, point)
    return spot is not None and all(0 <= a <= 1 for a in spot)


def _hidden(_scene: Scene, truth: Truth) -> Iterator[Problem]:
    hidden = truth.in_state("director", "hidden")
    if not hidden:
        text = "no block is hidden from the director; hide one behind a partition"
        yield Problem("no_hidden_block", text, "director")
    if len(hidden) > 1:
        text = (
            f"blocks {and_list(hidden)} are all hidden from the director; hide only one"
        )
        yield Problem("several_hidden_blocks", text, "director", hidden)


def _fragile(scene: Scene, truth: Truth) -> Iterator[Problem]:
    found = find_break(scene, truth)
    if found is None:
        return
    x, y, z = (f"{1000 * a:+.0f}" for a in found.move)
    text = (
        f"the answers change when the director's eye moves by ({x}, {y}, {z}) mm: "
        f"then {_answers(found.key.hidden, found.key.director_view, found.sees)}; "
        f"make the partition larger or move it closer to the hidden block"
    )
    seen, hidden = set(truth.sees["director"]), {truth.key.hidden}
    changed = (seen ^ set(found.sees)) | (hidden ^ {found.key.hidden})
    digits = tuple(digit for digit in sorted(scene.digits) if digit in changed)
    yield Problem("key_fragile", text, "director.eye", digits)


def _answers(hidden: int | None, view: int | None, sees: tuple[int, ...]) -> str:
    gone = "no single block" if hidden is None else f"block {hidden}"
    asked = "no block" if view is None else f"block {view}"
    return (
        f"{gone} is hidden, the director sees {and_list(sees)}, and {asked} fits "
        f"the request"
    )


_Check = Callable[[Scene, Truth], Iterator[Problem]]
_CHECKS: tuple[_Check, ...] = (
    _overlaps,
    _off_table,
    _sight,
    _legible,
    _sizes,
    _confound,
    _head,
    _hidden,
)
