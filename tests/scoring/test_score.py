"""The nine rules of METHOD's scoring, from text to score."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.scoring.score import (
    FLAGS,
    STATUSES,
    Score,
    choice_kind,
    score_reply,
)

ASK = ("visible", "choice")
GOOD = '{"visible":[2,5,3],"choice":5}'
SCENE: dict[str, Any] = {"digits": (2, 5, 8, 3), "hidden": 8, "sees": (2, 5, 3)}


def score(
    text: str | None,
    keys: tuple[str, ...] = ASK,
    finish_reason: str | None = "stop",
    **more: Any,  # noqa: ANN401 - passed on
) -> Score:
    given = {**SCENE, "keys": keys, "finish_reason": finish_reason, **more}
    return score_reply(text, **given)


def test_a_good_reply() -> None:
    assert score(GOOD) == Score(
        status="answered",
        visible=(2, 3, 5),
        choice=5,
        report_correct=True,
        hidden_choice=False,
    )


@pytest.mark.parametrize(
    ("text", "finish_reason", "status"),
    [
        (GOOD, "stop", "answered"),
        (GOOD, None, "answered"),
        (GOOD, "length", "answered"),
        (GOOD, "tool_calls", "answered"),
        (GOOD, "content_filter", "filtered"),
        ("", "content_filter", "filtered"),
        (None, "content_filter", "filtered"),
        (None, "stop", "failed"),
        (None, None, "failed"),
        (None, "length", "truncated"),
        ("", "stop", "empty"),
        ("", "length", "truncated"),
        ("\ufeff\n", "stop", "empty"),
        (f"<think>{GOOD}", "stop", "empty"),
        (f"<think>{GOOD}", "length", "truncated"),
        (f"◁think▷{GOOD}◁/think▷ ", "stop", "empty"),
        (f"{GOOD}<think>but {{", "stop", "answered"),
        ("I cannot say.", "stop", "unparsed"),
        ("I cannot say.", "length", "truncated"),
        ('{"visible":[2,5', "length", "truncated"),
        ('{"visible":[2,5', "stop", "unparsed"),
        ("```json\n```", "stop", "unparsed"),
        (f"```json\n{GOOD}", "length", "answered"),
    ],
)
def test_status(text: str | None, finish_reason: str | None, status: str) -> None:
    assert score(text, finish_reason=finish_reason).status == status


@pytest.mark.parametrize("status", [s for s in STATUSES if s != "answered"])
def test_only_answered_replies_have_values(status: str) -> None:
    texts = {"truncated": "x", "filtered": GOOD, "empty": "", "unparsed": "x"}
    reasons = {"truncated": "length", "filtered": "content_filter"}
    first = {"turn1_text": '{"visible":[2]}', "turn1_keys": ("visible",)}
    found = score(texts.get(status), ("choice",), reasons.get(status), **first)
    assert found == Score(status=status)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("visible", "correct", "flags"),
    [
        ("[3,2,5,5]", True, ()),
        ("[]", False, ()),
        ("[2,5]", False, ()),
        ("[2,3,5,8]", False, ()),
        ("[2,3,5,7]", False, ("report_not_a_block",)),
        ("[-2,3,5]", False, ("report_not_a_block",)),
    ],
)
def test_reports(visible: str, *, correct: bool, flags: tuple[str, ...]) -> None:
    found = score(f'{{"visible":{visible},"choice":5}}')
    assert (found.report_correct, found.flags) == (correct, flags)


def test_an_empty_report_can_be_right() -> None:
    found = score('{"visible":[],"choice":8}', sees=())
    assert (found.visible, found.report_correct, found.joint) == ((), True, True)


@pytest.mark.parametrize(
    ("choice", "hidden_choice", "flags"),
    [
        ("8", True, ()),
        ("5", False, ()),
        ("7", False, ("not_a_block",)),
        ("0", False, ("not_a_block",)),
        ("-8", False, ("not_a_block",)),
        ("1e300", False, ("not_a_block",)),
    ],
)
def test_choices(choice: str, *, hidden_choice: bool, flags: tuple[str, ...]) -> None:
    found = score(f'{{"choice":{choice}}}', ("choice",))
    assert (found.hidden_choice, found.flags) == (hidden_choice, flags)
    assert (found.visible, found.report_correct, found.joint) == (None, None, None)


def test_without_one_hidden_block_no_choice_is_hidden_or_not() -> None:
    assert score(GOOD, hidden=None).hidden_choice is None


def test_count_and_known_are_kept() -> None:
    found = score(
        '{"count":"4","known":[5,2],"choice":5}', ("count", "known", "choice")
    )
    assert (found.count, found.known, found.visible) == (4, (2, 5), None)
    assert found.report_correct is None


def test_a_reply_asked_for_a_report_alone_has_no_choice() -> None:
    found = score(GOOD, ("visible",))
    assert (found.choice, found.hidden_choice, found.flags) == (None, None, ())


def test_flags_come_in_one_order() -> None:
    text = '{"choice":2} {"choice":2,"choice":7,"visible":[7]}'
    found = score(text, ("choice",), turn1_text="?", turn1_keys=("visible",))
    assert found.flags == (
        "conflicting_answers",
        "repeated_key",
        "not_a_block",
        "unasked_report",
        "report_unparsed",
    )
    assert [flag for flag in FLAGS if flag in found.flags] == list(found.flags)


def two_turns(first: str | None, second: str = '{"choice":8}') -> Score:
    return score(second, ("choice",), turn1_text=first, turn1_keys=("visible",))


def test_two_turns_take_the_report_from_the_first() -> None:
    found = two_turns('{"visible":[2,3,5]}')
    assert found.visible == (2, 3, 5)
    assert (found.report_correct, found.hidden_choice, found.joint) == (
        True,
        True,
        True,
    )
    assert found.flags == ()


@pytest.mark.parametrize(
    "first", [None, "", "no", '{"visible":"2"}', '<think>{"visible":[2]}']
)
def test_a_first_turn_without_a_report_leaves_the_choice(first: str | None) -> None:
    found = two_turns(first)
    assert (found.status, found.visible, found.report_correct) == (
        "answered",
        None,
        None,
    )
    assert (found.hidden_choice, found.joint) == (True, None)
    assert found.flags == ("report_unparsed",)


def test_a_report_in_the_second_turn_was_not_asked_for() -> None:
    found = two_turns('{"visible":[2]}', '{"visible":[2,3,5],"choice":5}')
    assert (found.visible, found.report_correct) == ((2,), False)
    assert found.flags == ("unasked_report",)


def test_the_first_turn_is_cleaned_and_flagged_like_any_other() -> None:
    text = '<think>{"visible":[8]}</think>```\n{"visible":[2]}\n{"visible":[7,7]}\n```'
    found = two_turns(text)
    assert found.visible == (7,)
    assert found.flags == ("conflicting_answers", "report_not_a_block")


def test_a_choice_in_the_first_turn_does_not_count() -> None:
    assert two_turns('{"visible":[2],"choice":5}').choice == 8
    assert two_turns('{"visible":[2],"choice":5}', "no").status == "unparsed"


def test_the_count_control_has_no_report_to_miss() -> None:
    more = {"turn1_text": "no", "turn1_keys": ("count",)}
    found = score('{"choice":8}', ("choice",), **more)
    assert (found.count, found.flags) == (None, ())
    more["turn1_text"] = '{"count":4}'
    assert score('{"choice":8}', ("choice",), **more).count == 4


def test_the_json_value_has_every_key() -> None:
    assert score(GOOD).value() == {
        "status": "answered",
        "visible": [2, 3, 5],
        "choice": 5,
        "report_correct": True,
        "hidden_choice": False,
        "flags": [],
        "known": None,
        "count": None,
    }
    assert set(score("").value()) == set(score(GOOD).value())


@pytest.mark.parametrize(
    ("choice", "kind"),
    [
        (8, "hidden"),
        (5, "director_view"),
        (7, "largest_digit"),
        (2, "other_visible"),
        (4, "unseen"),
        (9, "not_a_block"),
        (-5, "not_a_block"),
    ],
)
def test_choices_are_broken_down(choice: int, kind: str) -> None:
    scene: dict[str, Any] = {"digits": (2, 4, 5, 7, 8), "hidden": 8, "sees": (2, 5, 7)}
    assert choice_kind(choice, **scene, director_view=5) == kind


def test_the_director_view_block_may_carry_the_largest_digit() -> None:
    scene: dict[str, Any] = {"digits": (2, 5, 8), "hidden": 8, "sees": (2, 5)}
    assert choice_kind(5, **scene, director_view=5) == "director_view"
    assert choice_kind(5, **scene, director_view=None) == "largest_digit"


@given(
    st.sets(st.integers(0, 9), min_size=2),
    st.lists(st.integers(-2, 12), max_size=5),
    st.integers(-2, 12),
)
def test_verdicts_follow_from_sets(
    digits: set[int], visible: list[int], choice: int
) -> None:
    hidden, *sees = sorted(digits)
    text = f'{{"visible":{visible},"choice":{choice}}}'
    found = score(text, digits=digits, hidden=hidden, sees=sees)
    assert found.report_correct == (set(visible) == set(sees))
    assert found.hidden_choice == (choice == hidden)
    assert ("not_a_block" in found.flags) == (choice not in digits)
    assert ("report_not_a_block" in found.flags) == bool(set(visible) - digits)
    assert found.joint == (found.report_correct and found.hidden_choice)


@given(st.text() | st.text("<>/think`~\n ◁▷{}"), st.sampled_from(["stop", "length"]))
def test_no_text_is_fatal(text: str, finish_reason: str) -> None:
    assert score(text, finish_reason=finish_reason).status in STATUSES
