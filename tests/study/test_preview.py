"""The children that study a scene: right answers, crashes, and no orphans."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool

import numpy as np
import pytest

from director_gui.errors import UserError
from director_gui.render.still import Still, draw
from director_gui.scene.example import example_scene
from director_gui.study.checking import check_scene
from director_gui.study.preview import (
    Preview,
    PreviewRenderer,
    glance_at,
    legible_digits,
)

pytestmark = pytest.mark.render
SIZES = {"model": (160, 120), "director": (160, 120)}


@pytest.fixture
def preview() -> Iterator[Preview]:
    made = Preview()
    yield made
    made.close()


def test_it_says_what_the_check_and_the_still_say(preview: Preview) -> None:
    scene = example_scene()
    studied = preview.study(scene, SIZES).result(60)
    assert studied.scene == scene
    assert studied.check.truth == check_scene(scene).truth
    wanted = draw(scene, "model", size=(160, 120)).pixels
    assert np.array_equal(studied.pixels["model"], wanted)
    assert studied.legible == {3: True, 5: True, 8: True}


def test_a_picture_from_the_child_is_the_picture_drawn_here(preview: Preview) -> None:
    scene = example_scene()
    there, here = PreviewRenderer(preview).draw(scene, "model"), draw(scene, "model")
    assert there.size == (scene.picture.width, scene.picture.height)
    assert there.png == here.png
    assert there.renderer == here.renderer


def test_a_child_that_ends_while_it_draws_is_told() -> None:
    made = Preview()
    waits = made.draw(example_scene(), "model")
    made.close()
    with pytest.raises((UserError, BrokenProcessPool, CancelledError)):
        waits.result(60)

    class Ended(Preview):
        def __init__(self) -> None:
            pass  # it has no child of its own

        def draw(self, scene: object, view: object) -> "Future[Still]":
            del scene, view
            return waits

    with pytest.raises(UserError, match="ended unexpectedly"):
        PreviewRenderer(Ended()).draw(example_scene(), "model")


def test_a_glance_is_coarse_but_agrees_on_the_key(preview: Preview) -> None:
    scene = example_scene()
    glance = preview.glance(scene).result(60)
    assert glance.truth.key == check_scene(scene).truth.key
    assert glance.truth == glance_at(scene).truth
    assert glance.legible == legible_digits(scene)


def test_a_child_that_crashed_is_replaced(preview: Preview) -> None:
    scene = example_scene()
    preview.glance(scene).result(60)
    for child in preview._glances._processes.values():
        os.kill(child.pid, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            assert preview.glance(scene).result(60).scene == scene
        except Exception:  # noqa: BLE001 - the pool may notice the crash only now
            time.sleep(0.05)
        else:
            return
    pytest.fail("no new child was started")


PARENT = """
import sys, time
from director_gui.scene.example import example_scene
from director_gui.study.preview import Preview
if __name__ == "__main__":
    preview = Preview()
    preview.glance(example_scene()).result()
    children = [c.pid for c in preview._glances._processes.values()]
    print(*children, flush=True)
    time.sleep(60)
"""


def test_children_end_with_a_killed_parent(tmp_path: object) -> None:
    script = f"{tmp_path}/parent.py"
    with open(script, "w", encoding="utf-8") as file:  # noqa: PTH123 - plain scratch
        file.write(PARENT)
    with subprocess.Popen(
        [sys.executable, script], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        children = [int(pid) for pid in parent.stdout.readline().split()]
        parent.send_signal(signal.SIGKILL)
    assert children
    deadline = time.monotonic() + 20
    while any(_lives(pid) for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_lives(pid) for pid in children)


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - procfs
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
