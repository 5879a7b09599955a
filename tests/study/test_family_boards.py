"""Partitions come into a family's text and leave it, and nothing else moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.model import HiderRule, StanderRule
from director_gui.families.reading import parsed, read_family
from director_gui.study import family_boards
from director_gui.study.family_boards import (
    MOST,
    TEXTS,
    Place,
    with_partition,
    without_partition,
)

ORIGINALS = [n for n in library.names() if not library.family(n).rearranges]
PLACES: list[Place] = ["hidden", "table"]
places = st.sampled_from(PLACES)


def text_of(name: str) -> str:
    return library.built_in(name).text


def kinds(text: str) -> list[type]:
    return [type(rule) for rule in read_family(text.encode()).partitions]


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("place", PLACES)
def test_one_more_is_the_last_and_all_lines_stay(name: str, place: Place) -> None:
    before = text_of(name)
    after = with_partition(before, place)
    wanted = HiderRule if place == "hidden" else StanderRule
    assert kinds(after) == [*kinds(before), wanted]
    left = after.split("\n")
    for line in TEXTS[place].rstrip("\n").split("\n"):
        left.remove(line)
    left.remove("")
    assert sorted(left) == sorted(before.split("\n"))
    tables = parsed(after.encode())
    assert {**tables, "partitions": 0} == {**parsed(before.encode()), "partitions": 0}


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("place", PLACES)
def test_out_again_leaves_the_text_as_it_was(name: str, place: Place) -> None:
    before = text_of(name)
    count = len(kinds(before))
    assert without_partition(with_partition(before, place), count) == before


@given(st.lists(places, max_size=MOST), st.data())
def test_any_order_of_adding_and_removing(
    added: list[Place], data: st.DataObject
) -> None:
    text = without_partition(text_of("main"), 0)
    expected: list[type] = []
    for place in added:
        text = with_partition(text, place)
        expected.append(HiderRule if place == "hidden" else StanderRule)
        assert kinds(text) == expected
    while expected:
        at = data.draw(st.integers(0, len(expected) - 1))
        text = without_partition(text, at)
        del expected[at]
        assert kinds(text) == expected
    assert "partitions = []" in text


def test_without_any_the_file_says_so_and_takes_one_again() -> None:
    before = text_of("main")
    none = without_partition(before, 0)
    family = read_family(none.encode())
    assert family.partitions == ()
    again = with_partition(none, "hidden")
    assert kinds(again) == [HiderRule]
    assert "partitions = []" not in again
    assert again.index("[hidden]") < again.index("[[partitions]]")
    assert again.index("[[partitions]]") < again.index("[director]")


def test_comments_on_a_partition_go_with_it_and_others_stay() -> None:
    text = text_of("two-partitions").replace(
        '[[partitions]]\nat = "table"',
        '# an extra\n[[partitions]]  # the second\nat = "table"',
    )
    text = text.replace("[director]", "# the two eyes\n[director]")
    after = without_partition(text, 1)
    assert "an extra" not in after
    assert "the second" not in after
    assert "# the two eyes\n[director]" in after
    first = without_partition(text, 0)
    assert "# an extra\n[[partitions]]  # the second" in first


def test_a_new_one_comes_before_the_comment_of_the_next_table() -> None:
    text = text_of("main").replace("[director]", "# the two eyes\n[director]")
    after = with_partition(text, "table")
    assert after.index('at = "table"') < after.index("# the two eyes\n[director]")


def test_values_over_several_lines_are_no_trouble() -> None:
    text = text_of("main").replace("width = [1.5, 2.1]", "width = [\n  1.5,\n  2.1,\n]")
    assert "width = [\n" in text
    added = with_partition(text, "table")
    assert kinds(added) == [HiderRule, StanderRule]
    assert kinds(without_partition(added, 0)) == [StanderRule]
    assert without_partition(added, 1) == text


def inline(text: str) -> str:
    """The same family with its partitions in a list on one line."""
    start, end = text.index("[[partitions]]"), text.index("[director]")
    board = (
        '{at = "hidden", gap = 0.05, side = 0, turn = 0, width = 2, height = 1.4, '
        "thickness = 0.02}"
    )
    text = text[:start] + text[end:]
    return text.replace("[request]", f"partitions = [{board}] # one\n\n[request]")


def test_partitions_in_a_list_are_changed_there() -> None:
    text = inline(text_of("main"))
    added = with_partition(text, "table")
    assert kinds(added) == [HiderRule, StanderRule]
    assert "# one" in added
    assert kinds(without_partition(added, 0)) == [StanderRule]
    assert kinds(without_partition(text, 0)) == []


def test_a_header_in_a_text_is_no_header() -> None:
    about = '"""\n[[partitions]]\nnone\n"""'
    lines = text_of("main").split("\n")
    lines = [f"about = {about}" if li.startswith("about") else li for li in lines]
    text = "\n".join(lines)
    added = with_partition(text, "table")
    for after, left in ((added, 2), (without_partition(added, 0), 1)):
        tables = parsed(after.encode())
        assert tables["about"] == "[[partitions]]\nnone\n"
        assert len(tables["partitions"]) == left


def test_what_cannot_be_changed_is_told_and_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(family_boards, "_items_changed", lambda text, _change: text)
    with pytest.raises(UserError, match="cannot be changed here") as refused:
        with_partition(inline(text_of("main")), "table")
    assert refused.value.todo == "Change them in the text"


def test_a_fifth_is_refused_and_so_is_one_that_is_not_there() -> None:
    text = text_of("main")
    for _ in range(MOST - 1):
        text = with_partition(text, "table")
    with pytest.raises(UserError, match="at most 4 partitions"):
        with_partition(text, "table")
    for index in (-1, MOST):
        with pytest.raises(UserError, match="no such partition"):
            without_partition(text, index)


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(UserError, match="not TOML"):
        with_partition("x = = 1", "table")
    with pytest.raises(UserError, match="not TOML"):
        without_partition("x = = 1", 0)
