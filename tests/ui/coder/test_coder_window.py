"""From the first page to the file that goes back."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from coding.packet import Packet
from coding.results import CodingSession, results_name
from director_gui.ui import theme
from director_gui.ui.coder.window import CoderWindow
from director_gui.ui.settings import Settings

K = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
Press = Callable[..., None]
# Only the offscreen plugin says this, whenever a window has a least size.
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def window(
    packet: Packet, tmp_path: Path, show: Callable[[QWidget], None]
) -> Iterator[CoderWindow]:
    made = CoderWindow(packet, tmp_path)
    show(made)
    yield made
    if made.pane is not None:
        made.pane.desk.session.close()


MODES = (
    ("dark", theme.DARK),
    ("contrast", theme.HIGH_LIGHT),
    ("light", theme.LIGHT),
)


def begin(window: CoderWindow, press: Press) -> None:
    QTest.keyClicks(window.welcome.alias, "ann")
    press(K.Key_Return)
    if window.training.isVisible():
        press(K.Key_Return)


def words(page: QWidget) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel))


def test_the_title_is_the_packets_id_and_nothing_else(
    window: CoderWindow, packet: Packet, press: Press
) -> None:
    assert window.windowTitle() == packet.id
    begin(window, press)
    press(K.Key_O)
    assert window.windowTitle() == packet.id


def test_the_first_page_asks_for_an_alias_and_says_what_is_kept_where(
    window: CoderWindow, packet: Packet, tmp_path: Path, press: Press
) -> None:
    assert window.welcome.alias.hasFocus()
    assert "no times" in words(window.welcome)
    QTest.keyClicks(window.welcome.alias, "ann")
    path = tmp_path / results_name(packet.id, "ann")
    assert window.welcome.file.text() == str(path)
    assert not path.exists()  # nothing is written before the coder starts
    press(K.Key_Return)
    assert path.exists()
    assert window.training.isVisible()  # what to do comes before the first trace
    press(K.Key_Return)
    assert window.pane is not None
    assert window.pane.trace.hasFocus()


@pytest.mark.parametrize("alias", ["", "a b", "../x", "ä", "-x"])
def test_an_alias_that_is_no_file_name_is_refused_beside_the_field(
    window: CoderWindow, tmp_path: Path, press: Press, alias: str
) -> None:
    window.welcome.alias.insert(alias)
    press(K.Key_Return)
    assert window.pane is None
    assert "alias" in window.welcome.banner.text
    assert list(tmp_path.glob("*.jsonl")) == []


def test_a_coder_who_was_here_before_goes_on(
    window: CoderWindow, packet: Packet, tmp_path: Path, press: Press
) -> None:
    with CodingSession(packet, tmp_path / results_name(packet.id, "ann"), "ann") as old:
        old.set_skip(packet.items[0].id)
    QTest.keyClicks(window.welcome.alias, "ann")
    names = [b.text() for b in window.welcome.findChildren(QPushButton)]
    assert "Go on coding" in names
    press(K.Key_Return)
    assert window.pane is not None
    assert window.pane.desk.index == 1


def test_a_file_that_is_open_in_another_window_is_refused(
    window: CoderWindow, packet: Packet, tmp_path: Path, press: Press
) -> None:
    with CodingSession(packet, tmp_path / results_name(packet.id, "ann"), "ann"):
        begin(window, press)
        assert window.pane is None
        assert "open in another window" in window.welcome.banner.text
    press(K.Key_Return)
    assert window.pane is not None


def test_a_folder_that_cannot_be_written_to_offers_another(
    packet: Packet,
    tmp_path: Path,
    show: Callable[[QWidget], None],
    press: Press,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    window = CoderWindow(packet, tmp_path / "gone")
    show(window)
    assert "cannot be written to" in window.welcome.banner.text
    begin(window, press)  # and if it is tried all the same
    assert window.pane is None
    assert "cannot be opened" in window.welcome.banner.text
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr("os.access", lambda *_: True)
    monkeypatch.setattr(
        "director_gui.ui.coder.welcome.QFileDialog.getExistingDirectory",
        lambda *_: str(other),
    )
    (choose,) = [
        b
        for b in window.welcome.findChildren(QPushButton)
        if b.text() == "Other folder …" and b.parent() is not window.welcome.banner
    ]
    choose.click()
    window.welcome.alias.setFocus()
    press(K.Key_Return)
    assert window.pane is not None
    assert window.pane.desk.session.path.parent == other
    window.pane.desk.session.close()


def test_the_last_page_names_the_one_file_to_hand_back(
    window: CoderWindow, packet: Packet, tmp_path: Path, press: Press
) -> None:
    begin(window, press)
    for _ in packet.items:
        press(K.Key_S, K.Key_Return)
    assert window.finish.isVisible()
    assert window.finish.title.text() == "Every trace is decided"
    assert "0 coded, 5 skipped, 0 open" in words(window.finish)
    (copy,) = [
        b
        for b in window.finish.findChildren(QPushButton)
        if b.text() == "Copy the path"
    ]
    copy.click()
    path = tmp_path / results_name(packet.id, "ann")
    assert QGuiApplication.clipboard().text() == str(path)


def test_the_last_page_leads_back_to_what_is_open_by_keys(
    window: CoderWindow, packet: Packet, press: Press
) -> None:
    begin(window, press)
    for _ in packet.items:
        press(K.Key_Return, K.Key_Return)
    assert window.finish.title.text() == "5 of 5 traces still open"
    press(K.Key_Space)
    assert window.pane is not None
    assert window.pane.isVisible()
    assert window.pane.trace.hasFocus()


def test_text_grows_to_twice_its_size_by_keys_and_is_remembered(
    window: CoderWindow, press: Press
) -> None:
    begin(window, press)
    assert window.pane is not None
    before = window.pane.trace.fontMetrics().height()
    for _ in range(15):
        press((K.Key_Plus, CTRL))
    assert theme.px(100) == 200
    assert window.pane.trace.fontMetrics().height() >= 1.8 * before
    assert Settings().text_scale == 2.0
    press((K.Key_Minus, CTRL))
    assert Settings().text_scale == 1.9
    press((K.Key_0, CTRL))
    assert theme.px(100) == 100
    assert window.pane.trace.fontMetrics().height() == before


def test_at_twice_the_size_the_codebook_takes_the_place_of_the_trace(
    window: CoderWindow, press: Press
) -> None:
    begin(window, press)
    window.set_scale(2.0)
    width = window.width()
    press(K.Key_F1)
    assert window.pane is not None
    assert window.pane.sheet.isVisible()
    assert not window.pane.trace.isVisible()
    assert window.width() == width
    press(K.Key_Escape)
    assert window.pane.trace.isVisible()
    assert window.pane.trace.hasFocus()


def test_dark_and_light_reach_every_page(window: CoderWindow, press: Press) -> None:
    begin(window, press)
    assert window.pane is not None
    for mode, colors in MODES:
        window.set_mode(mode)
        assert colors.panel in window.pane.trace.styleSheet()
        assert colors.panel in window.training.book.styleSheet()
    window.set_mode("no such mode")
    assert Settings().theme == "light"


def test_closing_does_not_throw_away_what_the_disk_has_not_taken(
    window: CoderWindow,
    packet: Packet,
    tmp_path: Path,
    press: Press,
    full_disk: Callable[[Path], AbstractContextManager[None]],
) -> None:
    begin(window, press)
    with full_disk(tmp_path / results_name(packet.id, "ann")):
        press(K.Key_O)
        assert not window.close()
        assert window.pane is not None
        assert "Close again" in window.pane.hint.text()
    assert window.close()  # the disk obeys: saved on the way out
    with CodingSession(packet, tmp_path / results_name(packet.id, "ann"), "ann") as s:
        assert s.state(packet.items[0].id).values == {"reading": "own-view"}


def test_a_note_that_is_being_written_is_kept_on_closing(
    window: CoderWindow, packet: Packet, tmp_path: Path, press: Press
) -> None:
    begin(window, press)
    press(K.Key_T)
    focus = QGuiApplication.focusObject()
    assert isinstance(focus, QWidget)
    QTest.keyClicks(focus, "in a hurry")
    window.close()
    with CodingSession(packet, tmp_path / results_name(packet.id, "ann"), "ann") as s:
        assert s.state(packet.items[0].id).note == "in a hurry"


@pytest.mark.parametrize("alias", ["adjudicated", "auto-ann"])
def test_a_kept_alias_is_refused_before_anything_is_coded(
    window: CoderWindow, tmp_path: Path, press: Press, alias: str
) -> None:
    QTest.keyClicks(window.welcome.alias, alias)
    press(K.Key_Return)
    assert "no person's" in window.welcome.banner.text
    assert window.pane is None
    assert list(tmp_path.glob("*.jsonl")) == []
