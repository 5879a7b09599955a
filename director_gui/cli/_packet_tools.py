"""Hand a packet out to another tool and take its file back: commands of ``packet``.

Both work on the packet's file alone, so that a coder can use them without the study.
"""

import argparse
from pathlib import Path
from typing import Any

from coding.exchange import TOOLS, bring_in, hand_out, tool_of
from coding.packet import read_packet
from director_gui.cli.output import print_json, print_lines
from director_gui.study.blind.keys import mended

HAND_OUT, TAKE_IN = "hand-out", "take-in"
Commands = Any  # argparse keeps the type of its sub-commands to itself


def configure_tools(commands: Commands) -> None:
    """Add ``hand-out`` and ``take-in``."""
    out = commands.add_parser(HAND_OUT, help="write a packet for another tool")
    back = commands.add_parser(TAKE_IN, help="make another tool's file into results")
    for command in (out, back):
        command.add_argument("packet", type=Path, metavar="PACKET")
        command.add_argument("--json", action="store_true", help="print JSON")
    back.add_argument("file", type=Path, metavar="FILE", help="what the tool wrote")
    back.add_argument(
        "--alias", required=True, metavar="NAME", help="the coder's alias"
    )
    for command, needed, what in (
        (out, True, "the tool"),
        (back, False, "the tool (default: by the file's ending)"),
    ):
        command.add_argument(
            "--as", dest="tool", choices=TOOLS, required=needed, help=what
        )
    out.add_argument("-o", dest="folder", type=Path, required=True, metavar="DIR")
    back.add_argument(
        "-o",
        dest="folder",
        type=Path,
        metavar="DIR",
        help="folder of the results file (default: beside the packet)",
    )


def run_tools(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    # `coding` knows nothing of our errors and raises its own.
    with mended():
        return _hand_out(args) if args.action == HAND_OUT else _take_in(args)


def _hand_out(args: argparse.Namespace) -> int:
    files = [
        str(path) for path in hand_out(read_packet(args.packet), args.tool, args.folder)
    ]
    if args.json:
        print_json({"files": files})
    else:
        print_lines(files)
    return 0


def _take_in(args: argparse.Namespace) -> int:
    packet = read_packet(args.packet)
    tool = args.tool or tool_of(args.file)
    # Beside the packet, where the coding pane keeps its results too.
    folder = args.folder or args.packet.absolute().parent
    found = bring_in(packet, args.file, tool, args.alias, folder)
    left = found.progress
    if args.json:
        value = {
            "results": str(found.path),
            "recorded": found.recorded,
            "coded": left.coded,
            "skipped": left.skipped,
            "missing": left.open,
        }
        print_json(value)
        return 0
    counts = f"{left.coded} coded, {left.skipped} skipped, {left.open} missing"
    print_lines([f"{found.path}: {found.recorded} decisions, {counts}"])
    return 0
