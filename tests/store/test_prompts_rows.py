"""A study's own prompts are kept whole, in order, and only what ran counts as used."""

from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.conditions import add_condition
from director_gui.store.database import Study, open_study
from director_gui.store.migrations import MIGRATIONS, migrate
from director_gui.store.prompts import (
    OwnCondition,
    OwnPair,
    OwnPiece,
    OwnPrompts,
    own_prompts,
    replace_own_prompts,
    used_conditions,
)
from tests.made_runs import fill, profile_at

OWN = OwnPrompts(
    pieces=(
        OwnPiece("z", "constraint", None, '{"text":"“ü”\\n"}'),
        OwnPiece("a", "report", "visible", '{"text":"x\\n"}', origin="see"),
    ),
    conditions=(
        OwnCondition("two", "move", 2, ("setting", "a", "move"), "move.ask"),
        OwnCondition("one", "move", 1, ("move",)),
    ),
    pairs=(OwnPair("two", "one", "order"), OwnPair("one", "two")),
)


def test_a_new_study_adds_nothing(study: Study) -> None:
    assert own_prompts(study) == OwnPrompts()


def test_what_is_kept_comes_back_in_order(study: Study, path: Path) -> None:
    replace_own_prompts(study, OWN)
    assert own_prompts(study) == OWN
    study.close()
    with open_study(path) as again:
        assert own_prompts(again) == OWN


def test_a_later_value_takes_the_place_of_an_earlier(study: Study) -> None:
    replace_own_prompts(study, OWN)
    other = replace(OWN, pieces=OWN.pieces[::-1], pairs=())
    replace_own_prompts(study, other)
    assert own_prompts(study) == other


def test_a_value_that_cannot_be_kept_leaves_the_old_one(study: Study) -> None:
    replace_own_prompts(study, OWN)
    twice = replace(OWN, pairs=(OWN.pairs[0], OWN.pairs[0]))
    with pytest.raises(Exception, match="UNIQUE"):
        replace_own_prompts(study, twice)
    assert own_prompts(study) == OWN


def test_a_study_open_for_reading_is_not_written(study: Study, path: Path) -> None:
    study.close()
    with (
        open_study(path, read_only=True) as reader,
        pytest.raises(UserError, match="read-only"),
    ):
        replace_own_prompts(reader, OWN)


def test_only_conditions_of_calls_are_used(study: Study) -> None:
    fill(study, profile_at("http://x/v1"), 3)
    add_condition(study, "other", "move.plain", {"pieces": []})
    assert [one.hash for one in used_conditions(study)] == ["v"]
    assert used_conditions(study)[0].name == "move.ask"


def test_an_older_study_gains_the_tables(tmp_path: Path) -> None:
    from sqlite_utils import Database

    db = Database(tmp_path / "old.db")
    db.conn.isolation_level = None
    before = next(i for i, step in enumerate(MIGRATIONS) if "own_pieces" in step)
    migrate(db, MIGRATIONS[:before])
    assert "own_pieces" not in db.table_names()
    migrate(db)
    assert {"own_pieces", "own_conditions", "own_pairs"} <= set(db.table_names())
    db.close()
