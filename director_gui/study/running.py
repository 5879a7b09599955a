"""Make a run of a study: everything it needs is stored before a call is sent."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import Library
from director_gui.runner.plan import Batch, Shown, make_plan, with_bases
from director_gui.runner.profiles import Profile
from director_gui.scene.model import Scene
from director_gui.store.database import Study
from director_gui.store.runs import Kind, Run, add_run
from director_gui.study.asking import arms, keep_conditions, prompts_for, prove_pairs
from director_gui.study.practice import Practice
from director_gui.study.prompt_library import study_library
from director_gui.study.stimuli import Draws, keep_stimulus

DEFAULT_SAMPLES = 5  # METHOD §4


@dataclass(frozen=True, slots=True)
class Draft:
    """What a run is to be.

    Attributes:
        kind: A quick probe of one scene, or a plan.
        label: The user's words.
        scenes: What is shown.
        conditions: By name; the bases join by themselves.
        profiles: The models.
        samples: Replies per scene, condition and model.
        seed: Order seed; a fresh one when None.
    """

    kind: Kind
    label: str
    scenes: tuple[Scene, ...]
    conditions: tuple[str, ...]
    profiles: tuple[Profile, ...]
    samples: int = DEFAULT_SAMPLES
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a run's calls send.

    Attributes:
        shown: Each scene once, with its picture, in order.
        texts: The user turns, by condition and scene hash.
    """

    shown: tuple[Shown, ...]
    texts: Mapping[tuple[str, str], tuple[str, ...]]


def prepare(
    study: Study,
    scenes: Iterable[Scene],
    names: Sequence[str],
    renderer: Draws,
    practice: Practice,
    *,
    known: Library | None = None,
) -> Prepared:
    """Draw and keep the pictures, and prove every declared pair for every scene.

    Raises:
        PairRefusedError: A declared pair fails its proof for a scene.
        UserError: The study cannot be written.
    """
    texts: dict[tuple[str, str], tuple[str, ...]] = {}
    shown: list[Shown] = []
    for scene in scenes:
        prompts = prompts_for(scene, truth_of(scene), names, known)
        # For each scene: `state` words a message by what the director sees.
        prove_pairs(prompts, known)
        kept = keep_stimulus(study, scene, renderer)
        practice.know(kept.image, scene)
        shown.append(kept)
        texts |= {(name, kept.scene): p.texts for name, p in prompts.items()}
    # A scene that is chosen twice is shown once.
    return Prepared(tuple(dict.fromkeys(shown)), texts)


def make_run(study: Study, draft: Draft, renderer: Draws, practice: Practice) -> Run:
    """Draw, prove and store a run; nothing is sent yet.

    Raises:
        PairRefusedError: A declared pair fails its proof for a scene.
        UserError: There is nothing to send, or practice and real models are mixed.
    """
    is_practice = practice_only(draft.profiles)
    known = study_library(study)
    planned = arms(known)
    # The bases join every batch, or drift could not be told (METHOD §4).
    names = with_bases(draft.conditions, planned)
    prepared = prepare(study, draft.scenes, names, renderer, practice, known=known)
    shown, texts = prepared.shown, prepared.texts
    # Before the calls, which name versions by hash.
    keep_conditions(study, names, known)
    run_id = secrets.token_hex(8)
    seed = secrets.randbits(32) if draft.seed is None else draft.seed
    calls = make_plan(
        run_id,
        # One batch, so that all of its conditions can be compared.
        [Batch("1", names)],
        planned,
        shown,
        draft.profiles,
        texts=lambda condition, scene: texts[condition, scene],
        samples=draft.samples,
        seed=seed,
    )
    settings = {
        "profiles": [asdict(profile) for profile in draft.profiles],
        "conditions": list(names),
        "scenes": [item.scene for item in shown],
        "samples": draft.samples,
        "order_seed": seed,
    }
    return add_run(
        study,
        run_id,
        draft.kind,
        draft.label,
        practice=is_practice,
        settings=settings,
        calls=calls,
    )


def warm_up() -> None:
    """Import what the first run needs, which takes tenths of a second.

    For a thread beside a window, before anyone waits for it.
    """
    for name in ("sqlite_utils", "openai"):
        import_module(name)


def profiles_of(run: Run, practice: Practice) -> Mapping[str, Profile]:
    """Return a run's profiles by name, as they were planned, ready to send."""
    listed: Sequence[dict[str, object]] = run.settings["profiles"]
    made = [Profile(**value) for value in listed]  # type: ignore[arg-type] # written by make_run
    return {profile.name: practice.ready(profile) for profile in made}


def practice_only(profiles: Sequence[Profile]) -> bool:
    """Return whether a run is practice.

    Raises:
        UserError: Practice and real models are mixed.
    """
    kinds = {profile.practice for profile in profiles}
    if kinds == {True, False}:
        raise UserError(
            "practice and real models cannot share a run",
            where=", ".join(profile.name for profile in profiles),
            todo="Make two runs, so that practice replies stay labelled",
        )
    # Not `all`: a run without any profile is no practice.
    return kinds == {True}
