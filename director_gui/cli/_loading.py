"""Load a part of the program that may need a package which is not there."""

import importlib
from types import ModuleType

from director_gui.errors import UserError


def loaded(name: str) -> ModuleType:
    """Return the module `name` of the program.

    Raises:
        UserError: A package that it needs is not installed.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = (error.name or "").split(".")[0]
        if package in ("director_gui", "coding", ""):
            raise  # a bug of ours, not a missing package
        raise UserError(
            f"the Python package that provides {package} is not installed",
            todo="Install director-gui again, or this package alone",
        ) from error
