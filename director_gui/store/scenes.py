"""Scenes, their pictures, and which picture shows which scene.

A scene is kept under the hash of its canonical JSON, a picture under the SHA-256 of
its PNG bytes; storing the same thing twice changes nothing.
"""

from dataclasses import dataclass, field

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.runner.records import now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class StoredScene:
    """A scene's canonical JSON and what names it."""

    hash: str
    name: str
    created: str
    json: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class StoredImage:
    """A picture and how it came about.

    Attributes:
        sha256: Of the PNG bytes.
        pixels_sha256: Of the decoded RGB rows.
        renderer: The renderer and its version.
        view: `model` or `director`.
        width: In pixels.
        height: In pixels.
        png: The bytes, sent to models untouched.
    """

    sha256: str
    pixels_sha256: str
    renderer: str
    view: str
    width: int
    height: int
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Stimulus:
    """Says that the picture `image` shows the scene `scene` from `view`."""

    scene: str
    view: str
    image: str


def add_scene(study: Study, name: str, canonical: bytes) -> str:
    """Keep a scene's canonical JSON bytes; return its hash."""
    row = {
        "hash": sha256_hex(canonical),
        "name": name,
        "created": now_utc(),
        "json": canonical,
    }
    with study.write() as db:
        # The first name stays: runs may have shown it already.
        db.table("scenes").insert(row, ignore=True)
    return sha256_hex(canonical)


def scene(study: Study, scene_hash: str) -> StoredScene:
    """Return one scene.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM scenes WHERE hash = ?", (scene_hash,))
    return StoredScene(**_one(rows, "scene", scene_hash))


def scenes(study: Study) -> list[StoredScene]:
    """Return all scenes in the order they were first kept."""
    rows = study.query("SELECT * FROM scenes ORDER BY rowid")
    return [StoredScene(**row) for row in rows]


def add_image(
    study: Study,
    png: bytes,
    *,
    pixels_sha256: str,
    renderer: str,
    view: str,
    width: int,
    height: int,
) -> str:
    """Keep a picture's bytes once; return their SHA-256."""
    row = {
        "sha256": sha256_hex(png),
        "pixels_sha256": pixels_sha256,
        "renderer": renderer,
        "view": view,
        "width": width,
        "height": height,
        "png": png,
    }
    with study.write() as db:
        db.table("images").insert(row, ignore=True)
    return sha256_hex(png)


def image(study: Study, sha256: str) -> StoredImage:
    """Return one picture.

    Raises:
        UserError: The study does not hold it, or its bytes are no longer the ones
            that were stored.
    """
    rows = study.query("SELECT * FROM images WHERE sha256 = ?", (sha256,))
    found = StoredImage(**_one(rows, "picture", sha256))
    # What is sent must be what was stored: one bit makes another stimulus.
    if sha256_hex(found.png) != sha256:
        raise UserError(
            "a stored picture is damaged", where=sha256, todo="Restore a copy"
        )
    return found


def add_stimulus(study: Study, scene_hash: str, view: str, image_sha256: str) -> None:
    """Say that a stored picture shows a stored scene from `view`."""
    row = {"scene": scene_hash, "view": view, "image": image_sha256}
    with study.write() as db:
        db.table("stimuli").insert(row, ignore=True)


def stimulus(study: Study, scene_hash: str, view: str = "model") -> Stimulus | None:
    """Return the newest picture of a scene from `view`, None when there is none."""
    rows = study.query(
        "SELECT scene, view, image FROM stimuli WHERE scene = ? AND view = ?"
        " ORDER BY id DESC LIMIT 1",
        (scene_hash, view),
    )
    return Stimulus(**rows[0]) if rows else None


def stimuli(study: Study, view: str = "model") -> list[Stimulus]:
    """Return the newest picture of every scene that has one from `view`."""
    rows = study.query(
        "SELECT scene, view, image FROM stimuli WHERE id IN"
        " (SELECT max(id) FROM stimuli WHERE view = ? GROUP BY scene) ORDER BY id",
        (view,),
    )
    return [Stimulus(**row) for row in rows]


def scene_of_image(study: Study, sha256: str) -> str | None:
    """Return the hash of the scene that a picture shows, None when unknown."""
    rows = study.query(
        "SELECT scene FROM stimuli WHERE image = ? ORDER BY id LIMIT 1", (sha256,)
    )
    return rows[0]["scene"] if rows else None


def _one(rows: list[Row], kind: str, name: str) -> Row:
    if not rows:
        raise UserError(f"the study holds no such {kind}", where=name)
    return rows[0]
