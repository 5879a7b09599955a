"""Make, verify and export sets of scenes."""

import argparse
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from director_gui.cli.dispatch import EXIT_CHECK
from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.tallies import lines_of
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.sets import StoredSet, sets
from director_gui.study.set_export import MANIFEST, export_sets
from director_gui.study.set_import import import_set
from director_gui.study.set_tallies import tallies_of
from director_gui.study.sets import make_set, recipe_of
from director_gui.study.verifying import MISSING, Verification, verify_study

_NOTE_SECONDS = 2.0  # between two lines of progress
_HASH = 64  # digits of one


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands ``make``, ``verify``, ``export`` and ``import``."""
    commands = parser.add_subparsers(dest="action", required=True)
    make = commands.add_parser("make", help="sample, draw and check a set of scenes")
    make.add_argument(
        "family",
        metavar="FAMILY",
        help=f"{', '.join(library.names())}, or the path of a family file",
    )
    make.add_argument("-o", dest="study", type=Path, required=True, metavar="STUDY")
    make.add_argument("--count", type=_count, help="how many scenes")
    make.add_argument("--seed", type=int, help="where the draws begin")
    verify = commands.add_parser("verify", help="check whole sets from their files")
    verify.add_argument("study", type=Path, metavar="STUDY")
    export = commands.add_parser("export", help="write sets as files")
    export.add_argument("study", type=Path, metavar="STUDY")
    export.add_argument("folder", type=Path, metavar="DIR")
    take = commands.add_parser("import", help="take in scenes written by others")
    take.add_argument("folder", type=Path, metavar="DIR")
    take.add_argument("-o", dest="study", type=Path, required=True, metavar="STUDY")
    for command in (make, verify, export, take):
        command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    return _ACTIONS[args.action](args)


def _make(args: argparse.Namespace) -> int:
    # Read before the study is opened: a wrong name makes no file.
    recipe = recipe_of(args.family, count=args.count, seed=args.seed)
    with _study_at(args.study) as study:
        made = make_set(study, recipe, progress=_Progress("scenes"))
        return _print_set(args, study, made)


def _verify(args: argparse.Namespace) -> int:
    # Read-only, so that the window can have it open meanwhile.
    with open_study(args.study, read_only=True) as study:
        found = verify_study(study, progress=_Progress("scenes verified"))
    if args.json:
        print_json(found.to_json())
    else:
        print_lines(_verdict(found))
    return 0 if found.holds else EXIT_CHECK


def _export(args: argparse.Namespace) -> int:
    with open_study(args.study, read_only=True) as study:
        files = export_sets(study, args.folder)
    if args.json:
        print_json({"files": files})
    else:
        print_lines([f"{args.folder}: {len(files)} files, listed in {MANIFEST}"])
    return 0


def _import(args: argparse.Namespace) -> int:
    with _study_at(args.study) as study:
        made = import_set(study, args.folder, progress=_Progress("scenes taken in"))
        return _print_set(args, study, made)


def _print_set(args: argparse.Namespace, study: Study, made: StoredSet) -> int:
    tallies = tallies_of(study, made.id)
    if args.json:
        print_json(tallies)
        return 0
    print_lines([f"{args.study}: {made.name}", *lines_of(tallies, paper=True)])
    refused = tallies["rejected"]
    print_lines(f"refused, {reason}: {n}" for reason, n in refused.items())
    dropped = tallies["dropped"]
    print_lines(f"dropped, {name}: {reason}" for name, reason in dropped.items())
    return 0


def _verdict(found: Verification) -> Iterator[str]:
    yield f"scenes: {found.scenes}"
    yield f"blocks and views on which the witnesses disagree: {len(found.mismatches)}"
    for item in found.mismatches:
        yield (
            f"  {item['scene']}, block {item['block']}, {item['view']} view: "
            f"{item['analytic']} stored, {item['depth']} by the depth buffer"
        )
    if found.changes:
        yield f"other things that are not as they were stored: {len(found.changes)}"
    for item in found.changes:
        said, now = (_told(item[name]) for name in ("stored", "found"))
        gone = item["what"] == MISSING
        what = MISSING if gone else f"{item['what']}: {said} stored, {now} found"
        yield f"  {item['scene']}, {what}"
    yield f"redrawn pixel for pixel: {found.pixels_identical} of {found.scenes}"
    if found.other_renderer:
        yield f"drawn by another renderer, so not comparable: {found.other_renderer}"


def _told(value: object) -> str:
    text = "nothing" if value is None else str(value)
    # Hashes are told apart by their beginnings.
    return f"{text[:12]}…" if len(text) == _HASH else text


@contextmanager
def _study_at(path: Path) -> Iterator[Study]:
    """Open the study that is there, or a new one, which goes again if it stays empty.

    Raises:
        UserError: The study cannot be opened or made.
    """
    new = not path.exists()
    with open_study(path) if not new else create_study(path, path.stem) as study:
        try:
            yield study
        except UserError:
            # A file of somebody's is never removed, nor one that holds anything.
            empty = new and not sets(study)
            study.close()
            for name in (path.name, f"{path.name}.lock") if empty else ():
                path.with_name(name).unlink(missing_ok=True)
            raise


class _Progress:
    """Says on stderr how far the work is, and how long it still takes."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._begun = self._last = time.monotonic()
        self._first = 0

    def __call__(
        self, done: int, total: int, rejected: Counter[str] | None = None
    ) -> None:
        now = time.monotonic()
        if done <= self._first or not self._first:
            self._begun, self._first = self._last, done  # another set begins
        # A line for each scene would bury what else is said.
        if now - self._last < _NOTE_SECONDS and done < total:
            return
        self._last = now
        pace = (now - self._begun) / (done - self._first + 1)
        left = f", about {pace * (total - done):.0f} s left" if done < total else ""
        refused = "" if rejected is None else f", {rejected.total()} refused"
        note(f"{done} of {total} {self._what}{refused}{left}")


def _count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    # Far beyond any study; a slip of the finger would run for days.
    if not 1 <= count <= 100_000:
        raise argparse.ArgumentTypeError("must be from 1 to 100000")
    return count


_ACTIONS = {"make": _make, "verify": _verify, "export": _export, "import": _import}
