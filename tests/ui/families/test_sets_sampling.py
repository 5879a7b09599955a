"""Sampling through the window: progress, refusals, cancel, resume, early verdicts."""

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest

from director_gui.families import library
from director_gui.families.forecast import Forecast, HardFamilyError
from director_gui.families.model import Family
from director_gui.families.plan import Cell
from director_gui.store import own_families
from director_gui.store import sets as rows
from director_gui.study.family_text import with_value
from director_gui.study.set_tallies import every_scene
from director_gui.study.sets import make_set, recipe_of
from director_gui.ui.families import sampling as module
from director_gui.ui.families.listing import Entry
from director_gui.ui.families.sampling import Told, reason_rows
from tests.ui.families.bench import Bench

if TYPE_CHECKING:
    from director_gui.families.judge import Reason

pytestmark = pytest.mark.gui


def ask(bench: Bench, count: str = "3", name: str = "main") -> None:
    """Enter how many and press the button."""
    page = bench.space.family
    for box, text in ((page.set_name, name), (page.count, count)):
        box.setText(text)
    bench.click(page.sample)


def texts(bench: Bench) -> str:
    return " ".join(bench.space.list.texts())


class TestMaking:
    def test_a_set_is_made_and_can_be_opened(self, bench: Bench) -> None:
        bench.show()
        ask(bench)
        assert bench.space.sampling.busy
        assert not bench.space.family.sample.isEnabled()
        bench.until(lambda: not bench.space.sampling.busy)
        item = rows.set_named(bench.study, "main")
        assert item.id == recipe_of("main", count=3, seed=None).set_id
        assert rows.scene_count(bench.study, item.id) == 3
        bench.until(lambda: "main\n3 scenes" in bench.space.list.texts())
        assert bench.space.family.view.words.text() == "3 of 3 scenes are kept"
        assert "has 3 scenes" in bench.space.banner.text
        bench.click(bench.space.banner._buttons[0])
        assert bench.space.current == Entry("set", item.id)

    def test_refusals_are_counted_while_it_goes_on(self, bench: Bench) -> None:
        bench.show()
        told: list[Told] = []
        bench.space.sampling.told.connect(told.append)
        ask(bench)
        bench.until(lambda: not bench.space.sampling.busy)
        assert [(t.done, t.total, t.rejected["overlap"]) for t in told] == [
            (1, 3, 2),
            (2, 3, 4),
            (3, 3, 6),
        ]
        assert told[0].left is None  # one scene says nothing of the pace
        assert told[1].left is not None
        table = bench.space.family.view.table
        assert table.texts()[1] == ["overlap", "6", "100.0 %"]
        cell = table.item(0, 0)
        assert cell is not None
        assert "blocks.gap" in cell.toolTip()

    def test_it_is_the_draft_that_is_sampled(self, bench: Bench) -> None:
        name = bench.own()
        text = with_value(bench.space.draft.text, "blocks.gap", 0.05)
        bench.space.draft.document.setPlainText(text)
        bench.space.draft.read()
        ask(bench, "1", name)
        bench.until(lambda: not bench.space.sampling.busy)
        assert "gap = 0.05" in rows.set_named(bench.study, name).family

    def test_a_name_that_is_taken_gets_another(self, bench: Bench) -> None:
        bench.make("main", 2)
        bench.show()
        bench.space.list.choose(Entry("built_in", "main"))
        assert bench.space.family.set_name.text() == "main-2"
        ask(bench, "1", "main-2")
        bench.until(lambda: not bench.space.sampling.busy)
        item = rows.set_named(bench.study, "main-2")
        (row,) = every_scene(bench.study, item.id)
        assert row.facts["name"] == "main-2-0001"

    def test_a_name_that_is_taken_is_refused_when_insisted_on(
        self, bench: Bench
    ) -> None:
        bench.make("main", 2)
        bench.show()
        bench.space.list.choose(Entry("built_in", "main"))
        ask(bench, "3", "main")
        bench.until(lambda: bool(bench.refused))
        bench.idle()
        assert "another set of this name" in bench.refused[0].what
        assert "another set of this name" in bench.space.family.view.verdict.text()

    @pytest.mark.parametrize("count", ["0", "x", "", "1.5", "100001", "-3", "9" * 5000])
    def test_a_count_that_is_none_is_refused_at_once(
        self, bench: Bench, count: str
    ) -> None:
        bench.show()
        ask(bench, count)
        assert not bench.space.sampling.busy
        assert "whole number from 1 to 100000" in bench.space.family.told.text()
        assert bench.space.family.count.property("state") == "refused"

    def test_a_refusal_goes_when_the_count_is_mended(self, bench: Bench) -> None:
        bench.show()
        ask(bench, "0")
        page = bench.space.family
        assert page.told.text().startswith("Scenes must be")
        page.count.selectAll()
        QTest.keyClicks(page.count, "12")
        assert not page.told.isVisible()
        assert page.count.property("state") == ""

    def test_a_rearranged_set_brings_its_originals(self, bench: Bench) -> None:
        bench.show()
        bench.space.list.choose(Entry("built_in", "rearranged"))
        ask(bench, "2", "rearranged")
        bench.until(lambda: not bench.space.sampling.busy)
        names = [item.name for item in rows.sets(bench.study)]
        assert names == ["main", "rearranged"]


class TestStopping:
    def test_what_is_kept_stays_and_goes_on_to_the_same_set(self, bench: Bench) -> None:
        bench.show()
        bench.space.sampling.told.connect(lambda _t: bench.space.sampling.cancel())
        ask(bench, "4")
        bench.until(lambda: not bench.space.sampling.busy)
        item = rows.set_named(bench.study, "main")
        kept = rows.scene_count(bench.study, item.id)
        assert 0 < kept < 4
        assert "can be resumed" in bench.space.family.view.words.text()
        assert f"{kept} of 4 scenes · partial" in texts(bench)
        bench.space.sampling.told.disconnect()
        bench.space.show_entry(Entry("set", item.id))
        bench.until(lambda: len(bench.gallery.cards) == kept)
        bench.click(bench.space.set.resume)
        bench.until(lambda: len(bench.gallery.cards) == 4)
        whole = recipe_of("main", count=4, seed=None)
        assert item.id == whole.set_id
        assert not bench.space.set.resume.isVisible()

    def test_the_button_cancels(self, bench: Bench) -> None:
        bench.show()
        ask(bench, "4")
        bench.click(bench.space.family.view.cancel)
        bench.until(lambda: not bench.space.sampling.busy)
        assert bench.space.sampling.cancelled
        (item,) = rows.sets(bench.study) or [None]
        assert item is None or rows.scene_count(bench.study, item.id) < 4

    def test_a_set_without_scenes_offers_to_go_on(self, bench: Bench) -> None:
        bench.make("main", 2, kept=0)
        bench.show()
        bench.until(bench.space.set.nothing.isVisible)
        assert bench.space.set.resume.isVisible()

    def test_another_study_stops_it(self, bench: Bench) -> None:
        bench.show()
        ask(bench, "40")
        bench.until(lambda: bench.space.sampling.last is not None)
        bench.session.study_changed.emit()
        bench.until(lambda: not bench.space.sampling.busy)
        assert bench.space.sampling.cancelled
        (item,) = rows.sets(bench.study)
        assert 0 < rows.scene_count(bench.study, item.id) < 40

    def test_two_at_once_are_refused(self, bench: Bench) -> None:
        bench.show()
        ask(bench, "4")
        bench.space.family.sample_wanted.emit("other", 1, 1)
        assert "being made already" in bench.refused[0].what
        bench.until(lambda: not bench.space.sampling.busy)


def nowhere(bench: Bench) -> None:
    """Show a family whose blocks are all off the table."""
    text = with_value(library.built_in("main").text, "blocks.x", [5, 6])
    text = with_value(text, "name", "nowhere")
    own_families.save_family(bench.study, "nowhere", text)
    bench.show()
    bench.space.list.choose(Entry("own", "nowhere"))


class TestCancellingTheForecast:
    """Without a cancel the forecast of this family ends in a verdict after 6 s."""

    def test_of_a_set_ends_it_without_a_verdict_or_a_set(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(module, "make_set", make_set)
        nowhere(bench)
        ask(bench, "3", "nowhere")
        view = bench.space.family.view
        bench.until(view.cancel.isVisible)
        bench.click(view.cancel)
        assert view.words.text() == "Stopping"
        bench.until(lambda: not bench.space.sampling.busy)
        bench.idle()
        assert view.words.text() == "Stopped"
        assert not view.verdict.isVisible()
        assert bench.refused == []
        assert rows.sets(bench.study) == []
        assert bench.space.family.sample.isEnabled()

    def test_that_was_asked_for_ends_it_too(self, bench: Bench) -> None:
        nowhere(bench)
        bench.click(bench.space.family.outlook)
        assert not bench.space.family.outlook.isEnabled()
        (job,) = bench.jobs._running
        job.progress.cancel()  # as the footer does
        bench.idle()
        bench.until(bench.space.family.outlook.isEnabled)
        assert not bench.space.family.view.verdict.isVisible()
        assert bench.refused == []


class TestVerdicts:
    def hard(self) -> HardFamilyError:
        rejected: Counter[Reason] = Counter({"overlap": 9_000, "off_table": 1_000})
        found = Forecast(Cell(3, "largest"), 0, rejected, 0.0, 0.0003)
        return HardFamilyError("main", found)

    def test_a_family_that_hardly_fits_says_so_and_why(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(*_: object, **__: object) -> None:
            raise self.hard()

        monkeypatch.setattr(module, "make_set", refuse)
        bench.show()
        ask(bench)
        verdict = bench.space.family.view.verdict
        bench.until(verdict.isVisible)
        bench.idle()
        assert bench.refused == []  # said beside the button, not twice
        assert "can hardly be satisfied" in verdict.text()
        assert "look at blocks.gap" in verdict.text()
        table = bench.space.family.view.table.texts()
        assert table[1] == ["overlap", "9,000", "90.0 %"]

    def test_a_forecast_can_be_asked_for(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def likely(family: Family, *, stop: Callable[[], bool]) -> list[Forecast]:
            assert not stop()
            assert family.name == "main"
            rejected: Counter[Reason] = Counter({"overlap": 39})
            return [Forecast(Cell(3, "largest"), 1, rejected, 0.01, 0.1)]

        monkeypatch.setattr(module, "require_feasible", likely)
        bench.show()
        bench.click(bench.space.family.outlook)
        bench.until(bench.space.family.view.verdict.isVisible)
        words = bench.space.family.view.verdict.text()
        assert "can be satisfied" in words
        assert "3 blocks, the largest hidden: the first fit after 40 tries" in words
        bench.until(bench.space.family.outlook.isEnabled)

    @pytest.mark.slow
    def test_a_real_impossible_family_is_called_so(self, bench: Bench) -> None:
        nowhere(bench)
        bench.click(bench.space.family.outlook)
        view = bench.space.family.view
        bench.qtbot.waitUntil(view.verdict.isVisible, timeout=30_000)
        assert "can hardly be satisfied" in view.verdict.text()
        assert "blocks.x" in view.verdict.text()


def test_reasons_are_sorted_and_explained() -> None:
    found = reason_rows(Counter({"overlap": 1, "off_table": 3, "gone": 0}))
    assert [row[:3] for row in found] == [
        ["off table", "3", "75.0 %"],
        ["overlap", "1", "25.0 %"],
    ]
    assert all(row[3] for row in found)
    assert reason_rows(Counter()) == []


@pytest.mark.slow
@pytest.mark.render
def test_a_real_set_is_made_by_real_workers(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "make_set", make_set)
    bench.show()
    ask(bench, "2")
    bench.qtbot.waitUntil(lambda: not bench.space.sampling.busy, timeout=120_000)
    assert not bench.refused
    assert rows.scene_count(bench.study, rows.set_named(bench.study, "main").id) == 2
