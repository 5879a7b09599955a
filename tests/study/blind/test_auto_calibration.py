"""Calibration figures against values from elsewhere, and the words around them."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.study.blind.auto_answer import Answer, Refusal
from director_gui.study.blind.auto_calibration import (
    THRESHOLD,
    Calibration,
    calibration,
    known_items,
)
from director_gui.study.blind.auto_work import Verdict
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.preparing import Request
from tests.auto_studies import known_items as known_texts
from tests.blind_studies import Desk
from tests.strategies import QUICK

READINGS = ("own-view", "director-view", "no-rule")


@pytest.fixture
def found(desk: Desk) -> Opened:
    """A packet of which ten known-code items state six, three and one reading."""
    readings = ["own-view"] * 6 + ["director-view"] * 3 + ["no-rule"]
    items = [
        replace(item, codes={"reading": reading})
        for item, reading in zip(
            known_texts(desk.study, len(readings)), readings, strict=True
        )
    ]
    return desk.seal(Request(seed=5, known=tuple(items)))


def meant(found: Opened) -> dict[str, str]:
    items = found.stored.key["items"]
    known = known_items(found)
    return {item: items[item]["hidden"]["codes"]["reading"] for item in sorted(known)}


def said(found: Opened, codes: dict[str, str]) -> Calibration:
    """The calibration of a coder that says these readings; "" is no code at all."""
    verdicts = [
        Verdict(item.id, answer=Answer({"reading": codes.get(item.id, "no-rule")}))
        if codes.get(item.id, "no-rule")
        else Verdict(item.id, refusal=Refusal("no_json"), asks=2)
        for item in found.packet.items
    ]
    return calibration(found, verdicts)


def binomial_tail(k: int, n: int, p: float) -> float:
    """P(X >= k): what defines Clopper and Pearson's lower end."""
    return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k, n + 1))


def test_all_right_is_ten_of_ten_and_its_interval_is_known(found: Opened) -> None:
    one = said(found, meant(found))
    (field,) = one.fields
    assert (field.total.right, field.total.of, field.total.share) == (10, 10, 1.0)
    # Clopper and Pearson's table: 10 of 10 gives 69.15 % to 100 %.
    assert field.total.interval == pytest.approx((0.691503, 1.0), abs=1e-6)
    assert one.doubts == ()
    assert [(c.name, c.right, c.of) for c in field.codes] == [
        ("director-view", 3, 3), ("own-view", 6, 6), ("no-rule", 1, 1),
    ]  # fmt: skip


def test_a_wrong_code_is_told_where_it_went(found: Opened) -> None:
    truth = meant(found)
    wrong = [item for item, code in truth.items() if code == "own-view"][:2]
    one = said(found, truth | {wrong[0]: "no-rule", wrong[1]: ""})
    (field,) = one.fields
    by_code = {code.name: code for code in field.codes}
    assert by_code["own-view"].right == 4
    assert by_code["own-view"].instead == {"": 1, "no-rule": 1}
    assert field.total.share == pytest.approx(0.8)
    # 8 of 10: 44.39 % to 97.48 %.
    assert field.total.interval == pytest.approx((0.443905, 0.974789), abs=1e-6)
    (doubt,) = one.doubts
    assert doubt.startswith("Reading of the request: 8 of 10 known-code items came")
    assert doubt.endswith("below 90\N{NO-BREAK SPACE}%")


def test_just_at_the_threshold_is_no_doubt(found: Opened) -> None:
    truth = meant(found)
    item = next(iter(truth))
    one = said(found, truth | {item: "prior-knowledge"})
    assert one.fields[0].total.share == THRESHOLD
    assert one.doubts == ()


@QUICK
@given(st.data())
def test_the_interval_is_the_one_its_definition_gives(data: st.DataObject) -> None:
    from coding.proportions import clopper_pearson

    n = data.draw(st.integers(1, 40))
    k = data.draw(st.integers(0, n))
    ends = clopper_pearson(k, n)
    assert ends is not None
    if k > 0:
        assert binomial_tail(k, n, ends[0]) == pytest.approx(0.025, abs=1e-9)
    if k < n:
        assert 1 - binomial_tail(k + 1, n, ends[1]) == pytest.approx(0.025, abs=1e-9)


def test_codes_of_the_replies_move_nothing(found: Opened) -> None:
    truth = meant(found)
    others = [i.id for i in found.packet.items if i.id not in truth]
    assert others
    changed = truth | dict.fromkeys(others, "largest-digit")
    assert said(found, truth) == said(found, changed)


def test_the_value_is_plain_json(found: Opened) -> None:
    value = said(found, meant(found)).value()
    assert value["items"] == 10
    assert value["threshold"] == THRESHOLD
    (field,) = value["fields"]
    assert field["name"] == "reading"
    assert field["interval"][1] == 1.0
    assert [code["of"] for code in field["codes"]] == [3, 6, 1]
