"""Qt's objects are freed in the thread that owns them, whoever allocates."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from director_gui.ui.collecting import Collector

pytestmark = pytest.mark.gui


class Loop:
    """Garbage that only the collector can free; it notes in which thread."""

    freed: list[str]

    def __init__(self, freed: list[str]) -> None:
        self.freed = freed
        self.itself = self

    def __del__(self) -> None:
        self.freed.append(threading.current_thread().name)


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[Collector]:
    del qtbot
    was = gc.isenabled()
    made = Collector()
    yield made
    made.stop()
    if not was:
        gc.disable()


def allocate() -> None:
    """More than enough for Python to collect several times."""
    for _ in range(5):
        _ = [[] for _ in range(2000)]


@pytest.mark.usefixtures("collector")
def test_a_workers_allocations_free_nothing_there(qtbot: QtBot) -> None:
    freed: list[str] = []
    for _ in range(10):
        Loop(freed)
    worker = threading.Thread(target=allocate, name="worker")
    worker.start()
    worker.join()
    assert freed == []
    kept = [[] for _ in range(2000)]  # now a look finds the youngest due
    qtbot.waitUntil(lambda: len(freed) == 10)
    assert set(freed) == {threading.main_thread().name}
    assert kept


def test_nothing_is_collected_before_it_is_due(collector: Collector) -> None:
    gc.collect()
    assert collector.look() is None


def test_older_generations_are_collected_when_they_are_due(
    collector: Collector,
) -> None:
    gc.collect()
    seen: list[int] = []
    for _ in range(13):  # the second is due after ten of the first
        kept = [[] for _ in range(2000)]
        found = collector.look()
        assert found is not None
        seen.append(found)
        del kept
    assert seen[0] == 0
    assert 1 in seen


def test_stopping_gives_it_back_to_python(qtbot: QtBot) -> None:
    del qtbot
    was = gc.isenabled()
    collector = Collector()
    assert not gc.isenabled()
    assert gc.get_freeze_count() > 0
    collector.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gone = weakref.ref(collector)
    del collector
    assert gone() is None
    if not was:
        gc.disable()
