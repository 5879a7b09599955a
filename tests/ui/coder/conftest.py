"""A sealed packet, its file, and the pane on it, shown and active."""

import random
import resource
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from coding import codebook
from coding.codebook import Codebook
from coding.packet import Entry, Packet, seal
from coding.results import CodingSession, results_name
from director_gui import assets
from director_gui.ui import theme
from director_gui.ui.coder.pane import CoderPane

ALIAS = "ann"
TEXTS = [
    f"The director sees 5 and 8, not 3. But the largest block is {i}, so {i}."
    for i in range(5)
]
Press = Callable[..., None]


@pytest.fixture(scope="session")
def book() -> Codebook:
    return codebook.read_file(assets.path("codebooks/reading.toml"))


@pytest.fixture
def pack_of(book: Codebook) -> Callable[[list[str]], Packet]:
    """Seal texts; their order in the packet is the packet's own."""

    def make(texts: list[str]) -> Packet:
        entries = [Entry(f"r{i}", text) for i, text in enumerate(texts)]
        return seal(entries, book, random.Random(5).randbytes).packet

    return make


@pytest.fixture
def packet(pack_of: Callable[[list[str]], Packet]) -> Packet:
    return pack_of(TEXTS)


@pytest.fixture
def packet_file(book: Codebook, tmp_path: Path) -> Path:
    entries = [Entry(f"r{i}", text) for i, text in enumerate(TEXTS)]
    sealed = seal(entries, book, random.Random(5).randbytes)
    path = tmp_path / sealed.file_name
    path.write_bytes(sealed.data)
    return path


@pytest.fixture
def results(packet: Packet, tmp_path: Path) -> Path:
    return tmp_path / results_name(packet.id, ALIAS)


@pytest.fixture
def session(packet: Packet, results: Path) -> Iterator[CodingSession]:
    with CodingSession(packet, results, ALIAS) as opened:
        yield opened


@pytest.fixture
def show(qtbot: QtBot, qapp: QApplication) -> Callable[[QWidget], None]:
    """Show a widget in the program's style and give it the keyboard."""
    theme.apply(qapp, "light", 1.0)

    def shown(widget: QWidget) -> None:
        qtbot.addWidget(widget)
        widget.resize(1280, 800)
        with qtbot.waitExposed(widget):
            widget.show()
        widget.activateWindow()
        qtbot.waitUntil(widget.isActiveWindow)

    return shown


@pytest.fixture
def pane(
    packet: Packet, session: CodingSession, show: Callable[[QWidget], None]
) -> Iterator[CoderPane]:
    made = CoderPane(packet, session)
    show(made)
    made.trace.setFocus()
    yield made
    made.desk.session.close()


@pytest.fixture
def press(qapp: QApplication) -> Press:
    """Press keys where the keyboard is, as a coder does."""

    def keys(*pressed: object) -> None:
        for key in pressed:
            target = qapp.focusWidget()
            assert target is not None
            many = key if isinstance(key, tuple) else (key,)
            QTest.keyClick(target, *many)

    return keys


@pytest.fixture
def full_disk() -> Callable[..., AbstractContextManager[None]]:
    """Let no file of this process grow beyond what `path` holds (and `left` bytes)."""

    @contextmanager
    def full(path: Path, left: int = 0) -> Iterator[None]:
        old = resource.getrlimit(resource.RLIMIT_FSIZE)
        most = path.stat().st_size + left
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, old[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)

    return full


CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
