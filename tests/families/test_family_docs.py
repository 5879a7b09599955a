"""docs/families.md says what is so."""

import re
from pathlib import Path

import pytest

from director_gui.families.forecast import SECONDS
from director_gui.families.library import built_in, family, names
from director_gui.families.model import HiderRule, StanderRule
from director_gui.families.writing import value_of

TEXT = (Path(__file__).parents[2] / "docs" / "families.md").read_text()


@pytest.mark.parametrize("name", names())
def test_every_family_is_listed_with_its_count(name: str) -> None:
    assert re.search(rf"^\| `{name}` \| {family(name).count} \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("name", names())
def test_every_family_file_begins_with_what_it_is_for(name: str) -> None:
    lines = built_in(name).text.splitlines()
    assert lines[0].startswith("# ")
    assert sum(line.startswith("#") for line in lines) >= 3


def test_every_key_is_explained() -> None:
    for table, value in value_of(family("main")).items():
        assert f"`{table}" in TEXT
        if table in {"blocks", "demands", "hidden"}:
            for key in value:
                assert f"`{table}.{key}`" in TEXT or f"`{key}`" in TEXT, key
    for rule in (HiderRule, StanderRule):
        assert all(f"`{key}`" in TEXT for key in rule.__slots__)


def test_the_time_of_the_verdict_is_the_one_in_the_text() -> None:
    assert SECONDS == 6
    assert "for at most six\nseconds" in TEXT
