"""The family file, ``director-family/1`` in TOML: reading and refusing.

Every refusal names the path of the value, such as ``blocks.ratio``. What is readable
but cannot be satisfied is the business of `forecast`.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from director_gui.errors import UserError
from director_gui.families.model import (
    RANKS,
    BlockRule,
    Demands,
    EyeRule,
    Family,
    HiddenRule,
    HiderRule,
    PartitionRule,
    Rank,
    Span,
    SpanPoint,
    StanderRule,
)
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
    Range,
)
from director_gui.scene.model import Picture, Request, Table

FORMAT = "director-family/1"
_DOTS = 200  # in a key; ours have two
_DEEP = "nested too deeply for a family file"
MAX_BYTES = 1_000_000
MOST_SCENES = 100_000
_SEEDS = 2**63 - 1  # the most that SQLite keeps
_TOP = (
    "format",
    "name",
    "about",
    "count",
    "seed",
    "request",
    "picture",
    "table",
    "blocks",
    "hidden",
    "partitions",
    "director",
    "camera",
    "demands",
)
_HIDER = ("at", "gap", "side", "turn", "width", "height", "thickness")
_STANDER = ("at", "x", "y", "yaw", "width", "height", "thickness")
_RATIO = Range(1.0, 10.0)  # each edge over the next
_EDGES = Range(0.1, 20.0)  # sizes of a partition in edges of the hidden block


Find = Callable[[str], Family]


def read_family(data: bytes, find: Find | None = None) -> Family:
    """Return the family in the bytes of a family file.

    A file with `rearranges` holds only that, a name and a text; all else is that of
    the family it names.

    Args:
        data: The file.
        find: Returns the family of a name, for `rearranges`.

    Raises:
        UserError: The bytes are no such file; `where` is the path of the value.
    """
    return family_of(parsed(data), find)


def _winds(line: bytes) -> bool:
    """Tell whether a key of a line has more dots than any family has tables."""
    # Python's reader takes the square of their number in time: hours for 1 MB.
    comment = line.lstrip().startswith(b"#")
    return not comment and any(k.count(b".") > _DOTS for k in line.split(b"="))


def read_file(path: Path) -> bytes:
    """Return the bytes of a family file.

    Raises:
        UserError: It cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as error:
        name = str(path).encode(errors="backslashreplace").decode()
        raise UserError(
            f"the file cannot be read ({error.strerror})", where=name
        ) from error


def parsed(data: bytes) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        UserError: The bytes are not TOML in UTF-8.
    """
    if len(data) > MAX_BYTES:
        raise UserError(f"the file is larger than {MAX_BYTES} bytes")
    if any(map(_winds, data.splitlines())):
        raise UserError(_DEEP)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text at byte {error.start}") from error
    except RecursionError as error:
        raise UserError(_DEEP) from error
    except ValueError as error:  # TOMLDecodeError, or a number that is too long
        raise UserError(f"not TOML: {error}") from error


def family_of(value: Any, find: Find | None = None) -> Family:  # noqa: ANN401 - raw TOML
    """Return the family that parsed TOML describes; see `read_family`.

    Raises:
        UserError: It is no family; `where` is the path of the value.
    """
    if isinstance(value, dict) and value.get("format") != FORMAT:
        raise r.refuse("format", f'must be "{FORMAT}"')
    if isinstance(value, dict) and "rearranges" in value:
        return _rearranged(value, find)
    obj = r.fields(value, "", _TOP)
    family = Family(
        name=family_name(obj),
        about=r.text(obj, "", "about", 2000),
        count=r.integer(obj, "", "count", 1, MOST_SCENES),
        seed=r.integer(obj, "", "seed", -_SEEDS, _SEEDS),
        table=_table(obj["table"]),
        picture=_picture(obj["picture"]),
        request=_request(obj["request"]),
        blocks=_blocks(obj["blocks"]),
        hidden=_hidden(obj["hidden"]),
        partitions=r.items(obj, "", "partitions", PARTITIONS, _partition),
        director=_eye(obj["director"], "director"),
        camera=_eye(obj["camera"], "camera"),
        demands=_demands(obj["demands"]),
    )
    _refuse_unfit(family)
    return family


def _rearranged(value: dict[str, Any], find: Find | None) -> Family:
    obj = r.fields(value, "", ("format", "name", "about", "rearranges"))
    name, about = family_name(obj), r.text(obj, "", "about", 2000)
    source = r.text(obj, "", "rearranges")
    if find is None:
        raise r.refuse("rearranges", f"there is no family {source!r} to rearrange")
    base = find(source)
    if base.rearranges or base.name == name:
        raise r.refuse("rearranges", "must name a family that is no rearrangement")
    return replace(base, name=name, about=about, rearranges=source)


def family_name(obj: dict[str, Any]) -> str:
    """Return a family's name: of use in file names, so letters, digits, ``-_.``."""
    name = r.text(obj, "", "name", 60)
    if not name or name[0] == "." or not all(c.isalnum() or c in "-_." for c in name):
        raise r.refuse("name", "must be letters, digits and -_. alone")
    return name


def _table(value: Any) -> Table:  # noqa: ANN401 - raw TOML
    obj = r.fields(value, "table", ("width", "depth"))
    return Table(
        _fixed(obj, "table", "width", TABLE), _fixed(obj, "table", "depth", TABLE)
    )


def _picture(value: Any) -> Picture:  # noqa: ANN401 - raw TOML
    obj = r.fields(value, "picture", ("width", "height"))
    return Picture(
        r.integer(obj, "picture", "width", *PIXELS),
        r.integer(obj, "picture", "height", *PIXELS),
    )


def _request(value: Any) -> Request:  # noqa: ANN401 - raw TOML
    obj = r.fields(value, "request", ("dimension", "extreme"))
    r.choice(obj, "request", "dimension", ("size",))
    extreme = r.choice(obj, "request", "extreme", ("largest", "smallest"))
    return Request(extreme="largest" if extreme == "largest" else "smallest")


def _blocks(value: Any) -> BlockRule:  # noqa: ANN401 - raw TOML
    path = "blocks"
    obj = r.fields(value, path, BlockRule.__slots__)
    rule = r.choice(obj, path, "digit_rule", ("draw", "given"))
    digits = r.items(obj, path, "digits", (1, DIGITS[1] + 1), _digit)
    _refuse_twins(digits, f"{path}.digits")
    return BlockRule(
        counts=tuple(
            (_block_count(key), share)
            for key, share in _shares(obj, path, "counts").items()
        ),
        largest=span(obj, path, "largest", SIZE),
        ratio=span(obj, path, "ratio", _RATIO),
        x=span(obj, path, "x", COORDINATE),
        y=span(obj, path, "y", COORDINATE),
        yaw=span(obj, path, "yaw", YAW),
        gap=r.number(obj, path, "gap", 0.0, 1.0),
        digit_rule="given" if rule == "given" else "draw",
        digits=digits,
        colors=r.items(obj, path, "colors", (1, 100), _color),
    )


def _hidden(value: Any) -> HiddenRule:  # noqa: ANN401 - raw TOML
    places = ("x", "y", "yaw")
    if not isinstance(value, dict):
        raise r.refuse("hidden", f"expected an object, found {r.kind(value)}")
    # Without a place of its own the hidden block stands where any block may.
    obj = r.fields({**dict.fromkeys(places), **value}, "hidden", ("ranks", *places))
    ranks = _shares(obj, "hidden", "ranks")
    for key in ranks:
        if key not in RANKS:
            where = f"hidden.ranks.{r.plain(key)}"
            raise r.refuse(where, "must be largest, middle or smallest")
    spans = {
        key: span(obj, "hidden", key, YAW if key == "yaw" else COORDINATE)
        for key in places
        if key in value
    }
    return HiddenRule(
        ranks=tuple((cast("Rank", key), share) for key, share in ranks.items()),
        x=spans.get("x"),
        y=spans.get("y"),
        yaw=spans.get("yaw"),
    )


def _partition(value: Any, path: str) -> PartitionRule:  # noqa: ANN401 - raw TOML
    if not isinstance(value, dict):
        raise r.refuse(path, f"expected an object, found {r.kind(value)}")
    if "at" not in value:
        raise r.refuse(f"{path}.at", "this key is missing")
    if r.choice(value, path, "at", ("hidden", "table")) == "hidden":
        obj = r.fields(value, path, _HIDER)
        return HiderRule(
            gap=span(obj, path, "gap", Range(0.0, 2.0)),
            side=span(obj, path, "side", Range(-2.0, 2.0)),
            turn=span(obj, path, "turn", YAW),
            width=span(obj, path, "width", _EDGES),
            height=span(obj, path, "height", _EDGES),
            thickness=span(obj, path, "thickness", SIZE),
        )
    obj = r.fields(value, path, _STANDER)
    return StanderRule(
        x=span(obj, path, "x", COORDINATE),
        y=span(obj, path, "y", COORDINATE),
        yaw=span(obj, path, "yaw", YAW),
        width=span(obj, path, "width", SIZE),
        height=span(obj, path, "height", SIZE),
        thickness=span(obj, path, "thickness", SIZE),
    )


def _eye(value: Any, path: str) -> EyeRule:  # noqa: ANN401 - raw TOML
    obj = r.fields(value, path, ("eye", "look_at", "fov"))
    return EyeRule(
        eye=_span_point(obj, path, "eye"),
        look_at=_span_point(obj, path, "look_at"),
        fov=span(obj, path, "fov", FOV),
    )


def _demands(value: Any) -> Demands:  # noqa: ANN401 - raw TOML
    path = "demands"
    obj = r.fields(value, path, Demands.__slots__)
    confounds = r.choice(obj, path, "confounds", ("keep", "avoid"))
    # Below the least fraction that counts as seeing, a key would be undefined.
    return Demands(
        director_sees=r.number(obj, path, "director_sees", 0.25, 1.0),
        model_sees=r.number(obj, path, "model_sees", 0.25, 1.0),
        confounds="avoid" if confounds == "avoid" else "keep",
    )


def span(obj: Mapping[str, Any], path: str, key: str, allowed: Range) -> Span:
    """Return a quantity: a number, or a list of its least and greatest value."""
    value, where = obj[key], f"{path}.{key}"
    if not isinstance(value, list):
        fixed = r.number({key: value}, path, key, *allowed)
        return Span(fixed, fixed)
    if len(value) != 2:
        raise r.refuse(where, "expected a number or a range [least, greatest]")
    named = {f"[{i}]": item for i, item in enumerate(value)}
    low, high = (r.number(named, where, name, *allowed) for name in named)
    if low > high:
        raise r.refuse(where, f"the least value {low:g} is above {high:g}")
    return Span(low, high)


def _span_point(obj: dict[str, Any], path: str, key: str) -> SpanPoint:
    value, where = obj[key], f"{path}.{key}"
    if not isinstance(value, list) or len(value) != 3:
        raise r.refuse(where, "expected a list of three numbers or ranges")
    named = {f"[{i}]": item for i, item in enumerate(value)}
    spans = [_span_at(named, where, name) for name in named]
    return spans[0], spans[1], spans[2]


def _span_at(named: dict[str, Any], where: str, name: str) -> Span:
    # `span` joins with a dot; an index joins without one.
    try:
        return span({name: named[name]}, where, name, COORDINATE)
    except UserError as error:
        raise r.refuse(error.where.replace(".[", "["), error.what) from None


def _fixed(obj: dict[str, Any], path: str, key: str, allowed: Range) -> float:
    return r.number(obj, path, key, *allowed)


def _shares(obj: dict[str, Any], path: str, key: str) -> dict[str, int]:
    """Return a table of names with whole shares, at least one above zero."""
    value, where = obj[key], f"{path}.{key}"
    if not isinstance(value, dict) or not value:
        raise r.refuse(where, "expected a table of shares, such as { largest = 1 }")
    shares = {
        name: r.integer({r.plain(name): share}, where, r.plain(name), 0, MOST_SCENES)
        for name, share in value.items()
    }
    if not any(shares.values()):
        raise r.refuse(where, "at least one share must be above 0")
    return shares


def _block_count(key: str) -> int:
    low, high = BLOCKS[0] + 1, BLOCKS[1]
    if not (key.isascii() and key.isdigit() and low <= int(key[:4]) <= high):
        where = f"blocks.counts.{r.plain(key)}"
        raise r.refuse(where, f"must be a number of blocks from {low} to {high}")
    return int(key)


def _digit(value: Any, path: str) -> int:  # noqa: ANN401 - raw TOML
    return r.integer({path: value}, "", path, *DIGITS)


def _color(value: Any, path: str) -> str:  # noqa: ANN401 - raw TOML
    return r.color({path: value}, "", path)


def _refuse_twins(digits: tuple[int, ...], path: str) -> None:
    for i, digit in enumerate(digits):
        if digit in digits[:i]:
            raise r.refuse(f"{path}[{i}]", f"{digit} occurs twice")


def _refuse_unfit(family: Family) -> None:
    """Refuse what no draw can mend, whatever the numbers."""
    rule = family.blocks
    most = max(count for count, share in rule.counts if share)
    fewest = min(count for count, share in rule.counts if share)
    if len(rule.digits) < most:
        raise r.refuse("blocks.digits", f"{most} blocks need as many digits")
    if len(rule.colors) < most:
        raise r.refuse("blocks.colors", f"{most} blocks need as many colours")
    if fewest < 3 and any(rank == "middle" and s for rank, s in family.hidden.ranks):
        raise r.refuse("hidden.ranks.middle", "two blocks have no middle one")
    _refuse_blind(family.director, "director")
    _refuse_blind(family.camera, "camera")


def _refuse_blind(rule: EyeRule, path: str) -> None:
    flat = zip(rule.eye[:2], rule.look_at[:2], strict=True)
    if all(a == b and a.low == a.high for a, b in flat):
        raise r.refuse(f"{path}.look_at", "must not be straight above or below the eye")
