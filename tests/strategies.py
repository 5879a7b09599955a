"""Hypothesis strategies: the one file for them."""

import copy
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from coding import codebook
from coding.codebook import Code, Codebook, Field
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

# Two cores are shared by many tests: how long one example takes says nothing.
QUICK = settings(deadline=None, max_examples=40)
FEW = settings(deadline=None, max_examples=12)


def decimals(low: float, high: float, places: int = 4) -> st.SearchStrategy[float]:
    """Numbers as scene files store them: rounded, and never a negative zero."""
    scale = 10**places
    whole = st.integers(round(low * scale), round(high * scale))
    return whole.map(lambda i: i / scale)


lengths = decimals(0.01, 2.0)
coordinates = decimals(-10, 10)
yaws = decimals(-360, 360, 2)
colors = st.from_regex(r"#[0-9a-f]{6}", fullmatch=True)
names = st.text(
    st.characters(min_codepoint=32, exclude_categories=("Cs", "Cc")), max_size=20
)
points = st.tuples(coordinates, coordinates, coordinates)
pictures = st.builds(Picture, st.integers(64, 8192), st.integers(64, 8192))
requests = st.builds(Request, st.just("size"), st.sampled_from(["largest", "smallest"]))
tables = st.builds(Table, decimals(0.01, 2), decimals(0.01, 2))
partitions = st.builds(
    Partition, coordinates, coordinates, yaws, lengths, lengths, lengths
)


def blocks(digit: int) -> st.SearchStrategy[Block]:
    """Any block that carries `digit`."""
    return st.builds(
        Block, st.just(digit), lengths, coordinates, coordinates, yaws, colors
    )


@st.composite
def viewpoints(draw: st.DrawFn) -> Viewpoint:
    """Any eye that does not look straight up or down."""
    eye = draw(points)
    aim = draw(points.filter(lambda p: max(abs(p[0] - eye[0]), abs(p[1] - eye[1])) > 0))
    return Viewpoint(eye, aim, draw(decimals(5, 120, 2)))


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Any scene that the reader accepts, however odd."""
    digits = draw(st.lists(st.integers(0, 99), min_size=1, max_size=12, unique=True))
    return Scene(
        name=draw(names),
        table=draw(tables),
        blocks=tuple(draw(blocks(digit)) for digit in digits),
        partitions=tuple(draw(st.lists(partitions, max_size=4))),
        director=draw(viewpoints()),
        camera=draw(viewpoints()),
        picture=draw(pictures),
        request=draw(requests),
    )


@st.composite
def stimuli(draw: st.DrawFn) -> Scene:
    """Scenes as an experimenter builds them: three blocks apart, one partition."""
    digits = draw(st.lists(st.integers(1, 9), min_size=3, max_size=3, unique=True))
    edges = draw(st.permutations([0.2, 0.15, 0.11]))
    near = decimals(-0.05, 0.05)
    placed = tuple(
        Block(digit, edge, at + draw(near), draw(near), draw(yaws), "#808080")
        for digit, edge, at in zip(digits, edges, (-0.4, 0.0, 0.4), strict=True)
    )
    behind = placed[draw(st.integers(0, 2))]
    board = Partition(
        behind.x, behind.y + 0.2, draw(decimals(-15, 15, 2)), 0.4, 0.3, 0.02
    )
    return Scene(
        "stimulus",
        Table(1.4, 1.0),
        placed,
        (board,),
        Viewpoint((draw(decimals(-0.3, 0.3)), 1.2, 0.45), (0, 0, 0.05), 60.0),
        Viewpoint((0.0, -1.4, draw(decimals(0.6, 0.9))), (0.0, 0.1, 0.1), 48.0),
        Picture(400, 300),
        draw(requests),
    )


odd_values: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**6), 10**6),
    st.sampled_from([10**400, -1, 0, 2**64, 1e308, -1e308, 1e-320]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.builds(list),  # new ones each time: mutations change them
    st.builds(dict),
    st.lists(st.integers(-3, 3), max_size=3),
)


@st.composite
def mutations(draw: st.DrawFn, value: Any) -> Any:  # noqa: ANN401 - raw JSON
    """A JSON value with one to three places changed, dropped, doubled or added."""
    changed = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        parent = draw(st.sampled_from(_containers(changed)))
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
        kind = draw(st.sampled_from(["set", "drop", "add"]))
        if kind == "add" or not keys:
            _add(parent, draw(st.text(max_size=6)), draw(odd_values))
        elif kind == "drop":
            del parent[draw(st.sampled_from(keys))]
        else:
            parent[draw(st.sampled_from(keys))] = copy.deepcopy(draw(odd_values))
    return changed


def _add(parent: Any, key: str, value: Any) -> None:  # noqa: ANN401 - raw JSON
    if isinstance(parent, dict):
        parent[key] = value
    else:
        parent.append(copy.deepcopy(parent[0]) if parent else value)


def _containers(value: Any) -> list[Any]:  # noqa: ANN401 - raw JSON
    if isinstance(value, dict):
        return [value, *(c for v in value.values() for c in _containers(v))]
    if isinstance(value, list):
        return [value, *(c for v in value for c in _containers(v))]
    return []


unit_interval = st.floats(0.02, 0.98)
small_points: st.SearchStrategy[Point] = st.tuples(
    decimals(-2, 2), decimals(-2, 2), decimals(0, 2)
)


# Codebooks --------------------------------------------------------------------------

_plain = st.characters(
    min_codepoint=32,
    exclude_categories=("Cs", "Cc"),
    exclude_characters="\ufffe\uffff",
)
_prose = st.text(st.one_of(_plain, st.sampled_from("\n\t\\\"'&<>")), max_size=30)
_shown = st.text(_plain, min_size=1, max_size=12).filter(lambda text: text.strip())
_stored = _shown.map(str.strip).filter(bool)
_field_names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_-]{0,20}", fullmatch=True).filter(
    lambda name: name.casefold() not in codebook.RESERVED
)
_passages = st.lists(_prose, max_size=2).map(tuple)


def book_codes(name: str) -> st.SearchStrategy[Code]:
    """Any code of this stored name, without a key: keys are unique in a codebook."""
    tint = st.one_of(st.just(""), colors)
    return st.builds(
        Code, st.just(name), _shown, _prose, _passages, _passages, st.just(""), tint
    )


@st.composite
def book_fields(draw: st.DrawFn, name: str) -> Field:
    """Any field of this name."""
    kind = draw(st.sampled_from(codebook.KINDS))
    names: list[str] = []
    if kind == "one_of":
        names = draw(st.lists(_stored, min_size=2, max_size=4, unique=True))
    elif kind in codebook.FIXED:
        names = list(codebook.FIXED[kind])
    codes = tuple(draw(book_codes(one)) for one in names)
    return Field(name, draw(_shown), kind, draw(_prose), draw(st.booleans()), codes)


@st.composite
def codebooks(draw: st.DrawFn) -> Codebook:
    """Any codebook that the reader accepts; some codes have keys."""
    names = draw(st.lists(_field_names, min_size=1, max_size=4, unique_by=str.casefold))
    keys = iter(draw(st.permutations("abcdefghij0123456789")))
    fields = []
    for name in names:
        field = draw(book_fields(name))
        codes = tuple(
            replace(code, key=next(keys, "") if draw(st.booleans()) else "")
            for code in field.codes
        )
        fields.append(replace(field, codes=codes))
    name, version = draw(_field_names), draw(st.integers(1, 99))
    return Codebook(name, version, draw(_prose), draw(_prose), tuple(fields))
