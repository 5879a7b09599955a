"""The spacing of sends, without a clock: times are handed in."""

import pytest

from director_gui.runner.pace import FASTEST, LONGEST, RAMP, SLACK, WAIT_SHARE, Pace


def windowed(pace: Pace, limit: int, window: float, sends: int) -> tuple[int, float]:
    """Send as the pace allows to a server with a fixed window; replies are instant.

    Returns:
        How many were refused, and when the last send went.
    """
    now, refused, used = 0.0, 0, dict[int, int]()
    closed = False
    while sends:
        now += 1e-9 + pace.wait(now)
        slot = int(now / window)
        used[slot] = used.get(slot, 0) + 1
        pace.sent(now)
        if used[slot] <= limit:
            if closed:
                pace.reopened(now)
                closed = False
            pace.passed()
            sends -= 1
        else:
            left = (slot + 1) * window - now
            refused += 1
            pace.refused(left)
            closed = True
            now += left
    return refused, now


@pytest.mark.parametrize(("limit", "window"), [(20, 2.0), (5, 1.0), (500, 60.0)])
def test_a_fixed_window_refuses_at_most_about_one_each(
    limit: int, window: float
) -> None:
    refused, seconds = windowed(Pace(0.005), limit, window, 30 * limit)
    assert refused <= seconds / window + 1
    assert seconds <= 1.25 * 30 * window


def test_without_a_first_spacing_nothing_waits() -> None:
    pace = Pace()
    for step in range(100):
        pace.sent(step * 1e-6)
        assert pace.wait(step * 1e-6) == 0


def test_the_first_spacing_shrinks_to_none() -> None:
    pace = Pace(0.005)
    now, before = 0.0, 1.0
    for _ in range(200):
        now += pace.wait(now)
        pace.sent(now)
        pace.passed()
        assert pace.spacing <= before
        before = pace.spacing
    assert pace.spacing == 0
    assert 0.1 < now < 0.005 / RAMP + 0.01  # the sum of a geometric series


def test_a_late_send_may_catch_up_but_not_in_a_burst() -> None:
    pace = Pace(0.005)
    pace.sent(0.0)
    gone = 0
    while pace.wait(10.0) == 0:
        pace.sent(10.0)
        gone += 1
    assert 1 < gone <= 4


def refused_after(sends: int, wait: float | None) -> Pace:
    pace = Pace()
    for step in range(sends):
        pace.sent(float(step))
    pace.sent(float(sends))
    pace.refused(wait)
    pace.sent(float(sends) + (wait or 0.0))
    pace.reopened(float(sends) + (wait or 0.0) + 100)  # a slow reply means nothing
    return pace


def test_a_refusal_with_a_wait_teaches_what_was_let_through() -> None:
    pace = refused_after(9, 11.0)
    assert pace.spacing == pytest.approx(SLACK * 20 / 9)


def test_a_spacing_is_bounded_by_the_wait_and_at_all() -> None:
    assert refused_after(9, 1.0).spacing == pytest.approx(WAIT_SHARE)
    assert refused_after(9, 9000.0).spacing == LONGEST


@pytest.mark.parametrize(("sends", "wait"), [(9, None), (9, 0.0), (9, 0.05), (2, 60.0)])
def test_little_evidence_teaches_nothing(sends: int, wait: float | None) -> None:
    assert refused_after(sends, wait).spacing == 0


def test_success_brings_speed_back_from_the_longest_spacing() -> None:
    pace = refused_after(9, 9000.0)
    seconds = 0.0
    while pace.spacing > 0.1:
        seconds += pace.spacing
        pace.passed()
    assert seconds < 600
    for _ in range(5000):
        pace.passed()
    assert pace.spacing in (0.0, pytest.approx(FASTEST, rel=1))
