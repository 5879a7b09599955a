"""What `compare` and `contrast` have in common: options, output, words."""

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from director_gui.cli.output import print_json, print_lines
from director_gui.stats.contrast import contrast
from director_gui.stats.display import counted, interval_text, p_text, points_text
from director_gui.stats.report import comparison_json
from director_gui.stats.result import Comparison, Share
from director_gui.stats.shares import share
from director_gui.stats.table import read_replies
from director_gui.stats.verdicts import (
    METHOD_WORDS,
    call_in_words,
    flag_text,
    margin_verdict,
    reason_text,
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what both commands take."""
    parser.add_argument(
        "replies",
        metavar="REPLIES.csv",
        type=Path,
        help="columns scene, condition, y (0, 1 or empty); optionally batch",
    )
    parser.add_argument(
        "--cov",
        choices=("robust", "bias_reduced"),
        default="robust",
        help="covariance of the GEE (default: robust)",
    )
    parser.add_argument(
        "--margin",
        type=margin,
        metavar="POINTS",
        help="say whether the interval lies within this many points (JSON: 10)",
    )
    parser.add_argument("--batch", help="use the rows of this batch alone")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def margin(text: str) -> float:
    """Return a margin given in points as a proportion.

    Raises:
        argparse.ArgumentTypeError: It is not a number above 0 and up to 100.
    """
    try:
        points = float(text)
    except ValueError:
        # Fails every comparison, so one check refuses it too.
        points = math.nan
    if not 0 < points <= 100:
        raise argparse.ArgumentTypeError(f"must be above 0 and up to 100: {text!r}")
    return points / 100


def report(args: argparse.Namespace, weights: dict[str, float]) -> int:
    """Estimate one contrast of the file and print it."""
    replies = read_replies(args.replies, args.batch)
    # A misspelt name would else be a condition without replies, which is a result.
    replies.require(weights)
    found = contrast(replies, weights, args.cov)
    shares = [share(replies, name) for name in weights]
    if args.json:
        # The document always has the margin, lines only when it was asked for.
        options = {} if args.margin is None else {"margin": args.margin}
        print_json(comparison_json(found, shares, **options))
    else:
        print_lines(_lines(found, shares, args.margin))
    return 0


def _lines(
    found: Comparison, shares: list[Share], margin_: float | None
) -> Iterator[str]:
    width = max(*(len(item.condition) for item in shares), len("difference"))
    for item in shares:
        yield f"{item.condition:<{width}}  {_share_text(item)}"
    yield f"{'difference':<{width}}  {_difference_text(found)}"
    if found.method == "none":
        yield f"{'interval':<{width}}  {reason_text(found)}"
        return
    # One file is one comparison; whoever has a family goes on to `adjust`.
    call = call_in_words(found.ci_low, found.ci_high, found.p)
    yield f"{'call':<{width}}  {call} (before correction in a family)"
    if margin_ is not None:
        verdict = margin_verdict(found.ci_low, found.ci_high, margin_)
        yield f"{'margin':<{width}}  {verdict}, at ±{points_text(margin_)} points"
    yield f"{'method':<{width}}  {_method_text(found)}"
    for flag in found.flags:
        yield f"{'note':<{width}}  {flag_text(flag, found)}"


def _share_text(item: Share) -> str:
    interval = interval_text(item.ci_low, item.ci_high)
    counts = f"{item.k} of {counted(item.n, 'reply', 'replies')}"
    where = f"in {counted(item.scenes, 'scene')}"
    return f"{points_text(item.share)} % {interval}, {counts} {where}"


def _difference_text(found: Comparison) -> str:
    points = points_text(found.estimate, signed=True)
    interval = interval_text(found.ci_low, found.ci_high, signed=True)
    return (
        f"{points} points, 95 % interval {interval}, p {p_text(found.p)} (uncorrected)"
    )


def _method_text(found: Comparison) -> str:
    degrees = "" if found.df is None else f" on {found.df} degrees of freedom"
    return f"{METHOD_WORDS[found.method]}{degrees}; {counted(found.scenes, 'scene')}"
