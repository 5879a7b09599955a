"""Reading REFI-QDA codebooks (.qdc), our own ones and those of other tools.

Of our own comes back every word. Of others come codes, definitions and colours: each
top code that holds codes becomes a choice among them, the rest become one choice.
"""

import re
from collections.abc import Iterator, Sequence

from coding import bounded
from coding.bounded_xml import Element, load_xml
from coding.canonical import canonical_json
from coding.codebook import FORMAT, MAX_BYTES, RESERVED, Codebook, from_bytes
from coding.errors import CodingError
from coding.qdc import MARK, SPACE, many_lines

Value = dict[str, object]
_GUID = re.compile(r"\{?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\}?")
_RGB = re.compile(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_NUMBER = re.compile("[0-9]{1,7}")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_LONGEST = 64  # characters of a code's stored name
_NAME = 32  # of a field's


def from_qdc(data: bytes, where: str = "codebook") -> Codebook:
    """Return the codebook in a .qdc file's bytes.

    Raises:
        CodingError: The bytes are no REFI-QDA codebook, or not one that can be coded
            with; `where` is the place.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    root = load_xml(data, where)
    # Some tools have written a colon for the point; nothing else differs.
    if root.name != "CodeBook" or root.space.replace("1:0", "1.0") != SPACE:
        raise CodingError("is no REFI-QDA codebook", where=where)
    tops = [code for codes in root.all("Codes") for code in codes.all("Code")]
    for at, top in enumerate(tops):
        _check(top, f"{where}: Codes[{at}]")
    value = _ours(root, tops) or _theirs(root, tops)
    # The one reader of codebooks has the last word about names, lengths and counts.
    return from_bytes(canonical_json(value), where)


def _check(code: Element, where: str) -> None:
    """Refuse what the standard does not allow; the parser has bounded the depth."""
    given = code.attributes
    if not _GUID.fullmatch(given.get("guid", "").strip()):
        raise CodingError("needs a GUID", where=f"{where}.guid")
    if not given.get("name", "").strip():
        raise CodingError("needs a name", where=f"{where}.name")
    if given.get("isCodable", "").strip() not in _BOOLEANS:
        raise CodingError("must be true or false", where=f"{where}.isCodable")
    if "color" in given and not _RGB.fullmatch(given["color"].strip()):
        raise CodingError("must be a colour such as #c0504d", where=f"{where}.color")
    for at, child in enumerate(code.all("Code")):
        _check(child, f"{where}.Code[{at}]")


# Our own files ---------------------------------------------------------------------


def _ours(root: Element, tops: Sequence[Element]) -> Value | None:
    """Return the value in a file of ours; None when another tool has changed it."""
    about = [_about(one) for sets in root.all("Sets") for one in sets.all("Set")]
    books = [(text, lines) for text, lines in about if "Version" in lines]
    fields = [_our_field(top) for top in tops]
    if len(books) != 1 or None in fields:
        return None
    intro, lines = books[0]
    version = _first(lines, "Version")
    return {
        "format": FORMAT,
        "name": _first(lines, "Name"),
        "version": int(version) if _NUMBER.fullmatch(version) else 0,
        "title": _first(lines, "Title"),
        "intro": intro,
        "fields": fields,
    }


def _our_field(top: Element) -> Value | None:
    question, lines = _about(top)
    if "Stored as" not in lines or "Kind" not in lines:
        return None
    return {
        "name": _first(lines, "Stored as"),
        "label": top.attributes["name"],
        "kind": _first(lines, "Kind"),
        "question": question,
        "required": "Required" not in lines,
        "codes": [_our_code(code) for code in top.all("Code")],
    }


def _our_code(code: Element) -> Value:
    definition, lines = _about(code)
    return {
        "name": _first(lines, "Stored as") or code.attributes["name"],
        "label": code.attributes["name"],
        "definition": definition,
        "examples": lines.get("Such as", []),
        "counter_examples": lines.get("But not", []),
        "key": _first(lines, "Key"),
        "color": _color(code),
    }


def _about(element: Element) -> tuple[str, dict[str, list[str]]]:
    """Return a description's own text, and the lines that we put behind it."""
    text, mark, rest = element.text_of("Description").rpartition(f"\n{MARK}")
    if not mark:
        return element.text_of("Description"), {}
    lines: dict[str, list[str]] = {}
    for line in rest.split("\n"):
        name, _, value = line.partition(": ")
        lines.setdefault(name, []).append(many_lines(value))
    return text, lines


def _first(lines: dict[str, list[str]], name: str) -> str:
    return lines.get(name, [""])[0]


# Files of other tools --------------------------------------------------------------


def _theirs(root: Element, tops: Sequence[Element]) -> Value:
    loose = [top for top in tops if len(list(_codable(top))) < 2]
    groups = [top for top in tops if top not in loose]
    fields = [
        _group(top.attributes["name"], top, list(_codable(top))) for top in groups
    ]
    codes = [code for top in loose for code in _codable(top)]
    if len(codes) > 1:
        fields.append(_group("Codes", None, codes))
    elif codes:
        fields.append(_alone(*codes[0]))
    _name_apart(fields, _NAME)
    origin = root.attributes.get("origin", "")
    return {
        "format": FORMAT,
        "name": "imported",
        "version": 1,
        "title": f"Codebook from {origin}"[:200] if origin else "Imported codebook",
        "fields": fields,
    }


def _codable(top: Element) -> Iterator[tuple[str, Element]]:
    """Return what can be coded with under a code, each with the way to it."""
    waiting = [("", top)]
    while waiting:
        path, code = waiting.pop(0)
        # Stored names stand on one line; other tools are not as strict.
        name = " ".join(_plain(code.attributes["name"]).split())
        if _BOOLEANS[code.attributes["isCodable"].strip()]:
            yield f"{path}{name}", code
        # The top's own name is the field's; a name between tells two codes apart.
        below = path if code is top else f"{path}{name} / "
        waiting[:0] = [(below, child) for child in code.all("Code")]


def _group(label: str, top: Element | None, found: list[tuple[str, Element]]) -> Value:
    codes: list[Value] = [
        {
            "name": label_of[:_LONGEST].strip(),
            "label": label_of[:200],
            "definition": _plain(code.text_of("Description")),
            "color": _color(code),
        }
        for label_of, code in found
    ]
    _name_apart(codes, _LONGEST)
    return {
        "name": _slug(label),
        "label": _plain(label)[:200],
        "kind": "one_of",
        "question": _plain(top.text_of("Description")) if top else "",
        "codes": codes,
    }


def _alone(label: str, code: Element) -> Value:
    # One code is nothing to choose from; whether it applies is a question all the same.
    return {
        "name": _slug(label),
        "label": label[:200],
        "kind": "yes_no",
        "question": _plain(code.text_of("Description")),
    }


def _name_apart(values: list[Value], longest: int) -> None:
    """Number the names that occur more than once."""
    taken: set[str] = set()
    for value in values:
        name, tries = str(value["name"]), 1
        while str(value["name"]).casefold() in taken:
            tries += 1
            end = f"-{tries}"
            value["name"] = name[: longest - len(end)] + end
        taken.add(str(value["name"]).casefold())


def _slug(label: str) -> str:
    plain = re.sub(r"[^a-z0-9]+", "-", label.lower()).strip("-")[:_NAME].strip("-")
    # Sheets have columns of their own under such names.
    return f"{plain[:24]}-code" if plain in RESERVED else plain or "codes"


def _plain(text: str) -> str:
    kept = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return "".join(sign for sign in kept if bounded.is_plain(sign))


def _color(code: Element) -> str:
    color = code.attributes.get("color", "").strip().lower()
    if len(color) == len("#rgb"):
        return "#" + "".join(2 * sign for sign in color[1:])
    return color
