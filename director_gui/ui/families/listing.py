"""Families and sets at the left, and the ways to new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from director_gui.store.sets import StoredSet
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.tables import side
from director_gui.ui.widgets import button, label

_WIDTH = 232  # px
_WHAT = Qt.ItemDataRole.UserRole
Kind = Literal["set", "own", "built_in"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the list.

    Attributes:
        kind: A set, a family of the study's, or a built-in one.
        key: The set's id, or the family's name.
    """

    kind: Kind
    key: str


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set with how many of its scenes are kept."""

    item: StoredSet
    kept: int

    @property
    def partial(self) -> bool:
        """Whether scenes are missing."""
        return self.kept < self.item.count

    @property
    def state(self) -> str:
        """How far it is, in a few words."""
        if self.partial:
            return f"{self.kept:,} of {self.item.count:,} scenes · partial"
        source = "" if self.item.family else " · imported"
        return f"{self.kept:,} scenes{source}"


class Listing(QWidget):
    """Sets first, then the study's families, then those built in."""

    chosen = Signal(object)  # Entry
    around_wanted = Signal()
    import_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.list = QListWidget()
        self.list.setAccessibleName("Sets and families")
        self.list.setWordWrap(True)
        # Names wrap; a bar would come and go as sets grow.
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._changed)
        self.around = button("From the open scene", self.around_wanted.emit)
        self.around.setToolTip("Make a family around the scene in the editor")
        self.take = button("Import a set…", self.import_wanted.emit)
        self.take.setToolTip("Take in a folder of scene files written by others")
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S2, theme.S2, theme.S2, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.list, 1)
        column.addWidget(self.around)
        column.addWidget(self.take)
        self.retheme()

    def show_all(
        self,
        sets: Sequence[SetRow],
        own: Sequence[str],
        built_in: Sequence[str],
        current: Entry | None,
    ) -> None:
        """List everything and select `current` without telling anybody."""
        # Filling moves the current row, which nobody chose.
        self.list.blockSignals(True)
        # A long list must stay where it was while a set grows.
        at = self.list.verticalScrollBar().value()
        self.list.clear()
        self._title("Sets in this study")
        for row in sets:
            # By id: a set and a family may have one name.
            self._add(Entry("set", row.item.id), row.item.name, row.state)
        if not sets:
            self._note("None yet: choose a family below and sample it.")
        if own:
            self._title("Families of this study")
        for name in own:
            self._add(Entry("own", name), name)
        self._title("Built-in families")
        for name in built_in:
            self._add(Entry("built_in", name), name)
        self.select(current)
        self.list.verticalScrollBar().setValue(at)
        self.list.blockSignals(False)

    def select(self, entry: Entry | None) -> None:
        """Select an entry without telling anybody."""
        # It may be blocked already, by `show_all`.
        blocked = self.list.blockSignals(True)
        row = next((i for i in range(self.list.count()) if self._at(i) == entry), -1)
        self.list.setCurrentRow(row if entry is not None else -1)
        self.list.blockSignals(blocked)

    def choose(self, entry: Entry) -> None:
        """Choose an entry as a click does."""
        for row in range(self.list.count()):
            if self._at(row) == entry:
                self.list.setCurrentRow(row)

    def entries(self) -> list[Entry]:
        """Return what can be chosen, from the top."""
        found = [self._at(row) for row in range(self.list.count())]
        return [entry for entry in found if entry is not None]

    def texts(self) -> list[str]:
        """Return every line of the list."""
        items = [self.list.item(row) for row in range(self.list.count())]
        return [item.text() for item in items]

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self.setFixedWidth(side(_WIDTH))
        self.around.setIcon(icon("cube-scan"))
        self.take.setIcon(icon("folder-open-outline"))

    def _at(self, row: int) -> Entry | None:
        item = self.list.item(row)
        found = item.data(_WHAT)
        return found if isinstance(found, Entry) else None

    def _add(self, entry: Entry, name: str, state: str = "") -> None:
        item = QListWidgetItem(f"{name}\n{state}" if state else name)
        item.setData(_WHAT, entry)
        item.setToolTip(name)
        self.list.addItem(item)

    def _title(self, text: str) -> None:
        item = QListWidgetItem()
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        title = label(text, "section")
        title.setContentsMargins(theme.S1, theme.S3, 0, theme.S1)
        title.setFixedHeight(theme.px(34))
        item.setSizeHint(title.minimumSizeHint())
        self.list.addItem(item)
        self.list.setItemWidget(item, title)

    def _note(self, text: str) -> None:
        item = QListWidgetItem(text)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def _changed(self, item: QListWidgetItem | None) -> None:
        found = item.data(_WHAT) if item is not None else None
        if isinstance(found, Entry):
            self.chosen.emit(found)
