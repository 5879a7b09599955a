"""Reading XML that strangers wrote: no DTD, no entities, bounded in every direction.

A reader of documents would expand entities and fetch what they name; this one hands
out elements, attributes and text, and refuses everything else.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from coding.errors import CodingError

MAX_DEPTH = 12
MAX_ELEMENTS = 5000


@dataclass(slots=True)
class Element:
    """An element by its local name; its namespace stands beside it."""

    name: str
    space: str
    attributes: dict[str, str]
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def all(self, name: str) -> Iterator["Element"]:
        """Return the children of this name."""
        return (child for child in self.children if child.name == name)

    def text_of(self, name: str) -> str:
        """Return the text of the first child of this name, '' when there is none."""
        return next((child.text for child in self.all(name)), "")


def load_xml(data: bytes, where: str) -> Element:
    """Return the root element of an XML document.

    The caller bounds the size of `data`.

    Raises:
        CodingError: It is not XML, declares a document type, or is too deep or large.
    """
    builder = _Builder(where)
    parser = expat.ParserCreate(namespace_separator=" ")
    # With the document type gone, no entity but the five of XML can be used.
    parser.StartDoctypeDeclHandler = builder.refuse_doctype
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.buffer_text = True
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes no keyword
    except expat.ExpatError as error:
        why = expat.ErrorString(error.code)
        raise CodingError(
            f"is not XML: {why}", where=f"{where}, line {error.lineno}"
        ) from error
    except (ValueError, LookupError) as error:  # an encoding that there is not
        raise CodingError("is not XML that can be read", where=where) from error
    return builder.root


class _Builder:
    """Takes what the parser meets and counts while it does."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._open: list[Element] = []
        self._count = 0
        self.root = Element("", "", {})

    def refuse_doctype(self, *_: object) -> None:
        """Refuse a document type: whatever needs one is not a codebook."""
        raise CodingError("declares a document type", where=self._where)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Take an element's beginning."""
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise CodingError(f"has over {MAX_ELEMENTS} elements", where=self._where)
        if len(self._open) >= MAX_DEPTH:
            raise CodingError(
                f"is nested deeper than {MAX_DEPTH} levels", where=self._where
            )
        space, _, local = name.rpartition(" ")
        element = Element(local, space, attributes)
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, _name: str) -> None:
        """Take an element's end."""
        self._open.pop()

    def data(self, text: str) -> None:
        """Take text of the element that is open."""
        self._open[-1].text += text
