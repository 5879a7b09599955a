"""The scenes of the demo: sampled from the main family, seen by both witnesses."""

from collections.abc import Iterator

from director_gui.families.library import family
from director_gui.families.model import Family
from director_gui.families.plan import Cell, plan_of
from director_gui.families.sampler import accepted
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.study.checking import Check, check_scene

FAMILY = "main"


def demo_scenes(count: int, seed: int) -> Iterator[Check]:
    """Yield `count` checked scenes, the same ones for the same seed.

    Raises:
        UserError: OpenGL cannot draw here.
    """
    chosen = family(FAMILY).with_(count, seed)
    with DepthWindow() as window:
        for index, cell in enumerate(plan_of(chosen)):
            yield _fit(chosen, index, cell, window)


def _fit(chosen: Family, index: int, cell: Cell, window: DepthWindow) -> Check:
    start = 0
    while True:
        found = accepted(chosen, index, cell, start=start)
        check = check_scene(found.scene, lambda data: depth_fractions(data, window))
        if not check.blocked:
            return check
        # The family asked the first witness alone; the second one refused.
        start = found.candidate + 1
