"""A process of its own that studies the open scene: pictures, light and the check.

Drawing at print quality and asking both witnesses takes tenths of a second, and a
driver may crash; here neither holds the window up nor takes it down.
"""

import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import wait
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from director_gui.errors import UserError
from director_gui.geometry.legible import legibility_of
from director_gui.geometry.problems import Problem, problems_of
from director_gui.geometry.truth import Truth, truth_of
from director_gui.render.bake import Baked, bake
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import Size, Still, StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.study.checking import Check, check_scene

_COARSE = 3  # every third pixel both ways


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """What is known of a scene at rest.

    Attributes:
        scene: The scene that was studied.
        check: What both witnesses say.
        pixels: The print-quality picture of each view, (height, width, 3).
        baked: Light for live views.
        legible: Whether the model can read each digit.
    """

    scene: Scene
    check: Check
    pixels: Mapping[ViewName, NDArray[np.uint8]]
    baked: Baked
    legible: Mapping[int, bool]


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What a quick look at a moving scene says: coarse, by geometry alone.

    Attributes:
        scene: The scene that was looked at.
        truth: Of every third pixel.
        problems: Without the robustness of the key.
        legible: Whether the model can read each digit.
    """

    scene: Scene
    truth: Truth
    problems: tuple[Problem, ...]
    legible: Mapping[int, bool]


class Preview:
    """Studies scenes in one child process and glances at them in another."""

    def __init__(self) -> None:
        self._pool = _pool()
        # Apart from the first: a glance must not wait behind a whole study.
        self._glances = _pool()

    def glance(self, scene: Scene) -> Future[Glance]:
        """Start a quick look at `scene`, a few milliseconds long.

        A child that crashed before is replaced here.
        """
        try:
            return self._glances.submit(glance_at, scene)
        except BrokenProcessPool:
            self._glances = _pool()
            return self._glances.submit(glance_at, scene)

    def study(self, scene: Scene, sizes: Mapping[ViewName, Size]) -> Future[Studied]:
        """Start to study `scene`; pictures are drawn at `sizes` in px.

        A child that crashed before is replaced here.
        """
        try:
            return self._pool.submit(_study, scene, dict(sizes))
        except BrokenProcessPool:
            self._pool = _pool()
            return self._pool.submit(_study, scene, dict(sizes))

    def draw(self, scene: Scene, view: ViewName) -> Future[Still]:
        """Start to draw one view of `scene` in its own size.

        A child that crashed before is replaced here.
        """
        try:
            return self._pool.submit(_draw, scene, view)
        except BrokenProcessPool:
            self._pool = _pool()
            return self._pool.submit(_draw, scene, view)

    def close(self) -> None:
        """End the child without waiting for what it does."""
        for pool in (self._pool, self._glances):
            for process in list((pool._processes or {}).values()):  # noqa: SLF001 - the executor offers no kill before 3.14
                process.kill()
            pool.shutdown(wait=True, cancel_futures=True)


class PreviewRenderer:
    """Draws pictures for whoever keeps them, in the child of a `Preview`.

    VTK holds Python's lock while it draws: in a thread beside a window the first
    picture, for which the driver compiles its programs, would hold the window up.
    """

    def __init__(self, preview: Preview) -> None:
        self._preview = preview

    def draw(self, scene: Scene, view: ViewName) -> Still:
        """Draw one view of a scene and wait for it.

        Raises:
            UserError: OpenGL cannot draw here, or the child ended.
        """
        try:
            return self._preview.draw(scene, view).result()
        except (BrokenProcessPool, CancelledError) as error:
            raise UserError(
                "drawing the pictures ended unexpectedly",
                todo="Try again; nothing is lost",
            ) from error


def glance_at(scene: Scene) -> Glance:
    """Return a quick look at `scene`."""
    # 2.9 ms a view instead of 27.
    truth = truth_of(scene, step=_COARSE)
    # Whether the key is robust takes several more views, which a drag cannot wait for.
    problems = problems_of(scene, truth, robust=False)
    return Glance(scene, truth, problems, legible_digits(scene))


def legible_digits(scene: Scene) -> dict[int, bool]:
    """Return whether the model can read each block's digit."""
    found = {block.digit: legibility_of(scene, block) for block in scene.blocks}
    return {digit: best is not None and best.ok for digit, best in found.items()}


def _pool() -> ProcessPoolExecutor:
    # Spawned: a forked child would share the parent's OpenGL and threads.
    spawn = multiprocessing.get_context("spawn")
    # One worker: a second would open a second window and share the same cores.
    return ProcessPoolExecutor(1, spawn, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this child end when its parent is killed: a pool's worker would stay."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    # Not sys.exit, which in a thread ends the thread alone.
    os._exit(1)


# Made in the child at its first task, and kept: a window costs 100 ms.
@cache
def _tools() -> tuple[StillRenderer, DepthWindow]:
    return StillRenderer(), DepthWindow()


def _draw(scene: Scene, view: ViewName) -> Still:
    renderer, _ = _tools()
    return renderer.draw(scene, view)


def _study(scene: Scene, sizes: dict[ViewName, Size]) -> Studied:
    renderer, window = _tools()
    check = check_scene(scene, lambda data: depth_fractions(data, window))
    pixels = {
        view: renderer.draw(scene, view, size=sizes.get(view)).pixels for view in VIEWS
    }
    return Studied(scene, check, pixels, bake(scene), legible_digits(scene))
