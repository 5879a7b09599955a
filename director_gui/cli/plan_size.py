"""Say how many scenes a difference needs, or which difference scenes can show."""

import argparse

from director_gui.cli.output import print_json, print_lines
from director_gui.errors import UserError
from director_gui.stats.display import points_text
from director_gui.stats.planning import (
    Design,
    detectable_difference,
    scenes_needed,
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "--pa", type=float, required=True, help="rate of the reference condition, 0-1"
    )
    goal = parser.add_mutually_exclusive_group(required=True)
    goal.add_argument(
        "--difference", type=float, help="difference to show, test less reference, 0-1"
    )
    goal.add_argument("--scenes", type=int, help="scenes at hand")
    parser.add_argument(
        "--icc",
        type=float,
        default=0.3,
        help="correlation of replies within a scene (default: 0.3)",
    )
    parser.add_argument(
        "--samples",
        type=int,
        default=5,
        help="replies per scene and condition (default: 5)",
    )
    parser.add_argument(
        "--overlap",
        type=float,
        default=0.0,
        help="how far both conditions find the same scenes hard, 0-1 (default: 0)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(refuse=parser.error)


def run(args: argparse.Namespace) -> int:
    """Print scenes and difference."""
    try:
        scenes, difference = _plan(args)
    except UserError as error:
        # All there is to be wrong here stands on the command line.
        args.refuse(f"--{error}")
        raise
    if args.json:
        print_json({"scenes": scenes, "difference": difference})
    else:
        print_lines([_text(args, scenes, difference)])
    return 0


def _plan(args: argparse.Namespace) -> tuple[int, float | None]:
    design = Design(args.pa, args.icc, args.samples, args.overlap)
    # The group above takes exactly one of the two.
    if args.scenes is None:
        return scenes_needed(design, args.difference), args.difference
    return args.scenes, detectable_difference(design, args.scenes)


def _text(args: argparse.Namespace, scenes: int, difference: float | None) -> str:
    base = f"from a rate of {points_text(args.pa)} %"
    design = f"{args.samples} samples a scene, correlation {args.icc:g}"
    chance = "80 % power at the 5 % level"
    if difference is None:
        return f"{scenes} scenes can show no increase {base} ({design}; {chance})."
    points = points_text(difference, signed=True)
    return f"{scenes} scenes show {points} points {base} ({design}; {chance})."
