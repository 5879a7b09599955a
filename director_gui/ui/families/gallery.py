"""The gallery of a set: filter, cards, and the selected scene in full."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.scene.model import Scene
from director_gui.store.database import Study
from director_gui.store.marks import Kind, marks_of
from director_gui.store.sets import StoredSet
from director_gui.study.gallery import Card, row_at, with_marks
from director_gui.study.stimuli import scene_in
from director_gui.ui import theme
from director_gui.ui.families.card_delegate import CardDelegate
from director_gui.ui.families.cards import CARD, CardModel
from director_gui.ui.families.filter_bar import FilterBar
from director_gui.ui.families.marking import Marking
from director_gui.ui.families.scene_detail import SceneDetail
from director_gui.ui.families.thumbnails import Thumbnails
from director_gui.ui.flow import Halves
from director_gui.ui.icons import icon
from director_gui.ui.widgets import EmptyState, action

_BIG = 640  # px wide, of the selected scene
_LARGE = 12  # pairs of such pictures that are kept
_DETAIL, _CARDS = 348, 320  # px


class CardList(QListView):
    """Cards flow from left to right; only those in sight are painted."""

    opened = Signal()
    scrolled = Signal()

    def __init__(self, model: CardModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        # Or Qt would measure thousands of cards at every change.
        self.setUniformItemSizes(True)
        # Coming and going it would change how many cards fit, and its own need.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        mode = QAbstractItemView.SelectionMode.ExtendedSelection
        self.setSelectionMode(mode)
        self.setAccessibleName("Scenes of the set")
        self.verticalScrollBar().setSingleStep(theme.px(40))
        self.doubleClicked.connect(lambda _index: self.opened.emit())
        self.setObjectName("cards")
        for key in ("Return", "Enter"):
            action(
                self, "Open in the editor", self.opened.emit, shortcut=key,
                scope=Qt.ShortcutContext.WidgetShortcut,
            )  # fmt: skip

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self.scrolled.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Before Qt lays the cards out, or they would be laid out twice.
        self.fit()
        super().resizeEvent(event)

    def fit(self) -> None:
        """Make the cards as wide as fills the list."""
        delegate = self.itemDelegate()
        if isinstance(delegate, CardDelegate):
            delegate.fit(self.viewport().width(), self.devicePixelRatioF())

    def cards(self) -> list[Card]:
        """Return the selected cards, from the top."""
        # Qt gives them in no order to rely on.
        rows = sorted(index.row() for index in self.selectionModel().selectedIndexes())
        found = [self.model().index(row, 0).data(CARD) for row in rows]
        return [card for card in found if isinstance(card, Card)]


class Gallery(QWidget):
    """Shows one set's cards."""

    show_scene = Signal(object)  # Scene
    marks_changed = Signal()

    def __init__(
        self, refuse: Callable[[UserError], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._refuse = refuse
        self._study: Study | None = None
        self._item: StoredSet | None = None
        self.model = CardModel(self)
        self.thumbnails = Thumbnails(self)
        self.large = Thumbnails(self, most=_LARGE)
        self.large.fit(_BIG)
        self.filter = FilterBar()
        self.list = CardList(self.model)
        self._delegate = CardDelegate(self.thumbnails, self.list)
        self.list.setItemDelegate(self._delegate)
        self.detail = SceneDetail()
        self.marking = Marking(self._marks_changed, refuse)
        self.empty = EmptyState(
            "No scene fits this filter.", ("Show all scenes", self.filter.reset)
        )
        self._lay_out()
        self._connect()

    @property
    def cards(self) -> list[Card]:
        """All cards of the set, shown or not."""
        return self.model.all

    def cards_of(self, set_id: str) -> list[Card]:
        """Return the cards of a set, none while another one's are shown."""
        same = self._item is not None and self._item.id == set_id
        return self.model.all if same else []

    def show_set(self, study: Study, item: StoredSet, cards: Sequence[Card]) -> None:
        """Show a set; its own selection stays when it is the same one."""
        again = self._item is not None and self._item.id == item.id
        kept = [card.scene for card in self.list.cards()] if again else []
        self._study, self._item = study, item
        for pictures in (self.thumbnails, self.large):
            pictures.show_study(study)
        self.marking.open(study, item.id)
        # A filter for one set may hide all of another.
        if not again:
            self.filter.reset()
        self.filter.offer(cards)
        self.model.show_cards(cards)
        self._arranged()
        first = [card.scene for card in self.model.shown[:1]]
        self._select(kept if again else first)

    def forget(self) -> None:
        """Show nothing of a study that was closed."""
        self._study = self._item = None
        for pictures in (self.thumbnails, self.large):
            pictures.show_study(None)
        # Undoing would write into a study that is closed.
        self.marking.stack.clear()
        self.model.show_cards(())
        self.detail.show_selection(())

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self._delegate.retheme()
        self.list.fit()
        self.filter.retheme()
        self.halves.fit()
        self.undo.setIcon(icon("undo"))
        self.redo.setIcon(icon("redo"))
        self.list.doItemsLayout()

    def close_views(self) -> None:
        """End the threads that decode."""
        self.thumbnails.close()
        self.large.close()

    # What happens -----------------------------------------------------------------

    def _arrange(self) -> None:
        kept = [card.scene for card in self.list.cards()]
        bar = self.filter
        self.model.arrange(
            bar.wanted, bar.sort.currentData(), descending=bar.down.isChecked()
        )
        self._arranged()
        self._select(kept)

    def _arranged(self) -> None:
        shown, total = len(self.model.shown), len(self.model.all)
        self.filter.tell(shown, total)
        self.list.setVisible(bool(shown))
        self.empty.setVisible(not shown)

    def _select(self, scenes: Sequence[str]) -> None:
        chosen = self.list.selectionModel()
        flag = QItemSelectionModel.SelectionFlag
        rows = [row for row in map(self.model.row_of, scenes) if row >= 0]
        for row in rows:
            chosen.select(self.model.index(row), flag.Select)
        if rows:
            # Without selecting: several stay selected as they were.
            chosen.setCurrentIndex(self.model.index(rows[0]), flag.NoUpdate)
        self._selected()

    def _selected(self) -> None:
        cards = self.list.cards()
        self.detail.show_selection(cards)
        if len(cards) != 1 or self._study is None or self._item is None:
            return
        try:
            row = row_at(self._study, self._item.id, cards[0].position)
            self.detail.show_facts(self._scene(cards[0]), row)
        except UserError as error:
            self._refuse(error)
        self._show_pictures(cards[0].scene)

    def _show_pictures(self, scene: str) -> None:
        """Show a scene's pictures large, small ones in their place until then."""
        self.large.look_elsewhere()  # the scenes that a held arrow key passed can wait
        self.detail.show_pictures(self.large.pair(scene) or self.thumbnails.pair(scene))

    def _large_ready(self, scene: str) -> None:
        cards = self.list.cards()
        # The selection has moved on while it was decoded.
        if [card.scene for card in cards] != [scene]:
            return
        if self.large.failed(scene):
            self._refuse(
                UserError(
                    "the pictures of this scene cannot be read",
                    where=cards[0].name,
                    todo="Verify the sets to learn what is damaged",
                )
            )
        else:
            self.detail.show_pictures(self.large.pair(scene))

    def _open(self) -> None:
        cards = self.list.cards()
        if cards:
            try:
                self.show_scene.emit(self._scene(cards[0]))
            except UserError as error:
                self._refuse(error)

    def _scene(self, card: Card) -> Scene:
        if self._study is None:
            raise UserError("no study is open")
        return scene_in(self._study, card.scene)

    def _mark(self, kind: str, reason: str) -> None:
        kinds: dict[str, Kind] = {"pin": "pin", "drop": "drop", "none": "none"}
        self.marking.mark(self.list.cards(), kinds[kind], reason)

    def _marks_changed(self) -> None:
        if self._study is None or self._item is None:
            return
        kept = [card.scene for card in self.list.cards()]
        marks = marks_of(self._study, self._item.id)
        self.model.remark(with_marks(self.model.all, marks))
        self.detail.reason.clear()
        self._arranged()
        self._select(kept)
        self.marks_changed.emit()

    def _drawn(self, scene: str) -> None:
        row = self.model.row_of(scene)
        if row >= 0:
            self.list.update(self.model.index(row))

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.filter)
        column.addWidget(self.list, 1)
        column.addWidget(self.empty, 1)
        self.halves = Halves(left, self.detail, _DETAIL, _CARDS)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.halves)

    def _connect(self) -> None:
        self.filter.changed.connect(self._arrange)
        self.list.selectionModel().selectionChanged.connect(
            lambda _new, _old: self._selected()
        )
        self.list.opened.connect(self._open)
        self.detail.open_wanted.connect(self._open)
        self.detail.marked.connect(self._mark)
        self.thumbnails.ready.connect(self._drawn)
        self.large.ready.connect(self._large_ready)
        self.list.scrolled.connect(self.thumbnails.look_elsewhere)
        inside = Qt.ShortcutContext.WidgetWithChildrenShortcut
        stack = self.marking.stack
        self.undo = action(
            self, "Undo", stack.undo, shortcut="Ctrl+Z", icon_name="undo", scope=inside
        )
        self.redo = action(
            self, "Redo", stack.redo, shortcut="Ctrl+Shift+Z", icon_name="redo",
            scope=inside,
        )  # fmt: skip
        for made, can in (
            (self.undo, stack.canUndoChanged),
            (self.redo, stack.canRedoChanged),
        ):
            made.setEnabled(False)
            can.connect(made.setEnabled)
            self.detail.add_tool(made)
