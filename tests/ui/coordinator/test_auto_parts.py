"""The parts of the automatic coder's page on their own: words, form, view of a pass."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from director_gui.runner.profiles import Profile
from director_gui.runner.records import Usage
from director_gui.store.auto_passes import AutoPass
from director_gui.store.log import LogEntry
from director_gui.store.sendings import Lost
from director_gui.study.blind.auto_calibration import Calibration, FieldRight, Right
from director_gui.study.blind.auto_forecast import Workload
from director_gui.study.blind.auto_standing import Standing
from director_gui.ui.coordinator import auto_words as words
from director_gui.ui.coordinator.auto_desk import AutoShown, Going
from director_gui.ui.coordinator.auto_form import AutoForm
from director_gui.ui.coordinator.auto_pass import PassView
from tests.auto_studies import CODER
from tests.blind_studies import OPEN

pytestmark = pytest.mark.gui
MADE = AutoPass(
    "p", "0" * 32, "auto-coder-9", "2026-01-01T00:00:00", practice=False,
    settings={"profile": {"name": "A coder"}, "ceiling": None},
)  # fmt: skip
WORK = Workload(items=10, known=3, calls=(10, 20), sent=(40_000, 80_000))
GOOD = Right("reading", "Reading", 3, 3, (0.29, 1.0), {})
POOR = Right("reading", "Reading", 1, 3, (0.01, 0.91), {"": 1, "no-rule": 1})
ENTRY = LogEntry(1, "2026-01-02T03:04:05", "ada", "accepted", {"reason": "why not"})


def calibrated(total: Right = GOOD) -> Calibration:
    return Calibration(3, (FieldRight(total, (replace(total, label="Own view"),)),))


def standing(**more: object) -> Standing:
    plain = Standing(
        made=MADE, items=10, coded=10, uncodable={}, again=0, calls=10,
        usage=Usage(1000, 200, None, None), cost=0.5, spent=0.5, lost=Lost(0, 0, 0.0),
        calibration=calibrated(), accepted=None,
    )  # fmt: skip
    return replace(plain, **more)


HALF = standing(coded=4, calls=4, calibration=None)


# Words ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "running", "state"),
    [
        (HALF, False, "6 left"),
        (HALF, True, "coding …"),
        (standing(), False, "to be\naccepted"),
        (standing(accepted=ENTRY), False, "✓ accepted"),
    ],
)
def test_the_state_of_a_pass_in_a_word(
    now: Standing, *, running: bool, state: str
) -> None:
    assert words.pass_row(now, running=running)[1] == state


def test_a_row_names_the_pass_and_counts() -> None:
    now = standing(coded=8, uncodable={"a" * 32: "it was empty", "b" * 32: "cut"})
    row = words.pass_row(now, running=False)
    assert row[0] == "auto-coder-9\n8 coded · 2 uncodable"
    assert words.pass_row(now, running=True)[0] == "auto-coder-9\nA coder"


def test_figures_say_what_is_known_and_no_more() -> None:
    assert words.figures(standing(again=2)) == (
        "A coder · 10 calls ended · 2 asked twice · 1.0 k tokens in, 200 out · $0.50"
    )
    silent = standing(usage=Usage(), cost=None)
    assert words.figures(silent) == "A coder · 10 calls ended · unknown price"
    practice = standing(made=replace(MADE, practice=True))
    assert "$" not in words.figures(practice)


def test_a_calibration_is_a_field_and_its_codes() -> None:
    rows = words.right_rows(calibrated())
    assert rows[0] == ("Reading", "3 of 3", "100.0 %", "29.0 to 100.0")
    assert rows[1][0].strip() == "Own view"
    poor = words.right_rows(calibrated(POOR))
    assert poor[0][0] == "⚠ Reading"
    assert words.instead_text(calibrated()) == ""
    assert words.instead_text(calibrated(POOR)) == (
        "Reading, came back otherwise: Own view as no code (1), no-rule (1)"
    )


def test_a_calibration_in_a_sentence() -> None:
    good = words.known_text(calibrated())
    assert good.startswith("3 known-code items were mixed in, unmarked; 90")
    assert words.known_text(calibrated(POOR)) == (
        "3 known-code items were mixed in, unmarked."
    )


def test_acceptance_names_who_when_and_why() -> None:
    assert words.accepted_text(standing()) == ""
    said = words.accepted_text(standing(accepted=ENTRY))
    assert said.startswith("✓ Accepted 2026-01-02 03:04 UTC by ada: why not.")
    bare = replace(ENTRY, detail={"reason": ""})
    assert "by ada. Its codes" in words.accepted_text(standing(accepted=bare))


def test_uncodable_items_are_short_ids_with_reasons() -> None:
    now = standing(uncodable={"abcdef0123456789": "it was empty"})
    assert words.uncodable_rows(now) == [("abcdef01", "It was empty")]


# The form ------------------------------------------------------------------------


def found(*profiles: Profile, work: Workload = WORK) -> AutoShown:
    return AutoShown(
        MADE.packet, practice=True, blind=True, work=work, passes=(), left={},
        profiles=profiles,
    )  # fmt: skip


@pytest.fixture
def form(qtbot: QtBot) -> AutoForm:
    made = AutoForm()
    qtbot.addWidget(made)
    made.show_found(found(OPEN, CODER))
    made.show_state(free=True, primary=True, hint="")
    made.resize(320, 500)
    made.show()
    qtbot.waitExposed(made)
    return made


def press(widget: QAbstractButton) -> None:
    assert widget.isVisible()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def test_the_forecast_follows_the_model(form: AutoForm) -> None:
    assert "Price: free" in form.forecast.text()
    form.model.setFocus()
    QTest.keyClick(form.model, Qt.Key.Key_Down)
    assert form.profile == CODER
    # 10 to 20 k tokens at 1 dollar, 800 to 50 k at 2.
    assert "Price: about $0.01 – 0.12" in form.forecast.text()
    assert "lab/coder-9" in form.model.toolTip()


def test_start_hands_over_model_and_ceiling(form: AutoForm, qtbot: QtBot) -> None:
    with qtbot.waitSignal(form.wanted) as caught:
        press(form.start)
    assert caught.args == [OPEN, None]
    form.ceiling.setFocus()
    form.ceiling.selectAll()
    QTest.keyClicks(form.ceiling, "2.50")
    QTest.keyClick(form.ceiling, Qt.Key.Key_Tab)
    with qtbot.waitSignal(form.wanted) as caught:
        press(form.start)
    assert caught.args == [OPEN, 2.5]


def test_the_choice_stays_when_the_list_is_read_again(form: AutoForm) -> None:
    form.model.setCurrentIndex(1)
    form.show_found(found(OPEN, replace(CODER, name="B"), CODER))
    assert form.profile == CODER
    form.show_found(found(OPEN))
    assert form.profile == OPEN


def test_an_unknown_price_can_be_declined(form: AutoForm, qtbot: QtBot) -> None:
    unknown = replace(CODER, output_price=None)
    form.show_found(found(unknown))
    assert "unknown price" in form.model.currentText()
    with qtbot.assertNotEmitted(form.wanted):
        press(form.start)
    choices = {b.text(): b for b in form.notice.findChildren(QAbstractButton)}
    with qtbot.assertNotEmitted(form.wanted):
        press(choices["Do not send"])
    assert not form.notice.isVisible()


def test_nothing_can_be_started_while_it_may_not(form: AutoForm, qtbot: QtBot) -> None:
    form.show_state(free=False, primary=False, hint="One pass is sent at a time.")
    with qtbot.assertNotEmitted(form.wanted):
        press(form.start)
    assert form.hint.text() == "One pass is sent at a time."
    form.show_found(found())
    form.show_state(free=True, primary=True, hint="")
    assert not form.start.isEnabled()
    assert form.forecast.text() == ""


# One pass ------------------------------------------------------------------------


@pytest.fixture
def view(qtbot: QtBot) -> PassView:
    made = PassView()
    qtbot.addWidget(made)
    made.resize(700, 600)
    made.show()
    qtbot.waitExposed(made)
    return made


def show(view: PassView, now: Standing, going: Going | None = None) -> None:
    view.show_pass(now, None if now.done else WORK, writable=True)
    view.show_going(going, free=True)


def buttons(view: PassView) -> set[str]:
    found = view.findChildren(QAbstractButton)
    return {b.text() for b in found if b.isVisible()}


def test_each_state_offers_what_can_be_done(view: PassView) -> None:
    show(view, HALF)
    assert buttons(view) == {"Resume: send 10 calls"}
    show(view, HALF, Going(MADE))
    assert buttons(view) == {"Pause", "Drain", "Cancel"}
    show(view, HALF, Going(MADE, paused=""))
    assert buttons(view) == {"Go on", "Drain", "Cancel"}
    show(view, HALF, Going(MADE, draining=True))
    assert buttons(view) == {"Cancel"}
    show(view, standing())
    assert buttons(view) == {"Accept the calibration"}
    show(view, standing(accepted=ENTRY))
    assert buttons(view) == set()


@pytest.mark.parametrize(
    ("going", "words_in"),
    [
        (Going(MADE, ended=2), "6 of 10 items asked"),
        (Going(MADE, ended=8), "2 asked once more"),
        (Going(MADE, paused=""), "paused"),
        (Going(MADE, paused="the disk is full"), "the disk is full"),
        (Going(MADE, draining=True), "finishing the calls in hand"),
        (Going(MADE, trouble="the server asks to wait 9 s"), "asks to wait 9 s"),
    ],
)
def test_what_is_going_on_is_said_in_a_line(
    view: PassView, going: Going, words_in: str
) -> None:
    show(view, HALF, going)
    assert words_in in view.state.text()
    assert view.figures.text() == "A coder"
    assert view.bar.isVisible()


def test_calls_lost_in_a_kill_are_told_before_the_resume(view: PassView) -> None:
    show(view, replace(HALF, lost=Lost(2, 0, 0.1)))
    assert "6 of 10 items are left." in view.state.text()
    assert "⚠ 2 calls could be paid twice" in view.state.text()


def test_a_study_that_cannot_be_written_offers_nothing(view: PassView) -> None:
    view.show_pass(HALF, WORK, writable=False)
    view.show_going(None, free=True)
    assert buttons(view) == set()
    view.show_pass(standing(), None, writable=False)
    view.show_going(None, free=True)
    assert buttons(view) == set()
    assert not view.reason.isVisible()


def test_a_good_calibration_is_accepted_without_words(
    view: PassView, qtbot: QtBot
) -> None:
    show(view, standing())
    assert "optional" in view.reason.placeholderText()
    with qtbot.waitSignal(view.accept_wanted) as caught:
        press(view.accept)
    assert caught.args == [""]


def test_a_poor_one_waits_for_a_reason(view: PassView, qtbot: QtBot) -> None:
    show(view, standing(calibration=calibrated(POOR)))
    assert "⚠ Reading: 1 of 3" in view.doubts.text()
    with qtbot.assertNotEmitted(view.accept_wanted):
        press(view.accept)
    view.reason.setFocus()
    QTest.keyClicks(view.reason, "  few items ")
    with qtbot.waitSignal(view.accept_wanted) as caught:
        QTest.keyClick(view.reason, Qt.Key.Key_Return)
    assert caught.args == ["few items"]


def test_a_reason_belongs_to_its_pass(view: PassView) -> None:
    show(view, standing(calibration=calibrated(POOR)))
    QTest.keyClicks(view.reason, "few items")
    show(view, standing(calibration=calibrated(POOR)))
    assert view.reason.text() == "few items"  # read again, the same pass
    other = replace(MADE, id="q")
    show(view, standing(made=other, calibration=calibrated(POOR)))
    assert view.reason.text() == ""


def test_hidden_buttons_leave_no_gap(view: PassView, qtbot: QtBot) -> None:
    show(view, HALF, Going(MADE))
    qtbot.waitUntil(lambda: view.pause.x() == view.title.x())


def test_what_to_do_stands_above_the_detail(view: PassView) -> None:
    show(view, standing(calibration=calibrated(POOR)))
    assert view.doubts.y() < view.accept.y() < view.known.y() < view.instead.y()


def test_no_part_is_a_window_of_its_own(view: PassView, form: AutoForm) -> None:
    show(view, standing(calibration=calibrated(POOR), uncodable={"a" * 32: "cut"}))
    for part in (view.instead, view.doubts, view.bad, view.known, form.notice):
        assert not part.isWindow()
