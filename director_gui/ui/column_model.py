"""A table model of columns whose rows move at a click on a head, and else never."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from director_gui.ui.tables import LEFT, RIGHT

Index = QModelIndex | QPersistentModelIndex
SortKey = tuple[bool, float, str]
_NOWHERE = QModelIndex()


class Head(Protocol):
    """What a column says of itself."""

    @property
    def name(self) -> str:
        """Its head."""

    @property
    def hint(self) -> str:
        """What its head stands for."""

    @property
    def numeric(self) -> bool:
        """Whether its figures stand at the right."""


def sort_key(value: object) -> SortKey:
    """Return a key: numbers by value, words by letter, what is missing last."""
    if isinstance(value, str):
        return (False, 0.0, value)
    if isinstance(value, int | float):
        return (False, float(value), "")
    return (True, 0.0, "")


def stretches(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of neighbours among some places."""
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and place <= found[-1][1] + 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


class ColumnModel(QAbstractTableModel):
    """Shows rows in an order of its own; a subclass holds them and gives the cells.

    The order is kept here and not by a proxy, which asks for two cells at every
    comparison, in Python.
    """

    def __init__(self, columns: Sequence[Head]) -> None:
        super().__init__()
        self._columns = columns
        self._order: list[int] = []  # the subclass's row that each row shows
        self._place: list[int] = []  # the other way round

    def key(self, source: int, column: int) -> SortKey:
        """Return what the subclass's row `source` is sorted by in a column."""
        raise NotImplementedError

    def source(self, row: int) -> int:
        """Return the subclass's row that a row shows, -1 when there is none."""
        return self._order[row] if 0 <= row < len(self._order) else -1

    def place(self, source: int) -> int:
        """Return the row that shows the subclass's row, -1 when there is none."""
        return self._place[source] if 0 <= source < len(self._place) else -1

    def put_in_order(self, order: list[int]) -> None:
        """Show the subclass's rows in this order; the model is being reset."""
        self._order = order
        self._place = [0] * len(order)
        for place, row in enumerate(order):
            self._place[row] = place

    def touch(self, sources: Iterable[int] | None = None) -> None:
        """Say that some of the subclass's rows changed; all of them by default."""
        touched = range(len(self._order)) if sources is None else sources
        # Each stretch by itself: one from the first to the last of a few rows would
        # paint all that are between them, which takes longer than a frame has.
        for first, last in stretches(self._place[row] for row in touched):
            end = self.index(last, len(self._columns) - 1)
            self.dataChanged.emit(self.index(first, 0), end)

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        found = list(range(len(self._order)))
        if column >= 0:
            down = order is Qt.SortOrder.DescendingOrder
            found.sort(key=lambda row: self.key(row, column), reverse=down)
        self.layoutAboutToBeChanged.emit()
        # What is selected stays selected, wherever its row goes.
        before = self.persistentIndexList()
        kept = [(self._order[index.row()], index.column()) for index in before]
        self.put_in_order(found)
        after = [self.index(self._place[row], at) for row, at in kept]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = self._columns[section]
        shown = {
            Qt.ItemDataRole.DisplayRole: column.name,
            Qt.ItemDataRole.ToolTipRole: column.hint,
            Qt.ItemDataRole.TextAlignmentRole: RIGHT if column.numeric else LEFT,
        }
        return shown.get(Qt.ItemDataRole(role))
