"""The conditions and pairs that the program knows, read from `resources/prompts`."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from director_gui import assets
from director_gui.errors import UserError
from director_gui.prompts.conditions import TURN_SLOTS, Condition
from director_gui.prompts.pieces import (
    SLOTS,
    FixedText,
    Piece,
    SeesText,
    Text,
    request_variants,
)

Texts = Mapping[str, bytes]  # file name without suffix -> bytes
_TABLES = ("pieces", "defaults", "conditions", "pairs")


@dataclass(frozen=True, slots=True)
class Library:
    """Pieces, conditions in the order of the method's table, and declared pairs."""

    pieces: tuple[Piece, ...] = ()
    conditions: tuple[Condition, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()

    def condition(self, name: str) -> Condition:
        """Return the condition called `name`.

        Raises:
            UserError: There is none.
        """
        for condition in self.conditions:
            if condition.name == name:
                return condition
        raise UserError(
            f"no condition is called “{name}”",
            todo="`director-gui prompts list` names them all",
        )

    def piece(self, name: str) -> Piece:
        """Return the piece called `name`.

        Raises:
            UserError: There is none.
        """
        for piece in self.pieces:
            if piece.name == name:
                return piece
        raise UserError(f"no piece is called “{name}”")

    def with_piece(self, piece: Piece) -> "Library":
        """Return the library with a piece added.

        Raises:
            UserError: Its name is taken; a changed text needs a name of its own.
        """
        _refuse_taken(piece.name, [known.name for known in self.pieces])
        return replace(self, pieces=(*self.pieces, piece))

    def with_condition(self, condition: Condition) -> "Library":
        """Return the library with a condition added.

        Raises:
            UserError: Its name is taken.
        """
        _refuse_taken(condition.name, [known.name for known in self.conditions])
        return replace(self, conditions=(*self.conditions, condition))

    def with_pair(self, first: str, second: str) -> "Library":
        """Return the library with a pair declared.

        Raises:
            UserError: A condition is unknown, or the pair is declared already.
        """
        pair = (self.condition(first).name, self.condition(second).name)
        _refuse_taken(" / ".join(pair), [" / ".join(known) for known in self.pairs])
        return replace(self, pairs=(*self.pairs, pair))


# The files cannot change while the program runs.
@cache
def library() -> Library:
    """Return the program's own library."""
    found = assets.names("prompts/pieces", ".txt")
    texts = {name.split("/")[-1][:-4]: assets.read_bytes(name) for name in found}
    return read_library(assets.read_bytes("prompts/library.toml"), texts)


def read_library(data: bytes, texts: Texts, base: Library | None = None) -> Library:
    """Return `base` with what a library file adds.

    Args:
        data: The TOML file's bytes.
        texts: The texts that its pieces name.
        base: The library to add to; an empty one by default.

    Raises:
        UserError: The file or a text is refused; `where` names the piece or condition.
    """
    tables = _tables(data)
    # In this order: conditions name pieces, and pairs name conditions.
    found = base or Library()
    for name, spec in tables["pieces"].items():
        found = found.with_piece(_piece(name, spec, texts))
    for name, spec in tables["conditions"].items():
        found = found.with_condition(_condition(name, spec, tables["defaults"], found))
    for pair in tables["pairs"].get("declared", []):
        if not (isinstance(pair, list) and len(pair) == 2):
            raise UserError("a pair names two conditions", where="pairs.declared")
        found = found.with_pair(*map(str, pair))
    return found


def _tables(data: bytes) -> dict[str, dict[str, Any]]:
    try:
        tables = tomllib.loads(data.decode())
    # Not TOMLDecodeError alone: a number can have too many digits to be read.
    except (ValueError, RecursionError) as error:
        raise UserError(f"not a TOML file: {error}", where="the library") from error
    _refuse_unknown("the library", tables, _TABLES)
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise UserError("expected a table", where=name)
    return {name: tables.get(name, {}) for name in _TABLES}


def _piece(name: str, spec: Any, texts: Texts) -> Piece:  # noqa: ANN401 - raw TOML
    where = f"pieces.{name}"
    _refuse_unknown(where, spec, ("slot", "key", "file", "sees", "extremes"))
    return Piece(name, str(spec.get("slot")), _text(name, spec, texts), spec.get("key"))


def _text(name: str, spec: dict[str, Any], texts: Texts) -> Text:
    if "sees" in spec:
        words = ("head", "between", "none", "tail")
        _refuse_unknown(f"pieces.{name}.sees", spec["sees"], words, complete=True)
        return SeesText(*(str(spec["sees"][word]).encode() for word in words))
    if "extremes" in spec:
        _refuse_unknown(f"pieces.{name}.extremes", spec["extremes"])
        files = {key: str(file) for key, file in spec["extremes"].items()}
        found = {key: (file, _file(name, file, texts)) for key, file in files.items()}
        return request_variants(found)
    return FixedText(_file(name, str(spec.get("file", name)), texts))


def _file(name: str, file: str, texts: Texts) -> bytes:
    if file not in texts:
        raise UserError(f"its text “{file}.txt” is missing", where=f"pieces.{name}")
    return texts[file]


def _condition(
    name: str,
    spec: Any,  # noqa: ANN401 - raw TOML
    defaults: dict[str, Any],
    known: Library,
) -> Condition:
    where = f"conditions.{name}"
    _refuse_unknown(where, spec, (*SLOTS, "turns"))
    chosen = {**defaults, **spec}
    pieces = {slot: known.piece(str(chosen[slot])) for slot in SLOTS if slot in chosen}
    # A piece in a slot that is not its own would land elsewhere in the message.
    for slot, piece in pieces.items():
        if piece.slot != slot:
            raise UserError(f"“{piece.name}” fills the slot {piece.slot}", where=where)
    turns = spec.get("turns", 1)
    if isinstance(turns, bool) or turns not in TURN_SLOTS:
        raise UserError("turns must be 1 or 2", where=where)
    return Condition(name, str(chosen.get("action")), tuple(pieces.values()), turns)


def _refuse_unknown(
    where: str,
    spec: Any,  # noqa: ANN401 - raw TOML
    names: tuple[str, ...] | None = None,
    *,
    complete: bool = False,
) -> None:
    if not isinstance(spec, dict):
        raise UserError("expected a table", where=where)
    for key in spec:
        if names is not None and key not in names:
            raise UserError(f"the key “{key}” is unknown", where=where)
    if complete and (missing := set(names or ()) - set(spec)):
        raise UserError(f"the key “{min(missing)}” is missing", where=where)


def _refuse_taken(name: str, names: list[str]) -> None:
    if name in names:
        raise UserError("this name is taken", where=name, todo="Choose another name")
