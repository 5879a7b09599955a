"""A process of its own that studies the open scene: pictures, light and the check.

Drawing at print quality and asking both witnesses takes tenths of a second, and a
driver may crash; here neither holds the window up nor takes it down.
"""

import multiprocessing
import os
from collections.abc import Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import wait
from threading import Thread

import numpy as np
from numpy.typing import NDArray

from director_gui.render.bake import Baked, bake
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import Size, StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.study.checking import Check, check_scene


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """What is known of a scene at rest.

    Attributes:
        scene: The scene that was studied.
        check: What both witnesses say.
        pixels: The print-quality picture of each view, (height, width, 3).
        baked: Light for live views.
    """

    scene: Scene
    check: Check
    pixels: Mapping[ViewName, NDArray[np.uint8]]
    baked: Baked


class Preview:
    """Studies scenes one after the other in a child process."""

    def __init__(self) -> None:
        self._pool = _pool()

    def study(self, scene: Scene, sizes: Mapping[ViewName, Size]) -> Future[Studied]:
        """Start to study `scene`; pictures are drawn at `sizes` in px.

        A child that crashed before is replaced here.
        """
        try:
            return self._pool.submit(_study, scene, dict(sizes))
        except BrokenProcessPool:
            self._pool = _pool()
            return self._pool.submit(_study, scene, dict(sizes))

    def close(self) -> None:
        """End the child without waiting for what it does."""
        for process in list((self._pool._processes or {}).values()):  # noqa: SLF001 - the executor offers no kill before 3.14
            process.kill()
        self._pool.shutdown(wait=True, cancel_futures=True)


def _pool() -> ProcessPoolExecutor:
    # Spawned: a forked child would share the parent's OpenGL and threads.
    spawn = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(1, spawn, initializer=_end_with_parent)


def _end_with_parent() -> None:
    """Let this child end when its parent is killed: a pool's worker would stay."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        Thread(target=_watch, args=(parent.sentinel,), daemon=True).start()


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@cache
def _tools() -> tuple[StillRenderer, DepthWindow]:
    return StillRenderer(), DepthWindow()


def _study(scene: Scene, sizes: dict[ViewName, Size]) -> Studied:
    renderer, window = _tools()
    check = check_scene(scene, lambda data: depth_fractions(data, window))
    pixels = {
        view: renderer.draw(scene, view, size=sizes.get(view)).pixels for view in VIEWS
    }
    return Studied(scene, check, pixels, bake(scene))
