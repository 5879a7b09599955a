"""The automatic coder's page, used by mouse and keys, from forecast to acceptance."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.runner.practice.service import HttpReply
from director_gui.runner.profiles import Profile, save_profiles
from director_gui.store.auto_passes import passes_in
from director_gui.store.packets import results_of
from director_gui.study.blind.auto_practice import CoderService, PracticeCoding
from director_gui.study.blind.auto_standing import Standing, standings
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.unblinding import unblind
from director_gui.ui.coordinator.auto_page import AutoPage
from tests.auto_studies import CODER, answering, known_items
from tests.blind_studies import Desk
from tests.fault_server import FaultServer
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
Open = Callable[..., AutoPage]


class SlowCoder(CoderService):
    """A practice coder that can be watched, and paused, while it codes."""

    def handle(self, method: str, path: str, body: bytes) -> HttpReply:
        time.sleep(0.02)
        return super().handle(method, path, body)


def press(widget: QWidget) -> None:
    """Click a button as a person does: it must be in sight and enabled."""
    assert widget.isVisible()
    assert widget.isEnabled()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


@pytest.fixture
def open_auto(bench: Bench, qtbot: QtBot) -> Open:
    """Seal a packet, show it, and go to its automatic coder by the button."""

    def opened(known: int = 8, *, unblinded: bool = False) -> AutoPage:
        study = bench.session.study
        desk = Desk(study, bench.folder)
        request = Request(seed=5, known=known_items(study, known))
        packet = desk.seal(request).stored.id
        if unblinded:
            unblind(study, packet, "me", "the end")
        bench.workspace.show_packet(packet)
        page, auto = bench.workspace.page, bench.workspace.auto
        qtbot.waitUntil(page.isVisible, timeout=10_000)
        press(page.auto)
        with qtbot.waitSignal(auto.desk.shown, timeout=10_000):
            pass
        qtbot.waitUntil(auto.isVisible)
        return auto

    return opened


def coder(bench: Bench, auto: AutoPage, service: CoderService) -> None:
    auto.desk._practice = PracticeCoding(service)
    bench.session.at_close(auto.desk._practice.close)


def finished(auto: AutoPage) -> bool:
    now = auto._standing()
    return now is not None and now.done and not auto.desk.busy


def stored(bench: Bench) -> Standing:
    study = bench.session.study
    (row,) = study.query("SELECT id FROM packets")
    return standings(study, row["id"])[-1]


def run_to_end(qtbot: QtBot, auto: AutoPage) -> None:
    press(auto.form.start)
    qtbot.waitUntil(lambda: finished(auto), timeout=30_000)


def test_the_forecast_is_there_before_anything_is_sent(
    bench: Bench, open_auto: Open
) -> None:
    auto = open_auto()
    assert bench.says("No automatic pass yet")
    told = auto.form.forecast.text()
    assert "Items: 24, 8 of them known-code" in told
    assert "Calls: 24, at most 48" in told
    assert "Price: free" in told
    assert "Time: about" in told
    assert auto.form.profile is not None
    assert auto.form.profile.practice
    assert passes_in(bench.session.study, auto._found.packet) == []  # type: ignore[union-attr]


def test_a_pass_runs_is_calibrated_and_accepted(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto = open_auto()
    coder(bench, auto, CoderService(error_rate=0.0, broken=0.0))
    run_to_end(qtbot, auto)
    assert bench.says("practice-auto-coder")
    assert bench.says("to be\naccepted")
    assert bench.says("8 known-code items were mixed in, unmarked; 90")
    rows = auto.view.known.texts()
    assert rows[0][:2] == ["Written to", "came back"]
    assert rows[1][:3] == ["Reading of the request", "8 of 8", "100.0 %"]
    assert not auto.view.doubts.isVisible()
    study = bench.session.study
    assert results_of(study, auto._found.packet) == []  # type: ignore[union-attr]
    with qtbot.waitSignal(auto.desk.accepted, timeout=10_000):
        press(auto.view.accept)
    qtbot.waitUntil(lambda: bench.says("✓ accepted"), timeout=10_000)
    assert bench.says("Its codes count as a coder's")
    assert not auto.view.accept.isVisible()
    assert stored(bench).accepted is not None
    press(auto.back)
    page = bench.workspace.page
    qtbot.waitUntil(page.isVisible, timeout=10_000)
    qtbot.waitUntil(lambda: bench.says("practice-auto-coder"), timeout=10_000)


def test_a_doubtful_pass_is_accepted_with_a_reason_alone(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto = open_auto()
    coder(bench, auto, CoderService(error_rate=1.0, broken=0.0))
    run_to_end(qtbot, auto)
    assert bench.says("⚠ Reading of the request: 0 of 8 known-code items")
    view = auto.view
    assert view.accept.isVisible()
    assert not view.accept.isEnabled()
    QTest.keyClick(view.reason, Qt.Key.Key_Return)
    assert stored(bench).accepted is None
    QTest.keyClicks(view.reason, "to compare")
    with qtbot.waitSignal(auto.desk.accepted, timeout=10_000):
        QTest.keyClick(view.reason, Qt.Key.Key_Return)
    entry = stored(bench).accepted
    assert entry is not None
    assert entry.detail["reason"] == "to compare"


def test_uncodable_items_are_listed_without_any_code(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto = open_auto()
    coder(bench, auto, CoderService(broken=1.0))
    run_to_end(qtbot, auto)
    rows = auto.view.bad.texts()
    now = stored(bench)
    assert len(rows) - 1 == len(now.uncodable) == 24
    assert {row[0] for row in rows[1:]} == {item[:8] for item in now.uncodable}
    assert bench.says("24 of 24 items were asked twice")
    said = " ".join(bench.texts())
    assert "both" not in said.split()
    assert "as no code (" in auto.view.instead.text()


def test_pause_go_on_and_cancel_keep_what_came_in(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto, view = open_auto(), bench.workspace.auto.view
    coder(bench, auto, SlowCoder(broken=0.0))
    press(auto.form.start)
    desk = auto.desk
    qtbot.waitUntil(
        lambda: desk.going is not None and desk.going.ended > 2, timeout=9000
    )
    assert not auto.form.start.isEnabled()
    press(view.pause)
    qtbot.waitUntil(lambda: desk.going.paused is not None, timeout=9000)  # type: ignore[union-attr]
    assert "paused" in view.state.text()
    assert view.go_on.isVisible()
    assert not view.pause.isVisible()
    press(view.go_on)
    qtbot.waitUntil(
        lambda: desk.going is None or desk.going.paused is None, timeout=9000
    )
    press(view.cancel)
    qtbot.waitUntil(lambda: not desk.busy and view.resume.isVisible(), timeout=9000)
    before = stored(bench)
    assert 0 < before.coded < 24
    assert before.calibration is None
    assert bench.says("Shown when every item has its codes")
    assert (
        f"send {auto._found.left[before.made.id].calls[0]} calls" in view.resume.text()
    )  # type: ignore[union-attr]
    press(view.resume)
    qtbot.waitUntil(lambda: finished(auto), timeout=30_000)
    after = stored(bench)
    assert after.made == before.made
    assert after.coded == 24


def test_a_second_pass_is_another_coder(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto = open_auto()
    coder(bench, auto, CoderService(error_rate=0.2, broken=0.0))
    for _ in range(2):
        count = len(auto._found.passes)  # type: ignore[union-attr]
        press(auto.form.start)
        qtbot.waitUntil(
            lambda count=count: len(auto._found.passes) > count and finished(auto),  # type: ignore[union-attr, misc]
            timeout=30_000,
        )
    names = [row[0].split("\n")[0] for row in auto.passes.texts()[1:]]
    assert names == ["practice-auto-coder", "practice-auto-coder-2"]
    assert bench.says("Another pass of the same items gives κ")
    # The newest is on show; the keyboard goes back to the first.
    assert auto._standing().made.alias == names[1]  # type: ignore[union-attr]
    auto.passes.setFocus()
    QTest.keyClick(auto.passes, Qt.Key.Key_Up)
    assert auto.view.title.text().startswith("practice-auto-coder ·")


def test_without_known_items_it_warns_before_and_after(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    auto = open_auto(0)
    assert bench.says("holds no known-code items, so the pass cannot be calibrated")
    coder(bench, auto, CoderService())
    run_to_end(qtbot, auto)
    assert bench.says("⚠ This packet holds no known-code items")
    assert not auto.view.known.isVisible()
    assert not auto.view.accept.isEnabled()


def test_an_unblinded_packet_cannot_be_coded_any_more(
    bench: Bench, open_auto: Open
) -> None:
    auto = open_auto(unblinded=True)
    assert bench.says("codes given now would be left out")
    assert not auto.form.start.isEnabled()


@pytest.fixture
def models(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Profile, FaultServer]]:
    """A model without a price in the user's own profiles, and its server."""
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path))
    with FaultServer(answering()) as server:
        own = replace(CODER, base_url=server.base_url, input_price=None)
        save_profiles((own,))
        yield own, server


def test_an_unknown_price_is_asked_about_first(
    models: tuple[Profile, FaultServer], bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    own, server = models
    auto = open_auto()
    names = [auto.form.model.itemData(i).name for i in range(auto.form.model.count())]
    auto.form.model.setFocus()
    while auto.form.model.currentIndex() != names.index(own.name):
        QTest.keyClick(auto.form.model, Qt.Key.Key_Down)
    assert "Price: unknown price" in auto.form.forecast.text()
    press(auto.form.start)
    assert "may cost more than you expect" in auto.form.notice.text
    assert server.requests == []
    choices = auto.form.notice.findChildren(QAbstractButton)
    press(next(one for one in choices if one.text().startswith("Send anyway")))
    qtbot.waitUntil(lambda: finished(auto), timeout=30_000)
    assert len(server.requests) == 24
    assert "unknown price" in auto.view.figures.text()
    assert stored(bench).made.alias == "auto-coder-9"


def test_the_ceiling_that_stops_it_is_told_and_can_be_raised(
    models: tuple[Profile, FaultServer], bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    own, server = models
    save_profiles((replace(own, input_price=1.0, max_tokens=500),))
    auto = open_auto()
    names = [auto.form.model.itemData(i).name for i in range(auto.form.model.count())]
    auto.form.model.setCurrentIndex(names.index(own.name))
    auto.form.ceiling.setFocus()
    auto.form.ceiling.selectAll()
    QTest.keyClicks(auto.form.ceiling, "0.02")
    QTest.keyClick(auto.form.ceiling, Qt.Key.Key_Tab)
    press(auto.form.start)
    qtbot.waitUntil(lambda: "cost ceiling" in auto.banner.text, timeout=20_000)
    qtbot.waitUntil(auto.view.resume.isVisible, timeout=10_000)
    assert stored(bench).spent <= 0.02
    auto.form.ceiling.setValue(5.0)
    press(auto.view.resume)
    qtbot.waitUntil(lambda: finished(auto), timeout=30_000)
    assert len(server.requests) == 24


def test_a_refusal_leaves_the_page_usable(
    monkeypatch: pytest.MonkeyPatch, bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    from director_gui.errors import UserError
    from director_gui.ui.coordinator import auto_desk

    def fail(*_: object, **__: object) -> None:
        raise UserError("no key was given")

    auto = open_auto()
    with monkeypatch.context() as patch:
        patch.setattr(auto_desk, "send_pass", fail)
        press(auto.form.start)
        qtbot.waitUntil(lambda: bool(bench.refused), timeout=10_000)
    qtbot.waitUntil(auto.view.resume.isVisible, timeout=10_000)
    press(auto.view.resume)
    qtbot.waitUntil(lambda: finished(auto), timeout=30_000)


def test_choosing_another_packet_leaves_the_page(
    bench: Bench, qtbot: QtBot, open_auto: Open
) -> None:
    open_auto()
    study = bench.session.study
    other = Desk(study, bench.folder).seal(Request(seed=6, size=3), seed=9)
    bench.workspace.show_packet(other.stored.id)
    page = bench.workspace.page
    qtbot.waitUntil(page.isVisible, timeout=10_000)
    qtbot.waitUntil(
        lambda: page.title.text() == f"Packet {other.stored.id[:8]}", timeout=10_000
    )


def test_everything_has_a_name_for_a_screen_reader(open_auto: Open) -> None:
    auto = open_auto()
    for widget in (
        auto.passes, auto.form.model, auto.form.ceiling, auto.form.forecast,
        auto.view.bar, auto.view.known, auto.view.reason, auto.view.bad,
    ):  # fmt: skip
        assert widget.accessibleName()
