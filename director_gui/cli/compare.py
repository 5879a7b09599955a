"""Compare the event rates of two conditions, replies clustered by scene."""

import argparse

from director_gui.cli import _comparing


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    _comparing.add_options(parser)
    parser.add_argument("--reference", required=True, help="the condition subtracted")
    parser.add_argument("--test", required=True, help="the other condition")
    parser.set_defaults(refuse=parser.error)


def run(args: argparse.Namespace) -> int:
    """Print test minus reference."""
    if args.reference == args.test:
        # A usage error (exit 2), which the library could only call bad input.
        args.refuse("--reference and --test name the same condition")
    return _comparing.report(args, {args.reference: -1.0, args.test: 1.0})
