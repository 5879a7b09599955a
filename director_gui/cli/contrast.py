"""Estimate a weighted contrast of conditions, replies clustered by scene."""

import argparse
import csv
import re
from fractions import Fraction

from director_gui.cli import _comparing
from director_gui.errors import UserError
from director_gui.stats.contrast import check_weights

# Conditions come from other people's files and may hold any sign.
_QUOTED_NAME = re.compile(r'"((?:[^"]|"")+)"=([^",]*)(?:,|$)')
_PLAIN = re.compile(r'([^",=][^,=]*)=([^",]*)(?:,|$)')


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    _comparing.add_options(parser)
    parser.add_argument(
        "--weights",
        required=True,
        type=weights,
        metavar="A=-1,B=1,…",
        help="weights that sum to 0, such as 1, -0.5 or 1/3; "
        'a name with a comma or "=" is quoted as in CSV',
    )


def run(args: argparse.Namespace) -> int:
    """Print the contrast."""
    return _comparing.report(args, args.weights)


def weights(text: str) -> dict[str, float]:
    """Return the weights written as ``A=-1,B=1``.

    Raises:
        argparse.ArgumentTypeError: The text cannot be read or is no contrast.
    """
    found: dict[str, float] = {}
    for name, weight in _pairs(text):
        # A later weight would silently replace the first.
        if name in found:
            raise argparse.ArgumentTypeError(f"{name!r} is named twice")
        found[name] = _weight(weight)
    try:
        # Here and not later, so that argparse says it with the usage.
        check_weights(found)
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return found


def _pairs(text: str) -> list[tuple[str, str]]:
    pairs, at = [], 0
    while at < len(text):
        quoted = _QUOTED_NAME.match(text, at)
        match = quoted or _PLAIN.match(text, at)
        if match is None:
            return _quoted_pairs(text)
        name = match[1].replace('""', '"') if quoted else match[1]
        pairs.append((name, match[2]))
        at = match.end()
    return pairs


def _quoted_pairs(text: str) -> list[tuple[str, str]]:
    # The other way to read "as in CSV": name and weight in one quoted field.
    try:
        (cells,) = csv.reader([text], strict=True)
    except (csv.Error, ValueError):
        cells = [""]
    pairs = [cell.rpartition("=") for cell in cells]
    if not all(name for name, _, _ in pairs):
        raise argparse.ArgumentTypeError(f"not of the form A=-1,B=1: {text!r}")
    return [(name, weight) for name, _, weight in pairs]


def _weight(text: str) -> float:
    try:
        # Fraction alone would work out 1e999999999 digit by digit.
        return float(Fraction(text)) if "/" in text else float(text)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise argparse.ArgumentTypeError(f"not a weight: {text!r}") from None
