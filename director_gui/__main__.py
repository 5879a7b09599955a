"""Where the program starts: a command goes to `cli`, everything else to the window."""

import importlib
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code (INTERFACES: 0, 1, 2, 3, 130)."""
    # cli and ui are imported by name so that --help costs neither of them.
    dispatch = importlib.import_module("director_gui.cli.dispatch")
    code: int = dispatch.run(list(sys.argv[1:] if argv is None else argv))
    return code


if __name__ == "__main__":
    sys.exit(main())
