"""Earlier probes: listed with their scenes, held side by side, opened again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QTableWidget

from director_gui.errors import UserError
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.store.database import create_study
from director_gui.study.practice import Practice
from director_gui.study.scored import scored_replies
from tests.probe_runs import FlatRenderer, answered, stored
from tests.ui.probe.desk import Desk

if TYPE_CHECKING:
    from director_gui.scene.model import Scene

pytestmark = pytest.mark.gui


@pytest.fixture
def two(desk: Desk) -> Iterator[Desk]:
    """Two probes, between which block 5 was moved."""
    desk.open()
    desk.choose("move.ask", "move.plain", samples=2)
    desk.probe()
    scene = edits.move_to(desk.document.scene, Item("block", 5), 0.10, -0.06)
    desk.document.apply(scene, "Move block 5")
    desk.choose("move.ask", "move.count")
    desk.drawer.tabs.setCurrentWidget(desk.drawer.compose)
    desk.probe()
    desk.drawer.tabs.setCurrentWidget(desk.drawer.earlier)
    desk.wait(lambda: len(desk.drawer.earlier.probes) == 2)
    return desk


def row(table: QTableWidget, at: int) -> list[str]:
    return [table.item(at, column).text() for column in range(table.columnCount())]


def compare(desk: Desk) -> None:
    earlier = desk.drawer.earlier
    earlier.table.selectRow(1)  # one alone is held against the newest
    desk.wait(lambda: len(earlier.compared._sides) == 2)


def test_probes_are_listed_newest_first(two: Desk) -> None:
    table = two.drawer.earlier.table
    assert row(table, 0)[1:] == ["example", "2", "2/2", "practice"]
    assert row(table, 1)[1:] == ["example", "2", "4/4", "practice"]
    assert "move.count" in table.item(0, 0).toolTip()


def test_the_newest_is_shown_at_once(two: Desk) -> None:
    compared = two.drawer.earlier.compared
    two.wait(lambda: len(compared._sides) == 1)
    assert not compared.changes.isVisible()
    assert compared.arms.isColumnHidden(2)


def test_two_probes_stand_side_by_side(two: Desk) -> None:
    compare(two)
    compared = two.drawer.earlier.compared
    first, second = compared._sides
    assert first.probe.run.created < second.probe.run.created
    assert compared.changes.text() == "Moved block 5 by 5.0 cm to the right"
    assert compared.titles[0].text().startswith("First · example\n")
    assert compared.titles[1].text().endswith("practice")
    for side in (first, second):
        pixels = FlatRenderer().draw(side.probe.scene, "model").pixels
        assert side.picture.pixelColor(3, 3).getRgb()[:3] == tuple(pixels[3, 3])
    assert first.picture.pixelColor(3, 3) != second.picture.pixelColor(3, 3)


def test_arms_are_counted_in_both(two: Desk) -> None:
    compare(two)
    compared = two.drawer.earlier.compared
    rows = {row(compared.arms, at)[0]: row(compared.arms, at)[1:] for at in range(3)}
    assert list(rows) == ["move.ask", "move.plain", "move.count"]
    for at, side in enumerate(compared._sides):
        found = scored_replies(two.session.study, side.probe.run.id)
        for name, counts in rows.items():
            arm = [i.score for i in found if i.reply.call.condition == name]
            hidden = [s.hidden_choice for s in arm if s and s.status == "answered"]
            expected = f"{sum(map(bool, hidden))}/{len(hidden)}" if arm else "–"
            assert counts[at] == expected


def test_the_exact_scene_is_opened_again(two: Desk) -> None:
    compare(two)
    opened: list[Scene] = []
    two.drawer.show_scene.connect(opened.append)
    compared = two.drawer.earlier.compared
    two.click(compared.opens[0])
    two.click(compared.opens[1])
    assert opened == [side.probe.scene for side in compared._sides]
    assert opened[1] == two.document.scene
    assert opened[0].block(5).x == pytest.approx(0.05)


def test_replies_of_an_earlier_probe_are_shown(two: Desk) -> None:
    compare(two)
    replies = two.drawer.replies
    newest = replies.live
    two.click(two.drawer.earlier.compared.shows[0])
    two.wait(lambda: replies.live is not newest)
    assert two.drawer.tabs.currentWidget() is replies
    assert len(replies.live.rows) == 4
    two.wait(lambda: "moved block 5" in replies.changed.text())
    assert not replies.resend.isVisible()


def test_a_row_is_opened_by_keyboard(two: Desk) -> None:
    newest = two.drawer.replies.live
    table = two.drawer.earlier.table
    table.setCurrentCell(1, 0)
    table.itemActivated.emit(table.item(1, 0))
    two.wait(lambda: two.drawer.replies.live is not newest)


def test_a_probe_that_was_cut_short_is_finished_in_a_later_session(desk: Desk) -> None:
    path = desk.folder / "cut.study"
    with create_study(path, "cut") as before, Practice() as practice:
        stored(before, practice, conditions=("move.ask", "move.first_turn"))
    desk.session.open(path)
    desk.open()
    desk.drawer.tabs.setCurrentWidget(desk.drawer.earlier)
    desk.wait(lambda: len(desk.drawer.earlier.compared._sides) == 1)
    desk.click(desk.drawer.earlier.compared.shows[0])
    replies = desk.drawer.replies
    desk.wait(lambda: replies.live is not None)
    assert replies.live.open == 4
    desk.press(replies, "Send open calls")
    desk.wait(lambda: replies.live.open == 0 and not desk.session.busy)
    assert replies.banner.text == ""
    assert {item.reply.status for item in replies.live.rows} == {"reply"}


def test_an_unfinished_probe_says_so_and_is_resumed_from_the_list(desk: Desk) -> None:
    path = desk.folder / "cut.study"
    with create_study(path, "cut") as before, Practice() as practice:
        stored(before, practice, conditions=("move.ask", "move.plain"))
    desk.session.open(path)
    desk.open()
    earlier = desk.drawer.earlier
    desk.drawer.tabs.setCurrentWidget(earlier)
    desk.wait(lambda: len(earlier.probes) == 1)
    calls = earlier.probes[0].calls
    assert row(earlier.table, 0)[3:] == [f"0/{calls}", "unfinished · practice"]
    assert earlier.left.text() == f"{calls} of {calls} calls have no end yet"
    desk.press(earlier, "Resume")
    replies = desk.drawer.replies
    desk.wait(lambda: replies.live is not None and replies.live.open == 0)
    assert desk.drawer.tabs.currentWidget() is replies
    desk.wait(lambda: not desk.session.busy)
    desk.drawer.tabs.setCurrentWidget(earlier)
    desk.wait(lambda: row(earlier.table, 0)[3] == f"{calls}/{calls}")
    assert row(earlier.table, 0)[4] == "practice"
    assert not earlier.resume.isVisible()
    assert earlier.left.text() == f"All {calls} calls have ended"


def test_a_probe_is_not_resumed_while_another_is_sent(two: Desk) -> None:
    two.drawer.earlier.hold("A probe is being sent")
    assert not two.drawer.earlier.resume.isEnabled()
    assert two.drawer.earlier.resume.toolTip() == "A probe is being sent"
    two.drawer.earlier.hold("")
    assert two.drawer.earlier.resume.isEnabled()


def test_counts_that_move_leave_the_chosen_probe(two: Desk) -> None:
    earlier = two.drawer.earlier
    earlier.table.selectRow(1)
    first, second = earlier.probes
    earlier._show((replace(first, ended=0), second))
    assert row(earlier.table, 0)[3] == "0/2"
    assert {index.row() for index in earlier.table.selectedIndexes()} == {1}


def test_a_read_only_study_is_still_read(desk: Desk) -> None:
    path = desk.folder / "held.study"
    with create_study(path, "held") as held, Practice() as practice:
        answered(held, practice)
        desk.session.open(path)
        desk.open()
        desk.drawer.tabs.setCurrentWidget(desk.drawer.earlier)
        desk.wait(lambda: len(desk.drawer.earlier.probes) == 1)
        assert not desk.drawer.compose.send.isEnabled()


def test_a_damaged_study_is_told(two: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise UserError("a stored picture is damaged", todo="Restore a copy")

    monkeypatch.setattr("director_gui.ui.probe.earlier.side_of", broken)
    two.drawer.earlier.table.selectRow(1)
    notice = two.drawer.earlier.banner
    two.wait(lambda: "Restore a copy" in notice.text)
