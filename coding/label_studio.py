"""A packet as Label Studio tasks, and codes back from its JSON or JSON-MIN export.

Formats: labelstud.io/guide/task_format and /guide/export. What goes out holds the
item's id and its text, nothing else; the labelling setup (XML) is made from the
codebook. A quote field is a `Labels` control of its name, a choice a `Choices` control.
"""

import html
import json
from collections.abc import Iterable, Iterator

from coding import bounded
from coding.answers import Answer, choice_of, located, same_text, shown_texts
from coding.codebook import CHOICES, Codebook, Field
from coding.errors import CodingError
from coding.packet import Packet
from coding.textmap import TextMap

MAX_BYTES = 200_000_000
_DEPTH = 16  # of an export: its own 8 levels, and what plugins add to `meta`
_QUOTE_COLOR = "#ffe49a"
_NOTE, _FLAG = "note", "flag"


def tasks(packet: Packet) -> bytes:
    """Return the tasks to import: ``[{"data": {"item", "text"}}, …]``."""
    listed = [
        {"data": {"item": item, "text": text}} for item, text in shown_texts(packet)
    ]
    return json.dumps(listed, ensure_ascii=False, indent=1).encode() + b"\n"


def config(book: Codebook) -> str:
    """Return the labelling setup of a codebook, for the project's settings."""
    lines = ["<View>", '  <Text name="text" value="$text"/>']
    for field in book.fields:
        lines += [f"  {line}" for line in _control(field)]
    lines += [
        f'  <TextArea name="{_NOTE}" toName="text" placeholder="Note" rows="2"/>',
        f'  <Choices name="{_FLAG}" toName="text" choice="multiple">',
        '    <Choice value="flag"/>',
        "  </Choices>",
        "</View>",
    ]
    return "\n".join(lines) + "\n"


def answers(
    data: bytes, packet: Packet, where: str = "Label Studio"
) -> tuple[Answer, ...]:
    """Return what one coder says in a JSON or JSON-MIN export.

    A task without an annotation says nothing; one that was skipped there (cancelled)
    is passed over here too.

    Raises:
        CodingError: Not such an export, an unknown item or code, another text than
            was handed out, several annotators, or a quote that is not in the text.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    value = bounded.load_json(
        data.removeprefix(b"\xef\xbb\xbf"), where, max_depth=_DEPTH
    )
    listed = value if isinstance(value, list) else [value]
    found = [
        _task(task, packet, f"{where}, task {n}") for n, task in enumerate(listed, 1)
    ]
    return tuple(one for one in found if one is not None)


def _control(field: Field) -> Iterator[str]:
    name, title = _attribute(field.name), _attribute(field.question or field.label)
    yield f"<Header value={title}/>"
    if field.kind == "quote":
        yield f'<Labels name={name} toName="text">'
        label = _attribute(field.label)
        yield f'  <Label value={label} background="{_QUOTE_COLOR}"/>'
        yield "</Labels>"
    elif field.kind in CHOICES:
        needed = ' required="true"' if field.required else ""
        yield f'<Choices name={name} toName="text" choice="single-radio"{needed}>'
        yield from (f"  {_choice(*one)}" for one in _named(field))
        yield "</Choices>"
    else:
        yield f'<TextArea name={name} toName="text" rows="2" maxSubmissions="1"/>'


def _named(field: Field) -> Iterator[tuple[str, str, str, str]]:
    for code in field.codes:
        yield code.label, code.name, code.key, code.definition


def _choice(label: str, name: str, key: str, definition: str) -> str:
    # The alias is what comes back, so that a label may be worded anew.
    parts = [f"value={_attribute(label)}", f"alias={_attribute(name)}"]
    parts += [f"hotkey={_attribute(key)}"] if key else []
    parts += [f"hint={_attribute(' '.join(definition.split()))}"] if definition else []
    return f"<Choice {' '.join(parts)}/>"


def _attribute(text: str) -> str:
    # By hand: the standard library's own helper imports a network client.
    escaped = html.escape(text).replace("\n", "&#10;").replace("\t", "&#9;")
    return f'"{escaped}"'


def _task(task: object, packet: Packet, where: str) -> Answer | None:
    if not isinstance(task, dict):
        raise CodingError("must be an object", where=where)
    # JSON keeps what was imported under "data"; JSON-MIN puts all on one level.
    data = task.get("data", task)
    if not isinstance(data, dict) or not isinstance(data.get("item"), str):
        raise CodingError(
            "has no item id", where=where, todo="Export the project's JSON"
        )
    item = packet.item(data["item"])
    same_text(TextMap(item.text).display, data.get("text"), where)
    if "data" not in task:
        return _answer(item.id, _flat(task, packet.codebook), packet, where)
    annotation = _only(task.get("annotations"), where)
    if annotation is None:
        return None
    if annotation.get("was_cancelled"):
        return Answer(item.id, skip=True)
    return _answer(item.id, _regions(annotation.get("result"), where), packet, where)


def _only(listed: object, where: str) -> dict[str, object] | None:
    # Passed over, they would be codes that nobody misses.
    if listed is not None and not isinstance(listed, list):
        raise CodingError("has no list of annotations", where=where)
    found = [one for one in listed or [] if isinstance(one, dict)]
    if len(found) > 1:
        raise CodingError(
            f"{len(found)} annotations of one item",
            where=where,
            todo="Export one annotator's work at a time",
        )
    return found[0] if found else None


Region = tuple[str, dict[str, object]]  # the control's name, its value


def _regions(listed: object, where: str) -> Iterator[Region]:
    if not isinstance(listed, list):
        raise CodingError("has no list of results", where=where)
    for one in listed:
        if isinstance(one, dict) and isinstance(one.get("value"), dict):
            yield str(one.get("from_name")), one["value"]


def _flat(task: dict[str, object], book: Codebook) -> Iterator[Region]:
    """Yield a JSON-MIN task's values in the shape that JSON has."""
    for field in book.fields:
        value = task.get(field.name)
        if field.kind == "quote" and isinstance(value, list):
            yield from ((field.name, one) for one in value if isinstance(one, dict))
        elif field.kind in CHOICES and value:
            yield field.name, {"choices": _several(value, "choices")}
        elif value:
            yield field.name, {"text": value}
    if task.get(_NOTE):
        yield _NOTE, {"text": task[_NOTE]}
    if task.get(_FLAG):
        yield _FLAG, {}


def _several(value: object, key: str) -> list[object]:
    inner = value.get(key) if isinstance(value, dict) else value
    return inner if isinstance(inner, list) else [inner]


def _answer(
    item: str, regions: Iterable[Region], packet: Packet, where: str
) -> Answer | None:
    book, text = packet.codebook, packet.item(item).text
    values, quotes, note, flag = (
        dict[str, str](),
        dict[str, tuple[int, int]](),
        "",
        False,
    )
    for name, value in regions:
        if name == _NOTE:
            note = _words(value)
        elif name == _FLAG:
            flag = True
        elif name in quotes or name in values:
            raise CodingError(f"{name} is there twice, one is possible", where=where)
        elif book.field(name).kind == "quote":
            quotes[name] = _quote(text, value, where)
        elif book.field(name).kind in CHOICES:
            said = _several(value, "choices")
            values[name] = choice_of(book.field(name), said, where)
        else:
            values[name] = _words(value)
    return Answer(item, values, quotes, note, flag=flag)


def _words(value: dict[str, object]) -> str:
    said = _several(value, "text")
    return "\n".join(str(part) for part in said if part is not None)


def _quote(text: str, value: dict[str, object], where: str) -> tuple[int, int]:
    try:
        # Numbers, or the same as texts in older exports.
        start, end = int(str(value["start"])), int(str(value["end"]))
    except (KeyError, ValueError) as error:
        raise CodingError("a quote has no start and end", where=where) from error
    words = value.get("text")
    return located(text, start, end, words if isinstance(words, str) else None, where)
