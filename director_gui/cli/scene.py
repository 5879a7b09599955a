"""Check a scene with both witnesses, or draw it."""

import argparse
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.geometry.words import percent, summary_of
from director_gui.render.still import draw
from director_gui.scene.bounds import PIXELS
from director_gui.scene.model import VIEWS, Scene
from director_gui.scene.serialize import read_file
from director_gui.study.checking import Check, check_scenes, to_json


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands ``check`` and ``render``."""
    commands = parser.add_subparsers(dest="action", required=True)
    check = commands.add_parser("check", help="witnesses, key and problems")
    check.add_argument("scenes", nargs="+", type=Path, metavar="SCENE")
    check.add_argument(
        "--strict", action="store_true", help="exit 3 when there is a problem"
    )
    render = commands.add_parser("render", help="draw one view as a PNG file")
    render.add_argument("scene", type=Path, metavar="SCENE")
    render.add_argument("--view", choices=VIEWS, required=True)
    render.add_argument("-o", dest="output", type=Path, required=True, metavar="FILE")
    render.add_argument("--size", type=_size, metavar="WxH", help="instead of its own")
    for command in (check, render):
        command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    return _check(args) if args.action == "check" else _render(args)


def _check(args: argparse.Namespace) -> int:
    # Every file is tried: one bad file must not hide what the others hold.
    loaded = [_load(path) for path in args.scenes]
    results = list(_results(loaded))
    if args.json:
        values = [_value(result) for result in results]
        # One file, one object: the form that a script for one scene expects.
        print_json(values if len(values) > 1 else values[0])
    else:
        good = [result for result in results if isinstance(result, Check)]
        print_lines("\n\n".join("\n".join(_lines(c)) for c in good).splitlines())
    refused = [result for result in results if isinstance(result, UserError)]
    for error in refused:
        note(f"director-gui: {error}")
    # A refused file outweighs --strict: what was asked could not be answered.
    if refused:
        return 1
    return 3 if args.strict and any(_problems(result) for result in results) else 0


def _load(path: Path) -> Scene | UserError:
    try:
        return read_file(path)
    except UserError as error:
        return error


def _results(loaded: list[Scene | UserError]) -> Iterator[Check | UserError]:
    # No window is opened when every file is refused.
    scenes = [item for item in loaded if isinstance(item, Scene)]
    checks = check_scenes(scenes) if scenes else iter(())
    for item in loaded:
        yield item if isinstance(item, UserError) else next(checks)


def _problems(result: Check | UserError) -> bool:
    return isinstance(result, Check) and bool(result.problems)


def _value(result: Check | UserError) -> dict[str, Any]:
    return {"error": str(result)} if isinstance(result, UserError) else to_json(result)


def _lines(check: Check) -> Iterator[str]:
    yield check.scene.name or "(no name)"
    yield summary_of(check.scene, check.truth)
    rows = [("block", "view", "geometry", "depth", "state", "area")]
    for view in VIEWS:
        for digit, sight in check.truth.sights[view].items():
            rows.append(
                (
                    str(digit),
                    view,
                    percent(sight.fraction),
                    percent(check.depth[view][digit].fraction),
                    check.truth.states[view][digit],
                    f"{sight.visible_area:.2%}",
                )
            )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  " + "  ".join(cell.ljust(width) for cell, width in cells).rstrip()
    for problem in check.problems:
        yield f"  {problem.code} ({problem.where}): {problem.message}"
    if not check.problems:
        yield "  no problems"


def _render(args: argparse.Namespace) -> int:
    still = draw(read_file(args.scene), args.view, size=args.size)
    _write(args.output, still.png)
    width, height = still.size
    if args.json:
        print_json(
            {
                "sha256": still.sha256,
                "pixels_sha256": still.pixels_sha256,
                "width": width,
                "height": height,
                "renderer": still.renderer,
            }
        )
    else:
        print_lines([f"{args.output}: {width} x {height} px, {still.renderer}"])
    return 0


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    try:
        # A device or a pipe is written to: a rename would put a file in its place.
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)  # a link stays, what it names is replaced
    except OSError as error:
        raise UserError(
            f"the picture cannot be written ({error.strerror})", where=str(path)
        ) from error


def _replace(path: Path, data: bytes) -> None:
    # In the same folder, because a rename does not cross file systems.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".director-gui.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        _like_new(Path(name)).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _like_new(path: Path) -> Path:
    """Give a temporary file, which only its owner reads, a new file's rights."""
    # There is no way to read the mask without setting it.
    mask = os.umask(0)
    os.umask(mask)
    path.chmod(0o666 & ~mask)
    return path


def _size(text: str) -> tuple[int, int]:
    # Few digits, as int() refuses thousands of them with an error of its own.
    match = re.fullmatch(r"(\d{1,5})[xX](\d{1,5})", text, re.ASCII)
    low, high = PIXELS
    if match is None:
        raise argparse.ArgumentTypeError("must be a size such as 1024x768")
    width, height = int(match[1]), int(match[2])
    if not (low <= width <= high and low <= height <= high):
        raise argparse.ArgumentTypeError(f"must be from {low} to {high} px")
    return width, height
