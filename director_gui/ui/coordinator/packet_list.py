"""The list of packets at the left, and the one way to a new one."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from director_gui.study.blind.overview import PacketRow
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.tables import side
from director_gui.ui.widgets import button, label

_WIDTH = 232  # px
_MOST_NAMED = 3  # coders; more are counted
_ID = Qt.ItemDataRole.UserRole


def state_of(row: PacketRow) -> str:
    """Return how far a packet is, in a few words."""
    if row.unblinded:
        return "unblinded"
    if not row.coders:
        return "no results yet"
    if len(row.coders) > _MOST_NAMED:
        done = sum(coder.done for coder in row.coders)
        return f"{done} of {len(row.coders)} coders done"
    states = ("✓" if coder.done else f"{coder.missing} left" for coder in row.coders)
    named = zip(row.coders, states, strict=True)
    return "\n".join(f"{coder.alias} {state}" for coder, state in named)


class PacketList(QWidget):
    """All packets, newest first; the one that is selected is shown."""

    chosen = Signal(str)  # packet id
    wanted = Signal()  # a new packet
    books_wanted = Signal()  # the codebook editor

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._list = QListWidget()
        self._list.setAccessibleName("Packets")
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setSpacing(2)
        # Not the current item: that changes by itself when the focus comes in.
        self._list.itemSelectionChanged.connect(self._changed)
        self.new = button("Make a packet", self.wanted.emit)
        self.new.setShortcut("Ctrl+Shift+N")
        self.new.setToolTip("Make a packet (Ctrl+Shift+N)")
        self.books = button("Codebooks", self.books_wanted.emit)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S2, theme.S3, theme.S2, theme.S3)
        column.setSpacing(theme.S2)
        title = label("Packets", "section")
        title.setContentsMargins(theme.S1, 0, 0, 0)
        column.addWidget(title)
        column.addWidget(self._list, 1)
        column.addWidget(self.new)
        column.addWidget(self.books)
        self.retheme()

    def show_packets(self, rows: Sequence[PacketRow], current: str) -> None:
        """Show `rows` and select the packet `current` without telling anybody."""
        # Filling the list is not choosing in it.
        self._list.blockSignals(True)
        self._list.clear()
        self._list.setEnabled(bool(rows))  # an empty list takes no focus
        for row in rows:
            item = QListWidgetItem(self._words(row))
            item.setData(_ID, row.id)
            item.setToolTip(row.id)
            self._list.addItem(item)
            if row.id == current:
                self._list.setCurrentItem(item)
        self._list.blockSignals(False)

    def clear_choice(self) -> None:
        """Select no packet."""
        self._list.blockSignals(True)
        self._list.setCurrentRow(-1)
        self._list.clearSelection()
        self._list.blockSignals(False)

    def count(self) -> int:
        """Return how many packets are listed."""
        return self._list.count()

    def choose(self, at: int) -> None:
        """Choose a packet by its place in the list."""
        self._list.setCurrentRow(at)

    def retheme(self) -> None:
        """Tint the icon and take the text size that is shown now."""
        self.setFixedWidth(side(_WIDTH))
        self.new.setIcon(icon("package-variant-closed-plus"))
        self.books.setIcon(icon("book-open-variant"))

    def _words(self, row: PacketRow) -> str:
        pass_words = f" · again of {row.again[:8]}" if row.again else ""
        practice = " · practice" if row.practice else ""
        return (
            f"{row.short}{practice}\n"
            f"{row.items} items{pass_words} · {row.created[:10]}\n{state_of(row)}"
        )

    def _changed(self) -> None:
        for item in self._list.selectedItems():
            self.chosen.emit(item.data(_ID))
