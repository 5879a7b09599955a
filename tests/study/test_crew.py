"""Workers in processes: order, faults, hangs and deaths."""

import os
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.study.crew import Crew


def _squares() -> Callable[[int], int]:
    return _square


def _square(job: int) -> int:
    # The later ones are done first, to be put in order again.
    time.sleep(0.02 * (job % 3 == 0))
    return job * job


def _fussy() -> Callable[[int], int]:
    def work(job: int) -> int:
        if job == 2:
            raise UserError("two is too many", where="job 2")
        return job

    return work


def _hopeless() -> Callable[[int], int]:
    raise UserError("no tools here")


def _mortal(folder: Path) -> Callable[[int], int]:
    return partial(_die_once, folder)


def _die_once(folder: Path, job: int) -> int:
    mark = folder / f"{job}"
    if job in {1, 3} and not mark.exists():
        mark.touch()
        if job == 1:
            os._exit(9)
        time.sleep(600)
    return job


def _doomed() -> Callable[[int], int]:
    return _die


def _sleepy() -> Callable[[int], int]:
    return _sleep


def _sleep(job: int) -> int:
    time.sleep(600)
    return job


def _die(_job: int) -> int:
    os._exit(9)


def test_results_come_in_the_order_of_the_jobs() -> None:
    with Crew(_squares, workers=2) as crew:
        assert list(crew.run(range(20))) == [n * n for n in range(20)]
        assert list(crew.run(range(3))) == [0, 1, 4]
        assert list(crew.run([])) == []
        assert crew.replaced == 0


def test_jobs_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def each() -> Iterator[int]:
        for job in range(1000):
            taken.append(job)
            yield job

    with Crew(_squares, workers=1) as crew:
        results = crew.run(each())
        for _ in range(3):
            next(results)
        assert len(taken) < 20


def test_a_users_fault_comes_back_whole() -> None:
    with Crew(_fussy, workers=1) as crew:
        results = crew.run(range(5))
        assert [next(results), next(results)] == [0, 1]
        with pytest.raises(UserError) as caught:
            next(results)
    assert str(caught.value) == "job 2: two is too many"


def test_a_worker_without_tools_says_why() -> None:
    with Crew(_hopeless, workers=1) as crew, pytest.raises(UserError, match="tools"):
        list(crew.run([1]))


def test_dead_and_hung_workers_are_replaced(tmp_path: Path) -> None:
    with Crew(partial(_mortal, tmp_path), workers=2, patience=4) as crew:
        assert list(crew.run(range(5))) == list(range(5))
        assert crew.replaced == 2


def test_a_job_that_always_kills_is_given_up() -> None:
    with (
        Crew(_doomed, workers=1) as crew,
        pytest.raises(UserError, match="ended 3 times"),
    ):
        list(crew.run([1]))


def test_closing_leaves_no_process() -> None:
    crew = Crew(_squares, workers=1)
    next(crew.run(range(5)))
    processes = [worker.process for worker in crew._workers]
    crew.close()
    assert processes
    assert not any(process.is_alive() for process in processes)


def test_it_stops_while_a_job_is_waited_for() -> None:
    stopped: list[int] = []

    def stop() -> bool:
        stopped.append(1)
        return len(stopped) > 4

    with Crew(_sleepy, workers=1) as crew:
        assert list(crew.run([0, 1], stop)) == []
        assert crew.replaced == 0
    assert len(stopped) == 5


def test_nothing_is_handed_over_after_a_stop() -> None:
    found: list[int] = []
    with Crew(_squares, workers=1) as crew:
        found.extend(crew.run(range(20), lambda: len(found) >= 3))
    assert len(found) == 3


def test_no_worker_is_begun_for_what_was_stopped_before() -> None:
    with Crew(_squares, workers=1) as crew:
        assert list(crew.run([1, 2], lambda: True)) == []
        assert crew._workers == []
