"""Changing a family's file: any value, any comment, one thing at a time."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.families.library import built_in, family, names
from director_gui.families.model import Span
from director_gui.families.reading import read_family
from director_gui.families.writing import changed, text_of, value_of
from tests.strategies import QUICK, decimals

WHOLE = [name for name in names() if not family(name).rearranges]


def paths(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - TOML
    """Every value of a file with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for i, item in enumerate(value):
            yield from paths(item, f"{path}[{i}]")
    else:
        yield path, value


def comments(text: str) -> list[str]:
    return [line[line.index("#") :] for line in text.splitlines() if "# " in line]


@pytest.mark.parametrize("name", WHOLE)
def test_setting_every_value_to_itself_changes_nothing_but_spelling(name: str) -> None:
    text = built_in(name).text
    for path, value in paths(tomllib.loads(text)):
        new = changed(text, path, value)
        assert tomllib.loads(new) == tomllib.loads(text)
        assert comments(new) == comments(text)


@QUICK
@given(decimals(0.15, 0.2), decimals(0.2, 0.3), st.sampled_from(WHOLE))
def test_a_changed_range_is_read_back(low: float, high: float, name: str) -> None:
    text = built_in(name).text
    new = changed(text, "blocks.largest", [low, high])
    assert read_family(new.encode()).blocks.largest == Span(low, high)
    others = [line for line in text.splitlines() if not line.startswith("largest")]
    assert [x for x in new.splitlines() if not x.startswith("largest")] == others


@QUICK
@given(st.integers(1, 100_000), st.integers(-(2**63), 2**63 - 1))
def test_count_and_seed_are_those_of_the_set(count: int, seed: int) -> None:
    text = changed(changed(built_in("main").text, "count", count), "seed", seed)
    assert read_family(text.encode()) == family("main").with_(count, seed)


def test_an_own_comment_anywhere_survives() -> None:
    text = text_of(family("two-partitions"))
    lines = [f"{line} # note {i}" for i, line in enumerate(text.splitlines()) if line]
    noted = "\n".join(["# first", *lines, "# last"]) + "\n"
    for path, value in paths(value_of(family("two-partitions"))):
        assert comments(changed(noted, path, value)) == comments(noted)


@pytest.mark.parametrize("text", ["x = [", "\ud800", "a = 1\na = 2", "= 3"])
def test_a_text_that_is_no_toml_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        changed(text, "a", 1)


def test_a_rearrangement_is_written_as_one() -> None:
    text = text_of(family("rearranged"))
    assert set(tomllib.loads(text)) == {"format", "name", "about", "rearranges"}
    new = changed(text, "about", "other words", family)
    assert read_family(new.encode(), family).about == "other words"
    with pytest.raises(UserError, match="no such value"):
        changed(text, "count", 3, family)
    with pytest.raises(UserError, match="there is no family"):
        read_family(text.encode())
