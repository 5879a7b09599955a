"""Quick checks and the judge, held against geometry's exact words."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.families import quick
from director_gui.families.draw import Candidate
from director_gui.families.judge import BLAME, judge
from director_gui.families.library import family
from director_gui.families.model import Family, HiderRule, Span
from director_gui.families.plan import Cell, plan_of
from director_gui.families.sampler import accepted, nth_candidate
from director_gui.geometry.boxes import box_of, solids_of
from director_gui.geometry.footprint import overhang, overlaps
from director_gui.geometry.problems import problems_of
from director_gui.geometry.robust import find_break
from director_gui.geometry.truth import truth_of
from tests.strategies import FEW, QUICK

MAIN, TWO = family("main"), family("two-partitions")
CELLS = plan_of(MAIN)
numbers = st.integers(0, 10**6)


def one(chosen: Family, k: int) -> Candidate:
    return nth_candidate(chosen, 0, Cell(3, "largest"), k)


@QUICK
@given(numbers)
def test_quick_footprints_say_what_geometry_says(k: int) -> None:
    scene = one(TWO, k).scene
    prints = quick.footprints(scene)
    assert (quick.crowded(prints, 0.0) is None) == (not overlaps(scene))
    over = max(overhang(scene, box_of(item)) for item in solids_of(scene))
    assert quick.off_table(scene, prints) == (over > 1e-4)


@QUICK
@given(numbers)
def test_a_gap_is_room_all_around(k: int) -> None:
    scene = one(MAIN, k).scene
    if quick.crowded(quick.footprints(scene), 0.04) is None:
        grown = [replace(b, edge=b.edge + 0.039) for b in scene.blocks]
        assert not overlaps(replace(scene, blocks=tuple(grown), partitions=()))


@FEW
@given(numbers)
def test_a_corner_in_sight_is_a_block_in_sight(k: int) -> None:
    found = one(MAIN, k)
    if overlaps(found.scene):
        return
    sight = truth_of(found.scene).sights["director"][found.hidden]
    if quick.corner_in_sight(found, moved=False):
        # A corner that peeps out by less than a pixel shows no pixel.
        assert sight.visible_px > 0 or quick.corner_in_sight(found, moved=True)
    else:
        assert sight.visible_px == 0


def test_what_the_judge_accepts_satisfies_everything() -> None:
    verdicts = [(one(MAIN, k), judge(MAIN, one(MAIN, k))) for k in range(100)]
    good = [found for found, verdict in verdicts if verdict.reason is None]
    assert 1 <= len(good) < 40
    for found in good:
        truth = truth_of(found.scene)
        assert truth.key.hidden == found.hidden
        assert not [p for p in problems_of(found.scene, truth) if p.blocks_stimulus]
        assert find_break(found.scene, truth) is None


def test_what_the_judge_refuses_has_the_fault_it_names() -> None:
    """Every refused candidate fails the exact checks too: none is lost to haste."""
    for k in range(60):
        found = one(MAIN, k)
        reason = judge(MAIN, found).reason
        if reason is None or reason in {"overlap", "partition_cuts_block"}:
            continue  # the family's own gap is wider than geometry's
        truth = truth_of(found.scene)
        sees = [s.fraction or 0 for s in truth.sights["director"].values()]
        faults = {p.code for p in problems_of(found.scene, truth)}
        short = sum(share < 0.75 for share in sees) > 1
        dim = any((s.fraction or 0) < 0.75 for s in truth.sights["model"].values())
        assert faults - {"apparent_size_confound"} or short or dim, reason


def _broken() -> Iterator[tuple[str, Family]]:
    rule = MAIN.partitions[0]
    assert isinstance(rule, HiderRule)
    blocks = MAIN.blocks
    yield "sizes_too_close", replace(MAIN, blocks=replace(blocks, ratio=Span(1, 1.1)))
    yield "off_table", replace(MAIN, blocks=replace(blocks, x=Span(0.68, 0.7)))
    yield "overlap", replace(MAIN, blocks=replace(blocks, x=Span(0, 0), y=Span(0, 0)))
    yield (
        "cut_by_frame",
        replace(MAIN, camera=replace(MAIN.camera, look_at=(Span(5, 5),) * 3)),
    )
    yield (
        "cut_by_frame",
        replace(
            MAIN,
            director=replace(
                MAIN.director,
                eye=(Span(0, 0), Span(0, 0), Span(1, 1)),
                look_at=(Span(0, 0.0001), Span(0, 0), Span(0, 0)),
            ),
        ),
    )
    low = replace(rule, height=Span(0.3, 0.3))
    yield "hidden_block_seen", replace(MAIN, partitions=(low,))
    tiny = replace(blocks, largest=Span(0.05, 0.05))
    yield "not_legible", replace(MAIN, blocks=tiny)
    wide = replace(rule, width=Span(5, 5), height=Span(4, 4))
    yield "another_block_hidden", replace(MAIN, partitions=(wide,))
    tall = replace(MAIN.director, eye=(Span(0, 0), Span(1.1, 1.1), Span(1.6, 1.6)))
    yield "director_out_of_picture", replace(MAIN, director=tall)
    whole = replace(MAIN.demands, director_sees=1.0, model_sees=1.0)
    yield "director_sees_too_little", replace(MAIN, demands=whole)
    avoid = replace(MAIN.demands, confounds="avoid")
    yield "apparent_size_confound", replace(MAIN, demands=avoid)


@pytest.mark.parametrize(("reason", "chosen"), list(_broken()))
def test_each_demand_is_refused_under_its_name(reason: str, chosen: Family) -> None:
    found = {judge(chosen, one(chosen, k)).reason for k in range(250)}
    assert reason in found
    assert found - {None} <= set(BLAME)


def test_a_tight_partition_is_fragile() -> None:
    found = accepted(MAIN, 0, CELLS[0])
    truth = found.truth
    hidden = truth.key.hidden
    assert hidden is not None
    scene = found.scene
    (board,) = scene.partitions
    # Lowered until the block is only just hidden: the key must not be believed.
    for step in range(200):
        lower = replace(board, height=round(board.height - 0.001 * step, 4))
        tight = replace(scene, partitions=(lower,))
        if quick.corner_in_sight(Candidate(tight, hidden), moved=False):
            break
        last = tight
    assert judge(MAIN, Candidate(last, hidden)).reason == "key_fragile"
