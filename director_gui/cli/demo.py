"""Make an example study from end to end with the practice reader and practice coders.

Everything it makes is practice: no figure is about any model.
"""

import argparse
import importlib
import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.stats.display import interval_text, points_text
from director_gui.study.demo import (
    LEAST_SCENES,
    MOST_SCENES,
    Demo,
    Progress,
    Wish,
    make_demo,
)

DEFAULT_FOLDER = Path("director-gui-demo")
STEPS = {
    "scenes": "sampling scenes, asking both witnesses, drawing",
    "replies": "asking the practice reader",
    "coding": "coding traces blind, twice",
    "report": "writing the report",
}
_EVERY_S = 2.0  # seconds between two lines of one step


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    wish = Wish()
    parser.add_argument(
        "--out",
        type=Path,
        default=DEFAULT_FOLDER,
        metavar="DIR",
        help=f"folder of the demo (default: {DEFAULT_FOLDER}); an earlier demo there "
        "is replaced, other files are left alone",
    )
    parser.add_argument(
        "--no-window", action="store_true", help="do not open the program afterwards"
    )
    parser.add_argument(
        "--scenes",
        type=_scenes,
        default=wish.scenes,
        metavar="N",
        help=f"{LEAST_SCENES} to {MOST_SCENES} (default: {wish.scenes})",
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=wish.seed,
        metavar="S",
        help=f"decides every scene, reply and code (default: {wish.seed})",
    )
    parser.add_argument(
        "--json", action="store_true", help="print one JSON document, open nothing"
    )


def run(args: argparse.Namespace) -> int:
    """Make the demo, say where it is, and open it where there is a screen."""
    demo = make_demo(args.out, Wish(args.scenes, args.seed), _Lines())
    for path in demo.kept:
        note(f"changed since the last demo, so kept: {path}")
    if args.json:
        # A script is listening: a window would keep it waiting.
        print_json(demo.value)
        return 0
    # Before the window, which would hold the words back until it is closed.
    print_lines(_lines(demo))
    return 0 if args.no_window else _open(demo)


def _open(demo: Demo) -> int:
    lacking = _lacking()
    if lacking:
        note(f"There is no {lacking} here, so the program does not open.")
        note(f"Where there is one: director-gui {demo.study}")
        return 0
    note("opening the program on the study")
    # By name: cli and ui are siblings.
    start = importlib.import_module("director_gui.ui.start")
    try:
        code: int = start.open_program(str(demo.study))
    except UserError as error:
        note(f"The demo is made, but the program does not open: {error}")
        return 0
    return code


def _lacking() -> str:
    """Return what a window lacks here, empty when it can be shown."""
    if importlib.util.find_spec("PySide6") is None:
        return "PySide6"
    # Qt aborts the process without a screen; no error could be caught.
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(map(os.environ.get, names)):
        return "screen"
    return ""


class _Lines:
    """Progress as lines on stderr: what is done, how much, how long it will take."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        # Long ago, so that the first line comes at once.
        self._said = -_EVERY_S
        self._step = ""

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic() - self._start
        soon = progress.step == self._step and now < self._said + _EVERY_S
        # A step's end is always told.
        if soon and progress.share < 1:
            return
        self._step, self._said = progress.step, now
        note(f"{STEPS[progress.step]} … {_left(now, progress.share)}")


def _left(seconds: float, share: float) -> str:
    if share >= 1:
        return f"done in {seconds:.0f} s"
    done = f"{share:.0%}"
    # The first moments say little about the rest.
    if share < 0.03:
        return done
    left = seconds * (1 - share) / share
    return f"{done}, about {max(1, round(left))} s left"


def _lines(demo: Demo) -> Iterator[str]:
    value = demo.value
    yield (
        f"Practice demo: {value['scenes']} scenes, {value['replies']} replies of the "
        f"practice reader, seed {value['seed']}."
    )
    yield "Hidden-block choices, difference in points with its 95 % interval:"
    yield from (_comparison(one) for one in value["comparisons"])
    yield "Agreement of the two practice coders:"
    yield from (_agreement(one) for one in value["agreement"])
    yield f"report    {demo.report}"
    yield f"pictures  {demo.pictures}"
    yield f"figures   {demo.figures}"
    yield f"study     {demo.study}"


def _comparison(one: Json) -> str:
    name = f"{one['test']} against {one['reference']}"
    points = points_text(one["estimate"], signed=True)
    interval = interval_text(one["ci_low"], one["ci_high"], signed=True)
    return f"  {name:<30}{points:>7}  {interval:<18}{one['call']}"


def _agreement(one: Json) -> str:
    kappa = one["kappa"]
    told = one["kappa_undefined"] if kappa is None else f"κ {kappa:.3f}"
    return f"  {one['field']:<14}{one['agree']} of {one['n']} agree, {told}"


def _scenes(text: str) -> int:
    if not text.isdecimal() or not LEAST_SCENES <= int(text) <= MOST_SCENES:
        raise argparse.ArgumentTypeError(f"must be {LEAST_SCENES} to {MOST_SCENES}")
    return int(text)
