"""Open the blind coding pane on one packet, and nothing else of the program."""

import argparse
from pathlib import Path

from director_gui.cli._loading import loaded


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("packet", type=Path, metavar="PACKET", help="a .codepack file")
    parser.add_argument("--alias", metavar="NAME", help="the coder's alias")
    parser.add_argument(
        "--results",
        type=Path,
        metavar="DIR",
        help="folder of the results file (default: beside the packet)",
    )


def run(args: argparse.Namespace) -> int:
    """Open the window and wait until it is closed."""
    # By name: cli and ui are siblings, and --help must not cost Qt.
    start = loaded("director_gui.ui.coder.start")
    code: int = start.open_packet(args.packet, args.alias, args.results)
    return code
