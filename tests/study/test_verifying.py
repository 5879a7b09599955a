"""A set checked again: planted faults of the generator and of the files are caught."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from director_gui.families.library import built_in, family
from director_gui.families.plan import plan_of
from director_gui.families.reading import read_family
from director_gui.families.writing import changed
from director_gui.geometry import boxes, camera, visibility
from director_gui.geometry.boxes import Box
from director_gui.geometry.camera import Basis
from director_gui.geometry.visibility import sights_of
from director_gui.ids import Json, sha256_hex
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import Still
from director_gui.scene.model import VIEWS, Block, Partition, Scene, ViewName, Viewpoint
from director_gui.scene.serialize import canonical_bytes, read_scene
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study
from director_gui.study.checking import DepthSights, DepthWitness
from director_gui.study.set_tallies import every_scene
from director_gui.study.sets import Recipe, make_set
from director_gui.study.stimulus_work import Picture, make_scene
from director_gui.study.verifying import Stored, Verified, verify_scene, verify_study

pytestmark = pytest.mark.render

MAIN = replace(family("two-partitions"), count=24)
STILL = Still(np.zeros((4, 4, 3), np.uint8), "none")
PICTURE = Picture(STILL.png, STILL.pixels_sha256, "none", 4, 4)


@pytest.fixture(scope="module")
def depth() -> Iterator[DepthWitness]:
    with DepthWindow() as window:
        yield lambda data: depth_fractions(data, window)


def echo(data: bytes) -> DepthSights:
    """A second witness that repeats the first, faults and all."""
    scene = read_scene(data)
    return {view: sights_of(scene, view) for view in VIEWS}


def made_blindly() -> list[Stored]:
    """A set as a generator makes it that never asks another witness."""
    return [
        Stored("main", made.canonical, made.facts, {})
        for made in (
            make_scene(MAIN, job, echo, lambda _scene, _view: PICTURE)
            for job in enumerate(plan_of(MAIN))
        )
    ]


@cache
def sound() -> list[Stored]:
    return made_blindly()


def verified(job: Stored, depth: DepthWitness) -> Verified:
    return verify_scene(job, depth, lambda _scene, _view: STILL)


def mismatches(jobs: list[Stored], depth: DepthWitness) -> list[Json]:
    return [item for job in jobs for item in verified(job, depth).mismatches]


def test_a_sound_generator_passes(depth: DepthWitness) -> None:
    assert mismatches(sound(), depth) == []


_BOX, _BASIS = boxes.box_of, camera.basis_of


def _yaw_flipped(item: Block | Partition) -> Box:
    return _BOX(replace(item, yaw=-item.yaw))


def _partition_off(item: Block | Partition) -> Box:
    box = _BOX(item)
    if isinstance(item, Block):
        return box
    x, y, z = box.center
    return replace(box, center=(x + 0.005, y, z))


def _eye_off(viewpoint: Viewpoint) -> Basis:
    x, y, z = viewpoint.eye
    return _BASIS(replace(viewpoint, eye=(x + 0.01, y, z)))


FAULTS: list[tuple[object, str, Callable[..., object]]] = [
    (boxes, "box_of", _yaw_flipped),
    (boxes, "box_of", _partition_off),
    (visibility, "basis_of", _eye_off),
]


@pytest.mark.parametrize(("module", "name", "fault"), FAULTS)
def test_a_broken_generator_is_caught(
    module: object, name: str, fault: Callable[..., object], depth: DepthWitness
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, fault)
        jobs = made_blindly()
    found = mismatches(jobs, depth)
    assert found
    for item in found:
        assert set(item) == {"set", "scene", "block", "view", "analytic", "depth"}
        assert item["scene"].startswith("two-partitions-")
        assert item["view"] in VIEWS
        assert item["analytic"] != item["depth"]


@pytest.mark.parametrize(("module", "name", "fault"), FAULTS)
def test_a_generator_that_asks_stores_no_broken_scene(
    module: object, name: str, fault: Callable[..., object], depth: DepthWitness
) -> None:
    few = [*enumerate(plan_of(MAIN))][:5]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, fault)
        patch.setattr("director_gui.study.stimulus_work.MOST_QUARRELS", 500)
        made = [make_scene(MAIN, job, depth, lambda *_: PICTURE) for job in few]
    jobs = [Stored("main", one.canonical, one.facts, {}) for one in made]
    assert mismatches(jobs, depth) == []
    if fault is _yaw_flipped:
        assert sum(one.rejected.get("witnesses_disagree", 0) for one in made) > 0
        assert any(one.facts["disagreements"] for one in made)


def _moved(job: Stored, change: Callable[[Scene], Scene]) -> Stored:
    scene = change(read_scene(job.canonical))
    return replace(job, canonical=canonical_bytes(scene))


def test_a_scene_that_was_changed_afterwards_is_caught(depth: DepthWitness) -> None:
    def shift(scene: Scene) -> Scene:
        boards = tuple(replace(p, x=p.x + 0.2) for p in scene.partitions)
        return replace(scene, partitions=boards)

    found = verified(_moved(sound()[0], shift), depth).mismatches
    hidden = sound()[0].facts["key"]["hidden"]
    assert any(f["block"] == hidden and f["view"] == "director" for f in found)


def test_a_key_that_was_changed_afterwards_is_caught(depth: DepthWitness) -> None:
    job = sound()[0]
    wrong = job.facts["key"]["director_view"]
    facts = {**job.facts, "key": {**job.facts["key"], "hidden": wrong}}
    found = verified(replace(job, facts=facts), depth).mismatches
    assert {f["block"] for f in found} == {wrong, job.facts["key"]["hidden"]}


def changed_things(job: Stored, depth: DepthWitness) -> dict[str, tuple[Json, Json]]:
    found = verified(job, depth).changes
    assert {item["scene"] for item in found} <= {read_scene(job.canonical).name}
    return {item["what"]: (item["stored"], item["found"]) for item in found}


def whole(job: Stored) -> Stored:
    """The scene with its pictures and its hash, as a study holds it."""
    shown = dict.fromkeys(VIEWS, (STILL.png, "none"))
    return replace(job, pictures=shown, hash=sha256_hex(job.canonical))


def test_a_sound_scene_is_all_that_it_was(depth: DepthWitness) -> None:
    for job in sound()[:4]:
        assert verified(whole(job), depth).changes == []


@pytest.mark.parametrize("role", ["director_view", "model_view"])
def test_any_part_of_a_key_that_was_changed_is_named(
    role: str, depth: DepthWitness
) -> None:
    job = whole(sound()[0])
    key = job.facts["key"]
    digits = read_scene(job.canonical).digits
    wrong = next(digit for digit in digits if digit not in key.values())
    facts = {**job.facts, "key": {**key, role: wrong}}
    found = changed_things(replace(job, facts=facts), depth)
    assert found == {f"key.{role}": (wrong, key[role])}


def test_a_report_key_and_a_flag_that_were_changed_are_named(
    depth: DepthWitness,
) -> None:
    job = whole(sound()[0])
    sees, sizes = job.facts["sees"], job.facts["apparent_size"]
    facts = {
        **job.facts,
        "sees": {**sees, "director": sees["director"][:1]},
        "apparent_size": {**sizes, "confound": not sizes["confound"]},
    }
    found = changed_things(replace(job, facts=facts), depth)
    assert set(found) == {"sees.director", "apparent_size.confound"}


def test_a_block_moved_by_5_mm_is_named_with_the_view(depth: DepthWitness) -> None:
    job = whole(sound()[0])
    seen = job.facts["key"]["director_view"]

    def shift(scene: Scene) -> Scene:
        moved = (
            replace(b, y=b.y + 0.005) if b.digit == seen else b for b in scene.blocks
        )
        return replace(scene, blocks=tuple(moved))

    found = changed_things(_moved(job, shift), depth)
    assert {"scene", f"apparent_size.director.{seen}"} <= set(found)


def test_two_visible_blocks_with_swapped_digits_are_caught(
    depth: DepthWitness,
) -> None:
    job = whole(next(j for j in sound() if len(read_scene(j.canonical).blocks) > 2))
    hidden = job.facts["key"]["hidden"]

    def swap(scene: Scene) -> Scene:
        a, b = [d for d in scene.digits if d != hidden][:2]
        turned = {a: b, b: a}
        blocks = (replace(x, digit=turned.get(x.digit, x.digit)) for x in scene.blocks)
        return replace(scene, blocks=tuple(blocks))

    job = _moved(job, swap)
    found = changed_things(replace(job, hash=sha256_hex(job.canonical)), depth)
    assert any(what.startswith("apparent_size.") for what in found)


def test_one_pixel_and_a_broken_or_missing_picture_are_named() -> None:
    job = whole(sound()[0])
    pixels = STILL.pixels.copy()
    pixels[1, 2, 0] ^= 1
    one = (replace(STILL, pixels=pixels).png, "none")
    for shown in (one, (STILL.png[:40], "none"), (b"", ""), None):
        pictures = {**job.pictures}
        del pictures["director"]
        if shown is not None:
            pictures["director"] = shown
        seen = verify_scene(
            replace(job, pictures=pictures), echo, lambda _scene, _view: STILL
        )
        assert [item["what"] for item in seen.changes] == ["picture.director"]
        assert seen.changes[0]["found"] == STILL.pixels_sha256
        said = seen.changes[0]["stored"]
        assert said == {one: said, None: None}.get(shown, "damaged")
        assert not seen.identical
        assert seen.same_renderer


@pytest.mark.parametrize("facts", [{}, [], {"key": 3, "witnesses": {"analytic": "x"}}])
def test_facts_that_are_junk_are_no_crash(facts: Json, depth: DepthWitness) -> None:
    found = verified(replace(whole(sound()[0]), facts=facts), depth)
    assert found.mismatches
    assert {item["what"] for item in found.changes} >= {"key.hidden", "sees.model"}


def test_a_scene_that_cannot_be_read_is_named_and_the_others_are_looked_at(
    study: Study,
) -> None:
    made = make_set(study, _tiny("mine", count=2), workers=1)
    first = next(every_scene(study, made.id)).scene
    with study.write() as db:
        db.execute("UPDATE scenes SET json = ? WHERE hash = ?", (b'{"a": 1}', first))
    found = verify_study(study, workers=1)
    assert (found.scenes, found.pixels_identical) == (2, 1)
    (change,) = found.changes
    assert (change["scene"], change["what"]) == ("mine-0001", "scene")
    assert "format" in change["found"]
    assert not found.holds


def test_a_scene_that_is_missing_from_a_set_is_named(study: Study) -> None:
    made = make_set(study, _tiny("mine", count=3), workers=1)
    with study.write() as db:
        db.execute(
            'DELETE FROM set_scenes WHERE "set" = ? AND position = 1', (made.id,)
        )
    found = verify_study(study, workers=1)
    assert not found.holds
    assert [(item["scene"], item["what"]) for item in found.changes] == [
        ("scene 2", "missing")
    ]


def test_a_fraction_is_held_to_the_tolerance(depth: DepthWitness) -> None:
    job = sound()[0]
    digit = job.facts["key"]["director_view"]
    model = job.facts["witnesses"]["analytic"]["model"]
    right = model[str(digit)]
    for off, caught in ((0.0005, False), (0.02, True)):
        said = {**job.facts["witnesses"]["analytic"]}
        said["model"] = {**model, str(digit): right - off}
        facts = {**job.facts, "witnesses": {"analytic": said}}
        found = verified(replace(job, facts=facts), depth).mismatches
        assert bool(found) == caught


def _tiny(name: str, **values: object) -> Recipe:
    text = changed(built_in("main").text, "name", name)
    for path, value in {"picture.width": 96, "picture.height": 72, **values}.items():
        text = changed(text, path, value)
    return Recipe(read_family(text.encode()), text)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "v.study", "v") as made:
        yield made


def test_a_rearranged_set_is_the_original_pixel_for_pixel(study: Study) -> None:
    base = _tiny("mine", count=2)
    other = replace(base.family, name="other", rearranges="mine")
    make_set(study, Recipe(other, "", base), workers=1)
    told: list[tuple[int, int]] = []
    found = verify_study(
        study, progress=lambda *numbers: told.append(numbers), workers=1
    )
    assert found.holds
    assert found.to_json() == {
        "scenes": 4,
        "mismatches": [],
        "changes": [],
        "pixels_identical": 4,
        "other_renderer": 0,
    }
    assert told[-1] == (4, 4)
    _paint_over(study)
    again = verify_study(study, workers=1)
    # The scene itself, and the rearranged one, whose original it is.
    assert again.pixels_identical == 2
    assert not again.holds
    # Which of them, and from where: a count alone would leave all four to be searched.
    assert [(item["scene"], item["what"]) for item in again.changes] == [
        ("mine-0001", "picture.model"),
        ("other-0001", "original picture.model"),
    ]


def _paint_over(study: Study) -> None:
    """Put another scene's picture in the place of the first one's."""
    first, second = list(every_scene(study, rows.sets(study)[0].id))
    shown = stored.stimulus(study, second.scene, "model")
    assert shown is not None
    stored.add_stimulus(study, first.scene, "model", shown.image)


def test_another_renderer_is_no_fault() -> None:
    job = sound()[0]
    other = (replace(STILL, pixels=STILL.pixels + 1).png, "another renderer")
    pictures: dict[ViewName, tuple[bytes, str]] = dict.fromkeys(VIEWS, other)
    seen = verify_scene(
        replace(job, pictures=pictures), echo, lambda _scene, _view: STILL
    )
    assert not seen.identical
    assert not seen.same_renderer
