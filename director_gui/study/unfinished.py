"""What an export has begun to write, noted in its folder until it is complete.

An export that was killed, or for which the disk was too small, can so be made again
in the same folder: what the note names is known to be the export's own.
"""

from pathlib import Path

NOTE = "unfinished.txt"


def noted(folder: Path) -> list[str] | None:
    """Return the files that an unfinished export wrote; None when there is none."""
    try:
        lines = (folder / NOTE).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return None
    return [line for line in lines if line]


def note(folder: Path, *names: str) -> None:
    """Note files before they are written; makes the folder.

    Raises:
        OSError: The note cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / NOTE).open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{name}\n" for name in names)


def finish(folder: Path) -> None:
    """Take the note away: the export is complete."""
    (folder / NOTE).unlink(missing_ok=True)


def remove(folder: Path, names: list[str]) -> None:
    """Remove files of an earlier export; what lies outside the folder stays."""
    for name in names:
        path = folder / name
        # A manifest is a file like any other, and may name what lies elsewhere.
        inside = path.resolve().is_relative_to(folder.resolve())
        if inside and path.is_file():
            path.unlink()
