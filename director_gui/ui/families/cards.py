"""The cards of a set as a Qt list: all of them, filtered and sorted."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from director_gui.study.gallery import Card, Wanted, arranged

CARD = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class CardModel(QAbstractListModel):
    """Rows are cards; nothing of a picture is held here."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.all: list[Card] = []
        self.shown: list[Card] = []
        # Asked for every picture that gets ready, so a search would not do.
        self._rows: dict[str, int] = {}
        # Kept, so that a set that is read again keeps its filter and order.
        self._how: tuple[Wanted, str, bool] = (Wanted(), "set order", False)

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show another set's cards."""
        self.all = list(cards)
        self._arrange()

    def arrange(self, wanted: Wanted, sort: str, *, descending: bool) -> None:
        """Filter and sort anew."""
        self._how = (wanted, sort, descending)
        self._arrange()

    def remark(self, cards: Sequence[Card]) -> None:
        """Take the same cards with other marks; what no longer fits leaves."""
        self.all = list(cards)
        new = self._arranged()
        # A reset loses the place in the list, which a pin must not cost.
        if [c.scene for c in new] != [c.scene for c in self.shown]:
            self._reset(new)
            return
        self.shown = new
        if new:
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))

    def row_of(self, scene: str) -> int:
        """Return the row that shows a scene, -1 for none."""
        return self._rows.get(scene, -1)

    def rowCount(self, parent: Index | None = None) -> int:
        # Qt asks list models about children too; a card has none.
        return 0 if parent is not None and parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not 0 <= index.row() < len(self.shown):
            return None
        card = self.shown[index.row()]
        if role == CARD:
            return card
        if role == Qt.ItemDataRole.DisplayRole:
            return card.name
        if role in (
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            # A card is painted: screen readers get nothing else of it.
            return in_words(card)
        return None

    def _arranged(self) -> list[Card]:
        wanted, sort, descending = self._how
        return arranged(self.all, wanted, sort, descending=descending)

    def _arrange(self) -> None:
        self._reset(self._arranged())

    def _reset(self, cards: list[Card]) -> None:
        self.beginResetModel()
        self.shown = cards
        self._rows = {card.scene: row for row, card in enumerate(cards)}
        self.endResetModel()


def in_words(card: Card) -> str:
    """Return a card as a sentence or two."""
    hidden = card.key.hidden
    said = [
        f"{card.name}: the director does not see {hidden}"
        if hidden is not None
        else f"{card.name}: no single block is hidden"
    ]
    if card.key.director_view is not None:
        said.append(f"the director-view block is {card.key.director_view}")
    said.append(f"at least {card.least:.1%} of each other block is visible")
    if card.features.confound:
        said.append("apparent sizes confound it")
    if card.mark is not None:
        verb = "dropped" if card.dropped else "pinned"
        said.append(f"{verb}: {card.mark.reason}")
    return "; ".join(said) + "."
