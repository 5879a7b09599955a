"""Codebooks as REFI-QDA codebooks (.qdc), which other coding tools read and write.

The standard (REFI-QDA 1.0, namespace ``urn:QDA-XML:codebook:1.0``) knows codes that
hold codes, each with GUID, name, colour, one description and whether text can be coded
with it; it knows no kinds of fields, keys or examples. A field becomes a code that is
not codable and holds the field's codes. What has no place of its own stands as plain
lines at the end of a description, where people can read it and we find it again.
"""

import uuid
from collections.abc import Iterable, Iterator

from coding.codebook import Code, Codebook, Field
from coding.errors import CodingError

SPACE = "urn:QDA-XML:codebook:1.0"
ORIGIN = "director-gui"
# The last line that reads like this parts a description from the lines about it.
MARK = "-- kept by director-gui --"
# Any fixed id serves; it keeps our GUIDs apart from those of other programs.
_OURS = uuid.UUID("5f0c8f5e-6a0e-5c3b-9d5e-2f3a6f6b7c10")
_NO_XML = ("\ufffe", "\uffff")


def to_qdc(book: Codebook) -> bytes:
    """Return a codebook as a .qdc file; the same codebook gives the same bytes.

    GUIDs are made from names, so a code keeps its own over the versions of a codebook.

    Raises:
        CodingError: A text holds a sign that XML cannot carry.
    """
    text = "\n".join(_book(book)) + "\n"
    if any(sign in text for sign in _NO_XML):
        raise CodingError(
            "holds a sign that XML cannot carry",
            where=book.name,
            todo="Remove U+FFFE and U+FFFF from its texts, or export TOML",
        )
    return text.encode()


def guid(book: Codebook, *names: str) -> str:
    """Return the GUID of a codebook, or of a field or code in it."""
    # A separator that no name holds, so that a/b of one is not b of another.
    return str(uuid.uuid5(_OURS, "\n".join((book.name, *names))))


def _book(book: Codebook) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f'<CodeBook xmlns="{SPACE}" origin="{ORIGIN}">'
    yield "<Codes>"
    for field in book.fields:
        yield from _field(book, field)
    yield "</Codes>"
    # The standard gives a codebook no title; a set of all its fields has one.
    yield "<Sets>"
    name = _attribute(book.title or book.name)
    yield f'<Set guid="{guid(book)}" name={name}>'
    about = [("Name", book.name), ("Version", str(book.version))]
    yield _description(book.intro, [*about, ("Title", book.title)])
    for field in book.fields:
        yield f'<MemberCode guid="{guid(book, field.name)}"/>'
    yield "</Set>"
    yield "</Sets>"
    yield "</CodeBook>"


def _field(book: Codebook, field: Field) -> Iterator[str]:
    # Codes that hold codes are categories to other tools, not to be coded with.
    # A field without codes is what a quote or text is coded with.
    codable = "false" if field.codes else "true"
    ident = guid(book, field.name)
    name = _attribute(_shown(field))
    yield f'<Code guid="{ident}" name={name} isCodable="{codable}">'
    # Labels are what people see elsewhere; what is stored must come back as well.
    about = [("Stored as", field.name), ("Kind", field.kind)]
    if not field.required:
        about.append(("Required", "no"))
    yield _description(field.question, about)
    for code in field.codes:
        yield from _code(guid(book, field.name, code.name), code)
    yield "</Code>"


def _code(ident: str, code: Code) -> Iterator[str]:
    color = f' color="{code.color}"' if code.color else ""
    name = _attribute(_shown(code))
    yield f'<Code guid="{ident}" name={name} isCodable="true"{color}>'
    about = [("Stored as", code.name)]
    if code.key:
        about.append(("Key", code.key))
    about += [("Such as", passage) for passage in code.examples]
    about += [("But not", passage) for passage in code.counter_examples]
    yield _description(code.definition, about)
    yield "</Code>"


def _description(text: str, about: Iterable[tuple[str, str]]) -> str:
    lines = [f"{name}: {one_line(value)}" for name, value in about]
    return f"<Description>{_escaped(chr(10).join((text, MARK, *lines)))}</Description>"


def _escaped(text: str) -> str:
    # By hand: the library's own escape brings in a client for the network.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attribute(text: str) -> str:
    plain = _escaped(text).replace('"', "&quot;")
    # A reader would take these for blanks.
    return f'"{plain.replace(chr(10), "&#10;").replace(chr(9), "&#9;")}"'


def _shown(value: Field | Code) -> str:
    # A name in XML must be seen; blanks would not be.
    return value.label if value.label.strip() else value.name


def one_line(text: str) -> str:
    """Return a text on one line; `many_lines` gives it back."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def many_lines(text: str) -> str:
    """Return the text of which `one_line` made one line."""
    # In parts: a backslash that was written twice begins no line.
    return "\\".join(part.replace("\\n", "\n") for part in text.split("\\\\"))
