"""Scenes and sets written by others, in our format, taken into a study.

A folder holds scene files, in itself or in ``scenes/``, and may hold ``keys.jsonl`` or
``keys.csv``. Each scene is looked at by both witnesses and drawn anew; a key that does
not fit its scene is refused, with the scene, what it says and what is so.
"""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from director_gui.errors import UserError
from director_gui.families.reading import family_name
from director_gui.families.tallies import features_of
from director_gui.ids import Json, hash_of, sha256_hex
from director_gui.render import backend
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import canonical_bytes, read_file
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.checking import Check, DepthWitness, check_scene, to_json
from director_gui.study.crew import Crew
from director_gui.study.set_rows import keep_scene
from director_gui.study.stimulus_work import Made, Picture, picture_of

MOST_SCENES = 100_000
_ROLES = ("hidden", "director_view", "model_view")
_LISTS = {"director_sees": "director", "model_sees": "model"}
_FLAGS = (
    "hidden_has_largest_digit",
    "smaller_visible_has_larger_digit",
    "apparent_size_confound",
)
_COLUMNS = (*_ROLES, *_LISTS, *_FLAGS, "digits", "blocks", "hidden_rank", "hash")


@dataclass(frozen=True, slots=True)
class Foreign:
    """A scene of somebody else's and what its key says, both unchecked.

    Attributes:
        index: Its place in the set.
        file: The scene file's name.
        scene: The scene.
        key: A row of the keys file; None without one.
    """

    index: int
    file: str
    scene: Scene
    key: dict[str, Any] | None = field(default=None, repr=False)


def import_set(
    study: Study,
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    workers: int | None = None,
) -> rows.StoredSet:
    """Take a folder of scenes into a study, as a set named like the folder.

    Raises:
        UserError: A file is refused, a key does not fit its scene, the witnesses
            disagree, or the study holds another set of this name. Then nothing of
            the folder is kept.
    """
    found = foreign_scenes(folder)
    backend.prepare()
    # By what the scenes are, so that the same folder is the same set.
    digests = [sha256_hex(canonical_bytes(item.scene)) for item in found]
    name = family_name({"name": folder.resolve().name})
    set_id = hash_of(["imported", name, digests])
    known = rows.find_set(study, set_id)
    if known is not None:
        return known
    # One transaction: a set with a wrong key in it leaves nothing behind.
    with study.write(), Crew(import_work, workers=workers) as crew:
        new = rows.add_set(
            study, set_id, name=name, family="", count=len(found), seed=0
        )
        for made in crew.run(found):
            keep_scene(study, new.id, made)
            progress(made.index + 1, len(found))
    return new


def foreign_scenes(folder: Path) -> list[Foreign]:
    """Return the scenes of a folder in the order of their file names.

    Raises:
        UserError: There is none, or a file is refused.
    """
    # Our own exports keep their scenes there.
    inner = folder / "scenes"
    where = inner if inner.is_dir() else folder
    try:
        paths = sorted(path for path in where.glob("*.json") if path.is_file())
    except OSError as error:
        raise UserError(
            f"cannot be read ({error.strerror})", where=str(where)
        ) from error
    if not 0 < len(paths) <= MOST_SCENES:
        raise UserError(
            f"holds {len(paths)} scene files",
            where=str(where),
            todo=f"Put 1 to {MOST_SCENES} files NAME.json into it",
        )
    # All files are read before anything is drawn: mistakes show at once.
    keys = keys_in(folder)
    scenes = [(path, read_file(path)) for path in paths]
    _refuse_strangers(keys, {scene.name for _, scene in scenes}, folder)
    return [
        Foreign(i, str(path), scene, keys.get(scene.name))
        for i, (path, scene) in enumerate(scenes)
    ]


def keys_in(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a folder's keys file by the scene's name; empty without.

    Raises:
        UserError: The file is refused, or two rows of one scene differ.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, read in (("keys.jsonl", _from_lines), ("keys.csv", _from_table)):
        path = folder / name
        if path.is_file():
            try:
                text = path.read_bytes().decode("utf-8-sig")
                rows_read = [(str(row["scene"]), row) for row in read(text)]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise UserError(
                    f"this is no keys file ({error})", where=str(path)
                ) from error
            for scene, row in rows_read:
                # Of two that differ one is wrong, also when they are in two files.
                _refuse_unequal(found.setdefault(scene, row), row, scene, path)
    return found


def _refuse_unequal(
    one: dict[str, Any], other: dict[str, Any], scene: str, path: Path
) -> None:
    for name in _COLUMNS:
        if name in one and name in other and not _same(one[name], other[name]):
            raise UserError(
                f"the keys of {scene} say {name} = {one[name]} and {other[name]}",
                where=str(path),
            )


def _from_lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _from_table(text: str) -> list[dict[str, Any]]:
    return [
        _typed(row) for row in csv.DictReader(io.StringIO(text, newline=""), restval="")
    ]


def _typed(row: dict[str, str]) -> dict[str, Any]:
    typed: dict[str, Any] = dict(row)
    for name in _ROLES:
        if name in row:
            # A table holds text alone; empty stands for no such block.
            typed[name] = int(row[name]) if row[name] else None
    for name in (*_LISTS, "digits"):
        if name in row:
            typed[name] = [int(digit) for digit in row[name].split()]
    for name in ("hash", "blocks", "hidden_rank", *_FLAGS):
        if not row.get(name):
            typed.pop(name, None)  # nothing is said there, so nothing can be wrong
        elif row[name].isdecimal():
            typed[name] = int(row[name])
    return typed


def _refuse_strangers(keys: dict[str, Any], names: set[str], folder: Path) -> None:
    # A key without its scene hints at a file that went missing.
    strangers = sorted(set(keys) - names)
    if strangers:
        raise UserError(
            f"the keys name a scene that is not there: {strangers[0]}",
            where=str(folder),
        )


def import_work() -> Callable[[Foreign], Made]:
    """Open a worker's windows and return what takes a scene in."""
    renderer, window = StillRenderer(), DepthWindow()

    def work(item: Foreign) -> Made:
        return take(
            item,
            lambda data: depth_fractions(data, window),
            lambda scene, view: picture_of(renderer, scene, view),
        )

    return work


def take(
    item: Foreign, depth: DepthWitness, draw: Callable[[Scene, ViewName], Picture]
) -> Made:
    """Return a scene with its facts and pictures, once its key is borne out.

    Raises:
        UserError: Its key does not fit, or the witnesses disagree.
    """
    scene = item.scene
    # Nothing of what others say is believed: both witnesses look anew.
    check = check_scene(scene, depth)
    for problem in check.problems:
        if problem.code == "witnesses_disagree":
            raise UserError(problem.message, where=f"{item.file}: {problem.where}")
    if item.key is not None:
        _refuse_unlike(item, check)
    return Made(
        index=item.index,
        name=scene.name,
        canonical=canonical_bytes(scene),
        original=None,
        candidate=0,
        rejected={},
        facts=to_json(check),
        pictures={view: draw(scene, view) for view in VIEWS},
    )


def _refuse_unlike(item: Foreign, check: Check) -> None:
    said = item.key or {}
    for name, right in _so(check).items():
        if name not in said:
            continue
        claim = said[name]
        same = _same(claim, right)
        if not same:
            raise UserError(
                f"the key says {name} = {claim}, but it is {right}", where=item.file
            )


def _so(check: Check) -> Json:
    """Return what a key of this scene says when it is right, as exports write it."""
    scene, facts = check.scene, to_json(check)
    features = features_of(scene, check.truth)
    flags = (features.hidden_has_largest, features.smaller_outranks, features.confound)
    return {
        **{name: facts["key"][name] for name in _ROLES},
        **{name: facts["sees"][view] for name, view in _LISTS.items()},
        "digits": list(scene.digits),
        "blocks": features.blocks,
        "hidden_rank": features.hidden_rank,
        **dict(zip(_FLAGS, flags, strict=True)),
        # Last: it differs with each of the others, which say more.
        "hash": sha256_hex(canonical_bytes(scene)),
    }


def _same(claim: Json, right: Json) -> bool:
    if isinstance(claim, list) and isinstance(right, list):
        # As texts: what others wrote may hold values that have no order.
        return sorted(map(repr, claim)) == sorted(map(repr, right))
    return bool(claim == right)
