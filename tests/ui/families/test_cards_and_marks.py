"""Cards as a Qt list, what is painted of them, and marks as undoable steps."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from director_gui.families.tallies import Features
from director_gui.geometry.truth import Key
from director_gui.store.database import Study, create_study
from director_gui.store.marks import Mark, marks_of
from director_gui.store.sets import set_named
from director_gui.study.gallery import Card, Wanted, cards_of, dropped_words
from director_gui.study.sets import recipe_of
from director_gui.ui import theme
from director_gui.ui.families.card_delegate import CardDelegate, _key_words, _sign
from director_gui.ui.families.cards import CARD, CardModel, in_words
from director_gui.ui.families.marking import Marking
from director_gui.ui.families.thumbnails import Thumbnails
from tests.made_sets import add_set

if TYPE_CHECKING:
    from director_gui.errors import UserError

pytestmark = pytest.mark.gui
PLAIN = Card(
    position=0,
    scene="a",
    name="main-0001",
    digits=(5, 3, 8),
    key=Key(5, 3, 5),
    features=Features(
        blocks=3,
        hidden_rank="largest",
        hidden_has_largest=False,
        smaller_outranks=True,
        confound=False,
    ),
    least=0.8123,
    margin=0.06,
    candidate=4,
)


def cards(count: int) -> list[Card]:
    return [
        replace(PLAIN, position=i, scene=f"s{i}", name=f"main-{i + 1:04}")
        for i in range(count)
    ]


def marked(card: Card, kind: str, reason: str = "dark") -> Card:
    kinds = {"pin": "pin", "drop": "drop"}
    return replace(card, mark=Mark(card.scene, kinds[kind], reason))  # type: ignore[arg-type] # one of two


class TestModel:
    def test_rows_roles_and_places(self) -> None:
        model = CardModel()
        model.show_cards(cards(3))
        index = model.index(1)
        assert index.data() == "main-0002"
        assert index.data(CARD) == model.all[1]
        assert index.data(Qt.ItemDataRole.ToolTipRole) == in_words(model.all[1])
        assert index.data(Qt.ItemDataRole.DecorationRole) is None
        assert model.data(QModelIndex()) is None
        assert model.rowCount(index) == 0  # a list has no children
        assert [model.row_of(f"s{i}") for i in (0, 2, 7)] == [0, 2, -1]

    def test_a_new_mark_changes_rows_without_a_reset(self, qtbot: QtBot) -> None:
        model = CardModel()
        model.show_cards(cards(3))
        resets: list[int] = []
        model.modelReset.connect(lambda: resets.append(1))
        new = [marked(model.all[0], "drop"), *model.all[1:]]
        with qtbot.waitSignal(model.dataChanged):
            model.remark(new)
        assert resets == []
        card = model.index(0).data(CARD)
        assert card.dropped

    def test_what_no_longer_fits_leaves_by_a_reset(self, qtbot: QtBot) -> None:
        model = CardModel()
        model.show_cards(cards(3))
        model.arrange(Wanted(mark="kept"), "set order", descending=False)
        with qtbot.waitSignal(model.modelReset):
            model.remark([marked(model.all[0], "drop"), *model.all[1:]])
        assert [card.scene for card in model.shown] == ["s1", "s2"]
        assert model.row_of("s0") == -1

    def test_no_cards_are_no_trouble(self) -> None:
        model = CardModel()
        model.show_cards(())
        model.remark(())
        assert model.rowCount() == 0


class TestWords:
    def test_a_plain_card(self) -> None:
        assert in_words(PLAIN) == (
            "main-0001: the director does not see 5; the director-view block is 3; "
            "at least 81.2% of each other block is visible."
        )

    def test_what_is_special_is_said(self) -> None:
        odd = replace(PLAIN, features=replace(PLAIN.features, confound=True))
        assert "apparent sizes confound it" in in_words(odd)
        assert in_words(marked(PLAIN, "pin")).endswith("pinned: dark.")
        assert in_words(marked(PLAIN, "drop")).endswith("dropped: dark.")

    def test_no_hidden_block(self) -> None:
        none = replace(PLAIN, key=Key(None, None, 5))
        assert in_words(none).startswith("main-0001: no single block is hidden")
        assert "director-view" not in in_words(none)

    def test_the_line_under_the_pictures(self) -> None:
        assert _key_words(PLAIN) == "hidden 5, largest · director-view 3 · 3 blocks"
        none = replace(
            PLAIN,
            key=Key(None, None, None),
            features=replace(PLAIN.features, hidden_rank=None),
        )
        assert _key_words(none) == "hidden none · director-view none · 3 blocks"

    def test_the_sign_at_the_right(self) -> None:
        confound = replace(PLAIN, features=replace(PLAIN.features, confound=True))
        t = theme.tokens()
        assert _sign(PLAIN)[0] == ""
        assert _sign(confound) == ("≠ confound", t.ambiguous)
        # A drop matters more than what else is true of it; a pin has an icon.
        assert _sign(marked(confound, "drop")) == ("dropped", t.error)
        assert _sign(marked(confound, "pin"))[0] == ""

    def test_dropped_ones_are_summed_up(self) -> None:
        three = cards(3)
        assert dropped_words("main", three) == ""
        gone = [marked(three[0], "drop"), marked(three[1], "pin"), three[2]]
        assert dropped_words("main", gone) == (
            "1 dropped scene is left out: main-0001 (dark)"
        )


class Ready(Thumbnails):
    """Pictures that are there at once, red and green."""

    def __init__(self) -> None:
        super().__init__()
        self.there = True
        self.broken = False

    def pair(self, scene: str) -> tuple[QPixmap, QPixmap] | None:
        assert scene == PLAIN.scene
        if not self.there:
            return None
        made = []
        for color in ("#ff0000", "#00ff00"):
            picture = QPixmap(40, 30)
            picture.fill(QColor(color))
            made.append(picture)
        return made[0], made[1]

    def failed(self, scene: str) -> bool:
        assert scene == PLAIN.scene
        return self.broken


class TestPainting:
    def painted(
        self, pictures: Thumbnails, card: Card, *, selected: bool = False
    ) -> QImage:
        model = CardModel()
        model.show_cards([card])
        delegate = CardDelegate(pictures)
        delegate.fit(320, 1.0)
        size = delegate.sizeHint(QStyleOptionViewItem(), model.index(0))
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(0)
        option = QStyleOptionViewItem()
        option.rect = QRect(0, 0, size.width(), size.height())
        if selected:
            option.state |= QStyle.StateFlag.State_Selected
        painter = QPainter(image)
        delegate.paint(painter, option, model.index(0))
        painter.end()
        return image

    def at(self, image: QImage, x: float) -> QColor:
        return image.pixelColor(round(x * image.width()), image.height() // 3)

    def test_the_models_picture_is_left_of_the_directors(self, qtbot: QtBot) -> None:
        del qtbot
        image = self.painted(Ready(), PLAIN)
        assert self.at(image, 0.25) == QColor("#ff0000")
        assert self.at(image, 0.75) == QColor("#00ff00")

    def test_a_dropped_ones_pictures_are_faint(self, qtbot: QtBot) -> None:
        del qtbot
        faint = self.at(self.painted(Ready(), marked(PLAIN, "drop")), 0.25)
        assert faint.saturation() < QColor("#ff0000").saturation()
        kept = self.at(self.painted(Ready(), marked(PLAIN, "pin")), 0.25)
        assert kept == QColor("#ff0000")

    def test_what_is_not_there_yet_is_a_quiet_place(self, qtbot: QtBot) -> None:
        del qtbot
        pictures = Ready()
        pictures.there = False
        waiting = self.painted(pictures, PLAIN)
        assert self.at(waiting, 0.25) == QColor(theme.tokens().sunken)
        pictures.broken = True
        assert self.painted(pictures, PLAIN) != waiting  # it says "no picture"

    def test_a_selected_one_stands_out(self, qtbot: QtBot) -> None:
        del qtbot
        plain = self.painted(Ready(), PLAIN)
        assert self.painted(Ready(), PLAIN, selected=True) != plain

    @pytest.mark.parametrize("room", [100, 280, 600, 1000, 1900])
    def test_cards_fill_any_room(self, qtbot: QtBot, room: int) -> None:
        del qtbot
        delegate = CardDelegate(Ready())
        delegate.fit(room, 1.0)
        model = CardModel()
        width = delegate.sizeHint(QStyleOptionViewItem(), model.index(0)).width()
        columns = max(1, room // width)
        assert width >= 140
        assert columns * width <= max(room, width)
        if room >= 280:
            assert room - columns * width < 4 + columns


class TestMarking:
    @pytest.fixture
    def study(self, tmp_path: Path) -> Iterator[Study]:
        with create_study(tmp_path / "a.study", "a") as made:
            add_set(made, recipe_of("main", count=3, seed=None))
            yield made

    def test_steps_are_named_kept_and_taken_back(
        self, qtbot: QtBot, study: Study
    ) -> None:
        del qtbot
        item = set_named(study, "main")
        told: list[int] = []
        refused: list[UserError] = []
        marking = Marking(lambda: told.append(1), refused.append)
        marking.open(study, item.id)
        every = cards_of(study, item)
        marking.mark(every[:1], "drop", " dark ")
        marking.mark(every, "pin", "fine")
        assert marking.stack.undoText() == "Pin 3 scenes"
        assert len(marks_of(study, item.id)) == 3
        marking.stack.undo()
        assert marking.stack.redoText() == "Pin 3 scenes"
        assert marking.stack.undoText() == f"Drop {every[0].name}"
        marking.stack.undo()
        assert marks_of(study, item.id) == {}
        assert len(told) == 4
        assert refused == []

    def test_no_reason_no_step(self, qtbot: QtBot, study: Study) -> None:
        del qtbot
        refused: list[UserError] = []
        marking = Marking(lambda: None, refused.append)
        marking.open(study, "S")
        for kind in ("pin", "drop"):
            marking.mark([PLAIN], kind, "  ")  # type: ignore[arg-type] # one of two
        assert [error.what for error in refused] == [
            "a pin needs a reason",
            "a drop needs a reason",
        ]
        marking.mark([], "drop", "nothing is selected")
        assert not marking.stack.canUndo()

    def test_another_set_has_a_history_of_its_own(
        self, qtbot: QtBot, study: Study
    ) -> None:
        del qtbot
        item = set_named(study, "main")
        marking = Marking(lambda: None, lambda _error: None)
        marking.open(study, item.id)
        marking.mark(cards_of(study, item)[:1], "pin", "fine")
        marking.open(study, item.id)
        assert marking.stack.canUndo()
        marking.open(study, "other")
        assert not marking.stack.canUndo()

    def test_before_a_set_is_open_nothing_is_kept(self, qtbot: QtBot) -> None:
        del qtbot
        told: list[int] = []
        marking = Marking(lambda: told.append(1), lambda _error: None)
        marking.mark([PLAIN], "pin", "fine")
        assert told == []
