"""Does a candidate satisfy every demand? The cheap questions come first.

A refusal is named by the problem code that a scene check would give (INTERFACES), or
by one of four codes of the family's own: what is demanded beyond a flawless scene.
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Literal, NamedTuple

from director_gui.families import quick
from director_gui.families.draw import Candidate
from director_gui.families.model import Demands, Family
from director_gui.geometry.legible import legibility_of
from director_gui.geometry.problems import SIZE_STEP, Code, problems_of
from director_gui.geometry.robust import find_break
from director_gui.geometry.truth import Truth, truth_of
from director_gui.geometry.visibility import Sight
from director_gui.scene.model import Block, Scene

Reason = Literal[
    Code,
    "hidden_block_seen",
    "another_block_hidden",
    "director_sees_too_little",
    "model_sees_too_little",
]
# Reason -> the constraint behind it, by its place in the family file; in the order in
# which candidates are asked.
BLAME: dict[Reason, str] = {
    "sizes_too_close": "blocks.ratio",
    "off_table": "blocks.x, blocks.y, the partitions' places or table",
    "overlap": "blocks.gap, blocks.x, blocks.y or blocks.largest",
    "partition_cuts_block": "blocks.gap or the partitions' places",
    "cut_by_frame": "camera, director or blocks.x, blocks.y",
    "out_of_frame": "camera, director or blocks.x, blocks.y",
    "director_out_of_picture": "director.eye or camera",
    "hidden_block_seen": "the partitions' width, height or place",
    "not_legible": "blocks.largest, blocks.ratio, blocks.yaw or camera",
    "another_block_hidden": "the partitions' width, height or place",
    "director_sees_too_little": "demands.director_sees or the blocks' places",
    "model_sees_too_little": "demands.model_sees or the blocks' places",
    "key_fragile": "the partitions' width and height",
    "ambiguous": "the partitions' width, height or place",
    "no_hidden_block": "the partitions' width, height or place",
    "several_hidden_blocks": "the partitions' width or height",
    "apparent_size_confound": "demands.confounds",
    "witnesses_disagree": "the two witnesses of visibility",
}
_COARSE = 8  # every so many pixels of the grid, both ways
_DOUBT = 0.1  # how far a coarse fraction may be off the exact one


class Verdict(NamedTuple):
    """What is thought of a candidate.

    Attributes:
        reason: Why it is refused, None when it satisfies every demand.
        truth: What is true of it; None when it was refused before that was asked.
    """

    reason: Reason | None
    truth: Truth | None


def judge(family: Family, drawn: Candidate) -> Verdict:
    """Return whether a candidate satisfies every demand of its family."""
    reason = _at_a_glance(family, drawn) or _coarse(family, drawn)
    if reason is not None:
        return Verdict(reason, None)
    truth = truth_of(drawn.scene)
    return Verdict(_exact(family.demands, drawn, truth), truth)


def _at_a_glance(family: Family, drawn: Candidate) -> Reason | None:
    scene = drawn.scene
    edges = sorted(block.edge for block in scene.blocks)
    if any(b < a * SIZE_STEP - 1e-9 for a, b in pairwise(edges)):
        return "sizes_too_close"
    prints = quick.footprints(scene)
    if quick.off_table(scene, prints):
        return "off_table"
    pair = quick.crowded(prints, family.blocks.gap)
    if pair is not None:
        blocks = len(scene.blocks)
        mixed = pair[0] < blocks <= pair[1]
        return "partition_cuts_block" if mixed else "overlap"
    views = (scene.camera, scene.director)
    if any(quick.steep(view) or quick.outside(scene, view) for view in views):
        return "cut_by_frame"
    if quick.headless(scene):
        return "director_out_of_picture"
    return "hidden_block_seen" if quick.corner_in_sight(drawn, moved=False) else None


def _coarse(family: Family, drawn: Candidate) -> Reason | None:
    """Refuse what is far from what is demanded, at a fraction of the exact cost."""
    # Before the coarse look, because it is ten times cheaper.
    if not all(_legible(drawn.scene, block) for block in drawn.scene.blocks):
        return "not_legible"
    truth = truth_of(drawn.scene, _COARSE)
    # With room for doubt: a coarse look may refuse only what is far off.
    reason = _unseen(family.demands, drawn, truth, _DOUBT)
    if reason is None and quick.corner_in_sight(drawn, moved=True):
        return "key_fragile"
    return reason


def _legible(scene: Scene, block: Block) -> bool:
    found = legibility_of(scene, block)
    return found is not None and found.ok


def _unseen(
    demands: Demands, drawn: Candidate, truth: Truth, doubt: float = 0.0
) -> Reason | None:
    director = truth.sights["director"]
    seen = {d: sight for d, sight in director.items() if d != drawn.hidden}
    if any(sight.visible_px == 0 for sight in seen.values()):
        return "another_block_hidden"
    if _below(seen, demands.director_sees - doubt):
        return "director_sees_too_little"
    if _below(truth.sights["model"], demands.model_sees - doubt):
        return "model_sees_too_little"
    return None


def _below(sights: Mapping[int, Sight], least: float) -> bool:
    return any(s.fraction is None or s.fraction < least for s in sights.values())


def _exact(demands: Demands, drawn: Candidate, truth: Truth) -> Reason | None:
    scene = drawn.scene
    # Exactly nothing: one pixel in sight is a block in sight.
    if truth.sights["director"][drawn.hidden].visible_px:
        return "hidden_block_seen"
    reason = _unseen(demands, drawn, truth)
    if reason is not None:
        return reason
    for problem in problems_of(scene, truth, robust=False):
        if problem.blocks_stimulus or _unwanted(demands, problem.code):
            return problem.code
    return "key_fragile" if find_break(scene, truth) else None


def _unwanted(demands: Demands, code: Code) -> bool:
    return code == "apparent_size_confound" and demands.confounds == "avoid"
