"""The families that ship with the program, and families in files."""

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from director_gui import assets
from director_gui.errors import UserError
from director_gui.families.model import Family
from director_gui.families.reading import read_family, read_file

FOLDER, SUFFIX = "families", ".toml"


@dataclass(frozen=True, slots=True)
class Source:
    """A family and where it was read.

    Attributes:
        family: What its file says.
        text: The file, comments and all.
        folder: Where files beside it are; None for a built-in family.
    """

    family: Family
    text: str = field(repr=False)
    folder: Path | None = None

    def beside(self, name: str) -> "Source":
        """Return the family that this one rearranges: beside it, or built in.

        Raises:
            UserError: There is no such family, or its file is refused.
        """
        return _beside(self.folder, name)


def names() -> list[str]:
    """Return the names of the built-in families, sorted."""
    return [PurePosixPath(name).stem for name in assets.names(FOLDER, SUFFIX)]


def family(name: str) -> Family:
    """Return a built-in family.

    Raises:
        UserError: There is no such family.
    """
    return built_in(name).family


def built_in(name: str) -> Source:
    """Return a built-in family with its file.

    Raises:
        UserError: There is no such family.
    """
    if name not in names():
        raise UserError(
            f"there is no family {name!r}",
            todo=f"Built in are {', '.join(names())}; a file ends in {SUFFIX}",
        )
    # Through `assets`, because in the wheel the files are elsewhere.
    data = assets.read_bytes(f"{FOLDER}/{name}{SUFFIX}")
    return Source(read_family(data, family), data.decode())


def source_at(path: Path) -> Source:
    """Return the family in a file; what it rearranges is beside it or built in.

    Raises:
        UserError: The file cannot be read or is refused; it is named.
    """
    data = read_file(path)
    try:
        found = read_family(data, lambda name: _beside(path.parent, name).family)
    # The path within the file alone would not tell which file of several.
    except UserError as error:
        shown = str(path).encode(errors="backslashreplace").decode()
        where = f"{shown}: {error.where}" if error.where else shown
        raise UserError(error.what, where=where, todo=error.todo) from error
    return Source(found, data.decode("utf-8-sig"), path.parent)


def source_named(text: str) -> Source:
    """Return the family that a user means: a built-in name or the path of a file.

    Raises:
        UserError: There is neither, or the file is refused.
    """
    # A built-in name wins over a file of that name without its suffix.
    is_file = text.endswith(SUFFIX) or (text not in names() and Path(text).exists())
    return source_at(Path(text)) if is_file else built_in(text)


def _beside(folder: Path | None, name: str) -> Source:
    plain = not set(name) & set("/\\\0")
    path = folder / f"{name}{SUFFIX}" if folder is not None and plain else None
    if path is None or not path.is_file():
        return built_in(name)
    # Without `find`: a rearrangement of a rearrangement is refused anyway.
    data = read_file(path)
    return Source(read_family(data), data.decode("utf-8-sig"), folder)
