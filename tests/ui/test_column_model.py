"""Tables whose rows move at a click: the order, what stays chosen, what is painted."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPersistentModelIndex, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from director_gui.ui.column_model import ColumnModel, Index, SortKey, sort_key
from director_gui.ui.tables import LEFT, RIGHT, sortable, tsv_of

pytestmark = pytest.mark.gui
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


@dataclass(frozen=True)
class Column:
    name: str
    hint: str
    numeric: bool = False


COLUMNS = (Column("Word", "Some word"), Column("Number", "A figure", numeric=True))
Row = tuple[str, float | None]
rows = st.lists(st.tuples(st.text("abc", max_size=3), st.none() | st.floats(-9, 9)))


class Model(ColumnModel):
    """Rows of a word and a number."""

    def __init__(self, found: list[Row]) -> None:
        super().__init__(COLUMNS)
        self.found = found
        self.put_in_order(list(range(len(found))))

    def key(self, source: int, column: int) -> SortKey:
        return sort_key(self.found[source][column])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return str(self.found[self.source(index.row())][index.column()])


def words(model: Model) -> list[str]:
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


MIXED: list[Row] = [("b", 2.0), ("a", None), ("c", 1.0), ("a", 3.0)]


def test_it_is_a_sound_model(qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(Model(MIXED))
    qtmodeltester.check(Model([]))


def test_rows_stand_as_they_came_until_a_head_is_clicked(qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    model = Model(MIXED)
    table.setModel(model)
    sortable(table, "Things")
    table.show()
    assert words(model) == ["b", "a", "c", "a"]
    header = table.horizontalHeader()
    at = header.sectionPosition(1) + 4
    spot = header.rect().center()
    spot.setX(at)
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert words(model) == ["c", "b", "a", "a"]  # by number; what is missing is last
    qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert words(model)[1:] == ["a", "b", "c"]


@given(rows, st.sampled_from([0, 1]), st.sampled_from([UP, DOWN]))
def test_sorting_keeps_every_row_and_follows_the_key(
    found: list[Row], column: int, order: Qt.SortOrder
) -> None:
    model = Model(found)
    model.sort(column, order)
    shown = [model.source(row) for row in range(len(found))]
    assert sorted(shown) == list(range(len(found)))
    assert [model.place(source) for source in shown] == list(range(len(found)))
    keys = [model.key(source, column) for source in shown]
    assert keys == sorted(keys, reverse=order is DOWN)
    model.sort(-1)
    assert [model.source(row) for row in range(len(found))] == list(range(len(found)))


@given(rows.filter(bool), st.data())
def test_what_is_chosen_stays_chosen(found: list[Row], data: st.DataObject) -> None:
    model = Model(found)
    row = data.draw(st.integers(0, len(found) - 1))
    held = QPersistentModelIndex(model.index(row, 1))
    source = model.source(row)
    for column in (0, 1, -1):
        model.sort(column, DOWN)
        assert model.source(held.row()) == source
        assert held.column() == 1


def test_equal_rows_keep_their_order() -> None:
    model = Model([("a", 1.0), ("a", 2.0), ("a", 0.0)])
    model.sort(0)
    assert [model.source(row) for row in range(3)] == [0, 1, 2]


def test_only_what_changed_is_painted() -> None:
    model = Model(MIXED)
    told: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda a, b: told.append((a.row(), b.row())))
    model.sort(1)  # c b a a, which came as rows 2 0 3 1
    model.touch({2})
    model.touch({0, 1})
    model.touch(set())
    model.touch()
    # Rows between two that changed are not painted anew.
    assert told == [(0, 0), (1, 1), (3, 3), (0, 3)]


def test_rows_that_are_not_there() -> None:
    model = Model(MIXED)
    assert model.source(-1) == model.source(4) == -1
    assert model.place(-1) == model.place(4) == -1
    assert model.rowCount(model.index(0, 0)) == 0
    assert model.columnCount(model.index(0, 0)) == 0


def test_heads_say_their_name_hint_and_side() -> None:
    model, across = Model([]), Qt.Orientation.Horizontal
    roles = Qt.ItemDataRole
    assert model.headerData(1, across) == "Number"
    assert model.headerData(1, across, roles.ToolTipRole) == "A figure"
    assert model.headerData(1, across, roles.TextAlignmentRole) == RIGHT
    assert model.headerData(0, across, roles.TextAlignmentRole) == LEFT
    assert model.headerData(0, across, roles.DecorationRole) is None
    assert model.headerData(0, Qt.Orientation.Vertical) is None


def test_a_key_must_be_given() -> None:
    bare = ColumnModel(COLUMNS)
    bare.put_in_order([0, 1])
    with pytest.raises(NotImplementedError):
        bare.sort(0)


@pytest.mark.parametrize(
    ("low", "high"),
    [(1, 2), (-1.5, 0), ("a", "b"), (9.0, None), ("z", None), (False, True)],
)
def test_keys_put_low_before_high(low: object, high: object) -> None:
    assert sort_key(low) < sort_key(high)


def test_a_table_is_copied_as_it_is_shown(qtbot: QtBot) -> None:
    table = QTableView()
    qtbot.addWidget(table)
    table.setModel(Model(MIXED))
    sortable(table, "Things")
    table.sortByColumn(1, UP)
    assert tsv_of(table).splitlines()[:2] == ["Word\tNumber", "c\t1.0"]
    table.hideColumn(1)
    table.show()
    table.activateWindow()
    table.setFocus()
    qtbot.waitUntil(table.hasFocus)
    QTest.keySequence(table, QKeySequence.StandardKey.Copy)
    assert QApplication.clipboard().text() == "Word\nc\nb\na\na\n"
