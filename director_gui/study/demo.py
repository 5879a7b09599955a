"""An example study from end to end: scenes, a practice run, blind coding, a report.

Nothing is made up on the way: replies come over HTTP through the engine, codes through
results files, and the report is read from the finished study. The same seed gives the
same figures, however the requests overtake each other.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.render.still import StillRenderer
from director_gui.runner.engine_values import AttemptStored, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.practice.coders import two_coders
from director_gui.runner.profiles import Profile, presets
from director_gui.runner.service import RunHandle, RunService
from director_gui.scene.model import Scene
from director_gui.store.database import Study, create_study
from director_gui.store.log import add_entry
from director_gui.store.runs import Run
from director_gui.store.session import start_run
from director_gui.study.asking import BASICS
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.overview import remember_folder
from director_gui.study.blind.practice import practice_coding
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, release, seal_packet
from director_gui.study.blind.traces import Wanted
from director_gui.study.blind.unblinding import unblind
from director_gui.study.demo_folder import Place, place_for, writing_in
from director_gui.study.practice import Practice
from director_gui.study.report.coded import GIVES_AWAY
from director_gui.study.report.facts import MADE, facts_of
from director_gui.study.report.value import report_value
from director_gui.study.report.writing import FIGURES, PICTURES, REPORT, write_report
from director_gui.study.running import DEFAULT_SAMPLES, Draft, make_run, profiles_of
from director_gui.study.set_tallies import every_scene
from director_gui.study.sets import make_set, recipe_of
from director_gui.study.stimuli import scene_in

STUDY = "demo.study"
CODING = "coding"
NAME = "Practice demo"
FAMILY = "main"
LEAST_SCENES, MOST_SCENES = 12, 160
ACTOR = "demo (practice)"
CODED = 100  # traces in the packet
CODED_CONDITIONS = ("move.ask", "move.plain", "move.count")
_MODEL = "practice-reader-open"  # every reply comes with its reasoning
_LOOK_S = 0.2  # how often the run is looked at


@dataclass(frozen=True, slots=True)
class Wish:
    """What the demo is to be.

    Attributes:
        scenes: How many, from 12 to 160.
        seed: Decides the scenes, their order, every reply and every code.
        samples: Replies per scene and condition.
    """

    scenes: int = 24
    seed: int = 1
    samples: int = DEFAULT_SAMPLES


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the demo is.

    Attributes:
        step: What is being done.
        share: Of all the work, 0-1.
    """

    step: str
    share: float


@dataclass(frozen=True, slots=True)
class Demo:
    """Where everything is, and the figures.

    Attributes:
        study: The study file.
        report: The HTML page.
        pictures: Folder of the scenes' pictures.
        figures: Folder of the figures.
        kept: Files of an earlier demo that had been changed, under their new names.
        value: The command's JSON document.
    """

    study: Path
    report: Path
    pictures: Path
    figures: Path
    kept: tuple[Path, ...]
    value: Json


Tell = Callable[[Progress], None]


def make_demo(folder: Path, wish: Wish, tell: Tell = lambda _: None) -> Demo:
    """Make the demo in `folder`, replacing an earlier one there.

    Interrupted, it leaves an earlier demo as it was, and the next one starts over.

    Raises:
        UserError: The folder holds other files or cannot be written, OpenGL cannot
            draw here, or the practice run did not finish.
    """
    with place_for(folder, STUDY) as place:
        steps = _Steps(tell, wish)
        with create_study(place.work / STUDY, NAME) as study:
            run = _filled(study, wish, place, steps)
            steps.at("report", 0.0)
            facts = facts_of(study, run.id)
            with writing_in(place.folder):
                write_report(facts, place.work)
        kept = place.publish()
        steps.at("report", 1.0)
    return _demo(place, kept, report_value(facts))


def _filled(study: Study, wish: Wish, place: Place, steps: "_Steps") -> Run:
    told = {"reader": wish.seed, "coders": wish.seed, "practice": True}
    add_entry(study, ACTOR, MADE, told)
    scenes = _sampled(study, wish, steps)
    run = _run(study, wish, scenes, steps)
    _code(study, wish, run, place, steps)
    return run


def _sampled(study: Study, wish: Wish, steps: "_Steps") -> tuple[Scene, ...]:
    # Pictures are drawn here too, by all processors; the run finds them kept.
    steps.at("scenes", 0.0)
    recipe = recipe_of(FAMILY, count=wish.scenes, seed=wish.seed)
    made = make_set(
        study,
        recipe,
        progress=lambda done, total, _: steps.at("scenes", done / total),
    )
    return tuple(scene_in(study, row.scene) for row in every_scene(study, made.id))


def _run(study: Study, wish: Wish, scenes: tuple[Scene, ...], steps: "_Steps") -> Run:
    steps.at("replies", 0.0)
    with (
        StillRenderer() as renderer,
        Practice(wish.seed) as practice,
        RunService() as service,
    ):
        draft = Draft(
            "plan", NAME, scenes, BASICS, (_profile(),), wish.samples, wish.seed
        )
        run = make_run(study, draft, renderer, practice)
        # The reader knows this session's pictures alone, so all is sent in one go.
        calls = len(scenes) * len(BASICS) * wish.samples
        handle = start_run(service, study, run.id, profiles_of(run, practice), Keys())
        _wait(handle, calls, steps)
    return run


def _wait(handle: RunHandle, calls: int, steps: "_Steps") -> None:
    ended, over = 0, False
    while not over:
        over = handle.wait(_LOOK_S)
        for event in handle.poll(calls + 1000):
            if isinstance(event, AttemptStored):
                ended += event.attempt.terminal
            # Half a demo would show figures that no seed gives again.
            if isinstance(event, RunEnded) and (event.error or event.open):
                raise UserError(
                    f"the practice run did not finish ({event.open} calls open)",
                    where=event.error,
                    todo="Make the demo again",
                )
        steps.at("replies", ended / calls)


def _code(study: Study, wish: Wish, run: Run, place: Place, steps: "_Steps") -> None:
    folder = place.work / CODING
    wanted = Wanted(runs=(run.id,), conditions=CODED_CONDITIONS)
    # A simple draw depends on the texts alone, so the seed decides it.
    prepared = prepare(study, Request(wanted, size=CODED, seed=wish.seed))
    sealed = seal_packet(
        study,
        prepared,
        default_codebook(),
        ACTOR,
        # Nobody is here to look at each hit; cutting all is the safe answer.
        decisions={finding.name: "cut" for finding in prepared.findings},
    )
    packet = sealed.stored.id
    told = {"packet": packet, "words": prepared.leak.in_words()}
    add_entry(study, ACTOR, GIVES_AWAY, told)
    release(study, packet, folder, ACTOR)
    # It moves with the demo; the window must find it where it ends up.
    remember_folder(study, packet, place.folder / CODING)
    files: list[Path] = []
    for coder in two_coders(wish.seed):
        steps.at("coding", len(files) / 2)
        files.append(practice_coding(sealed.packet, coder.alias, coder, folder))
    merge_results(study, files, ACTOR)
    unblind(study, packet, ACTOR, "The demo shows readings by condition")


def _profile() -> Profile:
    return next(p for p in presets() if p.practice and p.model == _MODEL)


def _demo(place: Place, kept: tuple[Path, ...], value: Json) -> Demo:
    at = place.folder
    demo = Demo(at / STUDY, at / REPORT, at / PICTURES, at / FIGURES, kept, value={})
    paths = {
        "study": str(demo.study),
        "report": str(demo.report),
        "pictures": str(demo.pictures),
        "figures": str(demo.figures),
    }
    demo.value.update(paths | value)
    return demo


class _Steps:
    """Turns places inside steps into shares of all the work."""

    def __init__(self, tell: Tell, wish: Wish) -> None:
        self._tell = tell
        # Seconds on two cores; they only shape the time left.
        self._costs = {
            "scenes": 2.0 + 0.4 * wish.scenes,
            "replies": 0.05 * wish.scenes * wish.samples,
            "coding": 1.5,
            "report": 3.0,
        }

    def at(self, step: str, share: float) -> None:
        """Say that `share` (0-1) of `step` is done."""
        total = sum(self._costs.values())
        names = list(self._costs)
        before = sum(self._costs[name] for name in names[: names.index(step)])
        self._tell(Progress(step, (before + share * self._costs[step]) / total))
