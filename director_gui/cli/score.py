"""Score the replies of a JSON Lines file; prints JSON Lines in the same order.

Every line is read and scored before the first is printed: a file with a broken line
prints nothing, so that no half of a result is taken for the whole.
"""

import argparse
from pathlib import Path

from director_gui.cli.output import print_json
from director_gui.scoring.lines import score_lines


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``score``."""
    parser.add_argument("replies", type=Path, metavar="REPLIES.jsonl")
    parser.add_argument(
        "--json", action="store_true", help="accepted; the output is always JSON Lines"
    )


def run(args: argparse.Namespace) -> int:
    """Score the file and print one line per reply."""
    # The list is what makes it all or nothing.
    for scored in list(score_lines(args.replies)):
        print_json(scored)
    return 0
