"""Studies with practice replies for tests of blind coding: no server, no renderer."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

from director_gui.geometry.truth import truth_of
from director_gui.ids import sha256_hex
from director_gui.runner.plan import Batch, Shown, make_plan
from director_gui.runner.practice.coders import two_coders
from director_gui.runner.practice.mixture import presets
from director_gui.runner.practice.reader import PracticeReader
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome, PlannedCall
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study, create_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene
from director_gui.study.asking import arms, keep_conditions, prompts_for
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.practice import practice_coding
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, release, seal_packet
from director_gui.study.catalogue import known_scene
from tests.made_runs import PNG

OPEN = Profile(
    name="Practice reader with reasoning",
    base_url="http://127.0.0.1:1/v1",
    model="practice-reader-open",
    practice=True,
)
REAL = replace(OPEN, name="vLLM Qwen3.8-27B", model="Qwen/Qwen3.8-27B", practice=False)
CONDITIONS = ("move.ask", "move.plain")


@cache
def scenes(count: int) -> tuple[Scene, ...]:
    made = example_scene()
    return tuple(replace(made, name=f"scene {i}") for i in range(count))


def make(
    path: Path,
    *,
    count: int = 4,
    samples: int = 2,
    profiles: Sequence[Profile] = (OPEN,),
    run: str = "run-1",
    conditions: Sequence[str] = CONDITIONS,
) -> Study:
    """Make a study with one finished run of practice replies."""
    study = create_study(path, "blind")
    add_replies(
        study, count, samples, profiles=profiles, run=run, conditions=conditions
    )
    return study


def add_replies(
    study: Study,
    count: int,
    samples: int,
    *,
    profiles: Sequence[Profile] = (OPEN,),
    run: str = "run-1",
    conditions: Sequence[str] = CONDITIONS,
    answered: bool = True,
) -> list[PlannedCall]:
    """Add a run to a study, and what the practice reader answers."""
    image = add_image(
        study, PNG, pixels_sha256=sha256_hex(b"p"), renderer="test 1", view="model",
        width=4, height=3,
    )  # fmt: skip
    shown = {add_scene(study, s.name, canonical_bytes(s)): s for s in scenes(count)}
    keep_conditions(study, conditions)
    texts = {
        (name, at): prompt.texts
        for at, scene in shown.items()
        for name, prompt in prompts_for(scene, truth_of(scene), conditions).items()
    }
    planned = make_plan(
        run, [Batch("1", tuple(conditions))], arms(),
        [Shown(at, image) for at in shown], profiles,
        texts=lambda c, s: texts[c, s], samples=samples, seed=1,
    )  # fmt: skip
    add_run(
        study, run, "plan", f"label of {run}", practice=profiles[0].practice,
        settings={"profiles": [asdict(p) for p in profiles]}, calls=planned,
    )  # fmt: skip
    if answered:
        add_attempts(study, _answers(planned, shown))
    return list(planned)


def _answers(
    planned: Sequence[PlannedCall], shown: dict[str, Scene]
) -> Iterator[Attempt]:
    reader = PracticeReader(presets()["practice-reader-open"], seed=3)
    for one in planned:
        scene = known_scene(shown[one.call.scene])
        reply = reader.reply(scene, one.turns, one.call.id, one.call.sample)
        yield attempt(one, reply.text, reply.reasoning)


def attempt(one: PlannedCall, text: str, reasoning: str | None) -> Attempt:
    return Attempt(
        call=one.call.id, turn=1, turns=1, number=1, outcome=Outcome.REPLY,
        started="2026-01-01T00:00:00.000000+00:00", latency=1.0, request_hash="h",
        text=text, reasoning=reasoning, finish_reason="stop",
    )  # fmt: skip


def seeded(seed: int) -> Callable[[int], bytes]:
    """A source of random bytes that repeats itself, for tests alone."""
    return random.Random(seed).randbytes


@dataclass
class Desk:
    """A study and a folder, with the steps that many tests take."""

    study: Study
    folder: Path

    def seal(self, request: Request | None = None, seed: int = 1) -> Opened:
        prepared = prepare(self.study, request or Request(seed=5))
        return seal_packet(
            self.study, prepared, default_codebook(), "me", random_bytes=seeded(seed)
        )

    def code(self, found: Opened, coder: int = 0, error: float = 0.1) -> Path:
        one = two_coders(4, error)[coder]
        self.folder.mkdir(exist_ok=True)
        return practice_coding(found.packet, one.alias, one, self.folder)

    def coded(self, request: Request | None = None) -> Opened:
        found = self.seal(request)
        release(self.study, found.stored.id, self.folder, "me")
        merge_results(self.study, [self.code(found, at) for at in (0, 1)], "me")
        return found
