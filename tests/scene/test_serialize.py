"""The scene file: what is read comes back, what is wrong is refused by its path."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import (
    MAX_BYTES,
    canonical_bytes,
    file_bytes,
    read_file,
    read_scene,
    scene_hash,
    scene_of,
    value_of,
)
from tests.strategies import QUICK, mutations, scenes

EXAMPLE = value_of(example_scene())


def put(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    changed = copy.deepcopy(EXAMPLE)
    inner: Any = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


def attempt(data: bytes) -> Scene | UserError:
    try:
        return read_scene(data)
    except UserError as error:
        return error


@given(scenes())
@QUICK
def test_a_scene_survives_both_written_forms(scene: Scene) -> None:
    assert read_scene(file_bytes(scene)) == scene
    again = read_scene(canonical_bytes(scene))
    assert again == scene
    assert scene_hash(again) == scene_hash(scene)


@given(mutations(EXAMPLE))
@QUICK
def test_a_mutated_file_loads_or_is_refused_with_a_place(value: dict[str, Any]) -> None:
    outcome = attempt(json.dumps(value).encode())
    if isinstance(outcome, UserError):
        assert outcome.where
        assert str(outcome).encode()
    else:
        assert read_scene(file_bytes(outcome)) == outcome


@given(st.binary(max_size=60))
@QUICK
def test_bytes_of_any_kind_are_refused_and_never_crash(data: bytes) -> None:
    with pytest.raises(UserError):
        read_scene(data)


@given(st.integers(0, len(file_bytes(example_scene())) - 1), st.binary(max_size=3))
@QUICK
def test_a_damaged_file_never_crashes(at: int, patch: bytes) -> None:
    data = file_bytes(example_scene())
    outcome = attempt(data[:at] + patch + data[at + len(patch) :])
    if isinstance(outcome, UserError):
        assert str(outcome).encode()
    else:
        assert read_scene(file_bytes(outcome)) == outcome


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("blocks", 2, "edge"), 0.0099, "blocks[2].edge"),
        (("blocks", 2, "edge"), 2.0001, "blocks[2].edge"),
        (("blocks", 2, "edge"), True, "blocks[2].edge"),
        (("blocks", 2, "edge"), "0.2", "blocks[2].edge"),
        (("blocks", 2, "edge"), None, "blocks[2].edge"),
        (("blocks", 0, "edge"), 10**400, "blocks[0].edge"),
        (("blocks", 0, "digit"), 100, "blocks[0].digit"),
        (("blocks", 0, "digit"), -1, "blocks[0].digit"),
        (("blocks", 0, "digit"), 3.0, "blocks[0].digit"),
        (("blocks", 1, "digit"), 3, "blocks[1].digit"),
        (("blocks", 1, "color"), "red", "blocks[1].color"),
        (("blocks", 1, "color"), "#c0504d\n", "blocks[1].color"),
        (("blocks", 1, "yaw"), 361, "blocks[1].yaw"),
        (("blocks", 1, "weight"), 1, "blocks[1].weight"),
        (("blocks", 1), [], "blocks[1]"),
        (("blocks",), [], "blocks"),
        (("blocks",), {}, "blocks"),
        (("partitions",), None, "partitions"),
        (("partitions",), EXAMPLE["partitions"] * 5, "partitions"),
        (("partitions", 0, "height"), 0, "partitions[0].height"),
        (("director", "eye"), [0, 1], "director.eye"),
        (("director", "eye", 2), "high", "director.eye[2]"),
        (("director", "eye", 2), 10.5, "director.eye[2]"),
        (("director", "look_at"), [0.0, 1.1, 0.5], "director.look_at"),
        (("camera", "look_at"), [0.0, -1.45, 0.0], "camera.look_at"),
        (("camera", "fov"), 4.9, "camera.fov"),
        (("picture", "width"), 63, "picture.width"),
        (("picture", "height"), 8193, "picture.height"),
        (("picture", "height"), 768.0, "picture.height"),
        (("request", "extreme"), "middle", "request.extreme"),
        (("request", "dimension"), "weight", "request.dimension"),
        (("table", "width"), 0, "table.width"),
        (("name",), 7, "name"),
        (("name",), "x" * 201, "name"),
        (("name",), "two\nlines", "name"),
        (("name",), "\ud800", "name"),
        (("format",), "director-scene/2", "format"),
        (("extra",), 1, "extra"),
    ],
)
def test_a_wrong_value_is_refused_by_its_path(
    path: tuple[str | int, ...], value: object, where: str
) -> None:
    with pytest.raises(UserError) as caught:
        scene_of(put(path, value))
    assert caught.value.where == where


@pytest.mark.parametrize("key", [key for key in EXAMPLE if key != "format"])
def test_each_missing_key_is_named(key: str) -> None:
    value = {k: v for k, v in EXAMPLE.items() if k != key}
    with pytest.raises(UserError, match="missing") as caught:
        scene_of(value)
    assert caught.value.where == key


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("blocks", 0, "edge"), 0.01),
        (("blocks", 0, "edge"), 2),
        (("blocks", 0, "digit"), 99),
        (("blocks", 0, "x"), -10),
        (("blocks", 0, "yaw"), -360),
        (("camera", "fov"), 120),
        (("picture", "width"), 8192),
        (
            ("name",),
            "",
        ),
        (("name",), "Größe 9 — 第"),
        (("partitions",), []),
    ],
)
def test_the_ends_of_each_range_load(
    path: tuple[str | int, ...], value: object
) -> None:
    scene_of(put(path, value))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"3",
        b'"text"',
        b"{}",
        b"{",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": NaN}',
        b'{"format": -Infinity}',
        b"9" * 5000,
        b'{"format": "director-scene/1", "format": "director-scene/1"}',
        b"\xff\xfe{\x00}\x00",
        b'{"\\ud800": 1, "format": "director-scene/1"}',
        b" " * (MAX_BYTES + 1),
    ],
)
def test_what_is_no_scene_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(UserError) as caught:
        read_scene(data)
    assert "Traceback" not in str(caught.value)
    str(caught.value).encode()  # also a hostile key can be printed


@pytest.mark.parametrize("value", [b"NaN", b"Infinity", b"-Infinity", b"1e400"])
def test_a_number_that_is_none_is_refused_where_it_stands(value: bytes) -> None:
    data = file_bytes(example_scene()).replace(b'"edge": 0.15', b'"edge": ' + value)
    with pytest.raises(UserError) as caught:
        read_scene(data)
    assert caught.value.where == "blocks[1].edge"


def test_a_byte_order_mark_is_read_over() -> None:
    assert read_scene(b"\xef\xbb\xbf" + file_bytes(example_scene())) == example_scene()


def test_a_repeated_key_is_refused_by_name() -> None:
    data = file_bytes(example_scene()).replace(b'"digit": 3', b'"x": 1, "digit": 3')
    with pytest.raises(UserError, match="twice") as caught:
        read_scene(data)
    assert caught.value.where == "x"


def test_a_hostile_key_is_shortened() -> None:
    with pytest.raises(UserError) as caught:
        scene_of(EXAMPLE | {"k" * 5000: 1})
    assert len(str(caught.value)) < 100


def test_the_format_is_named_before_anything_else() -> None:
    with pytest.raises(UserError) as caught:
        scene_of({"version": 2})
    assert caught.value.where == "format"


def test_colours_and_zeros_are_stored_in_one_way() -> None:
    value = put(("blocks", 0, "color"), "#C0504D")
    value["blocks"][1]["x"] = -0.0
    plain = put(("blocks", 1, "x"), 0)
    assert canonical_bytes(scene_of(value)) == canonical_bytes(scene_of(plain))


def test_key_order_does_not_change_the_hash() -> None:
    turned = dict(reversed(list(EXAMPLE.items())))
    assert scene_hash(scene_of(turned)) == scene_hash(example_scene())


def test_any_change_changes_the_hash() -> None:
    moved = scene_of(put(("blocks", 0, "x"), -0.3201))
    assert scene_hash(moved) != scene_hash(example_scene())


def test_a_file_is_read_and_a_fault_in_it_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(file_bytes(example_scene()))
    assert read_file(path) == example_scene()
    path.write_text(json.dumps(put(("blocks", 2, "edge"), 9)), encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_file(path)
    assert caught.value.where == f"{path}: blocks[2].edge"


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            read_file(path)


def test_a_file_name_that_is_not_utf8_can_be_shown() -> None:
    with pytest.raises(UserError) as caught:
        read_file(Path("scene\udcff.json"))
    assert str(caught.value).encode()
