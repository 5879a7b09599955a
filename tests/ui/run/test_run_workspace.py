"""Plans composed, sent, watched and read through the window."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu, QTableWidget, QTableWidgetItem
from pytestqt.modeltest import ModelTester

from director_gui.runner.engine_values import RunPaused, RunResumed
from director_gui.runner.plan import Batch
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import replies_of
from director_gui.store.corrections import corrections_of
from director_gui.store.database import open_study
from director_gui.store.log import entries
from director_gui.store.runs import calls_of, planned_call, run, runs
from director_gui.study.plan_draft import plan_toml
from director_gui.study.plan_file import DeclaredFamily, read_plan
from director_gui.study.run_process import RunProcess
from director_gui.study.scored import scored_replies
from director_gui.ui import theme
from director_gui.ui.run.arm_model import BAR, COLUMNS, CONDITION, ENDED, HIDDEN, MODEL
from tests.probe_runs import PRACTICE, answered
from tests.ui.run.runs_desk import RunDesk, plan

pytestmark = pytest.mark.gui
SLOW = replace(PRACTICE, name="slow", model="practice-reader+slow=0.15", concurrency=1)
REAL = Profile(
    name="real", base_url="http://127.0.0.1:9/v1", model="m", timeout=5.0, concurrency=2
)


def cell(table: QTableWidget, row: int, column: int) -> QTableWidgetItem:
    item = table.item(row, column)
    assert item is not None
    return item


def test_a_plan_is_prepared_then_sent_to_its_end(desk: RunDesk) -> None:
    run_id = desk.prepare()
    work = desk.workspace
    assert len(calls_of(desk.session.study, run_id)) == 12
    assert run(desk.session.study, run_id).kind == "plan"
    assert work.card.send.text() == "Start: send 12 calls"
    assert "2 scenes × 2 samples" in work.card.facts.text()
    assert work.board.state.text() == "not started"
    assert "Time: about" in work.card.left.text()
    desk.click(work.card.send)
    desk.finish()
    view = work.sending.view
    assert view is not None
    assert {a.condition for a in view.arms()} == {
        "move.ask",
        "move.plain",
        "move.count",
    }
    assert all(arm.ended == arm.calls == 4 for arm in view.arms())
    assert work.board.practice.isVisible()
    assert work.card.send.text() == "All sent"
    assert not work.card.send.isEnabled()
    assert not desk.refused


# Composing --------------------------------------------------------------------------


def test_the_empty_state_says_what_comes_here(desk: RunDesk) -> None:
    work = desk.workspace
    assert work.compose.outlook.isVisible()
    assert not work.board.isVisible()
    assert work.compose.isVisible()


def test_what_a_plan_adds_up_to_follows_every_choice(desk: RunDesk) -> None:
    compose = desk.workspace.compose
    compose.show_plan(plan())
    assert compose.cost.text() == "12 calls · free"
    assert "move.ask joins by itself" in compose.form.batches.joined.text()
    compose.form.samples.setValue(5)
    assert compose.cost.text() == "30 calls · free"
    desk.tick(compose.form.batches.list, "move.ask", "move.plain")
    assert compose.cost.text() == "20 calls · free"
    assert compose.form.batches.joined.text().startswith("Every base")
    assert "Answers 1 pair (1 declared in 1 family)" in compose.answers.text()


def test_what_is_missing_is_said_and_holds_the_button(desk: RunDesk) -> None:
    compose = desk.workspace.compose
    compose.show_plan(plan())
    assert compose.prepare.isEnabled()
    desk.tick(compose.form.models)
    assert compose.cost.text() == "Choose at least one model"
    assert not compose.prepare.isEnabled()
    desk.tick(compose.form.models, PRACTICE.name)
    compose.form.name.clear()
    assert compose.cost.text() == "Give the plan a name"
    compose.form.name.setText("x")
    desk.tick(compose.form.batches.list)
    assert compose.cost.text() == "Choose at least one condition"


def test_batches_are_composed_apart(desk: RunDesk) -> None:
    form = desk.workspace.compose.form
    desk.workspace.compose.show_plan(plan())
    desk.click(form.batches.add)
    desk.tick(form.batches.list, "mean.plain")
    assert form.batches.batches[1] == Batch("2", ("mean.plain",))
    assert "mean.ask joins" in form.batches.joined.text()
    form.batches.which.setCurrentIndex(0)
    assert "move.ask joins" in form.batches.joined.text()
    desk.click(form.batches.remove)
    assert [batch.name for batch in form.batches.batches] == ["2"]
    assert not form.batches.remove.isEnabled()


def test_families_are_declared_by_a_tick_and_a_name(desk: RunDesk) -> None:
    families = desk.workspace.compose.form.families
    desk.workspace.compose.show_plan(plan(families=()))
    assert families.families == ()
    families.declare_all()
    shown = [cell(families, row, 0).text() for row in range(families.rowCount())]
    assert shown == ["move: ask − plain", "move: count − plain"]
    cell(families, 1, 1).setText("controls")
    assert families.families == (
        DeclaredFamily("main", (("move.ask", "move.plain"),)),
        DeclaredFamily("controls", (("move.count", "move.plain"),)),
    )
    cell(families, 0, 0).setCheckState(Qt.CheckState.Unchecked)
    assert [family.name for family in families.families] == ["controls"]


def test_a_probe_is_promoted(desk: RunDesk) -> None:
    answered(desk.session.study, desk.session.practice, samples=3)
    compose = desk.workspace.compose
    menu = compose.probes.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    menu.actions()[0].trigger()
    assert compose.form.batches.batches == (Batch("1", ("move.ask", "move.plain")),)
    assert compose.form.samples.value() == 3
    assert compose.cost.text() == "12 calls · free"


def test_a_plan_file_goes_out_and_in(desk: RunDesk) -> None:
    work = desk.workspace
    path = desk.folder / "plan.toml"
    wanted = plan(ceiling=2.5, order_seed=None, samples=4)
    work.compose.show_plan(wanted)
    work.save(work.compose.form.plan(), path)
    assert "Saved" in work.banner.text
    assert read_plan(path) == wanted
    work.compose.show_plan(plan(name="another"))
    work.load(path)
    assert work.compose.form.plan() == wanted


def test_a_plan_file_is_the_same_plan_for_both_interfaces(desk: RunDesk) -> None:
    own = ("move.count", "move.ask")  # no library declares it
    families = (
        DeclaredFamily("controls", (("move.count", "move.plain"), own)),
        DeclaredFamily("effect", (("move.ask", "move.plain"),)),
    )
    wanted = plan(families=families)
    path = desk.folder / "plan.toml"
    path.write_text(plan_toml(wanted), encoding="utf-8")
    form = desk.workspace.compose.form
    desk.workspace.load(path)
    assert form.plan().identity == wanted.identity
    # With the pair out of reach its comparison cannot be declared any more.
    desk.tick(form.batches.list, "move.ask", "move.plain")
    assert form.plan().families == (families[1],)


def test_a_plan_without_families_stays_without(desk: RunDesk) -> None:
    form = desk.workspace.compose.form
    desk.workspace.compose.show_plan(plan(families=()))
    assert form.plan().identity == plan(families=()).identity


def test_a_profile_that_only_the_plan_knows_is_kept(desk: RunDesk) -> None:
    compose = desk.workspace.compose
    compose.show_plan(plan(profiles=(REAL,)))
    compose.form.models.load()  # such as after the dialog of profiles
    assert compose.form.models.chosen == (REAL,)
    assert compose.cost.text() == "12 calls · unknown price"


def test_a_broken_plan_file_is_told(desk: RunDesk) -> None:
    path = desk.folder / "plan.toml"
    path.write_text("nonsense = 1", encoding="utf-8")
    desk.workspace.load(path)
    assert "no such setting" in desk.workspace.banner.text
    desk.workspace.save(plan(), desk.folder / "none" / "plan.toml")
    assert "cannot be saved" in desk.workspace.banner.text


def test_a_strange_condition_is_refused_with_a_step(desk: RunDesk) -> None:
    compose = desk.workspace.compose
    compose.show_plan(plan(batches=(Batch("1", ("my.own",)),)))
    assert "my.own" in compose.notice.text
    assert "Import it" in compose.notice.text


def test_another_plan_of_the_same_name_is_refused(desk: RunDesk) -> None:
    desk.prepare()
    work = desk.workspace
    work.show_compose()
    work.compose.show_plan(plan(samples=9))
    desk.click(work.compose.prepare)
    desk.wait(lambda: "another plan of this name" in work.banner.text)
    assert len(runs(desk.session.study, "plan")) == 1


# Sending ----------------------------------------------------------------------------


def test_an_unknown_price_must_be_confirmed(desk: RunDesk) -> None:
    desk.prepare(plan(profiles=(REAL,)))
    work = desk.workspace
    desk.click(work.card.send)
    assert "price of real is unknown" in work.card.notice.text
    desk.press(work.card.notice, "Do not send")
    assert not desk.session.busy
    assert entries(desk.session.study, "run.sent") == []
    desk.click(work.card.send)
    desk.press(work.card.notice, "Send anyway at unknown price")
    desk.wait(lambda: bool(entries(desk.session.study, "run.sent")))
    # Nothing listens there: what goes wrong is told, and counted by kind.
    desk.wait(lambda: "nothing answers at this address" in work.board.banner.text)
    work.sending.cancel()
    desk.wait(lambda: not desk.session.busy and not work.sending.doing)
    work.board.tabs.setCurrentIndex(1)
    assert "nothing answers at this address" in work.board.errors.text.text()


def test_the_ceiling_goes_with_the_run(desk: RunDesk) -> None:
    priced = replace(REAL, input_price=1000.0, output_price=1000.0)
    desk.prepare(plan(profiles=(priced,), ceiling=0.5))
    work = desk.workspace
    assert work.card.ceiling.value() == 0.5
    desk.click(work.card.send)
    desk.wait(lambda: "cost ceiling of $0.50" in work.board.banner.text)
    (told,) = entries(desk.session.study, "run.sent")
    assert told.detail["ceiling"] == 0.5
    # The run is read anew when its session ends; why it stopped is still said then.
    desk.wait(lambda: work.board.state.text() == "not started")
    desk.wait(lambda: not work.sending.doing and work.card.send.isEnabled())
    assert "cost ceiling of $0.50" in work.board.banner.text
    desk.click(work.card.send)
    desk.wait(lambda: "cost ceiling of $0.50" in work.board.banner.text)


def test_a_process_of_its_own_sends_what_the_window_shows(desk: RunDesk) -> None:
    desk.session._apart = True  # as the program's own window has it
    run_id = desk.run()
    view = desk.workspace.sending.view
    assert view is not None
    assert (view.calls, view.open) == (12, 0)
    statuses = {reply.status for reply in replies_of(desk.session.study, run_id)}
    assert statuses == {"reply"}
    (told,) = entries(desk.session.study, "run.sent")
    assert told.detail["run"] == run_id


def test_closing_ends_the_process_that_sends(desk: RunDesk) -> None:
    desk.session._apart = True
    desk.prepare(plan(profiles=(SLOW,)))
    work = desk.workspace
    desk.click(work.card.send)
    desk.wait(lambda: work.sending.running)
    (handle,) = desk.session._handles.values()
    assert isinstance(handle, RunProcess)
    desk.close()
    assert handle.wait(0)  # nothing writes the study any more
    with open_study(desk.path) as study:
        assert "open" in {r.status for r in replies_of(study, work.sending.run_id)}


def test_what_moved_is_shown_part_by_part(desk: RunDesk) -> None:
    desk.prepare()
    work = desk.workspace
    shown: list[int] = []
    work.board._parts = tuple(lambda _view, at=at: shown.append(at) for at in range(3))
    work.sending.moved.emit([])
    assert shown == []  # the turn in which it arrives is left alone
    desk.wait(lambda: shown == [0, 1, 2])
    desk.wait(lambda: not work.board._turns.isActive())
    work.sending.moved.emit([])
    work.board.show_now()  # what is asked for at once is shown at once, and once
    desk.qtbot.wait(100)
    assert shown == [0, 1, 2, 0, 1, 2]
    work.sending.moved.emit([])
    work.hide()  # nothing is done while nobody looks
    desk.wait(lambda: not work.board._turns.isActive())
    assert len(shown) == 6


def test_pause_go_on_drain_and_resume(desk: RunDesk) -> None:
    desk.prepare(plan(profiles=(SLOW,)))
    work = desk.workspace
    desk.click(work.card.send)
    desk.wait(work.board.pause.isVisible)
    assert work.card.send.text() == "Sending…"
    desk.click(work.board.pause)
    desk.wait(lambda: work.board.state.text() == "paused")
    assert not work.board.pause.isVisible()
    desk.click(work.board.resume)
    desk.wait(lambda: work.board.state.text() == "running")
    desk.click(work.board.drain)
    assert work.board.state.text() == "finishing the calls in hand"
    desk.wait(lambda: work.card.send.text().startswith("Resume: send"))
    view = work.sending.view
    assert view is not None
    assert 0 < view.open < 12
    assert work.board.state.text() == "stopped"
    assert work.card.twice.text() == "Nothing could be paid twice."
    desk.click(work.card.send)
    desk.finish()
    done = scored_replies(desk.session.study, work.sending.run_id)
    assert all(item.reply.status == "reply" for item in done)


def test_what_could_be_paid_twice_is_told_before_a_resume(desk: RunDesk) -> None:
    desk.prepare(plan(profiles=(replace(SLOW, concurrency=4),)))
    work = desk.workspace
    desk.click(work.card.send)
    desk.wait(work.board.cancel.isVisible)
    desk.wait(lambda: work.sending.view is not None and work.sending.view.open < 12)
    desk.click(work.board.cancel)
    desk.wait(lambda: work.card.send.text().startswith("Resume"))
    assert "could be paid twice" in work.card.twice.text()


def test_a_full_disk_pauses_with_a_banner(desk: RunDesk) -> None:
    desk.prepare()
    work = desk.workspace
    sending = work.sending
    desk.session.events.emit(sending.run_id, [RunPaused("the disk is full")])
    desk.wait(lambda: "the disk is full" in work.board.banner.text)
    assert "goes on by itself" in work.board.banner.text
    desk.session.events.emit(sending.run_id, [RunResumed()])
    desk.wait(lambda: not work.board.banner.text)


def test_a_run_in_flight_is_not_left(desk: RunDesk) -> None:
    desk.prepare(plan(profiles=(SLOW,)))
    work = desk.workspace
    desk.click(work.card.send)
    desk.wait(lambda: work.sending.running)
    work.which.setCurrentIndex(0)
    work.which.activated.emit(0)
    assert "being sent" in work.banner.text
    assert work.which.currentData() == work.sending.run_id
    work.sending.cancel()
    desk.wait(lambda: not desk.session.busy and not work.sending.doing)


def test_the_window_can_close_while_calls_are_in_flight(desk: RunDesk) -> None:
    run_id = desk.prepare(plan(profiles=(SLOW,)))
    work = desk.workspace
    desk.click(work.card.send)
    desk.wait(lambda: work.sending.view is not None and work.sending.view.open < 12)
    work.close_views()
    desk.close()
    desk.qtbot.wait(300)  # whatever was on its way arrives nowhere
    with open_study(desk.path) as study:
        ended = [r for r in replies_of(study, run_id) if r.status == "reply"]
        assert ended


def test_a_stored_run_is_opened_again(desk: RunDesk) -> None:
    first = desk.run()
    work = desk.workspace
    work.show_compose()
    assert work.compose.outlook.isVisible()
    assert work.which.itemText(1) == "small · practice"
    work.which.activated.emit(1)
    desk.wait(lambda: work.sending.run_id == first and not work.sending.doing)
    assert work.board.figures.text().startswith("12 of 12 calls ended")
    desk.press(work.card, "New plan from this")
    assert work.compose.form.name.text() == "small again"
    assert work.compose.cost.text() == "12 calls · free"


def test_another_program_resumes_what_this_one_left(desk: RunDesk) -> None:
    run_id = desk.prepare(plan(profiles=(SLOW,)))
    desk.click(desk.workspace.card.send)
    desk.wait(
        lambda: (
            desk.workspace.sending.view is not None
            and desk.workspace.sending.view.open < 12
        )
    )
    desk.close()
    desk.begin()
    work = desk.workspace
    work.which.activated.emit(1)
    desk.wait(lambda: work.sending.run_id == run_id and not work.sending.doing)
    assert work.card.send.text().startswith("Resume: send")
    # The request in flight at the close may have been answered all the same.
    assert work.card.twice.text().startswith("⚠ 1 call could be paid twice")
    desk.click(work.card.send)
    desk.finish()
    replies = replies_of(desk.session.study, run_id)
    assert {reply.status for reply in replies} == {"reply"}
    # A picture that the new reader did not know would not be answered.
    assert all(item.score for item in scored_replies(desk.session.study, run_id))


# Watching ---------------------------------------------------------------------------


def test_rates_and_differences_are_hidden_while_calls_are_open(desk: RunDesk) -> None:
    desk.prepare()
    board = desk.workspace.board
    board.tabs.setCurrentIndex(2)
    assert board.arms.isColumnHidden(HIDDEN)
    assert not board.pairs.isVisible()
    assert "hidden while calls are open" in board.reason.text()
    board.interim.setChecked(True)
    assert not board.arms.isColumnHidden(HIDDEN)
    assert board.pairs.isVisible()
    assert board.reason.text().startswith("Interim, without a correction.")
    desk.click(desk.workspace.card.send)
    desk.finish()
    desk.wait(lambda: not board.interim.isVisible())
    assert cell(board.pairs, 0, 0).text() == "move: ask − plain"
    assert "Interim" not in board.reason.text()


def test_base_rates_are_shown_from_the_start(desk: RunDesk) -> None:
    two = (Batch("1", ("move.plain",)), Batch("2", ("move.count",)))
    desk.run(plan(batches=two))
    text = desk.workspace.board.drifts.text.text()
    assert text.startswith("move.ask · batch 1 ")
    assert "points apart (the paper’s largest: 8.1)" in text


def test_the_arms_are_a_sound_model(desk: RunDesk, qtmodeltester: ModelTester) -> None:
    desk.run()
    table = desk.workspace.board.arms
    qtmodeltester.check(table.arms)
    assert table.isColumnHidden(MODEL)
    for at in range(len(COLUMNS)):
        table.sortByColumn(at, Qt.SortOrder.DescendingOrder)
    row = table.arms.row_of((PRACTICE.name, "move.plain", "1"))
    assert table.arms.index(row, ENDED).data() == "4/4"
    role = Qt.ItemDataRole.AccessibleTextRole
    assert "4 answered" in str(table.arms.index(row, 3).data(role))


def test_the_arms_are_copied_as_a_table(desk: RunDesk) -> None:
    desk.prepare()
    table = desk.workspace.board.arms
    table.setFocus()
    desk.qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    # Rates are hidden while calls are open, so they are not copied either.
    assert lines[0] == "Condition\tProgress\tEnded\tNo answer\tAnswered\tCost"
    assert [line.split("\t")[0] for line in lines[1:]] == [
        "move.plain",
        "move.count",
        "move.ask (base)",
    ]


# Reading and correcting ---------------------------------------------------------------


def test_any_reply_is_opened_in_full(desk: RunDesk) -> None:
    run_id = desk.run()
    desk.choose_arm(0)
    pane = desk.workspace.pane
    replies = pane.replies
    assert replies is not None
    assert pane.model.rowCount() == 4
    item = pane.model.item(2)
    assert item is not None
    pane.table.selectRow(2)
    detail = pane.detail
    assert detail.reply.toPlainText() == item.reply.texts[0]
    detail.tabs.setCurrentWidget(detail.sent)
    study = desk.session.study
    turns = planned_call(study, item.reply.call.id).turns
    assert detail.sent.text.toPlainText() == turns[0]
    assert replies.scene_name(item) in detail.sent.caption.text()
    opened: list[object] = []
    desk.workspace.show_scene.connect(opened.append)
    desk.click(detail.sent.open)
    view = desk.workspace.sending.view
    assert view is not None
    assert opened == [view.shown[item.reply.call.scene][0]]
    detail.tabs.setCurrentWidget(detail.raw)
    assert '"choices"' in detail.raw.toPlainText()
    assert run_id == item.reply.call.run


def test_replies_of_an_arm_arrive_while_it_is_shown(desk: RunDesk) -> None:
    desk.prepare()
    desk.choose_arm(0)
    pane = desk.workspace.pane
    assert "0 of 4 ended" in pane.head.text()
    desk.click(desk.workspace.card.send)
    desk.finish()
    desk.wait(lambda: "4 of 4 ended" in pane.head.text())
    assert all(
        item is not None and item.score is not None
        for item in (pane.model.item(row) for row in range(4))
    )


def test_a_score_is_corrected_and_taken_back(desk: RunDesk) -> None:
    desk.run()
    desk.choose_arm(0)
    pane, form = desk.workspace.pane, desk.workspace.pane.detail.correction
    item = pane.model.item(0)
    assert item is not None
    call, before = item.reply.call.id, pane.replies
    pane.detail.tabs.setCurrentWidget(form)
    form.choice.setValue(9)
    desk.click(form.keep)
    assert "needs a reason" in form.notice.text
    form.reason.setText("it names 9 in words")
    desk.click(form.keep)
    desk.wait(lambda: pane.replies is not before)
    study = desk.session.study
    (given,) = corrections_of(study, call)
    assert (given.score["choice"], given.reason) == (9, "it names 9 in words")
    assert pane.detail.stands.text().startswith("Corrected by hand: chooses 9")
    assert pane.model.index(0, 6).data().endswith("· corrected")
    again = pane.replies
    desk.click(form.undo)
    desk.wait(lambda: pane.replies is not again)
    assert len(corrections_of(study, call)) == 2
    assert not pane.detail.stands.isVisible()
    assert form.undo.isHidden()
    assert "Corrected by hand: chooses 9" in form.history.text()


def test_a_correction_moves_the_board(desk: RunDesk) -> None:
    desk.run()
    view = desk.workspace.sending.view
    assert view is not None
    at, arm = next(
        (at, arm) for at, arm in enumerate(view.arms()) if arm.condition == "move.plain"
    )
    desk.workspace.board.tabs.setCurrentIndex(2)
    desk.choose_arm(at)
    pane, form = desk.workspace.pane, desk.workspace.pane.detail.correction
    row, item = next(
        (row, item)
        for row in range(pane.model.rowCount())
        if (item := pane.model.item(row)) is not None
        and item.score is not None
        and item.score.status == "answered"
    )
    pane.table.selectRow(row)
    pane.detail.tabs.setCurrentWidget(form)
    assert not form.report.isEnabled()
    assert form.report.placeholderText() == "this condition asks for no report"
    form.choice.setValue(-1)
    form.reason.setText("it refuses")
    before = pane.replies
    desk.click(form.keep)
    desk.wait(lambda: pane.replies is not before)
    now = view.arms()[at]
    assert now.unanswered == arm.unanswered + 1
    assert now.statuses["unparsed"] == arm.statuses["unparsed"] + 1
    said = desk.workspace.board.reason.text()
    assert "1 score was corrected by hand, and the correction counts." in said


def test_a_report_that_is_no_list_is_refused(desk: RunDesk) -> None:
    desk.run()
    desk.choose_arm(0)
    form = desk.workspace.pane.detail.correction
    desk.workspace.pane.detail.tabs.setCurrentWidget(form)
    form.reason.setText("why")
    form.report.setText("one")
    desk.click(form.keep)
    assert "like 1, 5" in form.notice.text


# Around -------------------------------------------------------------------------------


def test_a_read_only_study_is_read_but_not_run(desk: RunDesk) -> None:
    desk.prepare()
    work = desk.workspace
    desk.session.study.read_only = True
    work.sending.open(work.sending.run_id)
    desk.wait(lambda: not work.sending.doing)
    assert not work.card.send.isEnabled()
    assert "read-only" in work.card.send.toolTip()
    work.show_compose()
    work.refresh()
    assert "read-only" in work.compose.cost.text()
    assert not work.compose.prepare.isEnabled()


def test_an_arm_that_is_lit_has_its_replies_beside_it(desk: RunDesk) -> None:
    work = desk.workspace
    run_id = desk.prepare(plan(profiles=(SLOW,)))

    def lit_is_read() -> bool:
        lit = work.board.arms.currentIndex().row()
        live = work.pane.replies
        arm = work.board.arms.arms.arm(lit)
        if arm is None:
            return work.no_arm.isVisible()
        return work.pane.isVisible() and live is not None and live.key == arm.key

    desk.wait(lit_is_read)
    desk.click(work.card.send)
    desk.wait(work.board.pause.isVisible)
    desk.click(work.board.pause)
    # The first arm can be chosen, whoever got the focus meanwhile.
    arms = work.board.arms
    spot = arms.visualRect(arms.arms.index(0, CONDITION)).center()
    desk.qtbot.mouseClick(arms.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.wait(lambda: work.pane.isVisible() and work.pane.replies is not None)
    desk.click(work.board.cancel)
    desk.wait(lambda: not desk.session.busy and not desk.jobs.busy)
    # The same when the run is opened once more.
    work.show_compose()
    work.show_run(run_id)
    desk.wait(lambda: work.board.isVisible() and not desk.jobs.busy)
    desk.wait(lit_is_read)
    desk.qtbot.mouseClick(arms.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    desk.wait(lambda: work.pane.isVisible() and work.pane.replies is not None)


def test_rates_are_in_sight_beside_a_reply(desk: RunDesk) -> None:
    desk.workspace.resize(1224, 732)
    desk.run()
    desk.choose_arm(0)
    arms = desk.workspace.board.arms
    assert not arms.isColumnHidden(HIDDEN)
    assert arms.horizontalHeader().length() <= arms.viewport().width()
    # With room there is the bar again.
    desk.workspace.resize(1900, 732)
    desk.wait(lambda: not arms.isColumnHidden(BAR))


def test_the_key_that_pauses_goes_on(desk: RunDesk) -> None:
    work = desk.workspace
    desk.prepare(plan(profiles=(SLOW,)))
    desk.click(work.card.send)
    desk.wait(work.board.pause.isVisible)
    work.board.pause.setFocus()
    for state in ("paused", "running"):
        desk.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
        desk.wait(lambda state=state: work.board.state.text() == state)
    assert not work.sending.draining
    desk.click(work.board.cancel)
    desk.wait(lambda: not desk.session.busy and not desk.jobs.busy)


def test_another_study_begins_empty(desk: RunDesk) -> None:
    desk.run()
    desk.choose_arm(0)
    desk.session.create(desk.folder / "other.study")
    work = desk.workspace
    assert work.sending.view is None
    assert work.compose.outlook.isVisible()
    assert work.which.count() == 1
    assert work.compose.cost.text().startswith("No scenes to run")


def test_every_theme_and_size_can_be_shown(desk: RunDesk) -> None:
    desk.run()
    desk.choose_arm(0)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    shown: tuple[tuple[theme.Mode, float], ...]
    shown = (("dark", 1.0), ("light", 2.0), ("light", 1.0))
    for mode, scale in shown:
        theme.apply(app, mode, scale)
        desk.workspace.retheme()
        QApplication.processEvents()
        assert desk.workspace.minimumSizeHint().width() <= 1224, scale
    desk.workspace.close_views()
    assert desk.workspace.pane.replies is None


def test_what_can_be_used_has_a_name(desk: RunDesk) -> None:
    desk.prepare()
    work = desk.workspace
    form = work.compose.form
    widgets = (
        work.which,
        form.name,
        form.scenes,
        form.samples,
        form.ceiling,
        form.seed,
        form.transport,
        form.models,
        form.families,
        form.batches.which,
        form.batches.list,
        work.card.ceiling,
        work.board.arms,
        work.board.bar,
        work.pane.table,
        work.pane.detail.correction.choice,
        work.pane.detail.correction.reason,
    )
    assert all(widget.accessibleName() for widget in widgets)
