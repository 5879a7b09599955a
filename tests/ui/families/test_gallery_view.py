"""The gallery through real events: cards, filter, selection, marks, the editor."""

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from director_gui.errors import UserError
from director_gui.scene.model import ViewName
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.marks import marks_of
from director_gui.study.gallery import Pixels, Wanted, pixels_of
from director_gui.ui import theme
from director_gui.ui.families import thumbnails
from director_gui.ui.families.cards import CardModel, in_words
from director_gui.ui.families.listing import Entry
from tests.ui.families.bench import Bench

pytestmark = pytest.mark.gui


def names(bench: Bench) -> list[str]:
    return [card.name for card in bench.gallery.model.shown]


class TestCards:
    def test_pictures_arrive_for_what_is_in_sight(self, bench: Bench) -> None:
        bench.open("main")
        bench.until(lambda: len(bench.gallery.thumbnails) == 3)
        scene = bench.gallery.cards[0].scene
        pair = bench.gallery.thumbnails.pair(scene)
        assert pair is not None
        assert all(not picture.isNull() for picture in pair)
        # The stand-in gives each view a colour of its own.
        model, director = (picture.toImage().pixelColor(1, 1) for picture in pair)
        assert model != director

    def test_only_a_few_pictures_are_held(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(thumbnails, "KEPT", 2)
        seen: set[str] = set()
        bench.gallery.thumbnails.ready.connect(seen.add)
        bench.open("main")
        bench.until(lambda: len(seen) == 3)
        assert len(bench.gallery.thumbnails) == 2

    def test_a_missing_picture_is_told_once_and_not_asked_again(
        self, bench: Bench
    ) -> None:
        bench.open("main", 1)
        gone: list[str] = []
        bench.gallery.thumbnails.ready.connect(gone.append)
        assert bench.gallery.thumbnails.pair("no such scene") is None
        bench.until(lambda: "no such scene" in gone)
        assert bench.gallery.thumbnails.failed("no such scene")
        assert bench.gallery.thumbnails.pair("no such scene") is None
        assert not bench.gallery.thumbnails._wanted

    def test_what_comes_into_sight_goes_first(self, bench: Bench) -> None:
        bench.open("main", 1)
        pictures = bench.gallery.thumbnails
        pictures.close()  # so that nothing is taken out
        with pictures._more:
            pictures._wanted.update({"a": pictures._look, "b": pictures._look})
            assert pictures._next() == "a"
            bench.gallery.list.scrolled.emit()
            pictures._wanted.update({"c": pictures._look, "d": pictures._look})
            assert pictures._next() == "c"

    def test_the_same_set_again_decodes_nothing_anew(self, bench: Bench) -> None:
        bench.open("main", 2)
        bench.until(lambda: len(bench.gallery.thumbnails) == 2)
        bench.space.show_entry(Entry("built_in", "main"))
        bench.open("main", 2)
        bench.idle()
        assert len(bench.gallery.thumbnails) == 2

    def test_no_more_is_wanted_than_a_screen_or_two(self, bench: Bench) -> None:
        bench.open("main", 1)
        pictures = bench.gallery.thumbnails
        pictures.close()
        pictures._decode = lambda: None  # type: ignore[method-assign] # takes nothing
        for at in range(500):
            pictures._want(f"s{at}")
        assert len(pictures._wanted) == thumbnails._WAITING
        assert list(pictures._wanted)[-1] == "s499"

    def test_pictures_are_as_wide_as_they_are_shown(self, bench: Bench) -> None:
        bench.open("main", 1)
        pictures = thumbnails.Thumbnails(bench.space)
        pictures.show_study(bench.study)
        pictures.fit(16)
        scene = bench.gallery.cards[0].scene
        bench.until(lambda: pictures.pair(scene) is not None)
        pair = pictures.pair(scene)
        assert pair is not None
        assert [picture.width() for picture in pair] == [16, 16]
        pictures.fit(8)
        assert len(pictures) == 0  # those of another width are of no use
        pictures.close()

    def test_each_says_in_words_what_it_shows(self, bench: Bench) -> None:
        bench.open("main", 1)
        card = bench.gallery.cards[0]
        index = bench.gallery.model.index(0)
        words = index.data(Qt.ItemDataRole.AccessibleTextRole)
        assert words == in_words(card)
        assert f"does not see {card.key.hidden}" in words
        assert f"director-view block is {card.key.director_view}" in words

    def test_they_fill_the_width_with_room_for_none_more(self, bench: Bench) -> None:
        bench.open("main")
        view = bench.gallery.list
        width = view.sizeHintForIndex(bench.gallery.model.index(0)).width()
        room = view.viewport().width()
        columns = room // width
        assert room - columns * width < 4 + columns
        top = {view.visualRect(bench.gallery.model.index(i)).top() for i in range(3)}
        assert len(top) == -(-3 // columns)

    @pytest.mark.parametrize("mode", ["light", "dark"])
    def test_they_are_painted_marked_or_not(
        self,
        bench: Bench,
        themed: Callable[[theme.Mode, float], None],
        mode: theme.Mode,
    ) -> None:
        bench.open("main", 2)
        themed(mode, 1.0)
        bench.space.retheme()
        bench.until(lambda: len(bench.gallery.thumbnails) == 2)
        plain = painted(bench, 0)
        assert painted(bench, 0) == plain
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "too dark")
        bench.click(bench.gallery.detail.drop)
        assert painted(bench, 0) != plain


def painted(bench: Bench, row: int) -> QImage:
    """A card as its delegate paints it, without the selection."""
    view = bench.gallery.list
    index = bench.gallery.model.index(row)
    size = view.sizeHintForIndex(index)
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(0)
    option = QStyleOptionViewItem()
    option.rect = image.rect()
    painter = QPainter(image)
    view.itemDelegate().paint(painter, option, index)
    painter.end()
    return image


class TestFilter:
    def test_typing_filters_and_clearing_shows_all(self, bench: Bench) -> None:
        bench.open("main")
        bench.type(bench.gallery.filter.text, "0002")
        assert names(bench) == ["main-0002"]
        assert bench.gallery.filter.count.text() == "1 of 3 scenes"
        bench.type(bench.gallery.filter.text, "zebra")
        assert names(bench) == []
        assert bench.gallery.empty.isVisible()
        bench.gallery.filter.clear.trigger()
        assert len(names(bench)) == 3
        assert not bench.gallery.empty.isVisible()

    def test_properties_filter(self, bench: Bench) -> None:
        bench.open("rotated")
        bar = bench.gallery.filter
        ranks = [card.features.hidden_rank for card in bench.gallery.cards]
        bar.rank.setCurrentIndex(bar.rank.findData(ranks[0]))
        found = [card.features.hidden_rank for card in bench.gallery.model.shown]
        assert found == [rank for rank in ranks if rank == ranks[0]]

    def test_only_numbers_of_blocks_that_occur_are_offered(self, bench: Bench) -> None:
        bench.open("rotated")
        bar = bench.gallery.filter
        offered = [bar.blocks.itemData(i) for i in range(bar.blocks.count())]
        assert offered == [None, 3]

    def test_the_weakest_scenes_are_found_by_their_fraction(self, bench: Bench) -> None:
        bench.open("main")
        least = sorted(card.least for card in bench.gallery.cards)
        bar = bench.gallery.filter
        bar.least.setValue(100 * least[0] + 0.1)
        found = [card.least for card in bench.gallery.model.shown]
        assert min(found) == least[0]
        assert max(found) <= least[0] + 0.002

    def test_the_order_turns_round(self, bench: Bench) -> None:
        bench.open("main")
        bench.gallery.filter.down.trigger()
        assert names(bench) == ["main-0003", "main-0002", "main-0001"]

    def test_the_selection_survives_another_order(self, bench: Bench) -> None:
        bench.open("main")
        bench.pick(1)
        bench.gallery.filter.down.trigger()
        assert [card.name for card in bench.gallery.list.cards()] == ["main-0002"]

    def test_another_set_starts_without_a_filter(self, bench: Bench) -> None:
        bench.open("main")
        bench.type(bench.gallery.filter.text, "0002")
        bench.open("rotated", 2)
        assert bench.gallery.filter.wanted == Wanted()
        assert len(names(bench)) == 2


class TestSelection:
    def test_a_set_opens_on_its_first_scene(self, bench: Bench) -> None:
        bench.open("main")
        assert bench.gallery.detail.title.text() == "main-0001"

    def test_it_shows_pictures_key_and_fractions(self, bench: Bench) -> None:
        bench.open("main")
        bench.pick(1)
        detail, card = bench.gallery.detail, bench.gallery.cards[1]
        assert detail.title.text() == "main-0002"
        assert f"Hidden: {card.key.hidden}." in detail.words.text()
        table = detail.table.texts()
        assert table[0] == ["Block", "Model", "Director", "Verdict"]
        assert table[1][0].startswith(f"{card.key.hidden} · ")
        assert table[1][2:] == ["0.0 %", "hidden"]
        bench.until(lambda: all(view._image is not None for view in detail.pictures))

    def test_several_show_how_many(self, bench: Bench) -> None:
        bench.open("main")
        bench.pick(0, 2)
        assert bench.gallery.detail.title.text() == "2 scenes are selected"
        assert not bench.gallery.detail.table.isVisible()

    def test_a_double_click_opens_the_editor(self, bench: Bench) -> None:
        bench.open("main")
        view = bench.gallery.list.viewport()
        at = bench.spot(1)
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
        QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at)
        assert [scene.name for scene in bench.shown] == ["main-0002"]

    def test_return_opens_the_editor(self, bench: Bench) -> None:
        bench.open("main")
        bench.pick(0)
        bench.gallery.list.setFocus()
        QTest.keyClick(bench.gallery.list, Qt.Key.Key_Right)
        QTest.keyClick(bench.gallery.list, Qt.Key.Key_Return)
        assert [scene.name for scene in bench.shown] == ["main-0002"]

    def test_pictures_keep_their_shape(self, bench: Bench) -> None:
        bench.open("main", 1)
        bench.pick(0)
        for view in bench.gallery.detail.pictures:
            assert view.height() == pytest.approx(view.width() * 3 / 4, abs=2)


def sizes(bench: Bench) -> set[int]:
    """How wide the pictures of the selected scene are; none where there are none."""
    shown = [view._image for view in bench.gallery.detail.pictures]
    return {image.width() for image in shown if image is not None}


class TestLargePictures:
    def test_no_picture_is_decoded_in_the_windows_own_thread(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        threads: set[str] = set()

        def decode(study: Study, scene: str, view: ViewName, width: int) -> Pixels:
            threads.add(threading.current_thread().name)
            return pixels_of(study, scene, view, width)

        monkeypatch.setattr(thumbnails, "pixels_of", decode)
        bench.open("main")
        bench.pick(2)
        bench.until(lambda: len(bench.gallery.large) > 0 and bool(sizes(bench)))
        assert threads
        assert threading.main_thread().name not in threads

    def test_the_small_ones_stand_in_until_they_are_there(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        go = threading.Event()
        large, small = 48, 12

        def decode(*asked: object) -> Pixels:
            wide = large if asked[-1] == 640 else small
            if wide == large:
                assert go.wait(10)
            return np.zeros((wide * 3 // 4, wide, 3), np.uint8)

        monkeypatch.setattr(thumbnails, "pixels_of", decode)
        bench.open("main")
        bench.until(lambda: len(bench.gallery.thumbnails) == 3)
        bench.pick(1)
        assert sizes(bench) == {small}
        go.set()
        bench.until(lambda: sizes(bench) == {large})

    def test_only_the_scene_that_is_selected_in_the_end_is_shown(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        go = threading.Event()
        decoded: list[str] = []

        def decode(_study: Study, scene: str, _view: str, width: int) -> Pixels:
            assert go.wait(10)
            if width == 640:
                decoded.append(scene)
            return np.full((6, 8, 3), names.index(scene) * 50, np.uint8)

        names: list[str] = []
        monkeypatch.setattr(thumbnails, "pixels_of", decode)
        bench.open("main")
        names += [card.scene for card in bench.gallery.cards]
        bench.gallery.list.setFocus()
        for _ in range(2):
            QTest.keyClick(bench.gallery.list, Qt.Key.Key_Right)
        go.set()
        bench.until(lambda: names[2] in decoded)
        bench.until(lambda: len(bench.gallery.large) == len(set(decoded)))
        view = bench.gallery.detail.pictures[0]
        bench.until(lambda: view._image is not None)
        image = view._image
        assert image is not None
        assert image.pixelColor(0, 0).red() == 100

    def test_pictures_that_cannot_be_read_are_told(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: object) -> Pixels:
            raise UserError("damaged")

        monkeypatch.setattr(thumbnails, "pixels_of", fail)
        bench.open("main", 1)
        bench.until(lambda: bool(bench.refused))
        assert "pictures of this scene cannot be read" in bench.refused[0].what
        assert bench.refused[0].where == "main-0001"
        assert "Hidden:" in bench.gallery.detail.words.text()  # all else is there
        assert sizes(bench) == set()
        assert not bench.gallery.detail.grab().isNull()

    def test_few_are_kept(self, bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench.gallery.large, "_most", 2)
        bench.open("main")
        done: set[str] = set()
        bench.gallery.large.ready.connect(done.add)
        for row in (1, 2, 0):
            bench.pick(row)
            scene = bench.gallery.cards[row].scene
            bench.until(lambda s=scene: bench.gallery.large.pair(s) is not None)  # type: ignore[misc] # s
        assert len(bench.gallery.large) == 2


class TestMarks:
    def test_a_drop_needs_a_reason(self, bench: Bench) -> None:
        item = bench.open("main")
        bench.pick(0)
        bench.click(bench.gallery.detail.drop)
        assert "A drop needs a reason" in bench.gallery.detail.needed.text()
        assert bench.refused == []  # a footer would still say so when it is mended
        assert bench.gallery.focusWidget() is bench.gallery.detail.reason
        assert marks_of(bench.study, item.id) == {}

    def test_a_drop_is_kept_and_taken_back_by_ctrl_z(self, bench: Bench) -> None:
        item = bench.open("main")
        bench.pick(0)
        scene = bench.gallery.cards[0].scene
        bench.type(bench.gallery.detail.reason, "digit in the shade")
        bench.click(bench.gallery.detail.drop)
        assert marks_of(bench.study, item.id)[scene].reason == "digit in the shade"
        assert bench.gallery.cards[0].dropped
        assert "Dropped: digit in the shade" in bench.gallery.detail.mark_words.text()
        assert bench.space.set.tallies.table.texts()[1][1] == "2"
        bench.gallery.list.setFocus()
        QTest.keyClick(
            bench.gallery.list, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier
        )
        assert marks_of(bench.study, item.id) == {}
        assert not bench.gallery.cards[0].dropped
        assert bench.space.set.tallies.table.texts()[1][1] == "3"
        bench.gallery.redo.trigger()
        assert bench.gallery.cards[0].dropped

    def test_the_head_and_the_tallies_say_what_is_dropped(self, bench: Bench) -> None:
        bench.open("main")
        page = bench.space.set
        assert "dropped" not in page.state.text()
        assert not page.tallies.gone.isVisibleTo(page.tallies)
        bench.pick(1)
        bench.type(bench.gallery.detail.reason, "dark")
        bench.click(bench.gallery.detail.drop)
        assert page.state.text().startswith("3 scenes · 1 dropped · seed")
        words = "1 dropped scene is left out: main-0002 (dark)"
        assert page.tallies.gone.text() == words
        page.tallies.dropped.toggle()
        assert not page.tallies.gone.isVisibleTo(page.tallies)
        bench.make("rotated", 1)
        bench.open("rotated", 1)
        assert "dropped" not in page.state.text()

    def test_several_are_pinned_as_one_step(self, bench: Bench) -> None:
        item = bench.open("main")
        bench.pick(0, 1)
        bench.type(bench.gallery.detail.reason, "for the figure")
        bench.click(bench.gallery.detail.pin)
        kinds = [mark.kind for mark in marks_of(bench.study, item.id).values()]
        assert kinds == ["pin", "pin"]
        bench.gallery.undo.trigger()
        assert marks_of(bench.study, item.id) == {}

    def test_undo_brings_back_the_mark_before(self, bench: Bench) -> None:
        item = bench.open("main")
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "clear")
        bench.click(bench.gallery.detail.pin)
        bench.type(bench.gallery.detail.reason, "not so clear")
        bench.click(bench.gallery.detail.drop)
        bench.gallery.undo.trigger()
        (mark,) = marks_of(bench.study, item.id).values()
        assert (mark.kind, mark.reason) == ("pin", "clear")

    def test_a_mark_is_cleared(self, bench: Bench) -> None:
        item = bench.open("main")
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "clear")
        bench.click(bench.gallery.detail.pin)
        bench.click(bench.gallery.detail.clear)
        assert marks_of(bench.study, item.id) == {}
        assert not bench.gallery.detail.clear.isVisible()

    def test_what_no_longer_fits_the_filter_leaves(self, bench: Bench) -> None:
        bench.open("main")
        bar = bench.gallery.filter
        bar.mark.setCurrentIndex(bar.mark.findData("kept"))
        bench.pick(1)
        bench.type(bench.gallery.detail.reason, "dark")
        bench.click(bench.gallery.detail.drop)
        assert names(bench) == ["main-0001", "main-0003"]

    def test_a_study_that_cannot_be_written_says_so(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bench.open("main")
        monkeypatch.setattr(bench.study, "read_only", True)
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "dark")
        bench.click(bench.gallery.detail.drop)
        assert "read-only" in bench.refused[-1].what
        assert not bench.gallery.cards[0].dropped


def test_the_model_holds_ten_thousand_rows(bench: Bench) -> None:
    bench.open("main", 1)
    one = bench.gallery.cards[0]
    model = CardModel()
    cards = [
        replace(one, position=i, scene=f"s{i}", name=f"n{i}") for i in range(10_000)
    ]
    model.show_cards(cards)
    assert model.rowCount() == 10_000
    assert model.index(9_999).data() == "n9999"
    assert model.row_of("s5000") == 5000
    model.arrange(Wanted(text="n777"), "set order", descending=True)
    assert model.rowCount() == 11
    assert model.row_of("s5000") == -1


def test_reading_a_set_that_ends_early_is_no_trouble(bench: Bench) -> None:
    item = bench.open("main", 3, kept=2)
    assert rows.scene_count(bench.study, item.id) == 2
    assert bench.space.set.resume.isVisible()
    assert len(names(bench)) == 2
