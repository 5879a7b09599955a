from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.stats.contrast import compare
from director_gui.stats.replies import Replies
from director_gui.store.database import Study
from director_gui.store.runs import run
from director_gui.study.results import arms, effects
from director_gui.study.results.columns import ANSWERED
from director_gui.study.results.comparing import compared
from director_gui.study.results.contrasts import collected, keep_contrast
from director_gui.study.results.families import EVERY, families_of
from director_gui.study.results.filters import (
    ALL_SCENES,
    BUILT_IN,
    Filter,
    filters_of,
    keep_filter,
)
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.sensitivity import exchangeable
from director_gui.study.results.view import Found, Question, answer, outline
from director_gui.study.results.words import method_words
from tests import blind_studies
from tests.study.results.planted import columns_of


def found_of(study: Study, **asked: str) -> Found:
    found = answer(study, ReplyCache(study), replace(Question(), **asked))
    assert found is not None
    return found


def test_a_planted_effect_is_recovered() -> None:
    columns = columns_of({"move.ask": 0.6, "move.plain": 0.2})
    (one,) = compared(columns, (("move.ask", "move.plain"),))
    assert one.found is not None
    assert one.found.ci_low is not None
    assert one.found.ci_high is not None
    assert one.found.ci_low < 0.4 < one.found.ci_high
    assert one.call == "increase"


def test_null_runs_raise_few_false_calls_over_72_comparisons() -> None:
    names = [f"c{at:02d}" for at in range(73)]
    columns = columns_of(dict.fromkeys(names, 0.3), seed=7)
    found = compared(columns, tuple((name, "c00") for name in names[1:]))
    assert len(found) == 72
    assert sum(one.call in ("increase", "decrease") for one in found) <= 4
    plain = sum(one.found is not None and (one.found.p or 1) < 0.05 for one in found)
    assert plain > 0  # the correction had something to do


@given(st.randoms(use_true_random=False))
def test_the_order_of_calls_changes_nothing(order: object) -> None:
    columns = columns_of({"a": 0.5, "b": 0.3}, samples=1)
    at = np.array(order.sample(range(columns.calls), columns.calls))
    names = ("model", "condition", "batch", "scene", "status", "hidden", "correct")
    names = (*names, "leaves_out", "kind")
    shuffled = replace(columns, **{n: getattr(columns, n)[at] for n in names})
    pairs = (("a", "b"),)
    assert compared(columns, pairs)[0].found == compared(shuffled, pairs)[0].found


def test_tallies_equal_those_of_plain_rows() -> None:
    columns = columns_of({"a": 0.5, "b": 0.3})
    rows = [
        (columns.scenes[s], columns.conditions[c], int(y))
        for s, c, y in zip(
            columns.scene, columns.condition, columns.hidden, strict=True
        )
    ]
    table = columns.replies("hidden_choice", 0, 0)
    assert compare(table, "b", "a") == compare(Replies.of(rows), "b", "a")


def test_a_pair_across_batches_is_refused_with_the_reason() -> None:
    columns = columns_of({"a": 0.5, "b": 0.3}, batches={"a": "1", "b": "2"})
    (one,) = compared(columns, (("a", "b"),))
    assert one.found is None
    assert one.call == "not compared"
    family = families_of_pair()
    sheet = effects.comparison_sheet((one,), family, "hidden_choice", "")
    assert "drifts between batches" in sheet.rows[0].cells[2].hint
    assert "1 without" in sheet.note


def families_of_pair() -> effects.Family:
    return effects.Family("f", (("a", "b"),), declared=True)


def test_drift_is_told_against_the_first_batch() -> None:
    columns = columns_of({"move.ask": 0.5, "mean.ask": 0.2})
    twice = replace(columns, batches=("1", "2"), batch=(columns.scene % 2))
    rows = arms.drift_sheet(twice, arms.arms_of(twice), "").rows
    moves = [r.cells[6].value for r in rows if r.cells[1].text == "move.ask"]
    assert moves[0] == 0.0
    assert moves[1] not in (0.0, None)


def test_interim_and_practice_are_said(study: Study) -> None:
    blind_studies.add_replies(study, 3, 1, run="run-2", answered=False)
    found = found_of(study, run="run-2")
    assert found.interim
    assert "interim: 0.0 % of 6 calls" in found.state
    assert found.state.startswith("practice")
    assert found.columns.ended()["open"] == 6
    assert found.comparisons[0].call == "no interval"


def test_every_sheet_says_what_it_rests_on(study: Study) -> None:
    found = found_of(study)
    for sheet in found.sheets.values():
        assert "6 of 6 scenes" in sheet.note
        assert "left out" in sheet.note
        assert all(len(row.cells) == len(sheet.columns) for row in sheet.rows)


def test_numbers_say_how_they_were_computed(study: Study) -> None:
    found = found_of(study)
    one, row = found.comparisons[0], found.sheets["comparisons"].rows[0]
    assert one.found is not None
    assert f"{one.found.k[1]:,} of {one.found.n[1]:,}" in row.cells[2].hint
    assert f"{one.found.scenes} scenes" in row.cells[3].hint
    assert "Benjamini and Hochberg over the 10" in row.cells[4].hint


def test_choices_add_up(study: Study) -> None:
    for row in found_of(study).sheets["choices"].rows:
        mark = row.cells[-1].mark
        assert mark is not None
        assert sum(share for _, share in mark.parts) == pytest.approx(1.0)


def test_given_reports_count_only_their_replies(study: Study) -> None:
    found = found_of(study)
    columns = found.columns
    for row in found.sheets["given"].rows:
        which = (
            (columns.model == columns.models.index(row.cells[0].text))
            & (columns.condition == columns.conditions.index(row.cells[1].text))
            & (columns.status == ANSWERED)
        )
        wanted = columns.correct if "right" in row.cells[3].text else columns.leaves_out
        counted = which & (wanted == 1)
        n, hidden = columns.n[counted], columns.hidden[counted]
        assert row.cells[4].value == n.sum()
        assert row.cells[5].value == np.sum(n * hidden) / n.sum()


def test_scenes_carry_the_effect(study: Study) -> None:
    found = found_of(study)
    sheet = found.scenes_of(1)
    assert {row.key for row in sheet.rows} == set(found.columns.scenes)
    sizes = [abs(float(row.cells[5].value or 0)) for row in sheet.rows]
    assert sizes == sorted(sizes, reverse=True)


def test_an_outline_reads_no_reply(study: Study) -> None:
    told = outline(study)
    assert told is not None
    assert told.calls == 6 * 5 * 2 * 2
    assert "120 calls" in told.state


def test_families_hold_the_pairs_of_the_run(study: Study) -> None:
    stored = run(study, "run-1")
    families = families_of(study, stored, ("move.ask", "move.plain", "mean.ask"))
    assert {f.name: f.pairs for f in families} == {
        EVERY: (("move.ask", "move.plain"), ("move.ask", "mean.ask")),
        "Question and controls": (("move.ask", "move.plain"),),
    }
    settings = {"families": [{"name": "mine", "pairs": [["move.ask", "mean.ask"]]}]}
    declared = families_of(study, replace(stored, settings=settings), ())[0]
    assert declared.declared
    assert declared.pairs == (("move.ask", "mean.ask"),)


def test_a_filter_is_kept_and_used(study: Study) -> None:
    mine = Filter("four blocks", {"blocks": "4"})
    keep_filter(study, mine)
    assert filters_of(study) == (*BUILT_IN, mine)
    assert found_of(study, scenes="four blocks").comparisons == ()
    three = Filter("three", {"blocks": "3", "hidden_rank": "largest"})
    keep_filter(study, three)
    assert found_of(study, scenes="three").columns.calls == 120


@pytest.mark.parametrize(
    "refused",
    [
        Filter(" ", {"blocks": "3"}),
        Filter(ALL_SCENES.name, {"blocks": "3"}),
        Filter("x"),
        Filter("x", {"blocks": "99"}),
        Filter("x", {"colour": "red"}),
    ],
)
def test_a_filter_that_says_nothing_is_refused(study: Study, refused: Filter) -> None:
    with pytest.raises(UserError):
        keep_filter(study, refused)
    assert filters_of(study) == BUILT_IN


def test_exchangeable_agrees_where_counts_are_equal() -> None:
    columns = columns_of({"a": 0.6, "b": 0.3})
    table = columns.replies("hidden_choice", 0, 0)
    plain, other = compare(table, "b", "a"), exchangeable(table, "b", "a")
    assert other.estimate == pytest.approx(plain.estimate, abs=1e-6)
    assert other.se == pytest.approx(plain.se, rel=1e-3)
    assert other.ci_low == pytest.approx(plain.ci_low, abs=1e-3)


def test_exchangeable_refuses_a_share_without_events() -> None:
    columns = columns_of({"a": 0.6, "b": 0.0})
    table = columns.replies("hidden_choice", 0, 0)
    with pytest.raises(UserError, match="exactly 0 or 100 %"):
        exchangeable(table, "b", "a")


def test_every_number_explains_itself_with_its_counts(study: Study) -> None:
    keep_contrast(study, collected("c", [("move.ask", 1), ("move.plain", -1)]))
    found = found_of(study)
    sheets = [*found.sheets.values(), found.scenes_of(1)]
    assert len(sheets) > 6
    for sheet in sheets:
        for row in sheet.rows:
            for cell, column in zip(row.cells, sheet.columns, strict=True):
                if column.number or column.drawing:
                    said = (sheet.name, column.title, cell.hint)
                    asked = "not asked" not in cell.hint
                    assert cell.hint, said
                    assert any(sign.isdigit() for sign in cell.hint) or not asked, said
                    assert cell.hint != cell.text, said


def test_every_table_of_intervals_names_its_method(study: Study) -> None:
    keep_contrast(study, collected("c", [("move.ask", 1), ("move.plain", -1)]))
    sheets = found_of(study).sheets
    for name in ("comparisons", "accuracy", "contrasts"):
        assert "Intervals: " in sheets[name].note, name
        assert "scenes" in sheets[name].note
    for name in ("rates", "given", "drift"):
        assert "Intervals resample scenes" in sheets[name].note, name
    assert "(10)" in sheets["comparisons"].note or ";" in sheets["comparisons"].note


def test_a_table_without_an_interval_says_so() -> None:
    assert method_words([None]) == "No interval can be given."
