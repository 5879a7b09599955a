"""A packet as doccano JSONL, and codes back from its export.

The project is of the type "Intent Detection and Slot Filling", which has categories
(``cats``) for choices and spans (``entities``) for quotes; a category is named
``field: code``, a span as its field. What goes out holds the item's id and its text.
"""

import json
import re
from collections.abc import Iterator

from coding import bounded
from coding.answers import Answer, choice_of, narrow, same_text, shown_texts
from coding.codebook import CHOICES, Codebook
from coding.errors import CodingError
from coding.packet import Packet
from coding.textmap import TextMap

MAX_BYTES = 200_000_000
_DEPTH = 8
_KEY = re.compile(r"[0-9a-z]")  # what doccano takes for a shortcut
_QUOTE_COLOR, _PLAIN_COLOR, _WHITE, _BLACK = "#ffe49a", "#6b7280", "#ffffff", "#000000"


def lines(packet: Packet) -> bytes:
    """Return the JSONL to import: a line ``{"text", "item"}`` for each item.

    doccano gives places without words, and its counts differ where a text holds
    characters beyond the basic plane; so these go out as ▢.
    """
    listed = ({"text": narrow(t), "item": item} for item, t in shown_texts(packet))
    texts = (json.dumps(one, ensure_ascii=False) for one in listed)
    return "".join(f"{text}\n" for text in texts).encode()


def categories(book: Codebook) -> bytes:
    """Return the category labels to import, from the codebook's choices."""
    labels, taken = [], set[str]()
    for field in book.fields:
        for code in field.codes:
            key = code.key.lower()
            # A key may serve one label only, and doccano refuses all when two share it.
            if not _KEY.fullmatch(key) or key in taken:
                key = ""
            taken.add(key)
            name = f"{field.name}: {code.name}"
            labels.append(_label(name, key, code.color or _PLAIN_COLOR, _WHITE))
    return _json(labels)


def spans(book: Codebook) -> bytes:
    """Return the span labels to import, from the codebook's quote fields."""
    quotes = [field.name for field in book.fields if field.kind == "quote"]
    return _json([_label(name, "", _QUOTE_COLOR, _BLACK) for name in quotes])


def answers(data: bytes, packet: Packet, where: str = "doccano") -> tuple[Answer, ...]:
    """Return what one coder says in a JSONL or JSON export.

    Raises:
        CodingError: Not such an export, an unknown item or code, another text than
            was handed out, or a span outside the text.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    rows = _rows(data.removeprefix(b"\xef\xbb\xbf"), where)
    found = (_row(row, packet, place) for row, place in rows)
    return tuple(one for one in found if one is not None)


def _rows(data: bytes, where: str) -> Iterator[tuple[dict[str, object], str]]:
    if data.lstrip()[:1] == b"[":
        value = bounded.load_json(data, where, max_depth=_DEPTH)
        listed = [(row, f"{where}, entry {n}") for n, row in enumerate(_list(value), 1)]
    else:
        listed = [
            (
                bounded.load_json(line, f"{where}, line {n}", max_depth=_DEPTH),
                f"{where}, line {n}",
            )
            for n, line in enumerate(data.split(b"\n"), 1)
            if line.strip()
        ]
    for row, place in listed:
        if not isinstance(row, dict):
            raise CodingError("must be an object", where=place)
        yield row, place


def _row(row: dict[str, object], packet: Packet, where: str) -> Answer | None:
    meta = row.get("meta")
    inner = meta.get("item") if isinstance(meta, dict) else None
    name = row.get("item", inner)
    if not isinstance(name, str):
        raise CodingError("has no item id", where=where)
    item = packet.item(name)
    same_text(
        narrow(TextMap(item.text).display), row.get("text", row.get("data")), where
    )
    values, quotes = dict[str, str](), dict[str, tuple[int, int]]()
    for said in _labels(row, where):
        if isinstance(said, str):
            _take_code(said, packet.codebook, values, where)
        else:
            _take_quote(said, item.text, packet.codebook, quotes, where)
    note = "\n".join(str(one) for one in _list(row.get("Comments")) if one is not None)
    # A line without anything says nothing; nobody has been there yet.
    return Answer(item.id, values, quotes, note) if values or quotes or note else None


def _labels(row: dict[str, object], where: str) -> Iterator[object]:
    # Other project types name their labels otherwise, with the same contents.
    for key in ("cats", "categories", "label", "labels", "entities"):
        listed = row.get(key)
        # Passed over, they would be codes that nobody misses.
        if listed is not None and not isinstance(listed, list):
            raise CodingError("must be a list", where=f"{where}, {key}")
        yield from listed or []


def _take_code(said: str, book: Codebook, values: dict[str, str], where: str) -> None:
    name, _, code = said.partition(": ")
    field = book.field(name)
    if field.kind not in CHOICES:
        raise CodingError("this field takes no code", where=f"{where}, {name}")
    if name in values:
        raise CodingError(f"two codes for {name}, one is possible", where=where)
    values[name] = choice_of(field, [code], where)


def _take_quote(
    said: object,
    text: str,
    book: Codebook,
    quotes: dict[str, tuple[int, int]],
    where: str,
) -> None:
    start, end, name = _span(said, where)
    if book.field(name).kind != "quote":
        raise CodingError("this field takes no quote", where=f"{where}, {name}")
    if name in quotes:
        raise CodingError(f"two quotes for {name}, one is possible", where=where)
    # Places are the same in the narrowed text, where no way of counting differs.
    shown = narrow(TextMap(text).display)
    if not 0 <= start < end <= len(shown):
        raise CodingError("the quote lies outside the text", where=where)
    quotes[name] = TextMap(text).original_span(start, end)


def _span(said: object, where: str) -> tuple[int, int, str]:
    parts: list[object] = []
    if isinstance(said, dict):
        parts = [said.get(key) for key in ("start_offset", "end_offset", "label")]
    elif isinstance(said, list):
        parts = said
    match parts:
        case [int(start), int(end), str(name)]:
            return start, end, name
        case _:
            raise CodingError("is no span", where=where)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _label(text: str, key: str, background: str, color: str) -> dict[str, object]:
    return {
        "text": text,
        "suffix_key": key or None,
        "background_color": background,
        "text_color": color,
    }


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"
