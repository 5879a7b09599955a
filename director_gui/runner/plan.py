"""Plan a run: scenes x conditions x models x samples, shuffled in batches.

Every batch holds the base of each action that it uses, and the calls of a batch are
shuffled together, so that a provider's drift hits all conditions alike (METHOD §4).
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Call, PlannedCall


@dataclass(frozen=True, slots=True)
class Arm:
    """A condition as a plan needs it.

    Attributes:
        name: Such as ``move.plain``.
        version: Hash of the condition's version.
        base: Name of the condition that joins every batch of this one.
    """

    name: str
    version: str
    base: str


@dataclass(frozen=True, slots=True)
class Shown:
    """A scene and the picture of it that is sent, both by hash."""

    scene: str
    image: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Conditions that are sampled together, by name."""

    name: str
    conditions: tuple[str, ...]


Texts = Callable[[str, str], tuple[str, ...]]  # (condition, scene) -> user turns


def with_bases(conditions: Iterable[str], arms: Mapping[str, Arm]) -> tuple[str, ...]:
    """Return the conditions, without repeats, with the bases that they lack.

    Raises:
        UserError: A condition is unknown.
    """
    wanted = dict.fromkeys(conditions)
    # A dictionary keeps the order and drops repeats.
    for name in list(wanted):
        wanted.setdefault(_arm(name, arms).base)
    for name in wanted:
        _arm(name, arms)
    return tuple(wanted)


def make_plan(
    run: str,
    batches: Sequence[Batch],
    arms: Mapping[str, Arm],
    shown: Sequence[Shown],
    profiles: Sequence[Profile],
    *,
    texts: Texts,
    samples: int,
    seed: int,
) -> tuple[PlannedCall, ...]:
    """Return all calls of a run in the order they are sent.

    The same arguments give the same order. Batches follow one another.

    Args:
        run: Id of the run.
        batches: What is sampled together; bases join by themselves.
        arms: All conditions by name.
        shown: The scenes with their pictures.
        profiles: The models.
        texts: Returns the user turns of a condition for a scene.
        samples: Replies per scene, condition and model; at least 1.
        seed: The order seed, stored with the run.

    Raises:
        UserError: There is nothing to send, a condition is unknown, or two batches
            share a name.
    """
    names = [batch.name for batch in batches]
    if len(set(names)) < len(names):
        raise UserError("two batches have the same name", where=", ".join(names))
    if samples < 1:
        raise UserError("a run needs at least one sample", where="samples")
    planned: list[PlannedCall] = []
    for batch in batches:
        # Named by text, so that a batch keeps its order when another is added.
        rng = random.Random(f"{seed}/{batch.name}")
        calls = list(
            _calls(run, batch, arms, shown, profiles, texts=texts, samples=samples)
        )
        rng.shuffle(calls)
        planned += calls
    if not planned:
        raise UserError(
            "there is nothing to send",
            where=run,
            todo="Choose scenes, conditions and a model",
        )
    return tuple(planned)


def _calls(
    run: str,
    batch: Batch,
    arms: Mapping[str, Arm],
    shown: Sequence[Shown],
    profiles: Sequence[Profile],
    *,
    texts: Texts,
    samples: int,
) -> Iterable[PlannedCall]:
    for name in with_bases(batch.conditions, arms):
        for item in shown:
            turns = texts(name, item.scene)
            for profile in profiles:
                for sample in range(1, samples + 1):
                    call = Call(
                        run=run,
                        batch=batch.name,
                        condition=name,
                        condition_hash=arms[name].version,
                        scene=item.scene,
                        image=item.image,
                        profile=profile.name,
                        model=profile.model,
                        settings=profile.settings_hash,
                        sample=sample,
                    )
                    yield PlannedCall(call, turns)


def _arm(name: str, arms: Mapping[str, Arm]) -> Arm:
    if name not in arms:
        raise UserError("there is no such condition", where=name)
    return arms[name]
