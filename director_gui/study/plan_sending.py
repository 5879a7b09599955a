"""Send what is left of a plan's run, by the plan's transport."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from director_gui.errors import UserError
from director_gui.runner.engine_values import Policy
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.service import RunHandle, RunService
from director_gui.store.batches import BatchJobs
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.runs import Run
from director_gui.store.sendings import lost_of
from director_gui.store.session import start_batches, start_run
from director_gui.store.spill import take_in
from director_gui.study.plan_file import Plan
from director_gui.study.plan_runs import know_pictures
from director_gui.study.practice import Practice
from director_gui.study.results.counting import Counting

ACTOR = "run"


@dataclass(frozen=True, slots=True)
class Sending:
    """A run that is ready to be sent.

    Attributes:
        plan: The plan as its file says now; its ceiling counts.
        run: The stored run.
        profiles: The run's profiles by name, ready to send.
    """

    plan: Plan
    run: Run
    profiles: Mapping[str, Profile]


def ready(study: Study, plan: Plan, run: Run, practice: Practice) -> Sending:
    """Return a plan's run, ready to be sent; practice pictures are made known.

    The plan's profiles have the run's names, models and settings, or it would be
    another plan; their prices, concurrency and timeout count as they are now.

    Raises:
        UserError: The plan's transport does not fit the run.
    """
    # What an earlier session paid for and could not write is not paid for again.
    take_in(study)
    know_pictures(study, run, practice)
    _refuse_mixing(study, plan, run)
    profiles = {p.name: practice.ready(_priced(plan, p)) for p in plan.profiles}
    return Sending(plan, run, profiles)


def send(
    service: RunService,
    study: Study,
    sending: Sending,
    keys: Keys,
    *,
    policy: Policy | None = None,
) -> RunHandle:
    """Send every call of the run that has no end yet; return at once.

    Raises:
        UserError: A key is missing, or the study cannot be written.
    """
    plan, run = sending.plan, sending.run
    for profile in sending.profiles.values():
        keys.resolve(profile)  # told now, not by the first failing call
    told = {
        "run": run.id,
        "transport": plan.transport,
        "ceiling": plan.ceiling,
        "could_be_paid_twice": lost_of(study, run.id).in_flight,
    }
    # Before anything is sent: the log tells of an attempt that failed at once too.
    add_entry(study, ACTOR, "run.sent", told)
    start = start_run if plan.transport == "live" else start_batches
    return start(
        service,
        study,
        run.id,
        sending.profiles,
        keys,
        policy=policy,
        ceiling=plan.ceiling,
        beside=Counting(study).keeping_up(run.id),
    )


def _priced(plan: Plan, profile: Profile) -> Profile:
    """Return a profile with what a call costs by the plan's transport."""
    # Providers price batches lower; a ceiling must count what is charged.
    factor = plan.batch_price_factor if plan.transport == "batch" else 1.0

    def scaled(price: float | None) -> float | None:
        return None if price is None else price * factor

    return replace(
        profile,
        input_price=scaled(profile.input_price),
        cached_price=scaled(profile.cached_price),
        output_price=scaled(profile.output_price),
    )


def _refuse_mixing(study: Study, plan: Plan, run: Run) -> None:
    # Sent live as well, its calls would be paid twice.
    begun = [job for job in BatchJobs(study, run.id).open() if job.file]
    if plan.transport == "live" and begun:
        raise UserError(
            "a batch of this run is still at its provider",
            where=plan.name,
            todo='Set transport = "batch" again to collect it first',
        )
    practice = [p.name for p in plan.profiles if p.practice]
    if plan.transport == "batch" and practice:
        raise UserError(
            "the practice reader takes no batches",
            where=", ".join(practice),
            todo='Set transport = "live"',
        )
