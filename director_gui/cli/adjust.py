"""Correct p-values in families with the method of Benjamini and Hochberg."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from director_gui.cli.output import print_json, print_lines
from director_gui.stats.correction import Family, adjust_families
from director_gui.stats.display import p_text
from director_gui.stats.table import read_p_values


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "p_values",
        metavar="PVALUES.csv",
        type=Path,
        help="column p (0 to 1, or empty), optionally family",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print the adjusted values in input order."""
    rows = read_p_values(args.p_values)
    ps, names = [p for p, _ in rows], [family for _, family in rows]
    adjusted, families = adjust_families(ps, names)
    if args.json:
        listed = [_family_json(family) for family in families]
        print_json({"adjusted": adjusted, "families": listed})
    else:
        print_lines(_lines(ps, adjusted, names, families))
    return 0


def _family_json(family: Family) -> dict[str, object]:
    return {
        "name": family.name,
        "declared": family.declared,
        "m": family.tested,
        "excluded": list(family.excluded),
    }


def _lines(
    ps: Sequence[float | None],
    adjusted: Sequence[float | None],
    names: Sequence[str],
    families: Sequence[Family],
) -> Iterator[str]:
    yield "row  p       adjusted  family"
    rows = zip(ps, adjusted, names, strict=True)
    for number, (p, corrected, name) in enumerate(rows, start=1):
        yield f"{number:<4} {p_text(p):<7} {p_text(corrected):<9} {name}".rstrip()
    for family in families:
        yield _family_text(family)


def _family_text(family: Family) -> str:
    name = f"family {family.name!r}" if family.name else "the family"
    text = f"{name}: {family.declared} declared, {family.tested} with a p-value"
    # Counted as the printed rows are, without the title line.
    without = ", ".join(str(place + 1) for place in family.excluded)
    return f"{text}; without one: rows {without}" if without else text
