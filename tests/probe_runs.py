"""Probes for tests: a renderer that costs nothing, and a program that sends one."""

import sys
from pathlib import Path
from typing import Self

import numpy as np

from director_gui.ids import sha256_hex
from director_gui.render.still import Still
from director_gui.runner.engine_values import RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile, presets
from director_gui.runner.service import RunService
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene, ViewName
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.database import Study, open_study
from director_gui.store.runs import Run
from director_gui.store.session import start_run
from director_gui.study.practice import Practice
from director_gui.study.running import Draft, make_run, profiles_of
from tests.made_runs import FAST

PRACTICE = next(profile for profile in presets() if profile.practice)


class FlatRenderer:
    """Draws a scene as a small plain picture that no other scene has."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def draw(self, scene: Scene, view: ViewName) -> Still:
        seed = sha256_hex(canonical_bytes(scene) + view.encode())
        colour = bytes.fromhex(seed[:6])
        pixels = np.full((24, 32, 3), list(colour), np.uint8)
        return Still(pixels, "flat 1")


def draft(
    conditions: tuple[str, ...] = ("move.ask", "move.plain"),
    profiles: tuple[Profile, ...] = (PRACTICE,),
    samples: int = 2,
    scene: Scene | None = None,
) -> Draft:
    shown = scene or example_scene()
    return Draft("probe", shown.name, (shown,), conditions, profiles, samples, seed=1)


def stored(study: Study, practice: Practice, **what: object) -> Run:
    """A probe that was stored; nothing was sent."""
    return make_run(study, draft(**what), FlatRenderer(), practice)


def answered(study: Study, practice: Practice, **what: object) -> Run:
    """A probe of the practice reader with all its replies."""
    run = stored(study, practice, **what)
    send(study, run, practice)
    return run


def send(
    study: Study, run: Run, practice: Practice, keys: Keys | None = None
) -> RunEnded:
    with RunService() as service:
        profiles = profiles_of(run, practice)
        handle = start_run(
            service, study, run.id, profiles, keys or Keys(), policy=FAST
        )
        assert handle.wait(60)
        end = handle.poll(1_000_000)[-1]
    assert isinstance(end, RunEnded)
    return end


if __name__ == "__main__":
    with open_study(Path(sys.argv[1])) as opened, Practice() as reader:
        slow = PRACTICE.__class__(
            name="slow practice",
            base_url=PRACTICE.base_url,
            model="practice-reader+slow=0.05",
            practice=True,
            concurrency=2,
        )
        planned = stored(opened, reader, profiles=(slow,), samples=200)
        print("sending", flush=True)  # noqa: T201 - the test waits for this line
        send(opened, planned, reader)
