"""The families that ship with the program, and families in files."""

from pathlib import Path, PurePosixPath

from director_gui import assets
from director_gui.errors import UserError
from director_gui.families.model import Family
from director_gui.families.reading import read_family, read_file

FOLDER, SUFFIX = "families", ".toml"


def names() -> list[str]:
    """Return the names of the built-in families, sorted."""
    return [PurePosixPath(name).stem for name in assets.names(FOLDER, SUFFIX)]


def family(name: str) -> Family:
    """Return a built-in family.

    Raises:
        UserError: There is no such family.
    """
    return read_family(family_bytes(name), family)


def family_bytes(name: str) -> bytes:
    """Return a built-in family's file.

    Raises:
        UserError: There is no such family.
    """
    if name not in names():
        raise UserError(
            f"there is no family {name!r}",
            todo=f"Built in are {', '.join(names())}; a file ends in {SUFFIX}",
        )
    return assets.read_bytes(f"{FOLDER}/{name}{SUFFIX}")


def family_at(path: Path) -> Family:
    """Return the family in a file; what it rearranges is beside it or built in.

    Raises:
        UserError: The file cannot be read or is refused; it is named.
    """
    try:
        return read_family(read_file(path), lambda name: _beside(path, name))
    except UserError as error:
        shown = str(path).encode(errors="backslashreplace").decode()
        if error.where.startswith(shown):
            raise
        where = f"{shown}: {error.where}" if error.where else shown
        raise UserError(error.what, where=where, todo=error.todo) from error


def family_named(text: str) -> Family:
    """Return the family that a user means: a built-in name or the path of a file.

    Raises:
        UserError: There is neither, or the file is refused.
    """
    if text in names():
        return family(text)
    if not text.endswith(SUFFIX) and not Path(text).exists():
        return family(text)
    return family_at(Path(text))


def _beside(path: Path, name: str) -> Family:
    near = path.parent / f"{name}{SUFFIX}"
    plain = "/" not in name and "\\" not in name and "\0" not in name
    if plain and near.is_file() and near.resolve() != path.resolve():
        # One step only: a rearrangement of a rearrangement is refused anyway.
        return read_family(read_file(near))
    return family(name)
