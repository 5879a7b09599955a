"""Work for several processes, in order, with a watchdog.

Each worker is spawned (a forked one would share OpenGL and threads) and makes its
tools once. A worker that hangs or dies is replaced and its job tried again; results
come in the order of the jobs, and only a few are held at a time.
"""

import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from director_gui.errors import UserError

Job = TypeVar("Job")
Result = TypeVar("Result")
MakeWork = Callable[[], Callable[[Job], Result]]

PATIENCE = 180.0  # s for one job; a scene takes under one
TRIES = 3
_AHEAD = 4  # jobs a worker may be ahead of the oldest that is not done
_POLL = 0.2  # s


@dataclass(slots=True)
class _Worker(Generic[Job]):
    process: SpawnProcess
    pipe: "Connection[Any, Any]"
    number: int = -1  # of its job; -1 when it has none
    job: Job | None = None
    since: float = 0.0


class Crew(Generic[Job, Result]):
    """Workers that do one kind of job; use it as a context manager.

    Args:
        make_work: Called once in each worker; returns what does a job. It and the
            jobs and results travel between processes, so they must be picklable.
        workers: How many; as many as there are processors without it.
        patience: Seconds after which a worker that does not answer is replaced.
    """

    def __init__(
        self,
        make_work: MakeWork[Job, Result],
        *,
        workers: int | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._make_work = make_work
        self._count = workers or os.cpu_count() or 1
        self._patience = patience
        self._workers: list[_Worker[Job]] = []
        self._tries: dict[int, int] = {}
        self._handed, self._more = 0, False
        self.replaced = 0  # workers that hung or died

    def __enter__(self) -> "Crew[Job, Result]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every worker without waiting for what it does."""
        for worker in self._workers:
            _end(worker)
        self._workers.clear()

    def run(
        self, jobs: Iterable[Job], stop: Callable[[], bool] = lambda: False
    ) -> Iterator[Result]:
        """Yield each job's result, in the order of the jobs.

        Args:
            jobs: What is to be done.
            stop: Asked while workers are waited for, some times a second; True ends
                early, and what is in the making is lost.

        Raises:
            UserError: A job raised it, or its worker hung or died three times.
        """
        waiting, done, due = enumerate(jobs), dict[int, Result](), 0
        self._handed, self._more = 0, True
        self._tries.clear()
        while (self._more or self._busy() or done) and not stop():
            self._hand_out(waiting, due)
            done.update(self._collect())
            while due in done and not stop():
                yield done.pop(due)
                due += 1

    def _busy(self) -> list[_Worker[Job]]:
        return [worker for worker in self._workers if worker.number >= 0]

    def _hand_out(self, waiting: Iterator[tuple[int, Job]], due: int) -> None:
        """Give idle workers a job each, but none far ahead of the oldest."""
        while (
            self._more
            and len(self._busy()) < self._count
            and self._handed <= due + self._count * _AHEAD
        ):
            following = next(waiting, None)
            if following is None:
                self._more = False
                return
            # Counted here and not taken from the workers, who may be idle.
            self._handed += 1
            self._give(self._idle(), *following)

    def _idle(self) -> _Worker[Job]:
        for worker in self._workers:
            if worker.number < 0:
                return worker
        worker = self._spawn()
        self._workers.append(worker)
        return worker

    def _spawn(self) -> _Worker[Job]:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(theirs, self._make_work), daemon=True
        )
        # From its first line on: start-up is when most people press Ctrl+C.
        with _deaf():
            process.start()
        theirs.close()
        return _Worker(process, ours)

    def _give(self, worker: _Worker[Job], number: int, job: Job) -> None:
        worker.number, worker.job, worker.since = number, job, time.monotonic()
        try:
            worker.pipe.send(job)
        except OSError:
            self._replace(worker, "ended")

    def _collect(self) -> Iterator[tuple[int, Result]]:
        wait([worker.pipe for worker in self._busy()], _POLL)
        for worker in self._busy():
            if worker.pipe.poll():
                yield from self._answer_of(worker)
            elif time.monotonic() - worker.since > self._patience:
                self._replace(worker, "did not answer")

    def _answer_of(self, worker: _Worker[Job]) -> Iterator[tuple[int, Result]]:
        try:
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker, "ended")
            return
        if isinstance(answer, UserError):
            raise answer
        number, worker.number = worker.number, -1
        yield number, answer

    def _replace(self, worker: _Worker[Job], what: str) -> None:
        number, job = worker.number, worker.job
        self._tries[number] = self._tries.get(number, 1) + 1
        if self._tries[number] > TRIES or job is None:
            raise UserError(
                f"a worker process {what} {TRIES} times at the same scene",
                where=f"scene {number + 1}",
                todo="Report this; a graphics driver may be at fault",
            )
        self.replaced += 1
        _end(worker)
        self._workers.remove(worker)
        self._give(self._idle(), number, job)


@contextmanager
def _deaf() -> Iterator[None]:
    """Let what is started here never hear Ctrl+C, which reaches the whole group.

    The parent decides what it means. A blocked signal stays blocked in a child.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(worker: _Worker[Job]) -> None:
    # Not terminate: a hung driver may not come back to handle a signal.
    worker.process.kill()
    worker.process.join()
    worker.pipe.close()


def _serve(pipe: "Connection[Any, Any]", make_work: MakeWork[Job, Result]) -> None:
    """Do jobs until the other end goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Windows knows no mask
    try:
        work = _answer(lambda _: make_work(), None)
        while True:
            job = pipe.recv()
            pipe.send(work if isinstance(work, UserError) else _answer(work, job))
    except (EOFError, OSError):
        return


def _answer(work: Callable[[Any], Any], job: object) -> Any:  # noqa: ANN401 - pickled
    """Return what a job gives, or the fault of the input that it meets."""
    try:
        return work(job)
    except UserError as error:
        return error
