import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.stats.contrast import compare, contrast
from director_gui.stats.correction import adjust
from director_gui.store.database import Study
from director_gui.study.export.tables import to_csv
from director_gui.study.results.contrast_sheet import contrast_sheet
from director_gui.study.results.contrasts import (
    Contrast,
    collected,
    contrasted,
    contrasts_of,
    drop_contrast,
    keep_contrast,
)
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.shapes import SHAPES, offered
from director_gui.study.results.view import Found, Question, answer
from tests.study.results.planted import columns_of

PLANTED = {"a.ask": 0.6, "a.plain": 0.2, "b.ask": 0.4, "b.plain": 0.3}
EFFECTS = collected(
    "effects", [("a.ask", 1), ("a.plain", -1), ("b.ask", -1), ("b.plain", 1)]
)


def found_of(study: Study, **asked: str) -> Found:
    found = answer(study, ReplyCache(study), Question(**asked))
    assert found is not None
    return found


def test_a_planted_difference_of_differences_is_recovered() -> None:
    columns = columns_of(PLANTED)
    (one,) = contrasted(columns, [EFFECTS])
    assert one.found is not None
    assert one.found.ci_low is not None
    assert one.found.ci_high is not None
    assert one.found.ci_low < 0.3 < one.found.ci_high
    assert one.found.df == one.found.scenes - 4
    assert one.call == "increase"
    shares = {
        name: columns.replies("hidden_choice", 0, 0).tally(name) for name in PLANTED
    }
    by_hand = sum(
        weight * shares[name].k / shares[name].n
        for name, weight in EFFECTS.weights.items()
    )
    assert one.found.estimate == pytest.approx(by_hand, abs=1e-12)


def test_a_shared_base_cancels() -> None:
    # Statement against question: the base's rows are not even used (STATISTICS 8).
    columns = columns_of({"ask": 0.5, "plain": 0.2, "state": 0.3})
    one = collected("s", [("state", 1), ("plain", -1), ("ask", -1), ("plain", 1)])
    assert one.weights == {"state": 1, "ask": -1}
    (made,) = contrasted(columns, [one])
    replies = columns.replies("hidden_choice", 0, 0)
    plain = compare(replies, "ask", "state")
    assert made.found is not None
    assert (made.found.estimate, made.found.se, made.found.df) == (
        plain.estimate,
        plain.se,
        plain.df,
    )


@given(
    st.dictionaries(
        st.sampled_from(sorted(PLANTED)), st.integers(-3, 3), min_size=1, max_size=4
    )
)
def test_terms_are_a_contrast_or_refused(terms: dict[str, int]) -> None:
    left = {name: weight for name, weight in terms.items() if weight}
    if len(left) < 2 or math.fsum(left.values()):
        with pytest.raises(UserError):
            collected("x", terms.items())
        return
    made = collected("x", terms.items())
    columns = columns_of(PLANTED, samples=1)
    (one,) = contrasted(columns, [made])
    assert one.found == contrast(columns.replies("hidden_choice", 0, 0), left)


def test_all_are_corrected_together() -> None:
    columns = columns_of(PLANTED)
    others = [
        collected(
            f"c{at}", [("a.ask", 1), ("a.plain", -1 + at / 10), ("b.ask", -at / 10)]
        )
        for at in range(1, 4)
    ]
    found = contrasted(columns, [EFFECTS, *others])
    ps = [one.found.p if one.found else None for one in found]
    assert [one.adjusted for one in found] == adjust(ps)


def test_a_contrast_across_batches_is_refused_with_the_reason() -> None:
    where = {"a.ask": "1", "a.plain": "1", "b.ask": "2", "b.plain": "2"}
    columns = columns_of(PLANTED, batches=where)
    found = contrasted(columns, [EFFECTS])
    (one,) = found
    assert (one.found, one.call, one.batch) == (None, "not compared", "")
    sheet = contrast_sheet(found, "hidden_choice", "")
    (row,) = sheet.rows
    assert "drifts between batches" in row.cells[2].hint
    assert "1 contrast, 0 with a p-value" in sheet.note
    assert len(row.cells) == len(sheet.columns)


def test_a_contrast_of_other_conditions_is_left_out() -> None:
    assert contrasted(columns_of({"x": 0.5, "y": 0.5}), [EFFECTS]) == ()


def test_the_table_says_the_sum_and_its_counts() -> None:
    columns = columns_of(PLANTED)
    found = contrasted(columns, [EFFECTS])
    (row,) = contrast_sheet(found, "hidden_choice", "scope").rows
    texts = [cell.text for cell in row.cells]
    assert texts[7] == "a.ask − a.plain − b.ask + b.plain"
    counts = [f"{share.k} of {share.n}" for share in found[0].shares]
    assert texts[8] == " · ".join(counts)
    for count, name in zip(counts, EFFECTS.weights, strict=True):
        assert f"× {count} under {name}" in row.cells[2].hint
    assert "−1 × " in row.cells[2].hint
    assert "logit GEE".casefold() in row.cells[3].hint.casefold()
    assert "1 contrast with a p-value" in row.cells[4].hint


def test_a_name_with_a_hyphen_stays_itself() -> None:
    columns = columns_of({"a-b": 0.5, "c": 0.2})
    found = contrasted(columns, [collected("h", [("a-b", 1), ("c", -1)])])
    sheet = contrast_sheet(found, "hidden_choice", "")
    assert "under a-b (" in sheet.rows[0].cells[2].hint
    assert sheet.rows[0].cells[7].text == "a-b − c"
    assert ",a-b - c," in to_csv(sheet)


def test_weights_other_than_one_are_written() -> None:
    made = collected("m", [("a", 1), ("b", -0.5), ("c", -0.5)])
    assert made.formula == "a − 0.5 × b − 0.5 × c"
    assert Contrast("n", {"a": -1, "b": 1}).formula == "− a + b"


def test_contrasts_are_kept_in_order_and_forgotten(study: Study) -> None:
    second = collected("second", [("move.ask", 1), ("move.plain", -1)])
    keep_contrast(study, EFFECTS)
    keep_contrast(study, second)
    assert contrasts_of(study) == (EFFECTS, second)
    assert list(contrasts_of(study)[0].weights) == list(EFFECTS.weights)
    drop_contrast(study, "effects")
    drop_contrast(study, "never kept")
    assert contrasts_of(study) == (second,)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Contrast(" ", EFFECTS.weights), "needs a name"),
        (Contrast("taken", EFFECTS.weights), "this name is taken"),
        (Contrast("one", {"a": 1}), "two different conditions"),
        (Contrast("off", {"a": 1, "b": -0.5}), "sum to 0.5"),
    ],
)
def test_what_is_no_contrast_is_not_kept(
    study: Study, wrong: Contrast, said: str
) -> None:
    keep_contrast(study, Contrast("taken", EFFECTS.weights))
    with pytest.raises(UserError, match=said):
        keep_contrast(study, wrong)
    assert len(contrasts_of(study)) == 1


def test_kept_contrasts_stand_in_the_answer(study: Study) -> None:
    assert found_of(study).sheets["contrasts"].rows == ()
    for one in offered(("move.ask", "move.plain", "mean.ask", "mean.plain")):
        keep_contrast(study, one)
    found = found_of(study)
    rows = found.sheets["contrasts"].rows
    assert [row.cells[0].text for row in rows] == list(found.columns.models)
    assert {row.key for row in rows} == {"Question’s effect, MOVE less MEAN"}
    assert "6 of 6 scenes" in found.sheets["contrasts"].note
    other = found_of(study, outcome="report_correct").sheets["contrasts"]
    assert "visibility reports" in other.title
    # Only one condition of each pair asks for a report, so nothing can be said.
    assert all(row.cells[5].text == "no interval" for row in other.rows)


def test_every_shape_is_a_contrast_once_filled_in() -> None:
    for shape in SHAPES:
        names = [f"{word} {at}" for at, (word, _) in enumerate(shape.terms)]
        weights = [weight for _, weight in shape.terms]
        assert collected("x", zip(names, weights, strict=True)).weights
    assert offered(("move.ask",)) == ()


def test_json_of_the_study_holds_no_surprise(study: Study) -> None:
    keep_contrast(study, EFFECTS)
    raw = json.loads(study.meta("result contrasts") or "")
    assert raw == [
        {"name": "effects", "weights": [list(t) for t in EFFECTS.weights.items()]}
    ]
