"""Send a plan's calls, or what is left of them, and keep every reply.

The same command begins a run and resumes it: only calls without an end are sent.
Ctrl+C finishes the calls in hand and keeps all replies; a second Ctrl+C drops them.
"""

import argparse
import time
from pathlib import Path
from typing import Any

from director_gui.cli._following import follow_to_end
from director_gui.cli.output import note, print_json, print_lines
from director_gui.errors import UserError
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.store.database import Study, open_study
from director_gui.store.runs import Run
from director_gui.study.inspect_folder import write_inspect
from director_gui.study.inspect_logs import bring_logs, refuse_nothing_kept
from director_gui.study.plan_file import Plan, read_plan
from director_gui.study.plan_forecast import forecast, unpriced
from director_gui.study.plan_result import plan_result
from director_gui.study.plan_runs import find_plan_run, make_plan_run
from director_gui.study.plan_scenes import LeftOut, dropped_in_words
from director_gui.study.plan_sending import Sending, ready, send
from director_gui.study.practice import Practice

NOTE_S = 2.0  # between two lines of progress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("study", type=Path, metavar="STUDY", help="the study file")
    parser.add_argument(
        "--plan", type=Path, required=True, metavar="PLAN.toml", help="the plan file"
    )
    parser.add_argument(
        "--resume-only", action="store_true", help="refuse to begin a new run"
    )
    parser.add_argument(
        "--yes", action="store_true", help="run although a price is unknown"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would be sent; send nothing"
    )
    parser.add_argument(
        "--to-inspect",
        type=Path,
        metavar="DIR",
        help="write the open calls as Inspect tasks instead of sending them",
    )
    parser.add_argument(
        "--from-inspect",
        type=Path,
        nargs="+",
        metavar="LOG",
        help="keep the replies in Inspect logs instead of sending calls",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run a plan and return the exit code."""
    # Before the study is opened, and locked.
    plan = read_plan(args.plan)
    with open_study(args.study) as study, Practice() as practice:
        found = find_plan_run(study, plan)
        # Before pictures are made: preparing takes minutes.
        _allow(args, plan, found)
        if found is None:
            note(f"preparing {plan.name}")
            found = make_plan_run(study, plan, practice, progress=_Prepared())
        sending = ready(study, plan, found, practice)
        code = _act(args, study, sending)
        # After an interrupt too: what was kept is worth telling.
        result = plan_result(study, found, sending.profiles)
    if args.json:
        print_json(result)
    else:
        print_lines(_lines(result))
    return code


def _allow(args: argparse.Namespace, plan: Plan, found: Run | None) -> None:
    if found is None and args.resume_only:
        raise UserError(
            "this plan was not begun in this study",
            where=plan.name,
            todo="Leave --resume-only out to begin it",
        )
    names = unpriced(plan.profiles)
    # These send nothing, so nothing can cost more than was thought.
    elsewhere = args.dry_run or args.to_inspect or args.from_inspect
    if names and not (args.yes or elsewhere):
        more = ", and the cost ceiling cannot hold" if plan.ceiling is not None else ""
        raise UserError(
            f"the price of a call is unknown{more}",
            where=", ".join(names),
            todo="Put prices into the profile, or add --yes to run it all the same",
        )


def _act(args: argparse.Namespace, study: Study, sending: Sending) -> int:
    """Send, or do what is asked for instead; return the exit code."""
    run, profiles = sending.run, sending.profiles
    if args.from_inspect:
        brought = bring_logs(study, run, profiles, args.from_inspect)
        refuse_nothing_kept(brought)
        note(f"{brought.kept} calls have their reply now")
        for reason, count in brought.left_out.items():
            note(f"left out: {count} ({reason})")
        return 0
    for line in forecast(study, run, profiles).lines(sending.plan.ceiling):
        note(line)
    if args.to_inspect:
        for folder in write_inspect(study, run, profiles, args.to_inspect):
            note(f"written: {folder}")
        return 0
    return 0 if args.dry_run else _send(study, sending)


def _send(study: Study, sending: Sending) -> int:
    with RunService() as service:
        return follow_to_end(send(service, study, sending, Keys()))


class _Prepared:
    """Says on stderr how many scenes are prepared."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= NOTE_S:
            self._last = now
            note(f"{done} of {total} scenes prepared")


def _lines(result: dict[str, Any]) -> list[str]:
    counts = result["counts"]
    told = [f"{name}: {n}" for name, n in counts.items() if n]
    cost = result["cost"]
    price = "unknown" if cost is None else f"${cost:.4f}"
    gone = dropped_in_words([LeftOut(**item) for item in result["left_out"]])
    first = f"{result['plan']}: {result['calls']} calls"
    return [first, *told, f"cost: {price}", *([gone] if gone else [])]
