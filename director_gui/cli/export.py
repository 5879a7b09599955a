"""Export a study's supplement: stimuli, keys, prompts, replies, codes, estimates."""

import argparse
from pathlib import Path

from director_gui.cli.output import note, print_json, print_lines
from director_gui.store.database import open_study
from director_gui.study.export.supplement import export_supplement


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("study", metavar="STUDY", type=Path)
    parser.add_argument(
        "out",
        metavar="DIR",
        type=Path,
        help="a new folder, an earlier supplement, or a name that ends in .zip",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Write the supplement and list its files."""
    # Read-only: a supplement never changes what it is made of.
    with open_study(args.study, read_only=True) as study:
        files = export_supplement(study, args.out, lambda _share, text: note(text))
    if args.json:
        print_json({"files": files})
    else:
        # The form of `sha256sum -c`.
        print_lines([f"{one['sha256']}  {one['path']}" for one in files])
    return 0
