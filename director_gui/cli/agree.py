"""Agreement between coders: percent, Cohen's kappa, Krippendorff's alpha, AC1."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from coding import report, sheets
from coding.agreement import Agreement, Coder, agreement
from coding.book_files import read_book
from coding.errors import CodingError
from director_gui import assets
from director_gui.cli.output import print_json, print_lines
from director_gui.errors import UserError

DEFAULT_FIELD = "code"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``agree``."""
    parser.add_argument(
        "first",
        type=Path,
        metavar="A.csv",
        help="one coder's codes: the columns item, code and, if known, scene",
    )
    parser.add_argument(
        "others", nargs="+", type=Path, metavar="B.csv", help="each other coder's"
    )
    parser.add_argument("--field", default=DEFAULT_FIELD, help="the column of codes")
    parser.add_argument(
        "--codebook",
        type=Path,
        help="a codebook (.toml or .json, or the name of one of ours) with all codes",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Print the agreement of every pair of files."""
    try:
        found = _agreement([args.first, *args.others], args.field, args.codebook)
    except CodingError as error:
        raise UserError(error.what, where=error.where, todo=error.todo) from error
    if args.json:
        print_json(report.json_value(found))
    else:
        print_lines(report.lines(found))
    return 0


def _agreement(files: Sequence[Path], field: str, book: Path | None) -> Agreement:
    # AC1 depends on all codes there are, also those that nobody used.
    codes = _codes(book, field) if book else None
    read = [sheets.read_sheet(path, field) for path in files]
    names = _names(files)
    coders = [Coder(n, s.codes) for n, s in zip(names, read, strict=True)]
    return agreement(coders, codes, sheets.scenes_of(read))


def _codes(path: Path, field: str) -> tuple[str, ...]:
    ours = f"codebooks/{path}.toml"
    # Asked last, because exists() raises for a name that no file could have.
    if ours in assets.names("codebooks", ".toml") and not path.exists():
        path = assets.path(ours)
    book = read_book(path)
    names = [f.name for f in book.fields]
    if field == DEFAULT_FIELD and field not in names:
        # A sheet with a plain "code" column is about the codebook's first choice.
        return next(f for f in book.fields if f.codes).code_names()
    return book.field(field).code_names()


def _names(files: Sequence[Path]) -> list[str]:
    stems = [path.stem for path in files]
    # Two coders' files often have one name in two folders.
    return stems if len(set(stems)) == len(stems) else [str(path) for path in files]
