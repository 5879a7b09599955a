"""The parts of the sets workspace by themselves: list, keeping, progress, plan view."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from director_gui.families import library
from director_gui.families.forecast import Forecast, HardFamilyError
from director_gui.families.model import Span
from director_gui.families.plan import Cell
from director_gui.scene.example import example_scene
from director_gui.store import own_families
from director_gui.store.sets import StoredSet
from director_gui.study.family_text import finder
from director_gui.ui.families import sampling as module
from director_gui.ui.families.draft import Draft
from director_gui.ui.families.extents import Region, gazes_of, regions_of
from director_gui.ui.families.ghost import _Plan, _reach, color_of, in_words
from director_gui.ui.families.keeping import Keeping
from director_gui.ui.families.listing import Entry, Listing, SetRow
from director_gui.ui.families.sampling import Told, outlook_of, refusals_in, stopper
from director_gui.ui.jobs import JobCancelledError, Progress
from director_gui.ui.session import Session

if TYPE_CHECKING:
    from director_gui.errors import UserError
    from director_gui.families.judge import Reason

pytestmark = pytest.mark.gui
MAIN = library.family("main")
TEXT = library.built_in("main").text


def stored(name: str, count: int = 3, family: str = TEXT) -> StoredSet:
    return StoredSet(
        id=f"id of {name}",
        name=name,
        family=family,
        created="2026-11-29T12:00:00",
        program="0.1.0",
        count=count,
        seed=1,
        original=None,
    )


class TestSetRows:
    @pytest.mark.parametrize(
        ("kept", "family", "state"),
        [
            (3, TEXT, "3 scenes"),
            (0, TEXT, "0 of 3 scenes · partial"),
            (3, "", "3 scenes · imported"),
        ],
    )
    def test_how_far_it_is(self, kept: int, family: str, state: str) -> None:
        row = SetRow(stored("main", 3, family), kept)
        assert row.state == state
        assert row.partial == (kept < 3)

    def test_thousands_are_set_off(self) -> None:
        assert SetRow(stored("big", 10_000), 2_500).state == (
            "2,500 of 10,000 scenes · partial"
        )


class TestListing:
    @pytest.fixture
    def listing(self, qtbot: QtBot) -> Listing:
        made = Listing()
        qtbot.addWidget(made)
        rows = [SetRow(stored(name), 3) for name in ("a", "b")]
        made.show_all(rows, ["mine"], ["main", "rotated"], None)
        return made

    def test_order_and_titles(self, listing: Listing) -> None:
        assert listing.entries() == [
            Entry("set", "id of a"),
            Entry("set", "id of b"),
            Entry("own", "mine"),
            Entry("built_in", "main"),
            Entry("built_in", "rotated"),
        ]
        titles = [
            widget.text()
            for at in range(listing.list.count())
            if isinstance(
                widget := listing.list.itemWidget(listing.list.item(at)), QLabel
            )
        ]
        assert titles == [
            "Sets in this study",
            "Families of this study",
            "Built-in families",
        ]

    def test_choosing_tells_selecting_does_not(self, listing: Listing) -> None:
        told: list[Entry] = []
        listing.chosen.connect(told.append)
        listing.select(Entry("own", "mine"))
        assert told == []
        listing.choose(Entry("built_in", "main"))
        assert told == [Entry("built_in", "main")]

    def test_listing_again_keeps_the_choice_quietly(self, listing: Listing) -> None:
        told: list[Entry] = []
        listing.chosen.connect(told.append)
        chosen = Entry("own", "mine")
        listing.show_all([], ["mine", "other"], ["main"], chosen)
        row = listing.list.currentRow()
        assert listing._at(row) == chosen
        assert told == []
        listing.show_all([], [], ["main"], chosen)  # it is gone
        assert listing.list.currentRow() == -1

    def test_what_is_not_there_cannot_be_chosen(self, listing: Listing) -> None:
        told: list[Entry] = []
        listing.chosen.connect(told.append)
        listing.choose(Entry("set", "gone"))
        assert told == []


class TestKeeping:
    @pytest.fixture
    def keeping(self, qtbot: QtBot, tmp_path: Path) -> Iterator[Keeping]:
        del qtbot
        session = Session()
        session.create(tmp_path / "a.study")
        made = Keeping(Draft(finder(None)), session)
        yield made
        session.close()

    def texts(self, keeping: Keeping) -> dict[str, str]:
        return own_families.family_texts(keeping._session.study)

    def opened(self, keeping: Keeping, name: str) -> Draft:
        draft = keeping._draft
        draft.open(name, keeping.text(name), editable=True)
        return draft

    def test_a_copy_never_takes_a_built_in_name(self, keeping: Keeping) -> None:
        assert [keeping.add(TEXT, "main") for _ in range(2)] == ["main-2", "main-3"]
        assert 'name = "main-2"' in self.texts(keeping)["main-2"]
        assert "# " in self.texts(keeping)["main-2"]  # comments and all

    def test_an_edit_is_stored_once(self, keeping: Keeping) -> None:
        draft = self.opened(keeping, keeping.add(TEXT, "mine"))
        kept: list[int] = []
        keeping.kept.connect(lambda: kept.append(1))
        assert draft.put("blocks.gap", 0.05) is None
        keeping.save_now()
        keeping.save_now()
        assert kept == [1]
        assert "gap = 0.05" in self.texts(keeping)["mine"]

    def test_what_is_no_family_is_offered_back(self, keeping: Keeping) -> None:
        draft = self.opened(keeping, keeping.add(TEXT, "mine"))
        assert keeping.unkept is None
        draft.replace("broken = ")
        draft.read()
        keeping.save_now()
        assert keeping.unkept == ("mine", "broken = ")
        assert "broken" not in self.texts(keeping)["mine"]
        keeping.let_go()
        assert keeping.unkept is None

    def test_another_name_moves_it(self, keeping: Keeping) -> None:
        draft = self.opened(keeping, keeping.add(TEXT, "mine"))
        renamed: list[str] = []
        keeping.renamed.connect(renamed.append)
        assert draft.put("name", "yours") is None
        keeping.save_now()
        assert renamed == ["yours"]
        assert list(self.texts(keeping)) == ["yours"]

    def test_a_name_that_is_taken_is_refused_and_both_stay(
        self, keeping: Keeping
    ) -> None:
        keeping.add(TEXT, "mine")
        draft = self.opened(keeping, keeping.add(TEXT, "yours"))
        refused: list[UserError] = []
        keeping.refused.connect(refused.append)
        assert draft.put("name", "mine") is None
        keeping.save_now()
        assert refused[0].where == "mine"
        assert set(self.texts(keeping)) == {"mine", "yours"}

    def test_a_built_in_family_is_never_written(self, keeping: Keeping) -> None:
        keeping._draft.open("main", TEXT, editable=False)
        keeping._draft.replace(TEXT.replace("0.03", "0.05", 1))
        keeping.save_now()
        assert self.texts(keeping) == {}

    @pytest.mark.parametrize(
        ("name", "wanted"),
        [
            ("example", "like-example"),
            ("a/b c", "like-a-b-c"),
            ("", "like-scene"),
            ("...", "like-scene"),
            ("x" * 80, f"like-{'x' * 45}"),
        ],
    )
    def test_a_family_around_a_scene_has_a_name_for_files(
        self, keeping: Keeping, name: str, wanted: str
    ) -> None:
        text, found = keeping.around(replace(example_scene(), name=name))
        assert found == wanted
        assert f'name = "{wanted}"' in text


class TestTelling:
    @pytest.mark.parametrize(
        ("left", "words"),
        [
            (None, "3 of 9 scenes"),
            (0.2, "3 of 9 scenes · 1 s left"),
            (61.0, "3 of 9 scenes · 1 min left"),
        ],
    )
    def test_how_far_in_a_line(self, left: float | None, words: str) -> None:
        assert Told(3, 9, Counter(), left).words == words

    def test_a_cancel_is_raised_where_it_is_asked_for(self) -> None:
        progress = Progress(lambda _share, _text: None)
        stop = stopper(progress)
        assert stop() is False
        progress.cancel()
        with pytest.raises(JobCancelledError):
            stop()
        with pytest.raises(JobCancelledError):
            progress.report(0.5)

    def found(self, accepted: int, refused: int) -> Forecast:
        rejected: Counter[Reason] = Counter({"overlap": refused})
        return Forecast(Cell(3, "largest"), accepted, rejected, 0.01, 0.1)

    @pytest.mark.parametrize(
        ("accepted", "refused", "words"),
        [(1, 39, "after 40 tries"), (1, 0, "after 1 try"), (2, 18, "after 10 tries")],
    )
    def test_an_outlook_in_words(
        self,
        monkeypatch: pytest.MonkeyPatch,
        accepted: int,
        refused: int,
        words: str,
    ) -> None:
        monkeypatch.setattr(
            module, "require_feasible", lambda *_, **__: [self.found(accepted, refused)]
        )
        outlook = outlook_of(MAIN, Progress(lambda _share, _text: None))
        assert not outlook.hard
        assert words in outlook.words
        assert outlook.rejected == Counter({"overlap": refused})

    def test_a_hard_family_is_said_to_be_so(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        error = HardFamilyError("main", self.found(0, 40_000))

        def refuse(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(module, "require_feasible", refuse)
        outlook = outlook_of(MAIN, Progress(lambda _share, _text: None))
        assert outlook.hard
        assert outlook.words.startswith("This family can hardly be satisfied")
        assert outlook.words.endswith(".")
        assert refusals_in(error) == Counter({"overlap": 40_000})


class TestPlanView:
    FRAME = QRectF(0, 0, 360, 280)

    def test_everything_lies_in_the_frame(self) -> None:
        plan = _Plan(MAIN, self.FRAME)
        for spot in _reach(MAIN):
            assert self.FRAME.contains(plan.at(spot))

    def test_the_model_is_below_and_its_right_is_right(self) -> None:
        plan = _Plan(MAIN, self.FRAME)
        camera, director = (
            next(r for r in regions_of(MAIN) if r.role == role).middle
            for role in ("camera", "director")
        )
        assert plan.at(camera).y() > plan.at(director).y()
        assert plan.at((0.3, 0.0)).x() > plan.at((-0.3, 0.0)).x()

    def test_lengths_are_alike_both_ways(self) -> None:
        plan = _Plan(MAIN, QRectF(0, 0, 900, 280))
        zero = plan.at((0.0, 0.0))
        right, away = plan.at((0.1, 0.0)) - zero, plan.at((0.0, 0.1)) - zero
        assert right.x() == pytest.approx(-away.y())
        assert QPointF(right.y(), away.x()) == QPointF(0, 0)

    def test_a_fixed_eye_is_drawn_as_a_spot(self) -> None:
        plan = _Plan(MAIN, self.FRAME)
        point = Span(0.1, 0.1)
        for role, grown in (("camera", True), ("blocks", False)):
            rect = plan.rect(Region(role, point, point))  # type: ignore[arg-type] # of two
            assert (rect.width() > 1) is grown

    def test_gazes_run_from_eye_to_aim(self) -> None:
        director, camera = gazes_of(MAIN)
        assert director.eye[1] > director.aim[1]
        assert camera.eye[1] < camera.aim[1]

    def test_roles_have_colours_of_their_own(self) -> None:
        roles = ("blocks", "hidden", "partition", "director", "camera")
        assert len({color_of(role).name() for role in roles}) == len(roles)
        assert color_of("hidden", 40).alpha() == 40

    def test_words_name_every_part(self) -> None:
        words = in_words(library.family("two-partitions"))
        assert words.startswith("Blocks with edges from 9.5 to 23.0 cm")
        for part in ("blocks:", "partition:", "director:", "camera:"):
            assert part in words
