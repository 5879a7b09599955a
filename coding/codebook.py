"""Codebooks: what a coder decides about one item, and by which definitions.

A codebook is a frozen value. A packet carries its own copy, so a later edit makes a
new version and codings keep the one they were made with.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

from coding import bounded
from coding.canonical import canonical_json, sha256_hex
from coding.errors import CodingError

FORMAT = "director-codebook/1"
MAX_BYTES = 1_000_000
Kind = Literal["one_of", "yes_no", "yes_no_not_said", "quote", "text"]
KINDS: tuple[str, ...] = get_args(Kind)
CHOICES = ("one_of", "yes_no", "yes_no_not_said")  # kinds whose values are codes
YES, NO, NOT_SAID = "yes", "no", "not-said"
FIXED: Mapping[str, tuple[str, ...]] = {
    "yes_no": (YES, NO),
    "yes_no_not_said": (YES, NO, NOT_SAID),
}
# Names that sheets and results use for columns of their own.
RESERVED = frozenset({"item", "id", "text", "scene", "note", "skip", "flag"})
_COLOR = re.compile(r"#[0-9a-f]{6}")
_LONG, _SHORT = 4000, 200  # characters


@dataclass(frozen=True, slots=True)
class Code:
    """One value that a coder can choose.

    Attributes:
        name: What is stored; any plain text, also "None" or "NA".
        label: What the coder reads.
        definition: When the code applies.
        examples: Passages to which it applies.
        counter_examples: Passages to which it does not, though they look alike.
        key: One character that chooses it, or ''.
        color: Such as ``#c0504d``, or ''.
    """

    name: str
    label: str
    definition: str = ""
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    key: str = ""
    color: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One decision about an item; `required` ones make the item coded."""

    name: str
    label: str
    kind: Kind
    question: str = ""
    required: bool = True
    codes: tuple[Code, ...] = ()

    def code(self, name: str) -> Code:
        """Return the code of this name.

        Raises:
            CodingError: The field has no such code.
        """
        for code in self.codes:
            if code.name == name:
                return code
        raise CodingError(f'"{name[:40]}" is no code of this field', where=self.name)

    def code_names(self) -> tuple[str, ...]:
        """Return the names of the codes, in the codebook's order."""
        return tuple(code.name for code in self.codes)


@dataclass(frozen=True)
class Codebook:
    """A named version of a set of fields."""

    name: str
    version: int
    title: str
    intro: str
    fields: tuple[Field, ...]

    def field(self, name: str) -> Field:
        """Return the field of this name.

        Raises:
            CodingError: The codebook has no such field.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise CodingError(
            f'"{name[:40]}" is no field of this codebook', where=self.name
        )

    def quote_field(self) -> Field:
        """Return the first field that takes a quote.

        Raises:
            CodingError: No field does.
        """
        for field in self.fields:
            if field.kind == "quote":
                return field
        raise CodingError("no field of this codebook takes a quote", where=self.name)

    @cached_property
    def required(self) -> frozenset[str]:
        """The names of the fields that an item needs to count as coded."""
        return frozenset(field.name for field in self.fields if field.required)

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the canonical bytes."""
        return sha256_hex(to_bytes(self))


def to_bytes(book: Codebook) -> bytes:
    """Return a codebook's canonical JSON."""
    return canonical_json(
        {
            "format": FORMAT,
            "name": book.name,
            "version": book.version,
            "title": book.title,
            "intro": book.intro,
            "fields": [_field_value(field) for field in book.fields],
        }
    )


def from_bytes(data: bytes, where: str = "codebook.json") -> Codebook:
    """Return the codebook in JSON bytes.

    Raises:
        CodingError: The bytes hold no valid codebook; `where` is the value's path.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    return _codebook(bounded.load_json(data, where), where)


def from_toml(data: bytes, where: str = "codebook") -> Codebook:
    """Return the codebook in a TOML file's bytes.

    Raises:
        CodingError: The bytes hold no valid codebook; `where` is the value's path.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    try:
        value = tomllib.loads(data.decode("utf-8-sig"))
    # Not TOMLDecodeError alone: a number can have too many digits to be read.
    except (ValueError, RecursionError) as error:
        raise CodingError(f"is not TOML: {error}", where=where) from error
    return _codebook(value, where)


def read_file(path: Path) -> Codebook:
    """Return the codebook in a ``.toml`` or ``.json`` file.

    Raises:
        CodingError: The file cannot be read or is refused.
    """
    data = bounded.read_file(path, MAX_BYTES)
    reads = from_toml if path.suffix.lower() == ".toml" else from_bytes
    return reads(data, str(path))


def _field_value(field: Field) -> dict[str, object]:
    return {
        "name": field.name,
        "label": field.label,
        "kind": field.kind,
        "question": field.question,
        "required": field.required,
        "codes": [
            {name: getattr(code, name) for name in code.__slots__}
            for code in field.codes
        ],
    }


def _codebook(value: object, where: str) -> Codebook:
    keys = ("format", "name", "version", "fields")
    obj = bounded.fields(value, where, keys, ("title", "intro"))
    if obj["format"] != FORMAT:
        raise CodingError(f'must be "{FORMAT}"', where=f"{where}.format")
    listed = bounded.items(obj["fields"], f"{where}.fields", 20)
    fields = tuple(_field(v, f"{where}.fields[{i}]") for i, v in enumerate(listed))
    if not fields:
        raise CodingError("needs at least one field", where=f"{where}.fields")
    _refuse_repeats((f.name for f in fields), "field name", where)
    # Unique over all fields: in the pane one key means one thing everywhere.
    keys_used = (c.key.casefold() for f in fields for c in f.codes if c.key)
    _refuse_repeats(keys_used, "key", where)
    return Codebook(
        name=bounded.name(obj, "name", where, 64),
        version=bounded.whole(obj, "version", where, 1, 1_000_000),
        title=bounded.text(obj, "title", where, _SHORT),
        intro=bounded.text(obj, "intro", where, _LONG),
        fields=fields,
    )


def _field(value: object, where: str) -> Field:
    obj = bounded.fields(
        value, where, ("name", "kind"), ("label", "question", "required", "codes")
    )
    name = bounded.name(obj, "name", where)
    # Sheets would have two columns of one name.
    if name.casefold() in RESERVED:
        raise CodingError(f'"{name}" is a name of ours', where=f"{where}.name")
    required = obj.get("required", True)
    if not isinstance(required, bool):
        raise CodingError("must be true or false", where=f"{where}.required")
    kind = _kind(obj, where)
    return Field(
        name=name,
        label=bounded.text(obj, "label", where, _SHORT) or name,
        kind=kind,
        question=bounded.text(obj, "question", where, _LONG),
        required=required,
        codes=_codes(obj.get("codes", []), kind, f"{where}.codes"),
    )


def _kind(obj: dict[str, object], where: str) -> Kind:
    for kind in get_args(Kind):
        if obj["kind"] == kind:
            found: Kind = kind
            return found
    raise CodingError(f"must be one of {', '.join(KINDS)}", where=f"{where}.kind")


def _codes(value: object, kind: str, where: str) -> tuple[Code, ...]:
    listed = bounded.items(value, where, 50)
    codes = tuple(_code(item, f"{where}[{i}]") for i, item in enumerate(listed))
    _refuse_repeats((code.name for code in codes), "code", where)
    if kind in FIXED:
        return _fixed_codes(codes, FIXED[kind], where)
    if kind == "one_of" and len(codes) < 2:
        raise CodingError("needs at least two codes", where=where)
    if kind not in CHOICES and codes:
        raise CodingError(f'a field of kind "{kind}" has no codes', where=where)
    return codes


def _fixed_codes(
    codes: tuple[Code, ...], names: tuple[str, ...], where: str
) -> tuple[Code, ...]:
    given = {code.name: code for code in codes}
    for name in given:
        if name not in names:
            raise CodingError(f"the codes are {', '.join(names)}", where=where)
    # In our order, whatever the file's: keys and colours may differ, meanings not.
    return tuple(
        given.get(name) or Code(name, name.replace("-", " ")) for name in names
    )


def _code(value: object, where: str) -> Code:
    lists = ("examples", "counter_examples")
    obj = bounded.fields(
        value, where, ("name",), ("label", "definition", "key", "color", *lists)
    )
    name = bounded.text(obj, "name", where, 64)
    # Blanks around a name cannot be seen, but would make another code.
    if not name or name != name.strip() or "\n" in name or "\t" in name:
        raise CodingError("must be a text on one line", where=f"{where}.name")
    return Code(
        name=name,
        label=bounded.text(obj, "label", where, _SHORT) or name,
        definition=bounded.text(obj, "definition", where, _LONG),
        examples=_passages(obj, "examples", where),
        counter_examples=_passages(obj, "counter_examples", where),
        key=_key(obj, where),
        color=_color(obj, where),
    )


def _passages(obj: dict[str, object], key: str, where: str) -> tuple[str, ...]:
    listed = bounded.items(obj.get(key, []), f"{where}.{key}", 50)
    named = {f"[{i}]": passage for i, passage in enumerate(listed)}
    return tuple(bounded.text(named, i, f"{where}.{key}", _LONG) for i in named)


def _key(obj: dict[str, object], where: str) -> str:
    key = bounded.text(obj, "key", where, 1)
    if key and not (key.isalnum() and key.isascii()):
        raise CodingError("must be one letter or digit", where=f"{where}.key")
    return key


def _color(obj: dict[str, object], where: str) -> str:
    color = bounded.text(obj, "color", where, 7).lower()
    if color and not _COLOR.fullmatch(color):
        raise CodingError("must be a colour such as #c0504d", where=f"{where}.color")
    return color


def _refuse_repeats(names: Iterable[str], what: str, where: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise CodingError(f'the {what} "{name}" occurs twice', where=where)
