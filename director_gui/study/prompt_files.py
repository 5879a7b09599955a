"""A study's own prompts as one TOML file, to be read back or edited elsewhere."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from director_gui.errors import UserError
from director_gui.prompts.lookalikes import Found, find
from director_gui.prompts.lookalikes import mend as mended
from director_gui.prompts.pieces import SLOTS, Piece, read_text
from director_gui.store.prompts import OwnCondition, OwnPair, OwnPiece, OwnPrompts
from director_gui.study.prompt_library import (
    check_name,
    condition_of,
    condition_row,
    merged,
    piece_row,
    slots_of,
)

_HEAD = "# Prompt pieces, conditions and pairs that a study of director-gui adds.\n"
_SEES = ("head", "between", "none", "tail")
_KEYS = {
    "pieces": {"slot", "key", "origin", "text", "texts", "sees"},
    "conditions": {*SLOTS, "turns", "origin"},
    "pairs": {"first", "second", "family"},
}
_Tables = dict[str, Any]  # raw TOML


class UnseenError(UserError):
    """A file's texts hold characters that an editor slipped in.

    Attributes:
        found: Each of them in words.
    """

    def __init__(self, found: tuple[str, ...]) -> None:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        super().__init__(
            f"an editor slipped something in: {found[0]}{more}",
            where="the file",
            todo="Import it mended, or mend the file",
        )
        self.found = found


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file added.

    Attributes:
        own: The study's prompts with what the file adds.
        added: How many pieces, conditions and pairs are new.
        mended: What was mended in the file, in words.
    """

    own: OwnPrompts
    added: tuple[int, int, int]
    mended: tuple[str, ...]

    def __str__(self) -> str:
        """Say what was added, in words."""
        words = ("piece", "condition", "pair")
        parts = [
            f"{count} {word}" if count == 1 else f"{count} {word}s"
            for count, word in zip(self.added, words, strict=True)
        ]
        mended = f"; mended in {len(self.mended)} places" if self.mended else ""
        return f"Added {', '.join(parts)}{mended}"


# Writing -----------------------------------------------------------------------------


def export_toml(own: OwnPrompts) -> bytes:
    """Return `own` as a TOML file that `import_toml` reads back to the same."""
    known = merged(own)
    blocks = [_HEAD, *map(_piece_block, own.pieces)]
    for row in own.conditions:
        slots = slots_of(known.condition(row.name))
        blocks.append(_condition_block(row, slots))
    for pair in own.pairs:
        family = f"family = {_line(pair.family)}\n" if pair.family else ""
        sides = f"first = {_line(pair.first)}\nsecond = {_line(pair.second)}\n"
        blocks.append(f"[[pairs]]\n{sides}{family}")
    return "\n".join(blocks).encode()


def _piece_block(row: OwnPiece) -> str:
    head = f"[pieces.{_line(row.name)}]\n"
    named = {"slot": row.slot, "key": row.key, "origin": row.origin}
    lines = [f"{key} = {_line(value)}\n" for key, value in named.items() if value]
    value = json.loads(row.text)
    # As one line, since the words are parts of a line themselves.
    if "sees" in value:
        pairs = zip(_SEES, value["sees"], strict=True)
        words = ", ".join(f"{word} = {_line(text)}" for word, text in pairs)
        lines.append(f"sees = {{ {words} }}\n")
    elif "extremes" in value:
        lines.append(f"\n[pieces.{_line(row.name)}.texts]\n")
        texts = value["extremes"].items()
        lines += [f"{_line(extreme)} = {_lines(text)}\n" for extreme, text in texts]
    else:
        lines.append(f"text = {_lines(value['text'])}\n")
    return head + "".join(lines)


def _condition_block(row: OwnCondition, slots: dict[str, str | None]) -> str:
    lines = [f"{slot} = {_line(piece)}\n" for slot, piece in slots.items() if piece]
    if row.turns > 1:
        lines.append(f"turns = {row.turns}\n")
    if row.origin:
        lines.append(f"origin = {_line(row.origin)}\n")
    return f"[conditions.{_line(row.name)}]\n" + "".join(lines)


def _line(text: str) -> str:
    """Return a TOML basic string."""
    return f'"{_written(text)}"'


def _lines(text: str) -> str:
    """Return a TOML multi-line string: its lines and quotes as they are."""
    # Only these may stand as they are; three quotes in a row would end the string.
    shown = _written(text, plain='\n"').replace('"""', '""\\"')
    return f'"""\n{shown}"""'


def _written(text: str, plain: str = "") -> str:
    """Return what stands between a TOML string's quotes.

    What an editor could have slipped in is escaped: so it is known as meant, see
    `_cleaned`.
    """
    odd = _odd(text)
    return "".join(
        c if c in plain else _escape(c) if c in odd else _shown(c) for c in text
    )


def _shown(char: str) -> str:
    shown = json.dumps(char, ensure_ascii=False)[1:-1]
    return shown if shown.isprintable() else _escape(char)


def _odd(text: str) -> set[str]:
    found = find(text, lines=False)
    return {c for one in found for c in text[one.start : one.end] if not c.isascii()}


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


# Reading -----------------------------------------------------------------------------


def import_toml(data: bytes, own: OwnPrompts, *, mend: bool = False) -> Imported:
    """Return `own` with what a file adds; what is there already stays as it is.

    Args:
        data: The file's bytes.
        own: What the study adds so far.
        mend: Whether what an editor slipped in is replaced.

    Raises:
        UnseenError: A text holds characters that an editor slipped in.
        UserError: The file is refused, or a name stands for something else here.
    """
    tables, slipped = _tables(data)
    # Told before anything is read: a slip can be why the rest is refused.
    mended = (*slipped, *_cleaned(tables["pieces"], frozenset(data.decode())))
    if mended and not mend:
        raise UnseenError(mended)
    reader = _Reader(own)
    for name, spec in tables["pieces"].items():
        reader.add_piece(name, spec)
    for name, spec in tables["conditions"].items():
        reader.add_condition(name, spec)
    for spec in tables["pairs"]:
        reader.add_pair(spec)
    return reader.imported(mended)


class _Reader:
    """Adds to a library step by step: making it anew each time takes the square."""

    def __init__(self, own: OwnPrompts) -> None:
        self._own = own
        self._known = merged(own)
        self._pieces: list[OwnPiece] = []
        self._conditions: list[OwnCondition] = []
        self._pairs: list[OwnPair] = []

    def add_piece(self, name: str, spec: _Tables) -> None:
        piece = Piece(name, str(spec.get("slot")), _text(name, spec), spec.get("key"))
        for there in self._known.pieces:
            if there.name == name:
                # The same file may be imported twice, or two files share a piece.
                _refuse_other(name, same=there.value() == piece.value())
                return
        check_name(name)
        self._known = self._known.with_piece(piece)
        self._pieces.append(piece_row(piece, str(spec.get("origin", ""))))

    def add_condition(self, name: str, spec: _Tables) -> None:
        row = self._condition_row(name, spec)
        made = condition_of(row, self._known)
        for there in self._known.conditions:
            if there.name == name:
                _refuse_other(name, same=there.version == made.version)
                return
        check_name(name)
        self._known = self._known.with_condition(made)
        self._conditions.append(row)

    def _condition_row(self, name: str, spec: _Tables) -> OwnCondition:
        slots = {slot: str(spec[slot]) for slot in SLOTS if slot in spec}
        for slot, piece in slots.items():
            if self._known.piece(piece).slot != slot:
                raise UserError(f"“{piece}” fills another slot than {slot}", where=name)
        turns = spec.get("turns", 1)
        # TOML has truth values, which Python counts as 0 and 1.
        if isinstance(turns, bool) or not isinstance(turns, int):
            raise UserError("turns must be 1 or 2", where=name)
        return condition_row(name, slots, turns, str(spec.get("origin", "")))

    def add_pair(self, spec: _Tables) -> None:
        first, second = str(spec.get("first")), str(spec.get("second"))
        if (first, second) in self._known.pairs:
            return
        if first == second:
            raise UserError("a pair needs two conditions", where=first)
        self._known = self._known.with_pair(first, second)
        self._pairs.append(OwnPair(first, second, str(spec.get("family", "")).strip()))

    def imported(self, mended: tuple[str, ...]) -> Imported:
        new = (self._pieces, self._conditions, self._pairs)
        own = OwnPrompts(
            (*self._own.pieces, *self._pieces),
            (*self._own.conditions, *self._conditions),
            (*self._own.pairs, *self._pairs),
        )
        counts = [len(rows) for rows in new]
        return Imported(own, (counts[0], counts[1], counts[2]), mended)


def _text(name: str, spec: _Tables) -> Any:  # noqa: ANN401 - read_text checks it
    value = dict(spec)
    if "sees" in spec:
        value["sees"] = [spec["sees"][word] for word in _SEES if word in spec["sees"]]
    if "texts" in spec:
        value["extremes"] = spec["texts"]
    return read_text(name, value)


def _refuse_other(name: str, *, same: bool) -> None:
    if not same:
        raise UserError(
            "this name stands for something else here",
            where=name,
            todo="Give it another name in the file",
        )


def _tables(data: bytes) -> tuple[_Tables, tuple[str, ...]]:
    """Return the file's tables, checked, and what an editor did to the file."""
    try:
        text = data.decode()
        # The parser refuses a mark and forgets CRLF: the text itself tells of both.
        tables = tomllib.loads(text.removeprefix("\ufeff"))
    # Not TOMLDecodeError alone: a number can have too many digits to be read.
    except (ValueError, RecursionError) as error:
        raise UserError(f"not a TOML file: {error}", where="the file") from error
    signs = {"byte order mark (U+FEFF)": "\ufeff", "Windows line ends (CRLF)": "\r\n"}
    slipped = tuple(what for what, sign in signs.items() if sign in text)
    for name in tables:
        if name not in _KEYS:
            raise UserError(f"the key “{name}” is unknown", where="the file")
    found = {
        "pieces": _table(tables.get("pieces", {}), "pieces"),
        "conditions": _table(tables.get("conditions", {}), "conditions"),
        "pairs": tables.get("pairs", []),
    }
    _check(found)
    return found, slipped


def _check(tables: _Tables) -> None:
    if not isinstance(tables["pairs"], list):
        raise UserError("each pair is a table [[pairs]]", where="pairs")
    for table, keys in _KEYS.items():
        listed = tables[table]
        named = listed.items() if isinstance(listed, dict) else enumerate(listed, 1)
        for name, spec in named:
            where = f"{table}.{name}"
            for key in _table(spec, where):
                if key not in keys:
                    raise UserError(f"the key “{key}” is unknown", where=where)
    for name, spec in tables["pieces"].items():
        _check_texts(f"pieces.{name}", spec)


def _check_texts(where: str, spec: _Tables) -> None:
    # Two texts would leave open which one is sent.
    kinds = [kind for kind in ("text", "texts", "sees") if kind in spec]
    if len(kinds) != 1:
        raise UserError("has one of text, texts and sees", where=where)
    if not isinstance(spec.get("key", ""), str):
        raise UserError("key must be a text", where=where)
    for text in _each_text(spec):
        if not isinstance(text, str):
            raise UserError("its text must be a text", where=where)


def _each_text(spec: _Tables) -> list[Any]:
    if "text" in spec:
        return [spec["text"]]
    return list(_table(spec.get("texts", spec.get("sees")), "texts").values())


def _table(value: Any, where: str) -> _Tables:  # noqa: ANN401 - raw TOML
    if not isinstance(value, dict):
        raise UserError("expected a table", where=where)
    return value


def _cleaned(pieces: _Tables, written: frozenset[str]) -> Iterator[str]:
    """Mend the texts in place, and yield what was mended.

    Args:
        pieces: The tables of pieces.
        written: The characters of the file. One that a text holds and the file does
            not was written as an escape, which no editor does by itself.
    """
    for name, spec in pieces.items():
        if "text" in spec:
            yield from _clean(spec, "text", name, written, lines=True)
        for key in spec.get("texts", {}):
            yield from _clean(spec["texts"], key, f"{name}.{key}", written, lines=True)
        for key in spec.get("sees", {}):
            yield from _clean(spec["sees"], key, f"{name}.{key}", written, lines=False)


def _clean(
    table: _Tables, key: str, where: str, written: frozenset[str], *, lines: bool
) -> Iterator[str]:
    def found() -> tuple[Found, ...]:
        # As long as the text, so that every place in it stays the same.
        seen = (c if c.isascii() or c in written else "x" for c in text)
        return find("".join(seen), lines=lines)

    text = table[key]
    yield from (f"{where}, {one}" for one in found())
    # One mend can bare another, as in `mend_all`.
    while slips := found():
        text = mended(text, slips)
    # Every piece ends in one LF, so that a file may leave it out.
    table[key] = text + "\n" * (lines and not text.endswith("\n"))
