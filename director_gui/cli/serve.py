"""Run the practice reader on 127.0.0.1 until it is interrupted.

The first line on stdout is the base URL for an OpenAI client. Everything that comes
from it is practice, not a finding about any model.
"""

import argparse
import time
from pathlib import Path

from director_gui.cli.output import note, print_lines
from director_gui.runner.practice import server
from director_gui.store.database import open_study
from director_gui.study.catalogue import catalogue_of

MAX_PORT = 65_535
LOOK_S = 0.2  # how soon an interrupt is noticed where waits cannot be interrupted


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--study", required=True, type=Path, help="the study file")
    parser.add_argument("--port", type=_port, default=0, help="a port; 0 takes any")
    parser.add_argument("--seed", type=int, default=0, help="decides every reply")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    # Read-only, so that the program's window can have the study open meanwhile.
    with open_study(args.study, read_only=True) as study:
        catalogue = catalogue_of(study)
    # Outside: the catalogue is all it needs, so the study is free again.
    with server.start(catalogue, seed=args.seed, port=args.port) as running:
        print_lines([running.base_url])
        note(f"practice reader: {len(catalogue)} pictures; Ctrl+C ends it")
        while running.alive:
            time.sleep(LOOK_S)
    return 0


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number in 0-{MAX_PORT}")
    return int(text)
