"""Find the command that was asked for and load that one alone.

Each command is a module of its own with two functions: ``configure(parser)`` adds its
arguments, ``run(args)`` does the work and returns an exit code. Nothing heavier than
argparse is imported until a command is known.
"""

import argparse
import io
import sys
from collections.abc import Sequence

from director_gui import __version__
from director_gui.cli._loading import loaded
from director_gui.cli.output import mute, note
from director_gui.errors import CheckFailedError, UserError, for_terminal

# name -> (module, what it does); the order is the order of --help
COMMANDS = {
    "demo": ("demo", "make the example study end to end with the practice reader"),
    "scene": ("scene", "check a scene with both witnesses, or draw it"),
    "scenes": ("scenes", "make, verify and export sets of scenes"),
    "prompts": ("prompts", "list the conditions, show their text, compare a pair"),
    "run": ("run", "send the calls of a plan, or what is left of them"),
    "score": ("score", "score replies from a JSON Lines file"),
    "compare": ("compare", "compare two conditions, replies clustered by scene"),
    "contrast": ("contrast", "estimate any weighted contrast of conditions"),
    "adjust": ("adjust", "correct a family of p-values (Benjamini-Hochberg)"),
    "plan-size": ("plan_size", "how many scenes a difference needs"),
    "agree": ("agree", "agreement between coders: percent, kappa, alpha, AC1"),
    "packet": ("packet", "make, check, merge and unblind coding packets"),
    "code": ("code", "open the blind coding pane on one packet"),
    "export": ("export", "write the supplement: stimuli, replies, estimates, note"),
    "serve": ("serve", "run the practice reader, OpenAI-compatible, on loopback"),
}
EXIT_INPUT, EXIT_USAGE, EXIT_CHECK, EXIT_INTERRUPTED = 1, 2, 3, 130


def run(argv: Sequence[str]) -> int:
    """Run the command line `argv` (without the program's name)."""
    _replace_unknown_signs()
    try:
        return _run(argv)
    # Before UserError, which it is a kind of.
    except CheckFailedError as error:
        return _say(str(error), EXIT_CHECK)
    except UserError as error:
        return _say(str(error), EXIT_INPUT)
    except KeyboardInterrupt:
        return _say("interrupted; the work so far is kept", EXIT_INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): not a fault of ours.
        mute()
        return 0
    except OSError as error:
        # Not about a file: a bug of ours, whose traceback is wanted.
        if error.filename is None:
            raise
        # The last resort for what a disk can refuse, such as a name too long for it.
        return _say(f"{str(error.filename)[:200]}: {error.strerror}", EXIT_INPUT)


def _replace_unknown_signs() -> None:
    """Let a terminal without our signs show a question mark, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(argv: Sequence[str]) -> int:
    name = argv[0] if argv else ""
    # By hand and not by sub-parsers, which would import every command for --help.
    if name in COMMANDS:
        module = loaded(f"director_gui.cli.{COMMANDS[name][0]}")
        parser = argparse.ArgumentParser(
            prog=f"director-gui {name}", description=module.__doc__
        )
        module.configure(parser)
        code: int = module.run(parser.parse_args(argv[1:]))
        return code
    args = _main_parser().parse_args(argv)
    window = loaded("director_gui.ui.start")
    opened: int = window.open_program(args.study)
    return opened


def _main_parser() -> argparse.ArgumentParser:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {text}" for name, (_, text) in COMMANDS.items()]
    parser = argparse.ArgumentParser(
        prog="director-gui",
        description="Without a command, open the program's window.",
        epilog="commands (director-gui COMMAND --help says more):\n" + "\n".join(lines),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "study", nargs="?", metavar="STUDY", help="a study or a scene file to open"
    )
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _say(text: str, code: int) -> int:
    note(f"director-gui: {for_terminal(text)}")
    return code
