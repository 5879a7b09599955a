"""One small demo, made once and looked at by many tests; nobody may change it."""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PIL import Image

from director_gui.store.database import Study, open_study
from director_gui.store.runs import runs
from director_gui.study.demo import LEAST_SCENES, Demo, Progress, Wish, make_demo
from director_gui.study.report.facts import Facts, facts_of

WISH = Wish(scenes=LEAST_SCENES, seed=7, samples=2)


@dataclass(frozen=True)
class Made:
    folder: Path
    demo: Demo
    told: tuple[Progress, ...]


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("demo") / "out"
    told: list[Progress] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DIRECTOR_GUI_HOME", str(folder.parent / "home"))
        demo = make_demo(folder, WISH, told.append)
    return Made(folder, demo, tuple(told))


@pytest.fixture
def demo_study(made: Made) -> Iterator[Study]:
    with open_study(made.demo.study, read_only=True) as study:
        yield study


@pytest.fixture(scope="session")
def facts(made: Made) -> Facts:
    with open_study(made.demo.study, read_only=True) as study:
        (run,) = runs(study)
        return facts_of(study, run.id)


@pytest.fixture(scope="session")
def short(facts: Facts) -> Facts:
    """The same with pictures of one pixel, which are faster to write."""
    file = io.BytesIO()
    Image.new("RGB", (4, 3), "white").save(file, "PNG")
    scenes = [
        replace(
            shown,
            images={
                view: replace(image, png=file.getvalue())
                for view, image in shown.images.items()
            },
        )
        for shown in facts.scenes
    ]
    return replace(facts, scenes=tuple(scenes))
