"""Sets of scenes in the study file: kept once, read in pages, never half."""

import sqlite3
from dataclasses import replace
from typing import Any

import pytest

from director_gui.errors import UserError
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store import scenes
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.sets import SetScene, StoredSet


def made(study: Study, name: str = "main", set_id: str = "id") -> StoredSet:
    return rows.add_set(study, set_id, name=name, family="# f\n", count=9, seed=-3)


def scene(study: Study) -> str:
    return scenes.add_scene(study, "example", canonical_bytes(example_scene()))


def row(study: Study, position: int, **values: Any) -> SetScene:  # noqa: ANN401
    usual = SetScene(
        set="id",
        position=position,
        scene=scene(study),
        original=None,
        candidate=4,
        rejected={"overlap": 3, "cut_by_frame": 1},
        facts={"key": {"hidden": 3}, "half": 0.5, "nothing": None},
    )
    return replace(usual, **values)


def test_a_set_comes_back_as_it_was(study: Study) -> None:
    item = made(study)
    assert (item.name, item.count, item.seed, item.original) == ("main", 9, -3, None)
    assert rows.find_set(study, "id") == rows.set_named(study, "main") == item
    assert rows.sets(study) == [item]
    assert rows.scene_count(study, "id") == 0
    assert rows.set_scenes(study, "id") == []


def test_the_same_set_is_kept_once(study: Study) -> None:
    assert made(study) == made(study)
    assert len(rows.sets(study)) == 1


def test_a_name_belongs_to_one_set(study: Study) -> None:
    made(study)
    with pytest.raises(UserError, match="another set of this name"):
        made(study, set_id="other")
    made(study, "second", "other")
    assert [item.name for item in rows.sets(study)] == ["main", "second"]


def test_what_is_not_there(study: Study) -> None:
    assert rows.find_set(study, "none") is None
    with pytest.raises(UserError, match="no such set"):
        rows.set_named(study, "none")


def test_scenes_come_back_in_order_whatever_the_order_they_came_in(
    study: Study,
) -> None:
    made(study)
    for position in (2, 0, 1):
        rows.add_set_scene(study, row(study, position))
    found = rows.set_scenes(study, "id")
    assert [item.position for item in found] == [0, 1, 2]
    assert found[1] == row(study, 1)
    assert rows.scene_count(study, "id") == 3


def test_pages(study: Study) -> None:
    made(study)
    for position in range(7):
        rows.add_set_scene(study, row(study, position))
    pages = [rows.set_scenes(study, "id", start=s, limit=3) for s in (0, 3, 6, 7)]
    assert [[item.position for item in page] for page in pages] == [
        [0, 1, 2],
        [3, 4, 5],
        [6],
        [],
    ]


def test_a_place_is_taken_once(study: Study) -> None:
    made(study)
    rows.add_set_scene(study, row(study, 0))
    with pytest.raises(sqlite3.IntegrityError):
        rows.add_set_scene(study, row(study, 0))
    assert rows.scene_count(study, "id") == 1


@pytest.mark.parametrize("name", ["set", "scene", "original"])
def test_a_row_refers_to_what_is_kept(study: Study, name: str) -> None:
    made(study)
    with pytest.raises(sqlite3.IntegrityError):
        rows.add_set_scene(study, row(study, 0, **{name: "nowhere"}))


def test_equal_facts_are_equal_bytes(study: Study) -> None:
    made(study)
    rows.add_set_scene(study, row(study, 0, facts={"b": 1, "a": [1.0, None]}))
    rows.add_set_scene(study, row(study, 1, facts={"a": [1.0, None], "b": 1}))
    texts = {r["facts"] for r in study.query("SELECT facts FROM set_scenes")}
    assert texts == {'{"a":[1.0,null],"b":1}'}
