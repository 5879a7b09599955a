"""doccano: places without words, so texts go out in which all counts agree."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coding import doccano
from coding.answers import take_in
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import Entry, Packet, seal
from coding.results import CodingSession
from tests.coding.conftest import seeded

TEXT = "\U0001f600\U0001f44d I see\r\n3 there. So <b>3</b>\u2028it is."


@pytest.fixture
def pack(book: Codebook) -> Packet:
    entries = [Entry(f"call-{i}", f"{TEXT} {i}") for i in range(3)]
    return seal(entries, book, seeded(1)).packet


def sent(pack: Packet) -> list[dict[str, str]]:
    return [json.loads(line) for line in doccano.lines(pack).splitlines()]


def row(pack: Packet, **said: object) -> dict[str, Any]:
    """A line as doccano exports it: its own id, and what was imported beside."""
    return {
        "id": 7,
        **sent(pack)[0],
        "cats": [],
        "entities": [],
        "Comments": [],
        **said,
    }


def export(*rows: object) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in rows)


def spanned(pack: Packet, words: str) -> list[Any]:
    start = sent(pack)[0]["text"].index(words)
    return [start, start + len(words), "quote"]


def test_only_id_and_text_go_out(pack: Packet) -> None:
    assert [set(one) for one in sent(pack)] == [{"text", "item"}] * 3
    assert b"call-" not in doccano.lines(pack)


def test_every_way_of_counting_agrees_on_what_goes_out(pack: Packet) -> None:
    for one, item in zip(sent(pack), pack.items, strict=True):
        assert len(one["text"]) == len(one["text"].encode("utf-16-le")) // 2
        # A line end of two characters is one there; nothing else moves.
        assert len(one["text"]) == len(item.text) - 1


def test_labels_are_made_from_the_codebook(book: Codebook) -> None:
    labels = json.loads(doccano.categories(book))
    names = [one["text"] for one in labels]
    assert "reading: own-view" in names
    assert len(names) == sum(len(field.codes) for field in book.fields)
    keys = [one["suffix_key"] for one in labels if one["suffix_key"]]
    assert len(keys) == len(set(keys))
    assert [one["text"] for one in json.loads(doccano.spans(book))] == ["quote"]


def test_codes_quote_and_comment_come_back(pack: Packet, tmp_path: Path) -> None:
    cats = ["reading: own-view", "sees_choice: no", "works_out: yes"]
    said = row(
        pack, cats=cats, entities=[spanned(pack, "So <b>3</b>")], Comments=["odd"]
    )
    found = doccano.answers(export(said), pack)
    item = pack.items[0]
    with CodingSession(pack, tmp_path / "r.jsonl", "ann") as session:
        assert take_in(found, session, "x") == 5
        assert session.status(item.id) == "coded"
        state = session.state(item.id)
    assert state.values == {
        "reading": "own-view",
        "sees_choice": "no",
        "works_out": "yes",
    }
    assert (state.quotes["quote"].text, state.note) == ("So <b>3</b>", "odd")


def test_a_quote_keeps_the_originals_emoji_and_line_end(pack: Packet) -> None:
    words = sent(pack)[0]["text"][:12]
    found = doccano.answers(export(row(pack, entities=[spanned(pack, words)])), pack)
    start, end = found[0].quotes["quote"]
    assert pack.items[0].text[start:end] == "\U0001f600\U0001f44d I see\r\n3 t"


@pytest.mark.parametrize(
    "change",
    [
        lambda one: {"label": one.pop("cats") + one.pop("entities"), **one},
        lambda one: {"meta": {"item": one.pop("item")}, **one},
        lambda one: {
            **one,
            "entities": [
                {"id": 1, "label": name, "start_offset": a, "end_offset": b}
                for a, b, name in one["entities"]
            ],
        },
    ],
)
def test_other_project_types_and_versions_say_the_same(
    pack: Packet, change: Callable[[dict[str, Any]], dict[str, Any]]
) -> None:
    said = row(pack, cats=["reading: no-rule"], entities=[spanned(pack, "3 there")])
    plain = doccano.answers(export(said), pack)
    assert doccano.answers(export(change(dict(said))), pack) == plain
    assert doccano.answers(json.dumps([said]).encode(), pack) == plain


def test_a_line_without_labels_says_nothing(pack: Packet) -> None:
    assert doccano.answers(export(row(pack)), pack) == ()


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"cats": ["reading: nope"]}, "is no code of reading"),
        ({"cats": ["nope: x"]}, "nope"),
        ({"cats": ["quote: x"]}, "takes no code"),
        ({"cats": ["reading: own-view", "reading: no-rule"]}, "two codes"),
        ({"entities": [[0, 9**9, "quote"]]}, "outside the text"),
        ({"entities": [[3, 3, "quote"]]}, "outside the text"),
        ({"entities": [[0, 3, "reading"]]}, "takes no quote"),
        ({"entities": [[0, 3, "quote"], [4, 6, "quote"]]}, "two quotes"),
        ({"entities": [["a", 3, "quote"]]}, "is no span"),
        ({"entities": [7]}, "is no span"),
        ({"cats": "reading: own-view"}, "must be a list"),
        ({"cats": {"reading": "own-view"}}, "must be a list"),
        ({"text": "other"}, "not the one that was handed out"),
        ({"item": "nope"}, "is no item of this packet"),
        ({"item": 7}, "has no item id"),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(
    pack: Packet, said: dict[str, Any], words: str
) -> None:
    with pytest.raises(CodingError, match=r"line 1|nope|packet") as refused:
        doccano.answers(export(row(pack, **said)), pack)
    assert words in str(refused.value)


@pytest.mark.parametrize("data", [b"{", b"[1]", b"7\n", b"\xff\n"])
def test_what_is_no_export_is_refused(pack: Packet, data: bytes) -> None:
    with pytest.raises(CodingError):
        doccano.answers(data, pack)
