"""What the run workspace says, word by word."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.runner.engine_values import BatchMoved
from director_gui.scene.example import example_scene
from director_gui.store.runs import Run
from director_gui.study.run_arms import ENDINGS, ArmView, Drift, ErrorCount
from director_gui.study.run_view import RunView
from director_gui.ui.run.arm_model import HIDDEN, MISSING, ArmModel, arm_hint
from director_gui.ui.run.words import (
    and_text,
    batch_texts,
    cost_text,
    drift_text,
    error_text,
    figures_text,
    rate_text,
    unanswered_text,
)

if TYPE_CHECKING:
    from director_gui.ids import Json


def arm(**statuses: int) -> ArmView:
    return ArmView(
        model="m",
        condition="move.ask",
        batch="1",
        base=True,
        statuses=dict.fromkeys(ENDINGS, 0) | statuses,
        hidden=(1, 2),
        right=(0, 0),
        tokens=(0, 0),
        cost=0.0,
        imbalance="much",
    )


@pytest.fixture
def view() -> RunView:
    settings: Json = {"profiles": [], "conditions": []}
    stored = Run("r", "plan", "label", "2026-01-01", practice=False, settings=settings)
    scene = example_scene()
    return RunView(stored, {"h": (scene, truth_of(scene))}, {}, library())


def test_only_what_has_no_answer_is_listed() -> None:
    assert unanswered_text(arm(answered=5, open=2)) == ""
    assert unanswered_text(arm(truncated=2, failed=1)) == "2 truncated, 1 failed"


def test_a_hint_holds_every_count() -> None:
    told = arm_hint(arm(answered=1234))
    assert told.startswith("m · move.ask · batch 1\n1,234 answered, 0 truncated")
    assert told.endswith("Unlike its pair partner: much")


def test_an_uneven_arm_is_marked_in_its_row() -> None:
    model = ArmModel()
    even = replace(arm(answered=4, failed=1), condition="even", imbalance="")
    model.show_arms([arm(answered=3, failed=2), even])
    told = [model.index(row, MISSING).data() for row in range(2)]
    assert told == ["⚠ 2 failed", "1 failed"]


def test_only_rows_that_moved_are_painted() -> None:
    model = ArmModel()
    first, second = (
        replace(arm(answered=1), condition=name, batch=name) for name in ("a", "b")
    )
    model.show_arms([first, second])
    moved: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda top, end, _: moved.append((top.row(), end.row())))
    model.show_arms([first, second])
    assert moved == []
    model.show_arms([first, replace(second, hidden=(2, 2))])
    assert moved == [(1, 1)]


def test_arms_are_sorted_by_value_and_keep_their_names() -> None:
    model = ArmModel()
    arms = [
        replace(arm(answered=n), condition=str(n), hidden=(n, 10)) for n in (2, 10, 1)
    ]
    model.show_arms(arms)
    model.sort(HIDDEN, Qt.SortOrder.DescendingOrder)
    assert [a.condition for row in range(3) if (a := model.arm(row))] == [
        "10",
        "2",
        "1",
    ]
    assert model.row_of(arms[2].key) == 2
    # The next replies find each arm where the reader put it.
    model.show_arms([replace(item, hidden=(0, 10)) for item in arms])
    assert model.row_of(arms[2].key) == 2
    assert model.arm(7) is None
    assert model.row_of(("no", "such", "arm")) == -1


@pytest.mark.parametrize(
    ("k", "n", "text"), [(5, 12, "41.7 %  5/12"), (0, 3, "0.0 %  0/3"), (0, 0, "–")]
)
def test_a_share_comes_with_its_counts(k: int, n: int, text: str) -> None:
    assert rate_text(k, n) == text


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (None, "unknown cost"),
        (0.0, "free"),
        (0.004, "under $0.01"),
        (0.01, "$0.01"),
        (12.3456, "$12.35"),
    ],
)
def test_costs_are_told_in_dollars(cost: float | None, text: str) -> None:
    assert cost_text(cost) == text


def test_a_run_without_replies_has_figures(view: RunView) -> None:
    text = "0 of 0 calls ended · 0 tokens in, 0 out · free"
    assert figures_text(view, None, None) == text
    assert "none lately" in figures_text(view, 0.0, None)
    told = figures_text(view, 2.5, 3600.0)
    assert "2.5 a second · 60\N{NO-BREAK SPACE}min left" in told


def test_batches_at_a_provider_are_counted(view: RunView) -> None:
    view.fold([BatchMoved("m", "", "uploading", 5)])
    assert batch_texts(view) == ["1 batch uploading"]
    view.fold([BatchMoved("m", name, "in_progress", 5) for name in ("a", "b")])
    assert "2 batches in progress" in batch_texts(view)
    view.fold([BatchMoved("m", "b", "completed", 5)])
    assert "1 batch completed" in figures_text(view, None, None)


def test_errors_are_counted_in_words() -> None:
    error = ErrorCount("m", "rate_limit", 1200)
    assert error_text(error, named=False) == "1,200 × the server asks to wait"
    assert error_text(error, named=True).startswith("m: ")


def test_drift_is_told_beside_the_papers() -> None:
    one = Drift("m", "move.ask", (("1", 1, 4),))
    assert drift_text(one, named=False) == "move.ask · batch 1 25.0 %  1/4"
    two = Drift("m", "move.ask", (("1", 1, 4), ("2", 2, 4)))
    told = drift_text(two, named=True)
    assert told.startswith("m: move.ask · batch 1 25.0 %")
    assert told.endswith("25.0 points apart (the paper’s largest: 8.1)")


@pytest.mark.parametrize(
    ("names", "text"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_names_are_listed(names: tuple[str, ...], text: str) -> None:
    assert and_text(names) == text
