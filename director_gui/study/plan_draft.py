"""Plans while they are composed: what one asks and costs; plans of stored runs.

Figures are for orders of magnitude; `plan_forecast` counts a stored run exactly.
"""

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Literal

import tomlkit

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.ids import Json
from director_gui.prompts.library import Library
from director_gui.runner.plan import Batch, with_bases
from director_gui.runner.profiles import Profile, find_profile, profile_of
from director_gui.scene.example import example_scene
from director_gui.store.database import Study
from director_gui.store.log import entries
from director_gui.store.marks import dropped
from director_gui.store.runs import Run
from director_gui.store.sets import scene_count, sets
from director_gui.study.asking import arms, prompts_for
from director_gui.study.plan_file import (
    FORMAT,
    DeclaredFamily,
    Plan,
    SceneChoice,
    Transport,
)
from director_gui.study.plan_forecast import unpriced
from director_gui.study.plan_scenes import LeftOut, choice_of, left_out
from director_gui.study.probing import REPLY_TOKENS, input_tokens

# Seconds of one request where none of the model is stored [ours]: a bare answer;
# one after reasoning at effort `medium`.
REQUEST_S = (2.0, 40.0)
PRACTICE_S = (0.01, 0.05)
_RECENT = 200  # stored requests that an expectation is made of
KEPT, SENT = "plan.kept", "run.sent"  # log entries that hold how a plan is sent

Missing = Literal["", "scenes", "conditions", "models", "mixed", "name"]
MISSING_WORDS: dict[Missing, str] = {
    "": "",
    "scenes": "No scenes to run: draw a set in the sets workspace first",
    "conditions": "Choose at least one condition",
    "models": "Choose at least one model",
    "mixed": "Practice and real models cannot share a run: choose one kind",
    "name": "Give the plan a name",
}


@dataclass(frozen=True, slots=True)
class PlanEstimate:
    """What a plan asks, as far as it can be told before its prompts are made.

    Attributes:
        joined: The bases that join by themselves, by batch.
        calls: Replies that are asked for.
        requests: Requests that are sent; a two-turn call sends two.
        input_tokens: Tokens sent, about.
        output_tokens: Tokens that come back, least and most, about.
        price: US dollars, least and most; None when a price is unknown.
        unpriced: Names of the real models without a price.
        seconds: Time that it takes, least and most, about.
        pairs: The declared pairs that one of its batches can answer.
    """

    joined: Mapping[str, tuple[str, ...]]
    calls: int
    requests: int
    input_tokens: int
    output_tokens: tuple[int, int]
    price: tuple[float, float] | None
    unpriced: tuple[str, ...]
    seconds: tuple[float, float]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """Scenes that a plan can show.

    Attributes:
        name: What they are called.
        choice: Which they are.
        count: How many; those that were dropped do not count.
        left_out: The dropped ones.
    """

    name: str
    choice: SceneChoice
    count: int
    left_out: tuple[LeftOut, ...] = ()


def scene_offers(study: Study) -> tuple[Offer, ...]:
    """Return the sets of a study, the newest first, and all of its scenes.

    Raises:
        UserError: The study cannot be read.
    """
    offers = [
        _offer(study, f"Set {item.name}", SceneChoice(sets=(item.name,)), item.id)
        for item in reversed(sets(study))
    ]
    out = {scene for item in sets(study) for scene in dropped(study, item.id)}
    rows = study.query("SELECT hash FROM scenes")
    left = sum(row["hash"] not in out for row in rows)
    every = SceneChoice()
    return (*offers, Offer("All scenes", every, left, left_out(study, every)))


def _offer(study: Study, name: str, choice: SceneChoice, set_id: str) -> Offer:
    gone = left_out(study, choice)
    return Offer(name, choice, scene_count(study, set_id) - len(gone), gone)


def missing(plan: Plan, scenes: int) -> Missing:
    """Return what a plan lacks to be run; empty when nothing."""
    if not plan.name.strip():
        return "name"
    if not scenes:
        return "scenes"
    if not any(batch.conditions for batch in plan.batches):
        return "conditions"
    if not plan.profiles:
        return "models"
    return "mixed" if len({p.practice for p in plan.profiles}) > 1 else ""


def plan_estimate(
    plan: Plan,
    scenes: int,
    known: Library,
    latencies: Mapping[str, tuple[float, float]],
) -> PlanEstimate:
    """Return what a plan asks and costs, about.

    Args:
        plan: As it is composed.
        scenes: How many scenes it shows.
        known: The study's conditions.
        latencies: Seconds of a request, least and most, by model profile.

    Raises:
        UserError: A condition is unknown.
    """
    planned = arms(known)
    batches = {b.name: with_bases(b.conditions, planned) for b in plan.batches}
    # One scene stands for all: only the words of `state` depend on it, and little.
    scene = example_scene()
    names = {name for held in batches.values() for name in held}
    prompts = prompts_for(scene, truth_of(scene), names, known)
    asked = [prompts[name].turns for held in batches.values() for name in held]
    each = scenes * plan.samples
    requests, sent = each * sum(map(len, asked)), each * sum(map(input_tokens, asked))
    models = len(plan.profiles)
    low, high = (models * requests * tokens for tokens in REPLY_TOKENS)
    return PlanEstimate(
        joined={
            b.name: batches[b.name][len(dict.fromkeys(b.conditions)) :]
            for b in plan.batches
        },
        calls=each * len(asked) * models,
        requests=requests * models,
        input_tokens=sent * models,
        output_tokens=(low, high),
        price=_price(plan, sent, requests),
        unpriced=unpriced(plan.profiles),
        seconds=expected_seconds(plan.profiles, requests, latencies),
        pairs=answerable(batches.values(), known),
    )


def answerable(
    batches: Iterable[Sequence[str]], known: Library
) -> tuple[tuple[str, str], ...]:
    """Return the declared pairs whose two conditions share a batch."""
    held = [set(conditions) for conditions in batches]
    return tuple(p for p in known.pairs if any(set(p) <= both for both in held))


def expected_seconds(
    profiles: Iterable[Profile],
    requests: int,
    latencies: Mapping[str, tuple[float, float]],
) -> tuple[float, float]:
    """Return the time that each profile's requests take, least and most.

    The profiles work side by side, each with its own number of requests at a time.
    """
    ends = [0.0, 0.0]
    for profile in profiles:
        usual = PRACTICE_S if profile.practice else REQUEST_S
        for at, seconds in enumerate(latencies.get(profile.name, usual)):
            ends[at] = max(ends[at], requests * seconds / profile.concurrency)
    return ends[0], ends[1]


def latencies_in(study: Study) -> dict[str, tuple[float, float]]:
    """Return how long requests of each model took lately: the middle half's ends."""
    found = {}
    for row in study.query("SELECT DISTINCT profile FROM calls"):
        rows = study.query(
            "SELECT a.latency FROM attempts a JOIN calls c ON c.id = a.call"
            " WHERE c.profile = ? AND a.outcome = 'reply' ORDER BY a.id DESC LIMIT ?",
            (row["profile"], _RECENT),
        )
        taken = [float(item["latency"]) for item in rows]
        if len(taken) > 1:
            # The middle half: a few hung requests say little about the rest.
            quarters = statistics.quantiles(taken, n=4)
            found[row["profile"]] = (quarters[0], quarters[2])
    return found


def plan_toml(plan: Plan) -> str:
    """Return a plan as the text of a plan file; `read_plan` returns the same plan.

    Raises:
        UserError: A profile that goes along sends no effort, which TOML cannot say.
    """
    table: Json = {"format": FORMAT, "name": plan.name}
    # A profile that everybody has is named; any other goes along, without a key.
    shared = [p for p in plan.profiles if _is_known(p)]
    table["profiles"] = [p.name for p in shared]
    table["samples"] = plan.samples
    optional = {"order_seed": plan.order_seed, "cost_ceiling": plan.ceiling}
    table |= {key: value for key, value in optional.items() if value is not None}
    table["transport"] = plan.transport
    if plan.batch_price_factor != 1.0:
        table["batch_price_factor"] = plan.batch_price_factor
    table["scenes"] = _scenes_value(plan.scenes)
    table["batch"] = [
        {"name": b.name, "conditions": list(b.conditions)} for b in plan.batches
    ]
    families = plan.families_value()
    own = [_profile_value(p) for p in plan.profiles if p not in shared]
    table |= {"family": families} if families else {}
    table |= {"profile": own} if own else {}
    return tomlkit.dumps(table)


def plan_of_run(study: Study, run: Run) -> Plan:
    """Return the plan of a stored run, as it is sent next.

    Its scenes are named by their sets where the run showed all of these that were not
    dropped, so that what is dropped since stays out. Prices, concurrency and timeout
    are those of the profile that has its name now, when that asks the same model in
    the same way.

    Raises:
        UserError: The study is damaged.
    """
    settings = run.settings
    told = _told_last(study, run.id)
    batches = settings.get("batches") or [["1", settings["conditions"]]]
    return Plan(
        name=run.label,
        scenes=choice_of(study, settings["scenes"], settings.get("left_out", ())),
        batches=tuple(Batch(name, tuple(held)) for name, held in batches),
        profiles=tuple(_as_now(profile_of(p, run.id)) for p in settings["profiles"]),
        samples=int(settings["samples"]),
        order_seed=int(settings["order_seed"]),
        ceiling=told.get("ceiling"),
        families=tuple(
            DeclaredFamily(f["name"], tuple((a, b) for a, b in f["pairs"]))
            for f in settings.get("families", [])
        ),
        transport=_transport(told.get("transport")),
    )


def promoted(probe: Run, plan: Plan) -> Plan:
    """Return `plan` with the conditions, models and samples of a probe.

    Its scenes stay: a probe shows one scene, and a run of it shows many.
    """
    settings = probe.settings
    return replace(
        plan,
        batches=(Batch("1", tuple(settings["conditions"])),),
        profiles=tuple(_as_now(profile_of(p, probe.id)) for p in settings["profiles"]),
        samples=int(settings["samples"]),
        families=(),
    )


def kept_value(run: Run, plan: Plan) -> Json:
    """Return the details of the log entry that a plan was kept (`KEPT`)."""
    return {"run": run.id, "transport": plan.transport, "ceiling": plan.ceiling}


def _price(plan: Plan, sent: int, requests: int) -> tuple[float, float] | None:
    factor = plan.batch_price_factor if plan.transport == "batch" else 1.0
    ends = [0.0, 0.0]
    # A sum with an unknown part is unknown: no lower bound is offered as a price.
    for profile in plan.profiles:
        if profile.practice:
            continue
        if profile.input_price is None or profile.output_price is None:
            return None
        for at, tokens in enumerate(REPLY_TOKENS):
            output = requests * tokens * profile.output_price
            ends[at] += factor * (sent * profile.input_price + output) / 1e6
    return ends[0], ends[1]


def _told_last(study: Study, run_id: str) -> Json:
    # Not in the run's settings: a ceiling may be raised, what is asked may not.
    told = [e.detail for e in entries(study) if e.action in (KEPT, SENT)]
    return next((d for d in reversed(told) if d.get("run") == run_id), {})


def _transport(value: object) -> Transport:
    return "batch" if value == "batch" else "live"


def _as_now(planned: Profile) -> Profile:
    try:
        now = find_profile(planned.name)
    except UserError:
        return planned
    same = (now.model, now.settings_hash) == (planned.model, planned.settings_hash)
    return now if same else planned


def _is_known(profile: Profile) -> bool:
    try:
        return find_profile(profile.name) == profile
    except UserError:
        return False


def _scenes_value(choice: SceneChoice) -> Json:
    named = {"sets": list(choice.sets), "names": list(choice.names)}
    given = {key: value for key, value in named.items() if value}
    return given or {"all": True}


def _profile_value(profile: Profile) -> Json:
    if profile.effort is None:
        raise UserError(
            "a plan file cannot say that a profile sends no effort",
            where=profile.name,
            todo="Save it as a profile of your own, so that the plan can name it",
        )
    values = {item.name: getattr(profile, item.name) for item in fields(profile)}
    return {key: value for key, value in values.items() if value is not None}
