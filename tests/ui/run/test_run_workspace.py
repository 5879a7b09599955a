"""Plans composed, sent, watched and read through the window."""

import pytest

from director_gui.store.runs import calls_of, run
from tests.ui.run.runs_desk import RunDesk

pytestmark = pytest.mark.gui


def test_a_plan_is_prepared_then_sent_to_its_end(desk: RunDesk) -> None:
    run_id = desk.prepare()
    work = desk.workspace
    assert len(calls_of(desk.session.study, run_id)) == 12
    assert run(desk.session.study, run_id).kind == "plan"
    assert work.card.send.text() == "Start: send 12 calls"
    assert work.board.state.text() == "not started"
    desk.click(work.card.send)
    desk.finish()
    desk.wait(lambda: work.board.state.text() == "finished")
    arms = work.sending.view.arms()
    assert {arm.condition for arm in arms} == {"move.ask", "move.plain", "move.count"}
    assert all(arm.ended == arm.calls == 4 for arm in arms)
    assert work.board.practice.isVisible()
    assert not desk.refused
