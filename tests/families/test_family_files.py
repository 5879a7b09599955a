"""Family files: read, refused with the path of the value, written and changed."""

import tomllib
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.families.judge import judge
from director_gui.families.library import (
    built_in,
    family,
    names,
    source_at,
    source_named,
)
from director_gui.families.model import Family, HiderRule, Span, StanderRule
from director_gui.families.plan import plan_of
from director_gui.families.reading import family_of, read_family
from director_gui.families.sampler import nth_candidate
from director_gui.families.writing import changed, text_of, value_of
from tests.strategies import mutations

MAIN = built_in("main").text


def test_the_built_in_families() -> None:
    assert {"main", "rotated", "rearranged", "two-partitions"} <= set(names())
    main, rotated = family("main"), family("rotated")
    assert (main.count, rotated.count) == (160, 160)
    assert main.blocks.counts == ((3, 1), (4, 1))
    assert main.hidden.ranks == (("largest", 1),)
    assert [rank for rank, _ in rotated.hidden.ranks] == [
        "largest",
        "middle",
        "smallest",
    ]
    kinds = [type(rule) for rule in family("two-partitions").partitions]
    assert kinds == [HiderRule, StanderRule]


def test_a_rearrangement_is_its_source_under_another_name() -> None:
    main, other = family("main"), family("rearranged")
    assert other == replace(
        main, name="rearranged", about=other.about, rearranges="main"
    )


@pytest.mark.parametrize("name", names())
def test_writing_and_reading_give_the_family_back(name: str) -> None:
    chosen = family(name)
    assert read_family(text_of(chosen).encode(), family) == chosen


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("format", "x", "format"),
        ("name", "a/b", "name"),
        ("count", 0, "count"),
        ("count", 1.5, "count"),
        ("seed", 2**70, "seed"),
        ("blocks.ratio", [1.4, 1.2], "blocks.ratio"),
        ("blocks.ratio", [1.4], "blocks.ratio"),
        ("blocks.largest", [0.1, 3], "blocks.largest[1]"),
        ("blocks.largest", True, "blocks.largest"),
        ("blocks.x", "wide", "blocks.x"),
        ("blocks.digits", [1, 2], "blocks.digits"),
        ("blocks.digits", [1, 2, 3, 3], "blocks.digits[3]"),
        ("blocks.digits", [1, 2, 3, 100], "blocks.digits[3]"),
        ("blocks.colors", ["#fff"], "blocks.colors[0]"),
        ("blocks.colors", ["#ffffff"], "blocks.colors"),
        ("blocks.counts", {"13": 1}, "blocks.counts.13"),
        ("blocks.counts", {"three": 1}, "blocks.counts.three"),
        ("blocks.counts", {"3": 0}, "blocks.counts"),
        ("hidden.ranks", {"biggest": 1}, "hidden.ranks.biggest"),
        ("hidden.ranks", {"largest": -1}, "hidden.ranks.largest"),
        ("partitions[0].at", "side", "partitions[0].at"),
        ("partitions[0].gap", -1, "partitions[0].gap"),
        ("director.eye", [0, 1], "director.eye"),
        ("director.eye", [0, 1, 99], "director.eye[2]"),
        ("director.eye", [0, 0, 1], "director.look_at"),
        ("camera.fov", 3, "camera.fov"),
        ("demands.director_sees", 0.1, "demands.director_sees"),
        ("demands.confounds", "hate", "demands.confounds"),
        ("request.dimension", "age", "request.dimension"),
        ("picture.width", 3, "picture.width"),
    ],
)
def test_a_wrong_value_is_refused_with_its_path(
    path: str, value: object, where: str
) -> None:
    with pytest.raises(UserError) as caught:
        changed(MAIN, path, value)
    assert caught.value.where.replace("\\", "") == where


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"\xff", "UTF-8"),
        (b"format = ", "TOML"),
        (b"x = " + b"[" * 5000, "nested"),
        (b"x = " + b"9" * 5000, "TOML"),
        (b"#" * 1_000_001, "larger"),
        (b"", "format"),
    ],
)
def test_what_is_no_family_file_is_refused(data: bytes, word: str) -> None:
    with pytest.raises(UserError, match=word):
        read_family(data)


def test_missing_and_unknown_keys_are_named() -> None:
    value = tomllib.loads(MAIN)
    with pytest.raises(UserError, match=r"blocks\.gap: this key is missing"):
        family_of({**value, "blocks": _without(value["blocks"], "gap")})
    with pytest.raises(UserError, match="weather: this key is unknown"):
        family_of({**value, "weather": 1})


def _without(table: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != key}


def test_two_blocks_have_no_middle() -> None:
    text = changed(MAIN, "blocks.counts", {"2": 1})
    assert read_family(text.encode()).blocks.counts == ((2, 1),)
    with pytest.raises(UserError, match="no middle"):
        changed(text, "hidden.ranks", {"middle": 1})


def test_a_change_keeps_comments_and_order() -> None:
    new = changed(MAIN, "partitions[0].gap", [0.04, 0.05])
    new = changed(new, "blocks.counts.4", 3)
    before, after = MAIN.splitlines(), new.splitlines()
    differing = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
    assert len(differing) == 2
    for old, now in differing:
        assert now.partition("#")[2] == old.partition("#")[2] != ""
    read = read_family(new.encode())
    (rule,) = read.partitions
    assert isinstance(rule, HiderRule)
    assert rule.gap == Span(0.04, 0.05)
    assert read.blocks.counts == ((3, 1), (4, 3))


@pytest.mark.parametrize("path", ["", "nope", "blocks.", "blocks..x", "count[0]"])
def test_a_path_of_no_value_is_refused(path: str) -> None:
    with pytest.raises(UserError):
        changed(MAIN, path, 1)


def test_a_file_is_named_when_it_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MAIN.replace("gap = 0.03 ", "gap = 'wide' "))
    with pytest.raises(UserError) as caught:
        source_named(str(path))
    assert str(path) in caught.value.where
    assert "blocks.gap" in caught.value.where
    with pytest.raises(UserError, match="cannot be read"):
        source_named(str(tmp_path / "none.toml"))
    with pytest.raises(UserError, match="Built in are"):
        source_named("none")


def test_a_file_may_rearrange_the_file_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MAIN.replace('"main"', '"mine"'))
    other = tmp_path / "other.toml"
    head = 'format = "director-family/1"\nname = "other"\nabout = ""\n'
    other.write_text(head + 'rearranges = "mine"\n')
    assert source_at(other).family.rearranges == "mine"
    assert source_at(other).beside("mine").family.name == "mine"
    for wrong in ("other", "rearranged", "../mine", ""):
        other.write_text(head + f'rearranges = "{wrong}"\n')
        with pytest.raises(UserError):
            source_at(other)


def _accepted_or_refused(value: object) -> Family | UserError:
    try:
        return family_of(value)
    except UserError as error:
        return error


fuzz = given(mutations(value_of(family("two-partitions"))))


@settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))
@fuzz
def test_mutated_families_are_accepted_or_refused(value: object) -> None:
    found = _accepted_or_refused(value)
    if isinstance(found, UserError):
        assert found.where
        assert str(found).encode()
        return
    assert read_family(text_of(found).encode()) == found
    for index, cell in enumerate(sorted(set(plan_of(replace(found, count=20))))):
        judge(found, nth_candidate(found, index, cell, 0))


@pytest.mark.slow
@settings(deadline=None, max_examples=5000, suppress_health_check=list(HealthCheck))
@fuzz
def test_thousands_of_mutated_families(value: object) -> None:
    found = _accepted_or_refused(value)
    assert isinstance(found, Family) or found.where


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_mutated_text_is_accepted_or_refused(data: st.DataObject) -> None:
    text = bytearray(MAIN.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.integers(0, 255))
    with suppress(UserError):
        assert read_family(bytes(text)).count > 0
