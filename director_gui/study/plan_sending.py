"""Send what is left of a plan's run, by the plan's transport."""

from collections.abc import Mapping
from dataclasses import dataclass

from director_gui.runner.engine_values import Policy
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.service import RunHandle, RunService
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.runs import Run
from director_gui.store.sendings import lost_of
from director_gui.store.session import start_run
from director_gui.study.plan_file import Plan
from director_gui.study.plan_runs import know_pictures
from director_gui.study.practice import Practice

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
    """
    know_pictures(study, run, practice)
    profiles = {profile.name: practice.ready(profile) for profile in plan.profiles}
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
    add_entry(study, ACTOR, "run.sent", told)
    return start_run(
        service,
        study,
        run.id,
        sending.profiles,
        keys,
        policy=policy,
        ceiling=plan.ceiling,
    )
