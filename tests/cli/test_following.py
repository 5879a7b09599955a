"""How the command line follows what is sent: words on stderr, and the exit code."""

from collections.abc import Callable

import pytest

from director_gui.cli._following import EXIT_INTERRUPTED, EXIT_OPEN, follow_to_end
from director_gui.runner.engine_values import (
    BatchMoved,
    Event,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)


class FakeHandle:
    """A handle that ends after some waits; some of them are interrupted."""

    def __init__(self, events: list[Event], interrupts: int = 0) -> None:
        self._events, self._interrupts = events, interrupts
        self.commands: list[str] = []

    def wait(self, _seconds: float) -> bool:
        if self._interrupts:
            self._interrupts -= 1
            raise KeyboardInterrupt
        return True

    def poll(self, _limit: int = 1000) -> list[Event]:
        found, self._events = self._events, []
        return found

    def drain(self) -> None:
        self.commands.append("drain")

    def cancel(self) -> None:
        self.commands.append("cancel")


Follow = Callable[..., tuple[int, str, FakeHandle]]


@pytest.fixture
def follow(capsys: pytest.CaptureFixture[str]) -> Follow:
    def followed(*events: Event, interrupts: int = 0) -> tuple[int, str, FakeHandle]:
        handle = FakeHandle(list(events), interrupts)
        code = follow_to_end(handle)  # type: ignore[arg-type]
        out = capsys.readouterr()
        assert out.out == ""  # stdout is for the result alone
        return code, out.err, handle

    return followed


def test_all_done_is_zero(follow: Follow) -> None:
    assert follow(RunEnded(3, 0, 0))[:2] == (0, "")


def test_open_calls_are_one_and_told(follow: Follow) -> None:
    code, said, _ = follow(RunEnded(3, 0, 2))
    assert code == EXIT_OPEN
    assert "2 calls are still open; the same command sends them" in said


def test_a_fault_is_told(follow: Follow) -> None:
    code, said, _ = follow(RunEnded(0, 0, 5, error="the disk is gone"))
    assert code == EXIT_OPEN
    assert "the disk is gone" in said


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (GateClosed("p", 12.4), "p: the server asks to wait 12 s"),
        (ProfileStopped("p", "no key"), "p is stopped: no key"),
        (BatchMoved("p", "b1", "in_progress", 9), "p: batch b1, 9 calls: in_progress"),
        (RunPaused("no room"), "paused: no room"),
        (RunResumed(), "going on"),
    ],
)
def test_what_happens_is_told_in_a_line(
    follow: Follow, event: Event, words: str
) -> None:
    _, said, _ = follow(event, RunEnded(1, 0, 0))
    assert words in said


def test_a_pause_that_the_user_asked_for_is_no_news(follow: Follow) -> None:
    assert "paused" not in follow(RunPaused(""), RunEnded(1, 0, 0))[1]


def test_one_interrupt_finishes_what_is_in_hand(follow: Follow) -> None:
    code, said, handle = follow(RunEnded(1, 0, 4), interrupts=1)
    assert code == EXIT_INTERRUPTED
    assert handle.commands == ["drain"]
    assert "Ctrl+C again drops them" in said
    assert "the work so far is kept" in said


def test_a_second_interrupt_drops_it(follow: Follow) -> None:
    code, _, handle = follow(RunEnded(1, 0, 4), interrupts=2)
    assert code == EXIT_INTERRUPTED
    assert handle.commands == ["drain", "cancel"]
