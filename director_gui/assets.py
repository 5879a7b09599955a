"""The only reader of `resources/`: in the wheel, or in the checkout beside us."""

from functools import cache
from pathlib import Path

from director_gui.errors import UserError


@cache
def root() -> Path:
    """Return the folder that holds the resources.

    Raises:
        UserError: Neither the wheel's copy nor the checkout's is there.
    """
    here = Path(__file__).resolve().parent
    for folder in (here / "_resources", here.parent / "resources"):
        if folder.is_dir():
            return folder
    raise UserError(
        "the program's resources are missing",
        where=str(here),
        todo="Install director-gui again",
    )


def path(name: str) -> Path:
    """Return the path of one resource, such as ``prompts/setting.txt``.

    Raises:
        UserError: There is no such resource.
    """
    found = root() / name
    if not found.exists():
        raise UserError("this resource is missing", where=name)
    return found


def read_bytes(name: str) -> bytes:
    """Return a resource's bytes."""
    return path(name).read_bytes()


def read_text(name: str) -> str:
    """Return a resource's text, which is UTF-8."""
    return read_bytes(name).decode()


def names(folder: str, suffix: str) -> list[str]:
    """Return the resources in `folder` whose name ends in `suffix`, sorted."""
    return sorted(f"{folder}/{p.name}" for p in path(folder).glob(f"*{suffix}"))
