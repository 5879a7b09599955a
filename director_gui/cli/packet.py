"""Blind coding: make, check, merge, compare and unblind packets."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coding import report as words
from coding.book_files import read_book
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import read_packet
from director_gui.cli._packet_auto import AUTO, configure_auto, run_auto
from director_gui.cli._packet_differing import (
    DISAGREEMENTS,
    configure_disagreements,
    run_disagreements,
)
from director_gui.cli._packet_tools import (
    HAND_OUT,
    TAKE_IN,
    configure_tools,
    run_tools,
)
from director_gui.cli.output import note, print_json, print_lines
from director_gui.store.database import open_study
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.agreement import PassAgreement, agreement_of
from director_gui.study.blind.codebooks import codebook_for
from director_gui.study.blind.guessing import Guessed, guesses_of
from director_gui.study.blind.joining import Joined, joined_codes
from director_gui.study.blind.keys import mended, packet_id_of
from director_gui.study.blind.known import read_known
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.preparing import Prepared, Request, prepare
from director_gui.study.blind.sealing import make_folder, release, seal_packet
from director_gui.study.blind.traces import Wanted
from director_gui.study.blind.unblinding import unblind

if TYPE_CHECKING:
    from director_gui.study.blind.scanner import Decision


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the sub-commands."""
    commands = parser.add_subparsers(dest="action", required=True)
    make = commands.add_parser("make", help="draw traces and seal them into a packet")
    _configure_make(make)
    check = commands.add_parser("check", help="check a packet file")
    check.add_argument("packet", type=Path, metavar="PACKET")
    merge = commands.add_parser("merge", help="take coders' results into the study")
    _study(merge)
    merge.add_argument("results", nargs="+", type=Path, metavar="RESULTS")
    agree = commands.add_parser("agree", help="agreement of a packet's passes")
    _study(agree, packet=True)
    agree.add_argument(
        "--unfinished", action="store_true", help="compare unfinished passes too"
    )
    opens = commands.add_parser("unblind", help="lock the results and open the key")
    _study(opens, packet=True)
    opens.add_argument("--reason", required=True, metavar="TEXT")
    guesses = commands.add_parser("guesses", help="how blind the coders were")
    _study(guesses, packet=True)
    configure_auto(commands)
    configure_tools(commands)
    configure_disagreements(commands)
    for command in (make, merge, opens):
        command.add_argument("--actor", metavar="NAME", help="who does it, for the log")
    for command in (make, check, merge, agree, opens, guesses):
        command.add_argument("--json", action="store_true", help="print JSON")


def _study(parser: argparse.ArgumentParser, *, packet: bool = False) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY")
    if packet:
        parser.add_argument("packet", metavar="PACKET", help="its file or its id")


def _configure_make(parser: argparse.ArgumentParser) -> None:
    _study(parser)
    add = parser.add_argument
    add("-o", dest="folder", type=Path, required=True, metavar="DIR")
    for name, what in (
        ("run", "a run's id or label"),
        ("model", "a model profile's name"),
        ("condition", "a condition's name"),
    ):
        add(f"--{name}", action="append", default=[], metavar="NAME", help=what)
    add("--size", type=int, metavar="N", help="how many traces (default: all)")
    add(
        "--stratified",
        action="store_true",
        help="draw evenly over model, condition and kind of choice",
    )
    # A seed that others know would tell them which traces were drawn.
    add("--seed", type=int, metavar="S", help="of the draw (default: a secret one)")
    add("--with-reply", action="store_true", help="show the whole reply, report too")
    add("--again", metavar="PACKET", help="the items of this packet once more")
    add(
        "--codebook", type=Path, metavar="FILE", help="a codebook, .toml, .json or .qdc"
    )
    add(
        "--repeats",
        type=int,
        default=0,
        metavar="N",
        help="how many of the traces are in the packet twice, unmarked",
    )
    add("--known", type=Path, metavar="FILE", help="known-code items to mix in, JSONL")
    add(
        "--accept-hits",
        action="store_true",
        help="seal although the scanner found names or words of the prompt",
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    # These print by themselves, as they have exit codes of their own.
    if args.action in AUTO:
        return run_auto(args)
    if args.action in (HAND_OUT, TAKE_IN):
        return run_tools(args)
    if args.action == DISAGREEMENTS:
        return run_disagreements(args)
    if args.action == "check":
        return _check(args.packet, as_json=args.json)
    acts = {
        "make": _make,
        "merge": _merge,
        "agree": _agree,
        "unblind": _unblind,
        "guesses": _guesses,
    }
    value, lines = acts[args.action](args)
    if args.json:
        print_json(value)
    else:
        print_lines(lines)
    return 0


Answer = tuple[Mapping[str, Any], Iterator[str]]


def _make(args: argparse.Namespace) -> Answer:
    # A file that is refused is told before the study is opened.
    chosen = _codebook(args.codebook)
    again = packet_id_of(args.again) if args.again else ""
    actor = args.actor or user_name()
    with open_study(args.study) as study:
        book = chosen or codebook_for(study, again)
        prepared = prepare(study, _request(args, again, book))
        # Without the option the first hit stops the packet, with all of them listed.
        decisions: dict[str, Decision] = {}
        if args.accept_hits:
            decisions = {found.name: "keep" for found in prepared.findings}
        # No command saves a packet again, as the window can.
        make_folder(args.folder)
        found = seal_packet(study, prepared, book, actor, decisions=decisions)
        path = release(study, found.stored.id, args.folder, actor)
    value = {
        "packet": str(path),
        "items": len(found.packet.items),
        "id": found.stored.id,
        "replies": prepared.tally.calls,
        "traces": prepared.tally.traces,
        "without_reasoning": prepared.tally.without_reasoning,
        "gives_away_auc": prepared.leak.auc,
        "hits_accepted": len(prepared.findings),
        "practice": prepared.practice,
    }
    return value, _made_lines(path, len(found.packet.items), prepared)


def _request(args: argparse.Namespace, again: str, book: Codebook) -> Request:
    wanted = Wanted(tuple(args.run), tuple(args.model), tuple(args.condition))
    return Request(
        wanted,
        "with_reply" if args.with_reply else "without_report",
        size=args.size,
        stratified=args.stratified,
        seed=args.seed,
        again=again,
        known=read_known(args.known, book) if args.known else (),
        repeats=args.repeats,
    )


def _codebook(path: Path | None) -> Codebook | None:
    with mended():
        return read_book(path) if path else None


def _made_lines(path: Path, items: int, prepared: Prepared) -> Iterator[str]:
    yield f"{path}: {items} items{', practice' if prepared.practice else ''}"
    yield prepared.tally.in_words()
    yield prepared.leak.in_words()
    for found in prepared.findings:
        yield f"accepted: {found.name} ({len(found.hits)} times)"


def _check(path: Path, *, as_json: bool) -> int:
    problems: list[str] = []
    try:
        packet = read_packet(path)
    except CodingError as error:
        # A file that cannot be read is a wrong argument, not a failed check.
        if isinstance(error.__cause__, OSError):
            with mended():
                raise
        problems = [str(error)]
        lines = [f"refused: {error}"]
    else:
        lines = [f"{packet.id}: {len(packet.items)} items, every hash holds"]
    if as_json:
        print_json({"ok": not problems, "problems": problems})
    else:
        print_lines(lines)
    return 3 if problems else 0


def _merge(args: argparse.Namespace) -> Answer:
    with open_study(args.study) as study:
        found = merge_results(study, args.results, args.actor or user_name())
    lines = (
        f"{f.alias}: {f.change}, {f.coded} coded, {f.skipped} skipped, "
        f"{f.missing} missing{', after the results were locked' if f.late else ''}"
        for f in found.files
    )
    return found.value(), lines


def _agree(args: argparse.Namespace) -> Answer:
    with open_study(args.study, read_only=True) as study:
        found = agreement_of(
            study, packet_id_of(args.packet), unfinished=args.unfinished
        )
    return found.value(), _agree_lines(found)


def _agree_lines(found: PassAgreement) -> Iterator[str]:
    if found.practice:
        yield "practice: practice replies or practice coders are in this"
    if found.interim:
        yield "interim: a pass is unfinished"
    for one in found.passes:
        for name, (right, count) in found.known_right(one).items():
            yield f"{one.name}: {right} of {count} known-code items as meant, {name}"
    for name, agreement in found.fields.items():
        yield f"== {found.labels[name]}"
        yield from words.lines(agreement)
        for pair in found.within.get(name, ()):
            same = f"{pair.kappa.agree} of {pair.kappa.n} with the same code"
            yield f"{pair.a}, items that came twice: {same}"


def _unblind(args: argparse.Namespace) -> Answer:
    packet = packet_id_of(args.packet)
    with open_study(args.study) as study:
        entry = unblind(study, packet, args.actor or user_name(), args.reason)
        joined = joined_codes(study, packet)
    note(f"unblinded {packet}: the results are locked, the log has entry {entry.id}")
    others = [one for one in entry.detail["together"] if one != packet]
    if others:
        note(f"unblinded with it, of the same items: {', '.join(others)}")
    log = {
        "id": entry.id,
        "time": entry.time,
        "actor": entry.actor,
        "action": entry.action,
        "detail": entry.detail,
    }
    return {"log": log, "joined": joined.value()}, _joined_lines(joined)


def _guesses(args: argparse.Namespace) -> Answer:
    with open_study(args.study, read_only=True) as study:
        found = guesses_of(study, packet_id_of(args.packet))
    return {"guesses": [one.value() for one in found]}, _guess_lines(found)


def _guess_lines(found: tuple[Guessed, ...]) -> Iterator[str]:
    if not found:
        yield "no coder guessed"
    for one in found:
        index = one.index
        counts = f"{index.right} right, {index.wrong} wrong, {index.unknown} don't know"
        value = "none" if index.value is None else f"{index.value:.3f}"
        ends = f" (95 % {index.ci[0]:.3f} to {index.ci[1]:.3f})" if index.ci else ""
        note = f"; {index.note}" if index.note else ""
        yield f"{one.coder}, {one.condition}: {value}{ends}; {counts}{note}"


def _joined_lines(joined: Joined) -> Iterator[str]:
    yield f"{joined.label}{', practice' if joined.practice else ''}"
    for one in joined.passes:
        sources = ", ".join(f"{n} {source}" for source, n in one.sources.items())
        yield f"{one.name}: {sources}" if sources else one.name
        for arm in one.arms:
            counts = ", ".join(f"{code} {s.k}" for code, s in arm.shares.items() if s.k)
            yield f"  {arm.model}, {arm.condition}: {arm.n} coded: {counts}"
