"""Tallies beside the paper's, two sets compared, balance, verify, export, import."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from director_gui.families.tallies import PAPER
from director_gui.store import sets as rows
from director_gui.study import set_import, verifying
from director_gui.study.balance import Association
from director_gui.study.verifying import Verification
from director_gui.ui import theme
from director_gui.ui.families.balance_page import summary
from director_gui.ui.families.files_page import mismatch_rows, verification_words
from director_gui.ui.families.tallies_page import bars_of, table_rows
from tests.ui.families.bench import Bench

pytestmark = pytest.mark.gui
TALLY = {
    "scenes": 40,
    "blocks": {"3": 30, "4": 10},
    "hidden_rank": {"largest": 40, "middle": 0, "smallest": 0},
    "hidden_has_largest_digit": 10,
    "smaller_visible_has_larger_digit": 20,
    "apparent_size_confound": 4,
}
MISMATCH = {
    "set": "main",
    "scene": "main-0001",
    "block": 7,
    "view": "director",
    "analytic": 0.91234,
    "depth": None,
}


class TestTallies:
    def test_the_papers_figures_stand_beside(self, bench: Bench) -> None:
        bench.open("main")
        table = bench.space.set.tallies.table.texts()
        assert table[0] == ["", "main", "The paper"]
        by_name = {row[0]: row[1:] for row in table[1:]}
        assert by_name["Scenes"] == ["3", "160"]
        assert by_name["Hidden: the largest"] == ["3 (100.0 %)", "160 (100.0 %)"]
        assert by_name["Apparent-size confounds"][1] == "19 (11.9 %)"
        assert by_name["Hidden block has the largest digit"][1] == "40 (25.0 %)"

    def test_rows_of_two_sets(self) -> None:
        other = {
            **TALLY,
            "scenes": 10,
            "blocks": {"5": 10},
            "apparent_size_confound": 5,
        }
        found = table_rows([TALLY, other])
        by_name = {row[0]: row[1:] for row in found}
        assert by_name["5 blocks"] == ["0 (0.0 %)", "10 (100.0 %)", "–"]
        assert by_name["3 blocks"] == ["30 (75.0 %)", "0 (0.0 %)", "–"]
        assert by_name["Apparent-size confounds"][:2] == ["4 (10.0 %)", "5 (50.0 %)"]

    def test_bars_are_shares_and_the_paper_keeps_its_colour(self) -> None:
        series, groups = bars_of([("mine", TALLY)])
        assert series == ["mine", "", "the paper’s main set"]
        mine, paper = groups[0].bars
        assert mine.share == 0.25
        assert paper.share == PAPER["hidden_has_largest_digit"] / 160
        assert paper.series == 2
        both, groups = bars_of([("mine", TALLY), ("other", TALLY)])
        assert both == ["mine", "other", "the paper’s main set"]
        assert [bar.series for bar in groups[0].bars] == [0, 1, 2]

    def test_an_empty_set_divides_by_nothing(self) -> None:
        empty = {**TALLY, "scenes": 0, "apparent_size_confound": 0}
        assert table_rows([empty])[-1][1] == "0"

    def test_another_set_stands_beside(self, bench: Bench) -> None:
        bench.make("rotated", 3)
        bench.open("main")
        page = bench.space.set.tallies
        page.other.setCurrentIndex(page.other.findText("rotated"))
        bench.until(lambda: len(page.table.texts()[0]) == 4)
        table = page.table.texts()
        assert table[0] == ["", "main", "rotated", "The paper"]
        smallest = next(row for row in table if row[0] == "Hidden: the smallest")
        assert smallest[1:3] == ["0 (0.0 %)", "1 (33.3 %)"]
        assert "rotated" in page.chart.accessibleDescription()
        page.other.setCurrentIndex(0)
        assert len(page.table.texts()[0]) == 3

    def test_dropped_scenes_count_on_request(self, bench: Bench) -> None:
        bench.open("main")
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "dark")
        bench.click(bench.gallery.detail.drop)
        page = bench.space.set.tallies
        assert page.table.texts()[1][1] == "2"
        page.dropped.toggle()
        assert page.table.texts()[1][1] == "3"


def association(*, warns: bool, p: float | None = 0.5) -> Association:
    counts = (("1", 5, 2.5), ("2", 0, 2.5))
    return Association("Left to right", "χ²", 1.0, p, warns, "Words.", counts)


class TestBalance:
    def test_it_is_checked_on_request(self, bench: Bench) -> None:
        bench.open("main")
        bench.space.set.tabs.setCurrentWidget(bench.space.set.balance)
        bench.space.set.balance.wanted.emit()
        bench.until(lambda: bench.space.set.balance.found is not None)
        found = bench.space.set.balance.found
        assert found is not None
        assert len(found) == 5
        assert summary(found) == "This set is too small for a balance check."

    def test_a_drop_asks_for_a_new_check(self, bench: Bench) -> None:
        bench.open("main")
        bench.space.set.balance.show_found([association(warns=False)])
        bench.pick(0)
        bench.type(bench.gallery.detail.reason, "dark")
        bench.click(bench.gallery.detail.drop)
        assert bench.space.set.balance.found is None

    @pytest.mark.parametrize(
        ("found", "words"),
        [
            ([association(warns=False)], "No association was found"),
            ([association(warns=True)], "1 check warns: Left to right."),
            ([association(warns=True)] * 2, "2 checks warn: Left to right; Left"),
            ([association(warns=False, p=None)], "too small"),
        ],
    )
    def test_its_outcome_in_words(self, found: list[Association], words: str) -> None:
        assert words in summary(found)

    @pytest.mark.parametrize("mode", ["light", "dark"])
    def test_it_is_shown_in_both_themes(
        self,
        bench: Bench,
        themed: Callable[[theme.Mode, float], None],
        mode: theme.Mode,
    ) -> None:
        bench.open("main", 1)
        page = bench.space.set.balance
        page.show_found([association(warns=True, p=0.0001), association(warns=False)])
        themed(mode, 1.0)
        bench.space.retheme()
        assert page.found is not None
        assert not page.grab().isNull()


class TestVerify:
    def test_a_whole_set_in_words(self) -> None:
        words = verification_words(Verification(3, [], [], 3, 0))
        assert words == (
            "Both witnesses agree on every block of 3 scenes. "
            "3 of 3 scenes came out the same pixel for pixel."
        )

    def test_one_is_one(self) -> None:
        assert verification_words(Verification(1, [], [], 1, 0)) == (
            "Both witnesses agree on every block of 1 scene. "
            "1 of 1 scene came out the same pixel for pixel."
        )
        twice = Verification(3, [MISMATCH, MISMATCH], [], 0, 2)
        assert "disagree 2 times" in verification_words(twice)
        assert "2 were drawn by another renderer" in verification_words(twice)

    def test_mismatches_are_listed_with_both_fractions(self) -> None:
        found = Verification(3, [MISMATCH], [], 2, 1)
        assert "disagree once" in verification_words(found)
        assert "1 was drawn by another renderer" in verification_words(found)
        row = ["main · main-0001", "7", "director", "0.9123", "–"]
        assert mismatch_rows(found) == [row]

    def test_what_else_was_changed_is_listed_below(self) -> None:
        change = {"set": "main", "scene": "main-0001"}
        changes = [
            {**change, "what": "key.director_view", "stored": 3, "found": 5},
            {**change, "what": "picture.model", "stored": None, "found": "ab" * 32},
            {**change, "what": "states.director.7", "stored": "sees", "found": "cut"},
        ]
        found = Verification(3, [MISMATCH], changes, 2, 0)
        assert "3 other things are not as stored." in verification_words(found)
        assert mismatch_rows(found)[1:] == [
            ["main · main-0001", "key director_view", "", "3", "5"],
            ["main · main-0001", "picture", "model", "–", "abababababab…"],
            ["main · main-0001", "states 7", "director", "sees", "cut"],
        ]
        one = Verification(3, [], changes[:1], 3, 0)
        assert "1 other thing is not as stored." in verification_words(one)

    def test_the_button_shows_what_was_found(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def found(_study: object, *, progress: Callable[[int, int], None]) -> object:
            progress(1, 1)
            return Verification(3, [MISMATCH], [], 2, 0)

        monkeypatch.setattr(verifying, "verify_study", found)
        bench.open("main")
        files = bench.space.set.files
        bench.space.set.tabs.setCurrentWidget(files)
        bench.click(files.verify)
        assert not files.verify.isEnabled()
        bench.until(files.table.isVisible)
        assert files.table.texts()[1][1] == "7"
        bench.until(files.verify.isEnabled)
        assert "disagree" in files.verdict.text()

    def test_a_failure_lets_it_be_asked_again(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object, **__: object) -> None:
            raise RuntimeError("boom")

        monkeypatch.setattr(verifying, "verify_study", broken)
        bench.open("main", 1)
        files = bench.space.set.files
        bench.space.set.tabs.setCurrentWidget(files)
        bench.click(files.verify)
        bench.until(files.verify.isEnabled)
        assert not files.verdict.isVisible()
        assert "failed" in bench.refused[0].what


class TestFiles:
    def test_export_writes_the_sets_and_says_where(
        self, bench: Bench, tmp_path: Path
    ) -> None:
        bench.open("main", 2)
        out = tmp_path / "out"
        bench.space.export(out)
        files = bench.space.set.files
        bench.until(lambda: "files are in" in files.exported.text())
        assert str(out) in files.exported.text()
        assert (out / "manifest.json").exists()

    def test_a_folder_that_holds_something_else_is_refused(
        self, bench: Bench, tmp_path: Path
    ) -> None:
        bench.open("main", 1)
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "mine.txt").write_text("keep me")
        bench.space.export(tmp_path / "out")
        bench.until(lambda: bool(bench.refused))
        bench.until(bench.space.set.files.export.isEnabled)
        assert (tmp_path / "out" / "mine.txt").read_text() == "keep me"

    def test_an_imported_set_is_shown(
        self, bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bench.make("main", 2)
        item = rows.set_named(bench.study, "main")
        monkeypatch.setattr(set_import, "import_set", lambda *_a, **_k: item)
        bench.show()
        bench.space.take_in(tmp_path)
        bench.until(lambda: len(bench.gallery.cards) == 2)
        assert bench.space.current is not None
        assert bench.space.current.key == item.id

    def test_a_folder_without_scenes_is_refused(
        self, bench: Bench, tmp_path: Path
    ) -> None:
        folder = tmp_path / "empty"
        folder.mkdir()
        bench.show()
        bench.space.take_in(folder)
        bench.until(lambda: bool(bench.refused))
        assert "holds 0 scene files" in bench.refused[0].what
        assert json.dumps(rows.sets(bench.study)) == "[]"
        shutil.rmtree(folder)
