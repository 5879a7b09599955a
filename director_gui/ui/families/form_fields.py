"""Which quantities a form shows, with their units, by their place in the file."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from director_gui.families.model import RANKS
from director_gui.study.family_boards import MOST, Place

Kind = Literal[
    "span", "own_span", "number", "integer", "text", "choice", "shares", "list"
]
Unit = Literal["cm", "°", "×", "edges", "%", "px", ""]
SCALE: dict[Unit, float] = {"cm": 100.0, "%": 100.0}
_FEW, _MANY = 2, 6  # numbers of blocks that the form offers


@dataclass(frozen=True, slots=True)
class FormField:
    """One row of the form.

    Attributes:
        path: Its place in the family file.
        name: What people call it.
        kind: ``span`` is fixed or a range; an ``own_span`` may also be absent.
        unit: What its numbers are shown in; the file has metres and fractions.
        choices: Value and words, for a choice; the keys of shares.
        hint: What it means, in a few words.
    """

    path: str
    name: str
    kind: Kind
    unit: Unit = ""
    choices: tuple[tuple[str, str], ...] = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class FormGroup:
    """Rows under one heading.

    Attributes:
        title: The heading.
        fields: The rows.
        board: Which partition it is, from 0; None for none.
        adds: Where partitions that are added here may stand.
    """

    title: str
    fields: tuple[FormField, ...]
    board: int | None = None
    adds: tuple[Place, ...] = ()


_SET = (
    FormField("name", "Name", "text", hint="Letters, digits and - _ . alone"),
    FormField("about", "About", "text"),
)
_DRAWN = (
    FormField("count", "Scenes", "integer"),
    FormField("seed", "Seed", "integer", hint="Where the draws begin"),
)
_REQUEST = (
    FormField(
        "request.extreme", "The director asks for", "choice",
        choices=(("largest", "the largest block"), ("smallest", "the smallest block")),
    ),
    FormField("picture.width", "Picture width", "integer", "px"),
    FormField("picture.height", "Picture height", "integer", "px"),
    FormField("table.width", "Table width", "number", "cm"),
    FormField("table.depth", "Table depth", "number", "cm"),
)  # fmt: skip
_DEMANDS = (
    FormField(
        "demands.director_sees", "Director sees at least", "number", "%",
        hint="Of each block that is not hidden",
    ),
    FormField(
        "demands.model_sees", "Model sees at least", "number", "%",
        hint="Of every block",
    ),
    FormField(
        "demands.confounds", "Apparent-size confounds", "choice",
        choices=(("keep", "keep and flag them"), ("avoid", "avoid them")),
    ),
)  # fmt: skip


def groups_of(tables: dict[str, Any]) -> list[FormGroup]:
    """Return the form's groups for the tables of a family file."""
    if "rearranges" in tables:
        source = FormField("rearranges", "Permutes the digits of", "text")
        return [FormGroup("Set", (*_SET, source))]
    return [
        FormGroup("Set", (*_SET, *_DRAWN)),
        FormGroup("Request and picture", _REQUEST),
        FormGroup("Blocks", tuple(_blocks(tables))),
        FormGroup("Hidden block", tuple(_hidden())),
        *_partitions(tables),
        FormGroup("Director", tuple(_eye("director"))),
        FormGroup("Camera (the model’s eye)", tuple(_eye("camera"))),
        FormGroup("Demands", _DEMANDS),
    ]


def _blocks(tables: dict[str, Any]) -> Iterator[FormField]:
    held = tables.get("blocks", {}).get("counts", {})
    asked = {*map(str, range(_FEW, _MANY + 1)), *held}
    counts = tuple((key, key) for key in sorted(asked, key=lambda k: (len(k), k)))
    yield FormField(
        "blocks.counts", "How many, in shares", "shares", choices=counts,
        hint="3 : 1 and 4 : 1 gives half of the scenes three blocks, half four",
    )  # fmt: skip
    yield FormField("blocks.largest", "Largest edge", "span", "cm")
    yield FormField(
        "blocks.ratio", "Over the next smaller", "span", "×",
        hint="Each edge over the next smaller one; 1.15 is the least",
    )  # fmt: skip
    yield from _place("blocks", "span")
    yield FormField("blocks.gap", "Room between things", "number", "cm")
    yield FormField(
        "blocks.digit_rule", "Digits", "choice",
        choices=(
            ("draw", "drawn, independent of size"),
            ("given", "given, the largest block first"),
        ),
    )  # fmt: skip
    yield FormField("blocks.digits", "From the digits", "list")
    yield FormField("blocks.colors", "Colours", "list")


def _hidden() -> Iterator[FormField]:
    ranks = tuple((rank, rank) for rank in RANKS)
    yield FormField(
        "hidden.ranks", "Which, in shares", "shares", choices=ranks,
        hint="Which block by size the director cannot see",
    )  # fmt: skip
    yield from _place("hidden", "own_span")


def _place(table: str, kind: Kind) -> Iterator[FormField]:
    yield FormField(f"{table}.x", "x", kind, "cm", hint="To the model’s right")
    yield FormField(f"{table}.y", "y", kind, "cm", hint="Away from the model")
    yield FormField(f"{table}.yaw", "Turned by", kind, "°")


def _partitions(tables: dict[str, Any]) -> Iterator[FormGroup]:
    found = tables.get("partitions", [])
    boards = found if isinstance(found, list) else []
    for i, board in enumerate(boards):
        path = f"partitions[{i}]"
        number = f" {i + 1}" if len(boards) > 1 else ""
        if board.get("at") == "hidden":
            title = f"Partition{number}, before the hidden block"
            yield FormGroup(title, tuple(_hider(path)), i)
        else:
            title = f"Partition{number}, on the table"
            yield FormGroup(title, (*_place(path, "span"), *_size(path, "cm")), i)
    if len(boards) < MOST:
        # Two before one block would stand in each other's place.
        taken = any(board.get("at") == "hidden" for board in boards)
        adds: tuple[Place, ...] = ("table",) if taken else ("hidden", "table")
        title = "Another partition" if boards else "Partition"
        yield FormGroup(title, (), adds=adds)


def _hider(path: str) -> Iterator[FormField]:
    yield FormField(f"{path}.gap", "Free room before the block", "span", "cm")
    yield FormField(
        f"{path}.side", "Shifted by", "span", "cm", hint="To the director’s right"
    )
    yield FormField(
        f"{path}.turn", "Turned by", "span", "°", hint="Against facing the director"
    )
    yield from _size(path, "edges")


def _size(path: str, unit: Unit) -> Iterator[FormField]:
    hint = "In edges of the hidden block" if unit == "edges" else ""
    yield FormField(f"{path}.width", "Width", "span", unit, hint=hint)
    yield FormField(f"{path}.height", "Height", "span", unit, hint=hint)
    yield FormField(f"{path}.thickness", "Thickness", "span", "cm")


def _eye(table: str) -> Iterator[FormField]:
    for i, axis in enumerate("xyz"):
        yield FormField(f"{table}.eye[{i}]", f"Eye {axis}", "span", "cm")
    for i, axis in enumerate("xyz"):
        yield FormField(f"{table}.look_at[{i}]", f"Looks at {axis}", "span", "cm")
    yield FormField(f"{table}.fov", "Field of view", "span", "°", hint="Vertical")
