"""Servers that fail: the window says what happened and what to do; nothing is lost."""

import socket
import threading
from typing import Self

import pytest

from director_gui.errors import UserError
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.store.runs import runs
from director_gui.store.scenes import image, scenes
from director_gui.ui.probe.reply_table import STATUS
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.probe_runs import FlatRenderer
from tests.ui.probe.desk import Desk, MakeProfile

pytestmark = pytest.mark.gui


def statuses(desk: Desk) -> list[str]:
    table = desk.drawer.replies.table.model()
    return [table.index(row, STATUS).data() for row in range(table.rowCount())]


def ask(desk: Desk, profile: Profile, samples: int = 1) -> str:
    """Probe with a profile; return what the replies page says about it."""
    desk.open()
    desk.ask(profile)
    desk.choose("move.ask", "move.plain", samples=samples)
    desk.probe()
    return desk.drawer.replies.banner.text


@pytest.fixture
def closed_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_a_server_that_is_down(desk: Desk, real: MakeProfile, closed_port: int) -> None:
    url = f"http://127.0.0.1:{closed_port}/v1"
    said = ask(desk, real(base_url=url))
    assert "nothing answers at this address" in said
    assert url in said
    assert "Start the server or correct its address" in said
    assert statuses(desk) == ["failed", "failed"]


def test_a_refused_key(desk: Desk, real: MakeProfile) -> None:
    with FaultServer(lambda _r: Served(401, error("Incorrect API key"))) as server:
        said = ask(desk, real(base_url=server.base_url))
        assert "the server refused the key: HTTP 401: Incorrect API key" in said
        assert "Say in the profile where its key is found" in said
        assert len(server.requests) <= 2
    assert statuses(desk) == ["open", "open"]
    assert desk.drawer.replies.resend.isVisible()


def test_after_the_mend_open_calls_are_answered(desk: Desk, real: MakeProfile) -> None:
    broken = True

    def decide(_request: Request) -> Served:
        return Served(401, error("no")) if broken else Served(body=chat())

    with FaultServer(decide) as server:
        ask(desk, real(base_url=server.base_url))
        broken = False
        desk.press(desk.drawer.replies, "Send open calls")
        replies = desk.drawer.replies
        desk.wait(lambda: replies.live.open == 0 and not desk.session.busy)
        assert replies.banner.text == ""
        assert set(statuses(desk)) <= {"answered", "unparsed"}


def test_nonsense(desk: Desk, real: MakeProfile) -> None:
    page = b"<html>hello</html>"
    with FaultServer(lambda _r: Served(body=page)) as server:
        said = ask(desk, real(base_url=server.base_url))
    assert "answered something that is no reply" in said
    assert "ends in /v1" in said
    assert statuses(desk) == ["failed", "failed"]
    desk.drawer.replies.table.selectRow(0)
    detail = desk.drawer.replies.detail
    detail.tabs.setCurrentWidget(detail.raw)
    assert detail.raw.toPlainText() == page.decode()
    assert detail.note.text() == "Not JSON; shown as served"


def test_a_slow_server_times_out(desk: Desk, real: MakeProfile) -> None:
    with FaultServer(lambda _r: Served(fault="hang")) as server:
        said = ask(desk, real(base_url=server.base_url, timeout=0.1))
    assert "took too long" in said
    assert "Raise the profile’s timeout" in said


def test_a_server_error_is_tried_again_by_itself(desk: Desk, real: MakeProfile) -> None:
    def decide(request: Request) -> Served:
        return Served(500, error("oops")) if request.number < 2 else Served(body=chat())

    with FaultServer(decide) as server:
        said = ask(desk, real(base_url=server.base_url))
    assert said == ""
    assert "failed" not in statuses(desk)
    desk.drawer.replies.table.selectRow(0)
    detail = desk.drawer.replies.detail
    detail.tabs.setCurrentWidget(detail.attempts)
    assert "attempt 2: reply" in detail.attempts.toPlainText()
    assert "oops" in detail.attempts.toPlainText()


def test_a_missing_key_is_told_before_anything_is_stored(
    desk: Desk, real: MakeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    desk.open()
    desk.ask(real(key_source="env:NO_SUCH_KEY"))
    desk.click(desk.drawer.compose.send)
    notice = desk.drawer.compose.notice
    desk.wait(lambda: "NO_SUCH_KEY holds no key" in notice.text)
    assert "Set NO_SUCH_KEY" in notice.text
    assert runs(desk.session.study) == []
    assert scenes(desk.session.study) == []
    assert desk.drawer.compose.send.isEnabled()


def test_a_machine_that_cannot_draw(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise UserError("OpenGL cannot draw here", todo="Install libgl1")

    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", broken)
    desk.open()
    desk.click(desk.drawer.compose.send)
    notice = desk.drawer.compose.notice
    desk.wait(lambda: "OpenGL cannot draw here" in notice.text)
    assert "Install libgl1" in notice.text


def test_pictures_are_drawn_by_whom_the_session_names(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise UserError("OpenGL cannot draw here")

    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", broken)
    desk.session.draws = FlatRenderer()
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    sent = desk.drawer.replies.live.rows[0].reply.call.image
    assert image(desk.session.study, sent).renderer == "flat 1"


def test_a_bug_while_preparing_is_told(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", broken)
    desk.open()
    desk.click(desk.drawer.compose.send)
    notice = desk.drawer.compose.notice
    desk.wait(lambda: "Preparing the probe failed" in notice.text)
    assert not desk.drawer.sending.busy


def test_preparing_can_be_cancelled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    entered, go_on = threading.Event(), threading.Event()

    class Waits(FlatRenderer):
        def __enter__(self) -> Self:
            entered.set()
            assert go_on.wait(10)
            return self

    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", Waits)
    jobs = []
    desk.jobs.job_started.connect(jobs.append)
    desk.open()
    desk.click(desk.drawer.compose.send)
    desk.wait(entered.is_set)
    assert not desk.drawer.compose.send.isEnabled()
    assert desk.drawer.compose.cost.text() == "The probe is being prepared"
    next(j for j in jobs if j.title == "Preparing the probe").progress.cancel()
    go_on.set()
    desk.wait(lambda: not desk.drawer.sending.busy)
    assert runs(desk.session.study) == []
    assert desk.drawer.compose.send.isEnabled()


def test_a_closed_drawer_tells_elsewhere(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise UserError("OpenGL cannot draw here")

    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", broken)
    desk.open()
    desk.click(desk.drawer.compose.send)
    desk.drawer.open(opened=False)
    desk.wait(lambda: len(desk.refused) == 1)


def test_no_key_is_ever_shown_copied_or_stored(
    desk: Desk, real: MakeProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PySide6.QtWidgets import QApplication

    canary = "sk-canary-5f2b8a"
    monkeypatch.setenv("CANARY_KEY", canary)

    def decide(_request: Request) -> Served:
        # Some servers repeat the key that they refuse.
        return Served(400, error(f"bad request with {canary}"))

    with FaultServer(decide) as server:
        ask(desk, real(base_url=server.base_url, key_source="env:CANARY_KEY"))
        assert server.requests[0].headers["authorization"] == f"Bearer {canary}"
    desk.drawer.replies.table.selectRow(0)
    detail = desk.drawer.replies.detail
    seen = []
    for at in range(detail.tabs.count()):
        detail.tabs.setCurrentIndex(at)
        seen.append(_everything(desk))
    for form in ("curl", "Python"):
        desk.press(detail, f"Copy as {form}")
        seen.append(QApplication.clipboard().text())
    path = desk.session.study.path
    desk.session.close()
    kept = b"".join(p.read_bytes() for p in path.parent.glob(f"{path.name}*"))
    assert "CANARY_KEY" in seen[-1]
    assert all(canary not in text for text in seen)
    assert canary.encode() not in kept
    assert canary not in repr(Keys())


def _everything(desk: Desk) -> str:
    """Every text and tooltip of every widget and cell."""
    from PySide6.QtWidgets import QTableView, QWidget

    found = []
    for widget in desk.drawer.findChildren(QWidget):
        for name in ("text", "toPlainText", "toolTip", "accessibleName"):
            read = getattr(widget, name, None)
            if callable(read):
                found.append(str(read()))
        if isinstance(widget, QTableView):
            model = widget.model()
            found += [
                str(model.index(row, column).data())
                for row in range(model.rowCount())
                for column in range(model.columnCount())
            ]
    return "\n".join(found)
