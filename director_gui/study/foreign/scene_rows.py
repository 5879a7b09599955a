"""The rows that a file has about one scene, for who wants to see its replies."""

from collections.abc import Iterator
from pathlib import Path

from director_gui.stats.display import counted
from director_gui.study.foreign.loading import Told
from director_gui.study.foreign.mapping import ColumnMap
from director_gui.study.foreign.sources import Row, rows_of
from director_gui.study.results.scene_look import flat_text
from director_gui.study.results.sheet import Cell, Column, Sheet, words
from director_gui.study.results.sheet import Row as SheetRow

MOST = 500  # rows shown of one scene
_EVERY = 20_000  # rows between two words of progress
_TITLES = {
    "condition": "Condition",
    "sample": "Sample",
    "model": "Model",
    "batch": "Batch",
    "y": "0 or 1",
    "target": "Counts",
    "reply": "Reply",
}


def scene_rows(
    path: Path,
    mapping: ColumnMap,
    scene: str,
    tell: Told = lambda _share, _text: None,
) -> Sheet:
    """Return a file's rows of one scene, in the file's order.

    The file is read again: replies are too long to be held for all scenes.

    Args:
        path: The file.
        mapping: Which column means what.
        scene: The scene's label, verbatim.
        tell: Told how many rows were read.

    Raises:
        UserError: The file cannot be read.
    """
    parts = [part for part in _TITLES if getattr(mapping, part)]
    rows: list[SheetRow] = []
    found = 0
    for row in _of_scene(path, mapping, scene, tell):
        # Counted on beyond what is shown, for the note.
        found += 1
        if len(rows) < MOST:
            rows.append(SheetRow(tuple(_cell(row, mapping, part) for part in parts)))
    shown = f", the first {MOST} shown" if found > MOST else ""
    note = f"{counted(found, 'row')} of {path.name} about this scene{shown}."
    head = tuple(Column(_TITLES[part]) for part in parts)
    return Sheet("replies", "Replies", head, tuple(rows), note)


def _of_scene(path: Path, mapping: ColumnMap, scene: str, tell: Told) -> Iterator[Row]:
    for number, (_, row) in enumerate(rows_of(path, mapping.names())):
        if number % _EVERY == 0:
            tell(0.0, f"{number:,} rows read")
        # Verbatim: "01" is not "1".
        if row.get(mapping.scene) == scene:
            yield row


def _cell(row: Row, mapping: ColumnMap, part: str) -> Cell:
    value = row.get(getattr(mapping, part), "")
    return flat_text(value) if part == "reply" else words(value)
