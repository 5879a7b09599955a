"""A codebook as a TOML file that people read, edit and keep under version control."""

from collections.abc import Iterator

from coding.codebook import FORMAT, Code, Codebook, Field

_WIDE = 70  # characters; a longer text stands on lines of its own
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\t": "\\t", "\n": "\\n"}


def to_toml(book: Codebook) -> bytes:
    """Return a codebook as TOML; `codebook.from_toml` gives the same value back."""
    return "".join(f"{line}\n" for line in _lines(book)).encode()


def _lines(book: Codebook) -> Iterator[str]:
    yield f"format = {_text(FORMAT)}"
    yield f"name = {_text(book.name)}"
    yield f"version = {book.version}"
    yield from _texts(book, ("title", "intro"))
    for field in book.fields:
        yield ""
        yield "[[fields]]"
        yield from _texts(field, ("name", "label", "kind", "question"))
        if not field.required:
            yield "required = false"
        for code in field.codes:
            yield ""
            yield "[[fields.codes]]"
            yield from _code(code)


def _code(code: Code) -> Iterator[str]:
    yield from _texts(code, ("name", "label", "key", "color", "definition"))
    for name in ("examples", "counter_examples"):
        passages = getattr(code, name)
        if passages:
            # One passage a line: a changed example is one changed line in a diff.
            yield f"{name} = ["
            yield from (f"  {_text(passage)}," for passage in passages)
            yield "]"


def _texts(value: Codebook | Field | Code, names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        text = getattr(value, name)
        if text:
            long = len(text) > _WIDE or "\n" in text
            yield f"{name} = {_lines_of(text) if long else _text(text)}"


def _text(text: str) -> str:
    return f'"{"".join(map(_sign, text))}"'


def _lines_of(text: str) -> str:
    # TOML drops the newline behind the opening quotes, so the text keeps its own.
    lines = text.split("\n")
    return '"""\n' + "\n".join("".join(map(_sign, line)) for line in lines) + '"""'


def _sign(sign: str) -> str:
    # Other control signs are no plain text, so no codebook holds one.
    return _ESCAPES.get(sign, sign)
