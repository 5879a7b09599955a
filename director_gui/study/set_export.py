"""A study's sets as files that need no program of ours, the same bytes each time.

Per set: the scenes, both pictures of each, the answer keys as CSV and JSON Lines,
CLEVR-like scenes, glTF and contact sheets; over all a manifest with hashes.
"""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json, sha256_hex
from director_gui.render.gltf import gltf_bytes
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import file_bytes, read_scene
from director_gui.store import scenes as stored
from director_gui.store.database import Study
from director_gui.store.marks import Mark, marks_of
from director_gui.store.scenes import StoredImage
from director_gui.store.sets import SetScene, StoredSet
from director_gui.study.clevr import clevr_file, clevr_scene
from director_gui.study.contact_sheet import SHEET_SCENES, pdf_of, sheet_of
from director_gui.study.set_tallies import (
    every_scene,
    features_in,
    require_sets,
    tallies_of,
)
from director_gui.study.unfinished import finish, note, noted, remove

MANIFEST = "manifest.json"
KEY_COLUMNS = (
    "position",
    "scene",
    "hash",
    "digits",
    "hidden",
    "director_view",
    "model_view",
    "director_sees",
    "model_sees",
    "blocks",
    "hidden_rank",
    "hidden_has_largest_digit",
    "smaller_visible_has_larger_digit",
    "apparent_size_confound",
    "mark",
    "mark_reason",
    "original",
    "model_image",
    "director_image",
)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One scene of a set, ready to be written."""

    stem: str
    scene: Scene
    row: SetScene
    images: dict[ViewName, StoredImage]


def export_sets(study: Study, folder: Path) -> list[dict[str, str]]:
    """Write every set of a study into a folder; return its files and hashes.

    Args:
        study: The study.
        folder: New or empty, or an earlier export, which is replaced.

    Raises:
        UserError: The study holds no set, or the folder holds something else or
            cannot be written.
    """
    # Before the folder is touched, so that a mistake leaves nothing behind.
    sets = require_sets(study)
    out = _Folder(folder)
    about = [_export_set(study, item, out) for item in sets]
    files = sorted(out.written.items())
    listed = [{"path": path, "sha256": digest} for path, digest in files]
    # Last: a folder with a manifest is complete.
    out.finish(_json({"sets": about, "files": listed}))
    return [*listed, {"path": MANIFEST, "sha256": out.written[MANIFEST]}]


class _Folder:
    """Where files go; it remembers their hashes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.written: dict[str, str] = {}
        if path.exists() and not path.is_dir():
            raise UserError("this is a file, not a folder", where=str(path))
        # Never into somebody's own folder; an earlier export of ours may go.
        ours = (path / MANIFEST).exists() or noted(path) is not None
        if path.is_dir() and any(path.iterdir()) and not ours:
            raise UserError(
                "this folder holds other things",
                where=str(path),
                todo="Choose a new or an empty folder",
            )
        self._clear()

    def _clear(self) -> None:
        """Remove an earlier export, which may have held more than this one."""
        earlier = [*_listed(self._path / MANIFEST), *(noted(self._path) or ())]
        # Noted first: when this is cut short, what is left is still known as ours.
        with self._writing(self._path):
            note(self._path, *earlier)
            # Before the files: a folder with a manifest is complete.
            (self._path / MANIFEST).unlink(missing_ok=True)
            remove(self._path, earlier)

    def write(self, name: str, data: bytes) -> None:
        path = self._path / name
        with self._writing(path):
            note(self._path, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self.written[name] = sha256_hex(data)

    def finish(self, manifest: bytes) -> None:
        self.write(MANIFEST, manifest)
        with self._writing(self._path):
            finish(self._path)

    @staticmethod
    @contextmanager
    def _writing(path: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UserError(
                f"a file cannot be written ({error.strerror})", where=str(path)
            ) from error


def _listed(manifest: Path) -> list[str]:
    try:
        value = json.loads(manifest.read_bytes())
        return [str(item["path"]) for item in value["files"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []  # no earlier export, or none that can be read


def _export_set(study: Study, item: StoredSet, out: _Folder) -> dict[str, Any]:
    keys, lines, clevr, sheet = [], [], [], []
    renderers: set[str] = set()
    page = 0
    marks = marks_of(study, item.id)
    for entry in _entries(study, item):
        _write_scene(item.name, entry, out)
        renderers |= {image.renderer for image in entry.images.values()}
        key = {
            **key_of(entry.row, entry.scene, entry.images),
            **_mark(marks.get(entry.row.scene)),
        }
        keys.append(key)
        lines.append(canonical_json({**key, "facts": entry.row.facts}))
        picture = f"{entry.stem}-model.png"
        position = entry.row.position
        clevr.append(clevr_scene(entry.scene, position, picture, entry.row.facts))
        sheet.append((entry.stem, [entry.images[v].png for v in VIEWS]))
        # Page by page: a sheet of 10,000 scenes would fit no memory.
        if len(sheet) == SHEET_SCENES:
            page += 1
            _write_sheet(item.name, page, sheet, out)
            sheet.clear()
    if sheet:
        _write_sheet(item.name, page + 1, sheet, out)
    out.write(f"{item.name}/keys.csv", _csv(keys))
    out.write(f"{item.name}/keys.jsonl", b"".join(line + b"\n" for line in lines))
    out.write(f"{item.name}/clevr_scenes.json", _json(clevr_file(clevr, item.program)))
    # Imported sets come from no family of ours.
    if item.family:
        out.write(f"{item.name}/{item.name}.toml", item.family.encode())
    return _about(study, item, sorted(renderers))


def _entries(study: Study, item: StoredSet) -> Iterator[_Entry]:
    for row in every_scene(study, item.id):
        images: dict[ViewName, StoredImage] = {}
        for view in VIEWS:
            shown = stored.stimulus(study, row.scene, view)
            if shown is None:
                raise UserError("a scene has no picture", where=row.scene)
            images[view] = stored.image(study, shown.image)
        scene = read_scene(stored.scene(study, row.scene).json)
        # Named by place: names of imported scenes may repeat or be no file names.
        yield _Entry(f"{item.name}-{row.position + 1:04}", scene, row, images)


def _write_scene(name: str, entry: _Entry, out: _Folder) -> None:
    out.write(f"{name}/scenes/{entry.stem}.json", file_bytes(entry.scene))
    out.write(f"{name}/gltf/{entry.stem}.gltf", gltf_bytes(entry.scene))
    for view, image in entry.images.items():
        out.write(f"{name}/images/{entry.stem}-{view}.png", image.png)


def _write_sheet(
    name: str, page: int, sheet: list[tuple[str, list[bytes]]], out: _Folder
) -> None:
    picture = sheet_of(sheet)
    file = io.BytesIO()
    picture.save(file, "PNG")
    out.write(f"{name}/contact-sheet-{page:03}.png", file.getvalue())
    out.write(f"{name}/contact-sheet-{page:03}.pdf", pdf_of(picture))


def key_of(row: SetScene, scene: Scene, images: dict[ViewName, StoredImage]) -> Json:
    """Return a scene's answer key with what is counted of it."""
    facts, features = row.facts, features_in(scene, row.facts)
    return {
        "position": row.position,
        "scene": scene.name,
        "hash": row.scene,
        "digits": list(scene.digits),
        **facts["key"],
        "director_sees": facts["sees"]["director"],
        "model_sees": facts["sees"]["model"],
        "blocks": features.blocks,
        "hidden_rank": features.hidden_rank,
        "hidden_has_largest_digit": features.hidden_has_largest,
        "smaller_visible_has_larger_digit": features.smaller_outranks,
        "apparent_size_confound": features.confound,
        "original": row.original,
        **{f"{view}_image": image.sha256 for view, image in images.items()},
    }


def _mark(mark: Mark | None) -> Json:
    # Dropped scenes are written too: a reader sees what was left out, and why.
    return {
        "mark": mark.kind if mark else None,
        "mark_reason": mark.reason if mark else None,
    }


def _csv(keys: list[Json]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(KEY_COLUMNS)
    writer.writerows([_cell(key[name]) for name in KEY_COLUMNS] for key in keys)
    return file.getvalue().encode()


def _cell(value: Json) -> str:
    if value is None:
        return ""
    # 0 and 1, which every program for tables reads as numbers.
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, list):
        return " ".join(map(str, value))
    return str(value)


def _about(study: Study, item: StoredSet, renderers: list[str]) -> dict[str, Any]:
    return {
        "name": item.name,
        "id": item.id,
        "program": item.program,
        "seed": item.seed,
        "count": item.count,
        "original": item.original,
        "renderers": renderers,
        "tallies": tallies_of(study, item.id),
    }


def _json(value: Json) -> bytes:
    # Sorted and without a date: the same study gives the same bytes.
    text = json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False)
    return (text + "\n").encode()
