"""HTML as values: what is text is escaped, what is markup was built here.

A reply is written by a model and may hold anything. So text can only enter a page
through `tag` or `text`, which escape it; nothing is ever formatted into markup.
"""

import html
import re
from collections.abc import Iterable

# HTML allows no other control characters, and a lone surrogate has no UTF-8.
_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_EMPTY = frozenset({"img", "meta", "br", "circle", "line", "path", "rect", "col"})


class Markup(str):
    """HTML that was built by this module; any other string is text."""

    __slots__ = ()


Part = str | Markup | Iterable["str | Markup"] | None


def text(value: object) -> Markup:
    """Return `value` as text that no browser takes for markup."""
    # A sign in its place rather than nothing: the reader should see that it was there.
    clean = _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", str(value))
    return Markup(html.escape(clean, quote=True))


def tag(name: str, /, *parts: Part, **attributes: object) -> Markup:
    """Return an element.

    Args:
        name: Its name.
        parts: Text, markup, or several of them; None is left out.
        attributes: A trailing underscore is dropped (``class_``), others stand for
            hyphens; None and False leave the attribute out.
    """
    given = "".join(
        f' {_name(key)}="{text("" if value is True else value)}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Markup(f"<{name}{given}/>")
    return Markup(f"<{name}{given}>{join(*parts)}</{name}>")


def join(*parts: Part) -> Markup:
    """Return parts one after the other, text escaped."""
    return Markup("".join(_flat(parts)))


def table(
    caption: Part, head: Iterable[Markup], rows: Iterable[Iterable[Markup]]
) -> Markup:
    """Return a table whose first cells name their rows.

    Args:
        caption: What it shows.
        head: One heading a column, made with `col`.
        rows: Cells made with `th`, `td` and `num`.
    """
    heads = tag("tr", list(head))
    body = tag("tbody", [tag("tr", list(cells)) for cells in rows])
    inner = tag("table", tag("caption", caption), tag("thead", heads), body)
    # A wide table scrolls by itself; the keyboard must reach it to do so.
    return tag("div", inner, class_="scroll", tabindex="0")


def col(*parts: Part, num: bool = False) -> Markup:
    """Return the cell that heads a column, of figures or else of words."""
    return tag("th", *parts, scope="col", class_="num" if num else None)


def th(*parts: Part, **more: object) -> Markup:
    """Return the cell that names its row."""
    return tag("th", *parts, scope="row", **more)


def td(*parts: Part, **more: object) -> Markup:
    """Return a cell of words."""
    return tag("td", *parts, **more)


def num(*parts: Part, **more: object) -> Markup:
    """Return a cell of figures."""
    return tag("td", *parts, class_="num", **more)


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _flat(parts: Iterable[Part]) -> Iterable[str]:
    for part in parts:
        if part is None:
            continue
        if isinstance(part, Markup):
            yield part
        elif isinstance(part, str):  # after Markup, which is a string too
            yield text(part)
        else:
            yield from _flat(part)
