"""List the prompt conditions, show their exact text, compare two of them."""

import argparse
from collections.abc import Iterable
from pathlib import Path

from director_gui.cli.output import note, print_json, print_lines
from director_gui.geometry.truth import truth_of
from director_gui.prompts.compose import Prompt, compose
from director_gui.prompts.conditions import Condition
from director_gui.prompts.library import Library, library
from director_gui.prompts.pairing import Span, compare
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_file
from director_gui.store.database import open_study
from director_gui.study.prompt_library import study_library

# The code of a failed check: the question was answered, and with no.
EXIT_NO_PAIR = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``prompts``."""
    does = parser.add_subparsers(dest="does", required=True, metavar="WHAT")
    listing = does.add_parser("list", help="every condition and every declared pair")
    show = does.add_parser("show", help="the exact text of a condition's messages")
    show.add_argument("condition", metavar="CONDITION")
    diff = does.add_parser("diff", help="where two conditions differ (exit 3: no pair)")
    diff.add_argument("a", metavar="A")
    diff.add_argument("b", metavar="B")
    for command in (show, diff):
        command.add_argument(
            "--scene",
            type=Path,
            metavar="FILE",
            help="the scene to write for; the example scene by default",
        )
    for command in (listing, show, diff):
        command.add_argument(
            "--study",
            type=Path,
            metavar="STUDY",
            help="with the pieces, conditions and pairs that this study adds",
        )
        command.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Run ``prompts list``, ``show`` or ``diff``."""
    known = _library(args.study)
    if args.does == "list":
        return _list(known, as_json=args.json)
    scene = read_file(args.scene) if args.scene else example_scene()
    if args.does == "show":
        prompt = _prompt(known.condition(args.condition), scene)
        return _show(prompt, as_json=args.json)
    a, b = (_prompt(known.condition(name), scene) for name in (args.a, args.b))
    return _diff(compare(a, b), as_json=args.json)


def _library(path: Path | None) -> Library:
    if path is None:
        return library()
    # Read-only: to look at prompts must not wait for a run that writes.
    with open_study(path, read_only=True) as study:
        return study_library(study)


def _prompt(condition: Condition, scene: Scene) -> Prompt:
    # By geometry alone: showing a text must not need a renderer.
    return compose(condition, truth_of(scene).sees["director"], scene.request.extreme)


def _list(known: Library, *, as_json: bool) -> int:
    if as_json:
        conditions = [_condition_value(condition) for condition in known.conditions]
        pairs = [list(pair) for pair in known.pairs]
        print_json({"conditions": conditions, "pairs": pairs})
        return 0
    width = max(len(condition.name) for condition in known.conditions)
    print_lines(
        f"{condition.name:<{width}}  asks {_asked(condition)}"
        for condition in known.conditions
    )
    print_lines(["", *(f"{a} against {b}" for a, b in known.pairs)])
    return 0


def _condition_value(condition: Condition) -> dict[str, object]:
    slots = condition.slots.items()
    return {
        "name": condition.name,
        "action": condition.action,
        "turns": condition.turns,
        "keys": [key for keys in condition.keys for key in keys],
        "turn_keys": [list(keys) for keys in condition.keys],
        "pieces": {slot: piece.name if piece else None for slot, piece in slots},
        "version": condition.version,
    }


def _asked(condition: Condition) -> str:
    return ", then ".join(", ".join(keys) for keys in condition.keys)


def _show(prompt: Prompt, *, as_json: bool) -> int:
    if as_json:
        print_json({"turns": list(prompt.texts)})
    elif len(prompt.texts) == 1:
        print_lines(_lines(prompt.texts[0]))
    else:
        for number, text in enumerate(prompt.texts, 1):
            print_lines([f"--- turn {number} ---", *_lines(text)])
    return 0


def _diff(span: Span, *, as_json: bool) -> int:
    if as_json:
        names = {side: [part.name for part in getattr(span, side)] for side in "ab"}
        why = {"pieces": names, "refusal": span.refusal or None}
        print_json({"slot": span.slot, **span.texts(), **why})
    else:
        print_lines(_marked(span))
    if span.refusal:
        # After the difference, which shows why.
        note(f"director-gui: this is no pair: {span.refusal}")
        return EXIT_NO_PAIR
    return 0


def _marked(span: Span) -> Iterable[str]:
    texts = span.texts()
    for mark, name in (
        (" ", "same_prefix"),
        ("-", "a"),
        ("+", "b"),
        (" ", "same_suffix"),
    ):
        yield from (f"{mark} {line}" for line in _lines(texts[name]))


def _lines(text: str) -> list[str]:
    return text.split("\n")[:-1]  # every piece ends its last line
