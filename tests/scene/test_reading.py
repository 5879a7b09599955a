"""Typed, bounded reading of JSON values."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.scene import reading as r
from tests.strategies import QUICK, odd_values


@given(odd_values)
@QUICK
def test_a_number_is_inside_its_bounds_or_refused(value: object) -> None:
    real = isinstance(value, int | float) and not isinstance(value, bool)
    if real and -1 <= value <= 1:
        found = r.number({"a": value}, "top", "a", -1, 1)
        assert isinstance(found, float)
        assert found == value
    else:
        with pytest.raises(UserError, match=r"top\.a"):
            r.number({"a": value}, "top", "a", -1, 1)


@given(odd_values)
@QUICK
def test_every_value_has_a_kind_and_a_short_form(value: object) -> None:
    assert r.kind(value)
    assert 0 < len(r.short(value)) <= 40


@given(st.text())
@QUICK
def test_every_key_can_be_shown_and_encoded(key: str) -> None:
    assert len(r.plain(key).encode()) <= 4 * 40


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (None, "null"),
        (True, "true or false"),
        (1, "a number"),
        (1.5, "a number"),
        ("", "a text"),
        ([], "a list"),
        ({}, "an object"),
    ],
)
def test_kinds_are_named_as_json_has_them(value: object, kind: str) -> None:
    assert r.kind(value) == kind


def test_the_bounds_themselves_are_allowed() -> None:
    assert r.number({"a": 5}, "", "a", 5, 120) == 5.0
    assert r.integer({"a": 120}, "", "a", 5, 120) == 120


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_numbers_without_a_finite_value_are_refused(value: float) -> None:
    with pytest.raises(UserError, match="must be from"):
        r.number({"a": value}, "", "a", -1, 1)


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1]])
def test_only_whole_numbers_are_whole_numbers(value: object) -> None:
    with pytest.raises(UserError, match="whole number"):
        r.integer({"a": value}, "", "a", 0, 9)


def test_paths_join_keys_with_dots_and_indices_without() -> None:
    def read(value: Any, path: str) -> float:  # noqa: ANN401 - raw JSON
        return r.number(r.fields(value, path, ("x",)), path, "x", 0, 1)

    with pytest.raises(UserError) as caught:
        r.items({"list": [{"x": 0}, {"x": 2}]}, "top", "list", (0, 3), read)
    assert caught.value.where == "top.list[1].x"
    with pytest.raises(UserError) as caught:
        r.point({"eye": [0, 0, 11]}, "", "eye", 10)
    assert caught.value.where == "eye[2]"


def test_a_choice_lists_what_is_allowed() -> None:
    with pytest.raises(UserError, match="one of a, b; found 'c'"):
        r.choice({"k": "c"}, "", "k", ("a", "b"))


def test_a_value_without_a_path_is_the_file() -> None:
    with pytest.raises(UserError) as caught:
        r.fields([], "", ("x",))
    assert caught.value.where == "the file"
