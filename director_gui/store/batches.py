"""Batches at providers, durable from before they are sent until they are stored."""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from director_gui.runner.batching import BatchCall, Job
from director_gui.runner.records import Attempt, now_utc
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study


class BatchJobs:
    """The batches of one run in its study; every method is durable when it returns."""

    def __init__(self, study: Study, run_id: str) -> None:
        self._study, self._run = study, run_id

    def add(self, profile: str, calls: Sequence[BatchCall]) -> Job:
        """Keep a batch that is about to be sent."""
        # Our own id: a crash may come before the provider gives one.
        job = Job(secrets.token_hex(8), profile, now_utc(), None, None, tuple(calls))
        row = {
            "id": job.id,
            "run": self._run,
            "profile": profile,
            "created": job.created,
            "state": "made",
        }
        with self._study.write() as db:
            db.table("batch_jobs").insert(row)
            db.table("batch_calls").insert_all(
                {"job": job.id, **asdict(item)} for item in calls
            )
        return job

    def uploaded(self, job: Job, file: str) -> None:
        """Keep the provider's id of a batch's requests."""
        self._set(job, file=file)

    def begun(self, job: Job, batch: str) -> None:
        """Keep the provider's id of a batch."""
        self._set(job, batch=batch, state="sent")

    def dropped(self, job: Job) -> None:
        """Say that a batch was never begun; its calls are open again."""
        self._set(job, state="dropped")

    def collected(self, job: Job, attempts: Iterable[Attempt]) -> None:
        """Keep a batch's results and that it has been dealt with, in one step.

        Raises:
            UserError: They could not be written, such as on a full disk.
        """
        # One transaction: results without the state would be fetched, and kept, twice.
        with self._study.write():
            add_attempts(self._study, attempts)
            self._set(job, state="collected")

    def open(self) -> list[Job]:
        """Return the batches that were begun, or nearly, and not dealt with."""
        rows = self._study.query(
            "SELECT id, profile, created, file, batch FROM batch_jobs"
            " WHERE run = ? AND state IN ('made', 'sent') ORDER BY rowid",
            (self._run,),
        )
        return [Job(**row, calls=self._calls(row["id"])) for row in rows]

    def _calls(self, job: str) -> tuple[BatchCall, ...]:
        rows = self._study.query(
            "SELECT call, turn, turns, number, request_hash, worst FROM batch_calls"
            " WHERE job = ? ORDER BY rowid",
            (job,),
        )
        return tuple(BatchCall(**row) for row in rows)

    def _set(self, job: Job, **values: str) -> None:
        with self._study.write() as db:
            db.table("batch_jobs").update(job.id, values)
