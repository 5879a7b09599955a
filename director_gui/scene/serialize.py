"""The scene file, ``director-scene/1``: reading, refusing, writing.

INTERFACES holds the format. A file that is only wrong as a stimulus loads; its
problems are the business of `geometry.problems`.
"""

import json
from pathlib import Path
from typing import Any, cast

from director_gui.errors import UserError
from director_gui.ids import canonical_json, sha256_hex
from director_gui.scene import reading as r
from director_gui.scene.bounds import (
    BLOCKS,
    COORDINATE,
    DIGITS,
    FOV,
    PARTITIONS,
    PIXELS,
    SIZE,
    TABLE,
    YAW,
)
from director_gui.scene.model import (
    Block,
    Partition,
    Picture,
    Point,
    Request,
    Scene,
    Table,
    Viewpoint,
)

FORMAT = "director-scene/1"
MAX_BYTES = 1_000_000
_KEYS = (
    "format",
    "name",
    "table",
    "blocks",
    "partitions",
    "director",
    "camera",
    "picture",
    "request",
)


def read_scene(data: bytes) -> Scene:
    """Return the scene in the bytes of a scene file.

    Raises:
        UserError: The bytes are no such file; `where` is the path of the value.
    """
    return scene_of(_load(data))


def read_file(path: Path) -> Scene:
    """Return the scene stored at `path`.

    Raises:
        UserError: The file cannot be read or is refused; it is named.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(
            f"the file cannot be read ({error.strerror})", where=_name(path)
        ) from error
    try:
        return read_scene(data)
    except UserError as error:
        where = f"{_name(path)}: {error.where}" if error.where else _name(path)
        raise UserError(error.what, where=where, todo=error.todo) from error


def _name(path: Path) -> str:
    # A file name need not be UTF-8, but every message is.
    return str(path).encode(errors="backslashreplace").decode()


def scene_of(value: Any) -> Scene:  # noqa: ANN401 - raw JSON
    """Return the scene that a parsed JSON value describes.

    Raises:
        UserError: The value is no scene; `where` is the path of the value.
    """
    if isinstance(value, dict) and value.get("format") != FORMAT:
        raise r.refuse("format", f'must be "{FORMAT}"')
    obj = r.fields(value, "", _KEYS)
    blocks = r.items(obj, "", "blocks", BLOCKS, _block)
    _refuse_repeats(blocks)
    return Scene(
        name=r.text(obj, "", "name"),
        table=_table(obj["table"]),
        blocks=blocks,
        partitions=r.items(obj, "", "partitions", PARTITIONS, _partition),
        director=_viewpoint(obj["director"], "director"),
        camera=_viewpoint(obj["camera"], "camera"),
        picture=_picture(obj["picture"]),
        request=_request(obj["request"]),
    )


def value_of(scene: Scene) -> dict[str, Any]:
    """Return the JSON value of a scene, in the order in which files show it."""
    return {
        "format": FORMAT,
        "name": scene.name,
        "table": {"width": scene.table.width, "depth": scene.table.depth},
        "blocks": [_fields_of(block) for block in scene.blocks],
        "partitions": [_fields_of(partition) for partition in scene.partitions],
        "director": _viewpoint_value(scene.director),
        "camera": _viewpoint_value(scene.camera),
        "picture": _fields_of(scene.picture),
        "request": _fields_of(scene.request),
    }


def canonical_bytes(scene: Scene) -> bytes:
    """Return the canonical JSON of a scene: what is hashed and stored."""
    return canonical_json(value_of(scene))


def scene_hash(scene: Scene) -> str:
    """Return the SHA-256 of the canonical bytes."""
    return sha256_hex(canonical_bytes(scene))


def file_bytes(scene: Scene) -> bytes:
    """Return a scene file for people: indented, keys in reading order."""
    text = json.dumps(value_of(scene), indent=2, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode()


def _load(data: bytes) -> Any:  # noqa: ANN401 - raw JSON
    if len(data) > MAX_BYTES:
        raise UserError(f"the file is larger than {MAX_BYTES} bytes")
    try:
        return json.loads(
            data.decode("utf-8-sig"),
            object_pairs_hook=_unique_keys,
            parse_constant=float,  # NaN and Infinity are refused where they stand
        )
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text at byte {error.start}") from error
    except RecursionError as error:
        raise UserError("nested too deeply for a scene file") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UserError(f"not JSON: {error.msg}", where=where) from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise UserError("not JSON that can be read: a number is too long") from error


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    for key, value in pairs:
        if key in seen:
            raise r.refuse(r.plain(key), "this key occurs twice in one object")
        seen[key] = value
    return seen


def _table(value: Any) -> Table:  # noqa: ANN401 - raw JSON
    obj = r.fields(value, "table", ("width", "depth"))
    return Table(
        r.number(obj, "table", "width", *TABLE),
        r.number(obj, "table", "depth", *TABLE),
    )


def _block(value: Any, path: str) -> Block:  # noqa: ANN401 - raw JSON
    obj = r.fields(value, path, ("digit", "edge", "x", "y", "yaw", "color"))
    return Block(
        digit=r.integer(obj, path, "digit", *DIGITS),
        edge=r.number(obj, path, "edge", *SIZE),
        x=r.number(obj, path, "x", *COORDINATE),
        y=r.number(obj, path, "y", *COORDINATE),
        yaw=r.number(obj, path, "yaw", *YAW),
        color=r.color(obj, path, "color"),
    )


def _partition(value: Any, path: str) -> Partition:  # noqa: ANN401 - raw JSON
    names = ("x", "y", "yaw", "width", "height", "thickness")
    obj = r.fields(value, path, names)
    return Partition(
        x=r.number(obj, path, "x", *COORDINATE),
        y=r.number(obj, path, "y", *COORDINATE),
        yaw=r.number(obj, path, "yaw", *YAW),
        width=r.number(obj, path, "width", *SIZE),
        height=r.number(obj, path, "height", *SIZE),
        thickness=r.number(obj, path, "thickness", *SIZE),
    )


def _viewpoint(value: Any, path: str) -> Viewpoint:  # noqa: ANN401 - raw JSON
    obj = r.fields(value, path, ("eye", "look_at", "fov"))
    eye = cast("Point", r.point(obj, path, "eye", COORDINATE.high))
    look_at = cast("Point", r.point(obj, path, "look_at", COORDINATE.high))
    if max(abs(a - b) for a, b in zip(eye, look_at, strict=True)) < 1e-6:
        raise r.refuse(f"{path}.look_at", "must differ from the eye")
    if max(abs(eye[0] - look_at[0]), abs(eye[1] - look_at[1])) < 1e-6:
        raise r.refuse(f"{path}.look_at", "must not be straight above or below the eye")
    return Viewpoint(eye, look_at, r.number(obj, path, "fov", *FOV))


def _picture(value: Any) -> Picture:  # noqa: ANN401 - raw JSON
    obj = r.fields(value, "picture", ("width", "height"))
    return Picture(
        r.integer(obj, "picture", "width", *PIXELS),
        r.integer(obj, "picture", "height", *PIXELS),
    )


def _request(value: Any) -> Request:  # noqa: ANN401 - raw JSON
    obj = r.fields(value, "request", ("dimension", "extreme"))
    r.choice(obj, "request", "dimension", ("size",))
    extreme = r.choice(obj, "request", "extreme", ("largest", "smallest"))
    return Request(extreme="largest" if extreme == "largest" else "smallest")


def _refuse_repeats(blocks: tuple[Block, ...]) -> None:
    seen: set[int] = set()
    for i, block in enumerate(blocks):
        if block.digit in seen:
            raise r.refuse(f"blocks[{i}].digit", f"{block.digit} occurs twice")
        seen.add(block.digit)


def _fields_of(value: Block | Partition | Picture | Request) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


def _viewpoint_value(view: Viewpoint) -> dict[str, Any]:
    return {"eye": list(view.eye), "look_at": list(view.look_at), "fov": view.fov}
