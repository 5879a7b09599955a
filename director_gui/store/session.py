"""Run what is left of a stored run: the engine, reading from and writing to a study."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from director_gui.runner.batch_client import OpenAIBatchClient
from director_gui.runner.batch_sender import BatchLimits, BatchSender
from director_gui.runner.budget import Budget
from director_gui.runner.client import Client
from director_gui.runner.engine import Engine
from director_gui.runner.engine_values import Listener, Policy
from director_gui.runner.keys import Keys
from director_gui.runner.openai_client import OpenAIClient
from director_gui.runner.profiles import Profile
from director_gui.runner.service import EngineFactory, RunHandle, RunService
from director_gui.store.attempts import open_tasks
from director_gui.store.batches import BatchJobs
from director_gui.store.beside import working
from director_gui.store.database import Study
from director_gui.store.inputs import CallInputs
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import spent_of


def start_run(
    service: RunService,
    study: Study,
    run_id: str,
    profiles: Mapping[str, Profile],
    keys: Keys,
    *,
    policy: Policy | None = None,
    ceiling: float | None = None,
    beside: Callable[[], object] | None = None,
) -> RunHandle:
    """Send every call of a stored run that has no end yet; return at once.

    The same for a new run and for one to be resumed. Poll the handle for events;
    `AttemptStored` means that the reply can be read from the study.

    Args:
        service: The thread that runs it.
        study: Open for writing, until the handle is done.
        run_id: A run made with `runs.add_run`.
        profiles: The profiles by name, as they were when the run was planned.
        keys: Where the keys are.
        policy: How patient to be.
        ceiling: The most that the whole run may cost in US dollars, earlier sessions
            included; None for no ceiling.
        beside: Done every few seconds in a thread, and once more at the end.

    Raises:
        UserError: The study does not hold the run or cannot be read.
    """
    spent = spent_of(study, run_id)
    factory = engine_of(
        study,
        profiles,
        # Made in the loop's thread, as its connections belong to that loop.
        lambda: OpenAIClient(keys),
        policy=policy,
        budget=lambda: Budget(ceiling, spent),
        beside=beside,
    )
    return service.start(factory, open_tasks(study, run_id))


def engine_of(
    study: Study,
    profiles: Mapping[str, Profile],
    make_client: Callable[[], Client],
    *,
    policy: Policy | None = None,
    budget: Callable[[], Budget] = Budget,
    beside: Callable[[], object] | None = None,
) -> EngineFactory:
    """Return what makes an engine that reads from and writes to a study."""
    inputs = CallInputs(study)

    @asynccontextmanager
    async def made(listener: Listener) -> AsyncIterator[Engine]:
        # Both belong to the loop, so they are made inside it.
        recorder, client = Recorder(study), make_client()
        try:
            yield Engine(
                profiles,
                client,
                inputs,
                recorder.record,
                listener=listener,
                policy=policy,
                marks=recorder,
                budget=budget(),
            )
        finally:
            await client.close()
            await recorder.close()

    @asynccontextmanager
    async def both(listener: Listener) -> AsyncIterator[Engine]:
        # Around the recorder, so that the last round finds every reply stored.
        async with working(beside), made(listener) as engine:
            yield engine

    def factory(listener: Listener) -> AbstractAsyncContextManager[Engine]:
        return both(listener)

    return factory


def start_batches(
    service: RunService,
    study: Study,
    run_id: str,
    profiles: Mapping[str, Profile],
    keys: Keys,
    *,
    policy: Policy | None = None,
    ceiling: float | None = None,
    limits: BatchLimits | None = None,
    beside: Callable[[], object] | None = None,
) -> RunHandle:
    """Send what is left of a run by the providers' batch API; return at once.

    Args:
        service: The thread that runs it.
        study: Open for writing, until the handle is done.
        run_id: A run made with `runs.add_run`.
        profiles: The profiles by name, with what a call costs in a batch.
        keys: Where the keys are.
        policy: How patient to be.
        ceiling: The most that the whole run may cost in US dollars.
        limits: Sizes of batches, and how often they are looked at.
        beside: Done every few seconds in a thread, and once more at the end.

    Raises:
        UserError: The study does not hold the run or cannot be read.
    """
    spent = spent_of(study, run_id)

    @asynccontextmanager
    async def made(listener: Listener) -> AsyncIterator[BatchSender]:
        client = OpenAIBatchClient(keys)
        try:
            yield BatchSender(
                profiles,
                client,
                CallInputs(study),
                BatchJobs(study, run_id),
                # Asked anew each round: batches end at times of their own.
                lambda: open_tasks(study, run_id),
                listener=listener,
                policy=policy,
                budget=Budget(ceiling, spent),
                limits=limits,
            )
        finally:
            await client.close()

    @asynccontextmanager
    async def both(listener: Listener) -> AsyncIterator[BatchSender]:
        async with working(beside), made(listener) as sender:
            yield sender

    def factory(listener: Listener) -> AbstractAsyncContextManager[BatchSender]:
        return both(listener)

    return service.start(factory, open_tasks(study, run_id))
