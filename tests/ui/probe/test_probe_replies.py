"""Replies of the practice reader, sent and read through the window."""

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.modeltest import ModelTester

from director_gui.render.still import StillRenderer
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.store.attempts import attempts_of
from director_gui.store.runs import runs
from director_gui.store.scenes import image
from director_gui.study.analysis import pair_results
from director_gui.study.scored import scored_replies
from director_gui.ui.probe.reply_table import COLUMNS, CONDITION, MODEL, STATUS
from tests.probe_runs import PRACTICE
from tests.ui.probe.desk import Desk

pytestmark = pytest.mark.gui
SLOW = replace(PRACTICE, name="slow", model="practice-reader+slow=0.1", concurrency=1)
OPEN_MODEL = "Practice reader with reasoning"


def cell(desk: Desk, row: int, column: int) -> str:
    model = desk.drawer.replies.table.model()
    return str(model.index(row, column).data())


def texts(desk: Desk, column: int) -> list[str]:
    count = desk.drawer.replies.table.model().rowCount()
    return [cell(desk, row, column) for row in range(count)]


def select(desk: Desk, row: int) -> None:
    table = desk.drawer.replies.table
    index = table.model().index(row, CONDITION)
    table.scrollTo(index)
    place = table.visualRect(index).center()
    left = Qt.MouseButton.LeftButton
    desk.qtbot.mouseClick(table.viewport(), left, pos=place)


def test_a_probe_ends_with_every_reply_scored(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain", samples=3)
    desk.probe()
    replies = desk.drawer.replies
    assert desk.drawer.tabs.currentWidget() is replies
    assert texts(desk, CONDITION) == ["move.ask"] * 3 + ["move.plain"] * 3
    stored = {
        (i.reply.call.condition, i.reply.call.sample): i
        for i in scored_replies(desk.session.study, replies.live.probe.run.id)
    }
    for row in range(6):
        item = stored[cell(desk, row, CONDITION), int(cell(desk, row, 2))]
        assert item.score is not None
        assert cell(desk, row, STATUS) == item.score.status
        choice = item.score.choice
        assert cell(desk, row, 3) == ("–" if choice is None else str(choice))
    assert replies.head.text() == "6 of 6 calls ended · example"
    assert not replies.interim.isVisible()
    assert replies.table.isColumnHidden(MODEL)


def test_pairs_show_points_counts_and_why_there_is_no_interval(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain", samples=3)
    desk.probe()
    replies = desk.drawer.replies
    pair = pair_results(replies.live.rows)[0]
    (k0, k1), (n0, n1) = pair.comparison.k, pair.comparison.n
    assert replies.pairs.item(0, 0).text() == "move: ask − plain"
    assert replies.pairs.item(0, 2).text() == f"{k1}/{n1} − {k0}/{n0}"
    shown = replies.pairs.item(0, 1).text().replace("−", "-")
    assert float(shown) == pytest.approx(100 * (k1 / n1 - k0 / n0), abs=0.06)
    assert replies.pairs.isColumnHidden(3)
    assert replies.reason.text().startswith("No interval: needs at least 3 scenes")


def test_practice_is_always_named(desk: Desk) -> None:
    desk.open()
    assert not desk.drawer.practice.isVisible()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    assert desk.drawer.practice.isVisible()
    desk.open()  # closes it
    assert desk.drawer.practice.isVisible()
    assert desk.drawer.state.text() == "2 of 2 replies"


def test_a_reply_is_read_in_full(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", samples=4)
    desk.choose_models(OPEN_MODEL)
    desk.probe()
    row = texts(desk, STATUS).index("answered")  # a few are lost on purpose
    select(desk, row)
    detail = desk.drawer.replies.detail
    item = desk.drawer.replies.live.rows[row]
    assert detail.isVisible()
    assert detail.reply.toPlainText() == item.reply.text
    assert detail.reasoning.toPlainText() == item.reply.reasoning
    assert detail.score.text().startswith(
        f"move.ask · sample {row + 1} · answered · chooses"
    )
    assert "reports" in detail.score.text()
    detail.tabs.setCurrentWidget(detail.raw)
    body = attempts_of(desk.session.study, item.reply.call.id)[-1].body
    assert json.loads(detail.raw.toPlainText()) == json.loads(body)
    assert detail.raw.toPlainText().startswith("{\n")
    detail.tabs.setCurrentWidget(detail.attempts)
    assert "Turn 1 of 1, attempt 1: reply" in detail.attempts.toPlainText()
    assert "HTTP: 200" in detail.attempts.toPlainText()


def test_absent_reasoning_is_said_to_be_absent(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    live = desk.drawer.replies.live
    live.rows[1] = replace(
        live.rows[1], reply=replace(live.rows[1].reply, reasonings=(None,))
    )
    select(desk, 1)
    assert desk.drawer.replies.detail.reasoning.toPlainText() == "No reasoning returned"


@pytest.mark.parametrize(
    ("name", "word"), [("Copy as curl", "curl"), ("Copy as Python", "OpenAI(")]
)
def test_a_call_is_copied(desk: Desk, name: str, word: str) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    select(desk, 0)
    desk.press(desk.drawer.replies.detail, name)
    text = QApplication.clipboard().text()
    assert desk.drawer.replies.detail.banner.text == ""
    assert word in text
    assert "practice-reader" in text
    assert "data:image/png;base64," in text


def test_two_turns_show_both_replies(desk: Desk) -> None:
    desk.open()
    desk.choose("move.first_turn")
    desk.probe()
    row = texts(desk, CONDITION).index("move.first_turn")
    select(desk, row)
    item = desk.drawer.replies.model.item(row)
    text = desk.drawer.replies.detail.reply.toPlainText()
    assert text == f"Turn 1\n{item.reply.texts[0]}\n\nTurn 2\n{item.reply.texts[1]}"


def test_several_models_get_a_column(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.choose_models("Practice reader", OPEN_MODEL)
    desk.probe()
    replies = desk.drawer.replies
    assert not replies.table.isColumnHidden(MODEL)
    assert set(texts(desk, MODEL)) == {"Practice reader", OPEN_MODEL}
    assert replies.pairs.item(0, 0).text().startswith("Practice reader: move")


def test_replies_arrive_one_by_one_and_cancel_keeps_them(desk: Desk) -> None:
    desk.open()
    desk.ask(SLOW)
    desk.choose("move.ask", "move.plain", samples=20)
    desk.send()
    replies = desk.drawer.replies
    desk.wait(lambda: replies.live.open < 38)
    assert "answered" in texts(desk, STATUS)
    assert "waiting" in texts(desk, STATUS)
    assert replies.interim.isVisible()
    assert not desk.drawer.compose.send.isEnabled()
    desk.press(replies, "Cancel")
    desk.wait(lambda: not desk.session.busy)
    kept = 40 - replies.live.open
    assert 0 < kept < 40
    assert "open" in texts(desk, STATUS)
    assert desk.drawer.compose.send.isEnabled()
    ended = scored_replies(desk.session.study, replies.live.probe.run.id)
    assert sum(item.score is not None for item in ended) == kept


def test_open_calls_are_sent_later(desk: Desk) -> None:
    desk.open()
    desk.ask(SLOW)
    desk.choose("move.ask", "move.plain", samples=3)
    desk.send()
    replies = desk.drawer.replies
    desk.wait(lambda: replies.live.open < 6)
    desk.press(replies, "Cancel")
    desk.wait(lambda: not desk.session.busy)
    assert replies.live.open > 0
    desk.press(replies, "Send open calls")
    desk.wait(lambda: replies.live.open == 0 and not desk.session.busy)
    assert not replies.resend.isVisible()
    assert "open" not in texts(desk, STATUS)
    assert len(runs(desk.session.study)) == 1


def test_sorting_is_by_click_and_nothing_else(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain", samples=2)
    desk.probe()
    table = desk.drawer.replies.table
    table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert texts(desk, 2) == ["2", "2", "1", "1"]
    source = table.model().source(0)
    select(desk, 0)
    name = desk.drawer.replies.live.rows[source].reply.call.condition
    assert desk.drawer.replies.detail.score.text().startswith(f"{name} · sample 2")


def test_what_is_missing_is_sorted_last_and_the_choice_stays(
    desk: Desk, qtmodeltester: ModelTester
) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain", samples=2)
    desk.probe()
    replies = desk.drawer.replies
    live = replies.live
    for row, choice in enumerate((8, None, 3, 5)):
        score = replace(live.rows[row].score, choice=choice)
        live.rows[row] = replace(live.rows[row], score=score)
    select(desk, 1)
    replies.table.sortByColumn(3, Qt.SortOrder.AscendingOrder)
    assert texts(desk, 3) == ["3", "5", "8", "–"]
    assert replies.table.currentIndex().row() == 3
    replies.table.sortByColumn(CONDITION, Qt.SortOrder.DescendingOrder)
    assert texts(desk, CONDITION) == ["move.plain"] * 2 + ["move.ask"] * 2
    qtmodeltester.check(replies.model)


def test_an_endless_reply_is_cut_and_said_to_be(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    live = desk.drawer.replies.live
    reply = replace(live.rows[0].reply, texts=("{" * 300_000,))
    live.rows[0] = replace(live.rows[0], reply=reply)
    select(desk, 0)
    detail = desk.drawer.replies.detail
    assert detail.reply.toPlainText().count("{") == 200_000
    assert detail.note.text() == "The first 200,000 characters"


def test_an_edit_afterwards_is_told(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    changed = desk.drawer.replies.changed
    assert not changed.isVisible()
    scene = edits.move_to(desk.document.scene, Item("block", 5), 0.10, -0.06)
    desk.document.apply(scene, "Move block 5")
    words = "The scene has changed since: moved block 5 by 5.0 cm to the right."
    desk.wait(lambda: changed.isVisible() and changed.text() == words)


def test_numbers_stand_at_the_right(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    model = desk.drawer.replies.model
    role = Qt.ItemDataRole.TextAlignmentRole
    for at, column in enumerate(COLUMNS):
        right = bool(model.index(0, at).data(role) & Qt.AlignmentFlag.AlignRight)
        head = model.headerData(at, Qt.Orientation.Horizontal, role)
        assert right == column.numeric == bool(head & Qt.AlignmentFlag.AlignRight)


def test_a_flagged_reply_says_what_is_odd(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    live = desk.drawer.replies.live
    odd = replace(live.rows[0].score, flags=("conflicting_answers", "not_a_block"))
    live.rows[0] = replace(live.rows[0], score=odd)
    select(desk, 0)
    text = desk.drawer.replies.detail.score.text()
    assert text.endswith("⚑ conflicting answers · ⚑ not a block")


def test_markup_in_a_reply_is_shown_not_read(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    live = desk.drawer.replies.live
    text = "<b>bold</b> <img src=x>"
    reply = replace(live.rows[0].reply, texts=(text,))
    live.rows[0] = replace(live.rows[0], reply=reply)
    select(desk, 0)
    assert desk.drawer.replies.detail.reply.toPlainText() == text
    labels = desk.drawer.findChildren(QLabel)
    assert {made.textFormat() for made in labels} == {Qt.TextFormat.PlainText}


@pytest.mark.render
def test_the_real_picture_is_drawn_and_sent(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", StillRenderer)
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    live = desk.drawer.replies.live
    sent = image(desk.session.study, live.rows[0].reply.call.image)
    assert (sent.width, sent.height, sent.view) == (1024, 768, "model")
    assert {item.reply.status for item in live.rows} == {"reply"}
