"""Every piece, the study's own and the program's, used or not."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.pieces import SLOTS, Given, Piece
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.widgets import button, label

_NAME = Qt.ItemDataRole.UserRole
_HINT = "Select a piece to edit it; yours come first within each slot."


class PieceList(QWidget):
    """Pieces by slot; what nothing uses can be deleted."""

    new = Signal()
    edit = Signal(str)
    delete = Signal(str)

    def __init__(self, book: PromptBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self.tree = QTreeWidget()
        self.text = label("", wrap=True)
        self.new_button = button("New piece", self.new.emit)
        self.edit_button = button("Edit", self._edit)
        self.delete_button = button("Delete", self._delete)
        self._lay_out()
        self.tree.itemSelectionChanged.connect(self._chosen)
        self.tree.itemActivated.connect(lambda _item, _at: self._edit())
        book.changed.connect(self.show_pieces)

    def chosen(self) -> str:
        """Return the chosen piece's name, empty for none."""
        # Not the current item, which Qt sets where nobody has chosen one.
        for item in self.tree.selectedItems():
            return str(item.data(0, _NAME))
        return ""

    def choose(self, name: str) -> None:
        """Choose a piece."""
        for at in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(at)
            if item is not None and item.data(0, _NAME) == name:
                self.tree.setCurrentItem(item)

    def show_pieces(self) -> None:
        """List the book's pieces; the chosen one stays chosen."""
        # Every change lists the pieces anew.
        before = self.chosen()
        pieces = sorted(self._book.library.pieces, key=self._order)
        self.tree.clear()
        self.tree.addTopLevelItems([self._item(piece) for piece in pieces])
        self.choose(before)
        self._chosen()

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self.show_pieces()

    def _order(self, piece: Piece) -> tuple[int, bool]:
        # In the order of a message, one's own first.
        return SLOTS.index(piece.slot), not self._book.is_own_piece(piece.name)

    def _item(self, piece: Piece) -> QTreeWidgetItem:
        count = len(self._book.users(piece.name))
        slot = piece.slot.replace("_", " ")
        item = QTreeWidgetItem([piece.name, slot, str(count) if count else "unused"])
        item.setData(0, _NAME, piece.name)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        item.setTextAlignment(2, right)
        state = self._state(piece.name)
        item.setToolTip(0, f"{piece.name}: {state}")
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{piece.name}, {state}")
        signs = {"yours": "pencil-outline", "frozen": "lock-outline"}
        if state in signs:
            item.setIcon(0, icon(signs[state]))
        return item

    def _state(self, name: str) -> str:
        if not self._book.is_own_piece(name):
            return "built in"
        return "frozen" if name in self._book.frozen.pieces else "yours"

    def _chosen(self) -> None:
        name = self.chosen()
        mine = bool(name) and self._book.can_change_piece(name)
        writable = not self._book.read_only
        self.new_button.setEnabled(writable)
        self.edit_button.setEnabled(bool(name) and writable)
        self.edit_button.setText("Edit" if mine or not name else "Edit a copy")
        # Deleting it would break the conditions that use it.
        free = mine and not self._book.users(name)
        self.delete_button.setEnabled(free and writable)
        self.delete_button.setToolTip("" if free else "Only what nothing uses")
        self.text.setText(self._words(name) if name else _HINT)

    def _words(self, name: str) -> str:
        piece = self._book.library.piece(name)
        rows = {row.name: row.origin for row in self._book.own.pieces}
        made = f", made from {rows[name]}" if rows.get(name) else ""
        # Two digits, so that the words between them are seen as well.
        part = piece.part(Given((3, 5), "largest")) if _has_largest(piece) else None
        shown = part.data.decode() if part else piece.text.texts()[0].decode()
        return f"{self._state(name).capitalize()}{made}.\n\n{shown}".rstrip("\n")

    def _edit(self) -> None:
        if self.chosen() and self.edit_button.isEnabled():
            self.edit.emit(self.chosen())

    def _delete(self) -> None:
        if self.chosen():
            self.delete.emit(self.chosen())

    def _lay_out(self) -> None:
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.tree.setAccessibleName("Pieces")
        self.tree.setHeaderLabels(["Piece", "Slot", "Used"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        head = self.tree.header()
        head.setStretchLastSection(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head_item = self.tree.headerItem()
        head_item.setToolTip(2, "How many conditions use it")
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        flags = Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(flags.TextSelectableByMouse)
        row = QHBoxLayout()
        for made in (self.new_button, self.edit_button, self.delete_button):
            row.addWidget(made)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        column.addLayout(row)
        column.addWidget(self.tree, 1)
        column.addWidget(self.text)


def _has_largest(piece: Piece) -> bool:
    extremes = piece.text.value().get("extremes")
    return not isinstance(extremes, dict) or "largest" in extremes
