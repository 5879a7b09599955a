"""The table of replies as a model: order, places, what is told to its views."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import QColor
from pytestqt.modeltest import ModelTester

from director_gui.scoring.score import Score
from director_gui.store.database import create_study
from director_gui.study.practice import Practice
from director_gui.study.probed import Replies, replies_in
from director_gui.ui import theme
from director_gui.ui.column_model import stretches
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.probe.reply_table import (
    COLUMNS,
    CONDITION,
    HIDDEN,
    LONGEST,
    MODEL,
    REPORT,
    STATUS,
    ReplyTable,
)
from tests.probe_runs import stored

CHOICE = 3
ASCENDING, DESCENDING = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Replies]:
    path = tmp_path_factory.mktemp("table") / "a.study"
    with create_study(path, "a") as study, Practice() as practice:
        yield replies_in(study, stored(study, practice, samples=4).id)


def live_of(replies: Replies, choices: list[int | None]) -> LiveProbe:
    """A probe whose first replies chose these blocks."""
    live = LiveProbe(replies)
    for row, choice in enumerate(choices):
        live.rows[row] = replace(live.rows[row], score=Score("answered", choice=choice))
    return live


def column(table: ReplyTable, at: int) -> list[object]:
    return [table.index(row, at).data() for row in range(table.rowCount())]


def test_it_is_a_sound_model(replies: Replies, qtmodeltester: ModelTester) -> None:
    table = ReplyTable()
    qtmodeltester.check(table)
    table.show(LiveProbe(replies))
    qtmodeltester.check(table)
    table.sort(CONDITION, DESCENDING)
    qtmodeltester.check(table)
    table.show(None)
    assert table.rowCount() == 0
    assert table.item(0) is None
    assert table.source(0) == -1


choices = st.lists(st.one_of(st.none(), st.integers(0, 99)), min_size=8, max_size=8)


@settings(deadline=None, max_examples=40)
@given(made=choices, at=st.integers(-1, len(COLUMNS) - 1), down=st.booleans())
def test_sorting_moves_rows_and_loses_none(
    replies: Replies, made: list[int | None], at: int, *, down: bool
) -> None:
    table = ReplyTable()
    live = live_of(replies, made)
    table.show(live)
    table.sort(at, DESCENDING if down else ASCENDING)
    sources = [table.source(row) for row in range(table.rowCount())]
    assert sorted(sources) == list(range(8))
    for row, source in enumerate(sources):
        assert table.item(row) is live.rows[source]
    if at == -1:
        assert sources == list(range(8))


@settings(deadline=None, max_examples=40)
@given(made=choices)
def test_numbers_are_sorted_by_value_and_gaps_come_last(
    replies: Replies, made: list[int | None]
) -> None:
    table = ReplyTable()
    table.show(live_of(replies, made))
    table.sort(CHOICE, ASCENDING)
    known = sorted(choice for choice in made if choice is not None)
    gaps = made.count(None)
    assert column(table, CHOICE) == [str(choice) for choice in known] + ["–"] * gaps


def test_a_kept_place_follows_its_reply(replies: Replies) -> None:
    table = ReplyTable()
    live = live_of(replies, [8, 7, 6, 5, 4, 3, 2, 1])
    table.show(live)
    kept = QPersistentModelIndex(table.index(0, CHOICE))
    table.sort(CHOICE, ASCENDING)
    assert kept.row() == 7
    assert kept.data() == "8"


def test_views_are_told_which_rows_changed(replies: Replies) -> None:
    table = ReplyTable()
    table.show(live_of(replies, [8, 7, 6, 5, 4, 3, 2, 1]))
    told: list[tuple[int, int]] = []
    table.dataChanged.connect(lambda a, b, _roles: told.append((a.row(), b.row())))
    table.touch({2})
    table.touch({1, 5})
    table.touch(set())
    table.touch()
    table.sort(CHOICE, ASCENDING)
    table.touch({0})  # which is the last row now
    # Rows between two that changed are not painted anew.
    assert told == [(2, 2), (1, 1), (5, 5), (0, 7), (7, 7)]


@given(st.sets(st.integers(0, 40)))
def test_stretches_hold_what_changed_and_nothing_else(places: set[int]) -> None:
    found = stretches(places)
    held = [place for first, last in found for place in range(first, last + 1)]
    assert held == sorted(places)
    # Neighbours are one stretch.
    assert all(b > a + 1 for (_, a), (b, _) in itertools.pairwise(found))


def test_colours_never_speak_alone(replies: Replies) -> None:
    table = ReplyTable()
    live = LiveProbe(replies)
    live.rows[0] = replace(
        live.rows[0],
        score=Score("answered", report_correct=False, hidden_choice=True),
    )
    live.rows[1] = replace(live.rows[1], score=Score("truncated"))
    table.show(live)
    role, t = Qt.ItemDataRole.ForegroundRole, theme.tokens()
    for row, at, text, colour in (
        (0, REPORT, "✗ wrong", t.error),
        (0, HIDDEN, "⊘ yes", t.hidden),
        (1, STATUS, "truncated", t.error),
        (2, STATUS, "open", t.muted),
    ):
        assert table.index(row, at).data() == text
        assert table.index(row, at).data(role) == QColor(colour)


def test_every_column_has_a_head_and_a_hint(replies: Replies) -> None:
    table = ReplyTable()
    table.show(LiveProbe(replies))
    flat = Qt.Orientation.Horizontal
    for at, made in enumerate(COLUMNS):
        assert table.headerData(at, flat) == made.name
        assert table.headerData(at, flat, Qt.ItemDataRole.ToolTipRole) == made.hint
        assert table.headerData(at, Qt.Orientation.Vertical) is None
    assert set(LONGEST) | {MODEL, CONDITION} == set(range(len(COLUMNS)))
