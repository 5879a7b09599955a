"""What `scenes` says on stderr while it works."""

from collections import Counter

import pytest

from director_gui.cli import scenes


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test moves it."""
    time = [0.0]
    monkeypatch.setattr(scenes.time, "monotonic", lambda: time[0])
    return time


def test_the_last_scene_is_always_told(
    now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    progress = scenes._Progress("scenes")
    for done in range(1, 11):
        progress(done, 10, Counter({"overlap": done}))
    assert now == [0.0]
    assert capsys.readouterr().err == "10 of 10 scenes, 10 refused\n"


def test_lines_come_every_two_seconds_with_the_time_that_is_left(
    now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    progress = scenes._Progress("scenes")
    for done in range(1, 31):
        now[0] += 0.5
        progress(done, 100)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 7
    # Half a second a scene, counted from the start: 100 - 28 of them are left.
    assert lines[-1] == "28 of 100 scenes, about 36 s left"


def test_a_second_set_has_a_pace_of_its_own(
    now: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    progress = scenes._Progress("scenes")
    for done in range(1, 6):
        now[0] += 10
        progress(done, 5)
    for done in range(1, 6):
        now[0] += 2
        progress(done, 11)
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "5 of 11 scenes, about 12 s left"


@pytest.mark.parametrize(("text", "count"), [("1", 1), ("160", 160), ("100000", 10**5)])
def test_counts(text: str, count: int) -> None:
    assert scenes._count(text) == count
