"""A study's own pieces, conditions and pairs beside those of the program.

What a run sent is frozen: a piece or a condition that was used keeps its text under
its name for ever, so that a name in a result means one wording. An edit of it, and of
anything built in, makes another under a new name.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from typing import TypeVar

from director_gui.errors import UserError
from director_gui.prompts.conditions import Condition
from director_gui.prompts.library import Library, library
from director_gui.prompts.pieces import SLOTS, Piece, read_text
from director_gui.store.database import Study
from director_gui.store.prompts import (
    OwnCondition,
    OwnPair,
    OwnPiece,
    OwnPrompts,
    own_prompts,
    replace_own_prompts,
    text_row,
    used_conditions,
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_LONGEST_NAME = 60
_NUMBERED = re.compile(r"(.+)\.(\d+)\Z")
_Row = TypeVar("_Row", bound=OwnPiece | OwnCondition)


@dataclass(frozen=True, slots=True)
class Frozen:
    """What a run has used, by name.

    Attributes:
        pieces: The pieces.
        conditions: The conditions.
    """

    pieces: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()


def study_library(study: Study | None) -> Library:
    """Return the program's library with what the study adds.

    The rows are few and read each time, so that the answer is never an old one; what
    was made of the same rows before is used again.

    Raises:
        UserError: A row is at odds with the program's library.
    """
    return library() if study is None else merged(own_prompts(study))


@lru_cache(maxsize=32)
def merged(own: OwnPrompts) -> Library:
    """Return the program's library with `own` added.

    Raises:
        UserError: A name is taken or unknown, or a piece or condition is refused.
    """
    # In this order: conditions name pieces, and pairs name conditions.
    found = library()
    for row in own.pieces:
        found = found.with_piece(piece_of(row))
    for condition in own.conditions:
        found = found.with_condition(condition_of(condition, found))
    for pair in own.pairs:
        found = found.with_pair(pair.first, pair.second)
    return found


def piece_of(row: OwnPiece) -> Piece:
    """Return the piece that a row describes.

    Raises:
        UserError: Its text is refused.
    """
    text = read_text(row.name, json.loads(row.text))
    return Piece(row.name, row.slot, text, row.key)


def piece_row(piece: Piece, origin: str = "") -> OwnPiece:
    """Return the row that describes a piece, edited from `origin`."""
    text = text_row(piece.text.value())
    return OwnPiece(piece.name, piece.slot, piece.key, text, origin)


def condition_of(row: OwnCondition, known: Library) -> Condition:
    """Return the condition that a row describes, with the pieces of `known`.

    Raises:
        UserError: A piece is unknown, or the pieces make no condition.
    """
    pieces = tuple(known.piece(name) for name in row.pieces)
    return Condition(row.name, row.action, pieces, row.turns)


def frozen(study: Study | None) -> Frozen:
    """Return what the runs of the study have used.

    Raises:
        UserError: The study's own prompts are at odds with the program's.
    """
    if study is None:
        return Frozen()
    used = used_conditions(study)
    pieces = {
        str(piece["name"])
        for condition in used
        if isinstance(condition.pieces, dict)
        for piece in condition.pieces["pieces"]
    }
    names = {one.name for one in used}
    # Conditions of the same pieces share a version, which is kept under one name.
    versions = {one.hash for one in used}
    known = study_library(study).conditions if versions else ()
    names |= {one.name for one in known if one.version in versions}
    return Frozen(frozenset(pieces), frozenset(names))


def keep(study: Study, own: OwnPrompts) -> None:
    """Keep `own` in the study in place of what it added before.

    Raises:
        UserError: It is refused, or it would change what a run has used.
    """
    # What the program cannot read back is refused before anything is written.
    merged(own)
    # In one transaction: a run that begins meanwhile would freeze what is changed here.
    with study.write():
        before, used = own_prompts(study), frozen(study)
        _refuse_thawed("piece", before.pieces, own.pieces, used.pieces)
        _refuse_thawed("condition", before.conditions, own.conditions, used.conditions)
        replace_own_prompts(study, own)


def _refuse_thawed(
    kind: str,
    before: Iterable[OwnPiece] | Iterable[OwnCondition],
    after: Iterable[OwnPiece] | Iterable[OwnCondition],
    used: Collection[str],
) -> None:
    # Withdrawn and changed are the same here: the row as it was is gone.
    kept = set(after)
    for row in before:
        if row.name in used and row not in kept:
            raise UserError(
                f"this {kind} was used in a run and is frozen",
                where=row.name,
                todo=f"An edit makes a new {kind}",
            )


# Edits: each returns another value ---------------------------------------------------


def next_name(name: str, taken: Collection[str]) -> str:
    """Return the first of ``name.2``, ``name.3`` … that is free.

    Args:
        name: The name of what was edited, which may be such a one itself.
        taken: The names that are in use.
    """
    match = _NUMBERED.match(name)
    stem, last = (match[1], int(match[2])) if match else (name, 1)
    # Of `see.2` another version is `see.3`, not `see.2.2`.
    names = (f"{stem}.{number}" for number in count(last + 1))
    return next(found for found in names if found not in taken)


def put_piece(own: OwnPrompts, piece: Piece, origin: str = "") -> OwnPrompts:
    """Return `own` with a piece added, or in place of the own one of this name.

    Raises:
        UserError: The name is no name or taken, or a condition cannot use the piece.
    """
    check_name(piece.name)
    # Its conditions would change where nobody looked: a slot is a place in a message.
    users = [row.name for row in own.conditions if piece.name in row.pieces]
    if users and merged(own).piece(piece.name).slot != piece.slot:
        raise UserError(
            f"{', '.join(users)} uses it in another slot",
            where=piece.name,
            todo="Save it under another name",
        )
    made = replace(own, pieces=_put(own.pieces, piece_row(piece, origin)))
    merged(made)
    return made


def put_condition(own: OwnPrompts, row: OwnCondition) -> OwnPrompts:
    """Return `own` with a condition added, or in place of the own one of this name.

    Raises:
        UserError: The name is no name or taken, or the pieces make no condition.
    """
    check_name(row.name)
    made = replace(own, conditions=_put(own.conditions, row))
    merged(made)
    return made


def condition_row(
    name: str,
    slots: Mapping[str, str | None],
    turns: int = 1,
    origin: str = "",
) -> OwnCondition:
    """Return the row of a condition from the piece that each slot uses.

    Args:
        name: Its name.
        slots: Slot -> piece name, None or absent for an empty slot.
        turns: User messages.
        origin: The condition that it was edited from.
    """
    used = tuple(piece for slot in SLOTS if (piece := slots.get(slot)))
    # The action's piece says what is asked; of its versions each is one of its own.
    return OwnCondition(name, slots.get("action") or "", turns, used, origin)


def slots_of(condition: Condition) -> dict[str, str | None]:
    """Return the name of the piece that each slot uses."""
    return {slot: p.name if p else None for slot, p in condition.slots.items()}


def without_piece(own: OwnPrompts, name: str) -> OwnPrompts:
    """Return `own` without a piece that nothing uses.

    Raises:
        UserError: A condition uses it, or it is none of the study's own.
    """
    users = [row.name for row in own.conditions if name in row.pieces]
    if users:
        raise UserError(
            f"this piece is used by {', '.join(users)}",
            where=name,
            todo="Take it out of them first",
        )
    _check_own(name, [row.name for row in own.pieces])
    return replace(own, pieces=tuple(row for row in own.pieces if row.name != name))


def without_condition(own: OwnPrompts, name: str) -> OwnPrompts:
    """Return `own` without a condition and the pairs that name it.

    Raises:
        UserError: It is none of the study's own.
    """
    _check_own(name, [row.name for row in own.conditions])
    return replace(
        own,
        conditions=tuple(row for row in own.conditions if row.name != name),
        # A pair of a condition that is gone could not be read back.
        pairs=tuple(row for row in own.pairs if name not in (row.first, row.second)),
    )


def declare(own: OwnPrompts, first: str, second: str, family: str = "") -> OwnPrompts:
    """Return `own` with a pair declared, the first condition against the second.

    Raises:
        UserError: A condition is unknown, both are one, or the pair is declared.
    """
    # A pair of one would pass no proof and say nothing.
    if first == second:
        raise UserError("a pair needs two conditions", where=first)
    made = replace(own, pairs=(*own.pairs, OwnPair(first, second, family.strip())))
    merged(made)
    return made


def withdraw(own: OwnPrompts, first: str, second: str) -> OwnPrompts:
    """Return `own` without a declared pair.

    Raises:
        UserError: It is none of the study's own.
    """
    pairs = [(row.first, row.second) for row in own.pairs]
    if (first, second) not in pairs:
        raise UserError(
            "this pair is none of the study’s own and stays",
            where=f"{first} / {second}",
        )
    at = pairs.index((first, second))
    return replace(own, pairs=own.pairs[:at] + own.pairs[at + 1 :])


def put_in_family(own: OwnPrompts, first: str, second: str, family: str) -> OwnPrompts:
    """Return `own` with one of its pairs in another comparison family, or in none.

    Raises:
        UserError: The pair is none of the study's own.
    """
    rest = withdraw(own, first, second)
    at = next(i for i, row in enumerate(own.pairs) if row not in rest.pairs)
    pair = OwnPair(first, second, family.strip())
    return replace(own, pairs=(*own.pairs[:at], pair, *own.pairs[at + 1 :]))


def families(own: OwnPrompts) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the study's own comparison families with their pairs."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for row in own.pairs:
        if row.family:
            pair = (row.first, row.second)
            found[row.family] = (*found.get(row.family, ()), pair)
    return found


def _put(rows: tuple[_Row, ...], row: _Row) -> tuple[_Row, ...]:
    kept = tuple(row if known.name == row.name else known for known in rows)
    return kept if row in kept else (*kept, row)


def _check_own(name: str, names: Collection[str]) -> None:
    if name not in names:
        raise UserError("this is built in and stays", where=name)


def check_name(name: str) -> None:
    """Refuse what is no name.

    Raises:
        UserError: It is empty, too long, or holds other signs than names do.
    """
    if not _NAME.match(name) or len(name) > _LONGEST_NAME:
        raise UserError(
            f"“{name}” is no name" if name else "a name is missing",
            where="name",
            todo="Use letters a to z, digits, dots, hyphens and underscores",
        )
