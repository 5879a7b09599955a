"""Runs of plan files: made once, found again, resumed as they were planned."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import Library
from director_gui.prompts.pairing import prove
from director_gui.runner.plan import Batch, make_plan, with_bases
from director_gui.scene.model import Scene, ViewName
from director_gui.store.database import Study
from director_gui.store.runs import Run, add_run, calls_of, runs
from director_gui.study.asking import arms, keep_conditions, prompts_for
from director_gui.study.plan_file import Plan
from director_gui.study.plan_scenes import chosen_scenes, left_out, refuse_unfit
from director_gui.study.practice import Practice
from director_gui.study.prompt_library import study_library
from director_gui.study.running import Prepared, practice_only, prepare
from director_gui.study.stimuli import Draws, scene_in

if TYPE_CHECKING:
    from director_gui.render.still import Still, StillRenderer

Progress = Callable[[int, int], None]  # scenes prepared, scenes in all


def find_plan_run(study: Study, plan: Plan) -> Run | None:
    """Return the run of a plan, None when it was never begun.

    Raises:
        UserError: A plan of this name was begun that asks or compares something else.
    """
    for run in runs(study, "plan"):
        # Runs of other makers have a label too, and no identity to be held to.
        if run.label != plan.name or "plan" not in run.settings:
            continue
        if run.settings["plan"]["identity"] != plan.identity:
            raise UserError(
                "another plan of this name was begun already, with other scenes,"
                " conditions, models, samples, seed or declared families",
                where=plan.name,
                todo="Set the plan back as it was, or give it a new name",
            )
        return run
    return None


def make_plan_run(
    study: Study,
    plan: Plan,
    practice: Practice,
    *,
    renderer: Draws | None = None,
    progress: Progress = lambda _done, _total: None,
) -> Run:
    """Draw, prove and store a plan's run; nothing is sent yet.

    Args:
        study: Open for writing.
        plan: What is to be run.
        practice: Learns the pictures.
        renderer: Draws pictures that the study lacks; our own without it.
        progress: Told how many scenes are prepared.

    Raises:
        PairRefusedError: A declared pair fails its proof for a scene.
        UserError: A scene is unfit or missing, a condition is unknown, a comparison
            reaches across batches, or practice and real models are mixed.
    """
    is_practice = practice_only(plan.profiles)
    known = study_library(study)
    batches = _with_bases(plan, known)
    # After the bases have joined: a pair may rest on one of them.
    _refuse_across_batches(plan, batches)
    scenes = chosen_scenes(study, plan.scenes)
    # All of them before the first is drawn: drawing takes minutes.
    refuse_unfit(study, scenes)
    names = tuple(dict.fromkeys(name for b in batches for name in b.conditions))
    _prove_families(plan, scenes, known)
    with ExitStack() as stack:
        drawing = renderer or _Renderer(stack)
        told = _told(scenes, progress)
        prepared = prepare(study, told, names, drawing, practice, known=known)
    keep_conditions(study, names, known)
    return _stored(study, plan, prepared, known, batches, is_practice=is_practice)


def know_pictures(study: Study, run: Run, practice: Practice) -> None:
    """Let the practice reader recognise every picture of a run."""
    if not run.practice:
        return
    shown = dict.fromkeys((call.image, call.scene) for call in calls_of(study, run.id))
    for image, scene in shown:
        practice.know(image, scene_in(study, scene))


def _with_bases(plan: Plan, known: Library) -> tuple[Batch, ...]:
    conditions = arms(known)
    return tuple(
        replace(batch, conditions=with_bases(batch.conditions, conditions))
        for batch in plan.batches
    )


def _refuse_across_batches(plan: Plan, batches: Iterable[Batch]) -> None:
    held = [set(batch.conditions) for batch in batches]
    for family in plan.families:
        for pair in family.pairs:
            if not any(set(pair) <= together for together in held):
                raise UserError(
                    f"{pair[0]} and {pair[1]} are in no batch together, so a drift of"
                    " the provider between batches could pass for their difference",
                    where=f"family {family.name}",
                    todo="Put both conditions into one batch",
                )


def _prove_families(plan: Plan, scenes: Iterable[Scene], known: Library) -> None:
    # Declared pairs are proved with every run; a family may hold pairs of its own.
    own = {p for family in plan.families for p in family.pairs} - set(known.pairs)
    for scene in scenes if own else ():
        names = {name for pair in own for name in pair}
        prompts = prompts_for(scene, truth_of(scene), names, known)
        for first, second in sorted(own):
            prove(prompts[first], prompts[second])


class _Renderer:
    """Draws pictures; nothing is opened before the first is needed.

    So a set that is drawn can be run on a machine that cannot draw.
    """

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._opened: StillRenderer | None = None

    def draw(self, scene: Scene, view: ViewName) -> "Still":
        """Draw one view of a scene."""
        from director_gui.render.still import StillRenderer  # noqa: PLC0415 - VTK

        if self._opened is None:
            self._opened = self._stack.enter_context(StillRenderer())
        return self._opened.draw(scene, view)


def _told(scenes: Sequence[Scene], progress: Progress) -> Iterator[Scene]:
    for at, scene in enumerate(scenes):
        progress(at, len(scenes))
        yield scene
    progress(len(scenes), len(scenes))


def _stored(
    study: Study,
    plan: Plan,
    prepared: Prepared,
    known: Library,
    batches: tuple[Batch, ...],
    *,
    is_practice: bool,
) -> Run:
    # Random: call ids derive from it, and two runs of one plan must not share any.
    run_id = secrets.token_hex(8)
    # Stored with the run, so that the order can be told although nobody chose it.
    seed = secrets.randbits(32) if plan.order_seed is None else plan.order_seed
    calls = make_plan(
        run_id,
        batches,
        arms(known),
        prepared.shown,
        plan.profiles,
        texts=lambda condition, scene: prepared.texts[condition, scene],
        samples=plan.samples,
        seed=seed,
    )
    settings = {
        "profiles": [asdict(profile) for profile in plan.profiles],
        "conditions": list(dict.fromkeys(n for b in batches for n in b.conditions)),
        "batches": [[batch.name, list(batch.conditions)] for batch in batches],
        "scenes": [item.scene for item in prepared.shown],
        "samples": plan.samples,
        "order_seed": seed,
        "families": plan.families_value(),
        "plan": {"name": plan.name, "identity": plan.identity},
        # As it was now: what is dropped or taken back later changes no run.
        "left_out": [asdict(item) for item in left_out(study, plan.scenes)],
    }
    return add_run(
        study,
        run_id,
        "plan",
        plan.name,
        practice=is_practice,
        settings=settings,
        calls=calls,
    )
