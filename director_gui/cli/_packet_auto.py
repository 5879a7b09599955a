"""Let a model code a packet, and accept what it coded: two commands of ``packet``."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from director_gui.cli._following import follow_to_end
from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile, find_profile
from director_gui.runner.service import RunService
from director_gui.store.auto_passes import AutoPass, passes_in
from director_gui.store.database import Study, open_study
from director_gui.store.ledger import PASSES
from director_gui.store.sendings import lost_of
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.auto_accepting import accept, pass_named
from director_gui.study.blind.auto_calibration import Calibration, Right
from director_gui.study.blind.auto_forecast import forecast, workload
from director_gui.study.blind.auto_known import DEFAULT_COUNT, practice_known
from director_gui.study.blind.auto_practice import PracticeCoding
from director_gui.study.blind.auto_sending import send_pass
from director_gui.study.blind.auto_standing import Standing, standing
from director_gui.study.blind.auto_work import begin, refuse, unfinished
from director_gui.study.blind.keys import Opened, opened, packet_id_of

AUTOCODE, ACCEPT, KNOWN = "autocode", "accept", "known"
AUTO = (AUTOCODE, ACCEPT, KNOWN)
Commands = Any  # argparse keeps the type of its sub-commands to itself


def configure_auto(commands: Commands) -> None:
    """Add ``autocode``, ``accept`` and ``known``."""
    known = commands.add_parser(KNOWN, help="write known-code items for a rehearsal")
    known.add_argument("study", type=Path, metavar="STUDY")
    known.add_argument("-o", dest="file", type=Path, required=True, metavar="FILE")
    known.add_argument("--count", type=int, default=DEFAULT_COUNT, metavar="N")
    known.add_argument("--seed", type=int, default=0, metavar="S")
    known.add_argument("--json", action="store_true", help="print JSON")
    codes = commands.add_parser(AUTOCODE, help="let a model code a packet")
    takes = commands.add_parser(ACCEPT, help="accept an automatic pass's codes")
    for command in (codes, takes):
        command.add_argument("study", type=Path, metavar="STUDY")
        command.add_argument("packet", metavar="PACKET", help="its file or its id")
        command.add_argument("--actor", metavar="NAME", help="who does it, for the log")
        command.add_argument("--json", action="store_true", help="print JSON")
    add = codes.add_argument
    add("--profile", required=True, metavar="NAME", help="a model profile's name")
    add("--limit-cost", type=_dollars, metavar="USD", help="the most it may cost")
    add("--second", action="store_true", help="begin another pass, for kappa")
    add("--dry-run", action="store_true", help="say what would be sent; send nothing")
    add("--yes", action="store_true", help="send although a price is unknown")
    takes.add_argument("alias", metavar="ALIAS", help="the pass, such as auto-gpt-6")
    takes.add_argument(
        "--reason",
        default="",
        metavar="TEXT",
        help="why, when something speaks against",
    )


def run_auto(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    acts = {AUTOCODE: _autocode, ACCEPT: _accept, KNOWN: _known}
    return acts[args.action](args)


def _autocode(args: argparse.Namespace) -> int:
    profile = find_profile(args.profile)
    packet = packet_id_of(args.packet)
    # A dry run writes nothing, so the window may hold the study meanwhile.
    with open_study(args.study, read_only=args.dry_run) as study:
        found = opened(study, packet)
        # The same command resumes, as `run` does; --second is never a resumption.
        made = None if args.second else unfinished(study, packet, profile)
        _refuse_done(args, study, found, profile, made)
        told = forecast(workload(found, study, made), profile)
        # On stderr and before anything is sent: it may be stopped in time.
        for line in [*told.lines(), *_lost(study, made)]:
            note(line)
        if args.dry_run:
            return _print(args, {"forecast": told.value()}, iter(()))
        _refuse_unpriced(args, profile)
        if made is None:
            actor = args.actor or user_name()
            made = begin(study, packet, profile, actor, ceiling=args.limit_cost)
        code = _send(study, made, profile, args.limit_cost)
        now = standing(study, made, found)
    _print(args, {**now.value(), "forecast": told.value()}, _lines(now))
    return code


def _lost(study: Study, made: AutoPass | None) -> list[str]:
    lost = lost_of(study, made.id, PASSES).in_flight if made else 0
    words = "calls that were in flight when the program was stopped"
    return [f"could be paid twice: {lost} {words}"] if lost else []


def _refuse_done(
    args: argparse.Namespace,
    study: Study,
    found: Opened,
    profile: Profile,
    made: AutoPass | None,
) -> None:
    if made is not None:
        return
    # Before anything is paid: a packet that is locked takes no pass.
    refuse(study, found, profile)
    done = [
        one.alias
        for one in passes_in(study, found.stored.id)
        if one.settings["profile"]["name"] == profile.name
    ]
    # Paid for once is enough; a second pass is asked for by name.
    if done and not args.second:
        raise UserError(
            "this model has coded the packet already",
            where=", ".join(done),
            todo="Add --second for another pass of it",
        )


def _refuse_unpriced(args: argparse.Namespace, profile: Profile) -> None:
    if profile.price_known or profile.practice or args.yes:
        return
    limit = ", and the limit cannot hold" if args.limit_cost is not None else ""
    raise UserError(
        f"the price of a call is unknown{limit}",
        where=profile.name,
        todo="Put prices into the profile, or add --yes to send all the same",
    )


def _send(study: Study, made: AutoPass, profile: Profile, ceiling: float | None) -> int:
    # A resumed pass keeps the limit that it was begun with.
    limit = made.settings["ceiling"] if ceiling is None else ceiling
    with PracticeCoding() as practice, RunService() as service:
        ready = practice.ready(profile)
        handle = send_pass(service, study, made, ready, Keys(), ceiling=limit)
        return follow_to_end(handle)


def _accept(args: argparse.Namespace) -> int:
    packet = packet_id_of(args.packet)
    with open_study(args.study) as study:
        made = pass_named(study, packet, args.alias)
        actor = args.actor or user_name()
        merged = accept(study, made, actor, args.reason)
        value = standing(study, made).value()
    words = (
        f"{merged.alias}: accepted, {merged.coded} coded, {merged.skipped} uncodable"
        f"{', after unblinding' if merged.late else ''}"
    )
    return _print(args, value, iter([words]))


def _known(args: argparse.Namespace) -> int:
    with open_study(args.study, read_only=True) as study:
        data = practice_known(study, args.count, args.seed)
    try:
        args.file.write_bytes(data)
    except OSError as error:
        raise UserError(
            f"the items cannot be written ({error.strerror})",
            where=str(args.file),
            todo="Check the folder's rights and the free space",
        ) from error
    words = f"{args.file}: {args.count} known-code items, practice"
    value = {"file": str(args.file), "items": args.count, "practice": True}
    return _print(args, value, iter([words]))


def _print(
    args: argparse.Namespace, value: Mapping[str, Any], lines: Iterator[str]
) -> int:
    if args.json:
        print_json(value)
    else:
        print_lines(lines)
    return 0


def _lines(now: Standing) -> Iterator[str]:
    practice = ", practice" if now.made.practice else ""
    yield (
        f"{now.made.alias}{practice}: {now.items} items, {now.coded} coded,"
        f" {len(now.uncodable)} uncodable, {now.left} left"
    )
    yield f"cost: {'unknown' if now.cost is None else f'${now.cost:.4f}'}"
    for item, reason in now.uncodable.items():
        yield f"uncodable: {item[:8]}: {reason}"
    if now.calibration is not None:
        yield from _calibration_lines(now.calibration, now.made)


def _calibration_lines(found: Calibration, made: AutoPass) -> Iterator[str]:
    for field in found.fields:
        yield f"== {field.total.label}: {_right(field.total)}"
        for code in field.codes:
            instead = ", ".join(f"{c or 'none'} {n}" for c, n in code.instead.items())
            yield f"  {code.name}: {_right(code)}{f'; {instead}' if instead else ''}"
    for doubt in found.doubts:
        yield f"warning: {doubt}"
    reason = " --reason TEXT" if found.doubts else ""
    yield (
        "its codes are not used yet; to use them:"
        f" packet accept STUDY {made.packet} {made.alias}{reason}"
    )


def _right(one: Right) -> str:
    # Without an item nothing is known: the whole range.
    ends = one.interval or (0.0, 1.0)
    return (
        f"{one.right} of {one.of} known-code items as intended"
        f" ({100 * ends[0]:.1f} to {100 * ends[1]:.1f} %)"
    )


def _dollars(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1.0
    # NaN fails here too; a limit that nothing exceeds would be none.
    if not 0 <= found < float("inf"):
        raise argparse.ArgumentTypeError("a limit is a number of dollars")
    return found
