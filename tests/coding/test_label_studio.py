"""Label Studio: what goes out is blind, what comes back is checked like any code."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coding import label_studio
from coding.answers import take_in
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import Entry, Packet, seal
from coding.results import CodingSession
from tests.coding.conftest import seeded

TEXT = "\U0001f600 I see\r\n3 there. \U0001f600 So <b>3</b> & no more\u2028it is."
WORDS = "So <b>3</b>"


@pytest.fixture
def pack(book: Codebook) -> Packet:
    entries = [Entry(f"call-{i}", f"{TEXT} {i}") for i in range(3)]
    return seal(entries, book, seeded(1)).packet


def shown(pack: Packet, at: int = 0) -> str:
    return str(json.loads(label_studio.tasks(pack))[at]["data"]["text"])


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def region(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """A result as Label Studio writes it."""
    return {
        "id": "Dx_aB91ISN",
        "type": kind,
        "value": value,
        "origin": "manual",
        "to_name": "text",
        "from_name": name,
    }


def task(pack: Packet, result: list[dict[str, Any]], at: int = 0) -> dict[str, Any]:
    """A task as Label Studio's JSON export has it."""
    annotation = {
        "id": 9 + at,
        "completed_by": {"id": 1, "email": "a@b.c"},
        "result": result,
        "was_cancelled": False,
        "ground_truth": False,
        "created_at": "2026-11-29T12:00:00.000000Z",
        "lead_time": 8.4,
        "result_count": len(result),
    }
    return {
        "id": 100 + at,
        "annotations": [annotation],
        "drafts": [],
        "predictions": [],
        "data": json.loads(label_studio.tasks(pack))[at]["data"],
        "meta": {},
        "project": 1,
    }


def full(pack: Packet, at: int = 0) -> dict[str, Any]:
    start = shown(pack, at).index(WORDS)
    quote = {
        "start": start,
        "end": start + len(WORDS),
        "text": WORDS,
        "labels": ["Quote"],
    }
    return task(
        pack,
        [
            region("reading", "choices", {"choices": ["own-view"]}),
            region("quote", "labels", quote),
            region("sees_choice", "choices", {"choices": ["Not said"]}),
            region("works_out", "choices", {"choices": ["no"]}),
            region("note", "textarea", {"text": ["odd\none"]}),
        ],
        at,
    )


def export(*tasks: object) -> bytes:
    return json.dumps(list(tasks)).encode()


def parsed(setup: str) -> ET.Element:
    return ET.fromstring(setup)  # noqa: S314 - our own text, not a stranger's


def refusal(data: bytes, pack: Packet) -> str:
    with pytest.raises(CodingError) as refused:
        label_studio.answers(data, pack, "export.json")
    return str(refused.value)


def test_only_id_and_text_go_out(pack: Packet) -> None:
    listed = json.loads(label_studio.tasks(pack))
    assert [set(one) for one in listed] == [{"data"}] * 3
    assert [set(one["data"]) for one in listed] == [{"item", "text"}] * 3
    assert [one["data"]["item"] for one in listed] == [i.id for i in pack.items]
    assert b"call-" not in label_studio.tasks(pack)


def test_the_setup_names_every_field_and_code(book: Codebook) -> None:
    view = parsed(label_studio.config(book))
    assert view.find("Text") is not None
    controls = {e.get("name"): e for e in view if e.get("toName") == "text"}
    names = {field.name for field in book.fields}
    assert names | {"note", "flag"} == set(controls)
    choices = controls["reading"].findall("Choice")
    assert [c.get("alias") for c in choices] == list(book.field("reading").code_names())
    assert choices[0].get("value") == "Director's view"
    assert choices[0].get("hotkey") == "d"
    assert controls["reading"].get("choice") == "single-radio"
    assert controls["quote"].tag == "Labels"


def test_a_setup_holds_any_words(book: Codebook) -> None:
    odd = replace(
        book.fields[0].codes[0], label="<\"&'>", definition="a\nb", name="A & B"
    )
    field = replace(book.fields[0], codes=(odd,), question="1 < 2?")
    view = parsed(label_studio.config(replace(book, fields=(field,))))
    choice = view.find("Choices/Choice")
    assert choice is not None
    assert (choice.get("value"), choice.get("alias")) == ("<\"&'>", "A & B")


def test_codes_and_quote_come_back_as_offsets_of_the_original(
    pack: Packet, tmp_path: Path
) -> None:
    found = label_studio.answers(export(full(pack)), pack)
    (one,) = found
    item = pack.items[0]
    start, end = one.quotes["quote"]
    assert item.text[start:end] == WORDS
    assert one.values["sees_choice"] == "not-said"
    with CodingSession(pack, tmp_path / "r.jsonl", "ann") as session:
        assert take_in(found, session, "x") == 5
        assert session.status(item.id) == "coded"
        assert session.state(item.id).note == "odd\none"
        # The same file once more changes nothing.
        assert take_in(found, session, "x") == 0


@pytest.mark.parametrize("way", ["code points", "UTF-16", "shifted", "texts"])
def test_the_words_decide_how_a_version_counts(pack: Packet, way: str) -> None:
    """Older versions count in UTF-16, newer ones in code points, some wrongly."""
    text = shown(pack)
    start = text.index(WORDS)
    places = {
        "code points": (start, start + len(WORDS)),
        "UTF-16": (utf16(text[:start]), utf16(text[:start] + WORDS)),
        "shifted": (start + 7, start + 7 + len(WORDS)),
        "texts": (str(start), str(start + len(WORDS))),
    }
    first, last = places[way]
    value = {"start": first, "end": last, "text": WORDS, "labels": ["Quote"]}
    data = export(task(pack, [region("quote", "labels", value)]))
    (one,) = label_studio.answers(data, pack)
    start, end = one.quotes["quote"]
    assert pack.items[0].text[start:end] == WORDS


def test_a_quote_over_a_line_end_keeps_the_originals(pack: Packet) -> None:
    words = "I see\n3 there"
    start = shown(pack).index(words)
    value = {"start": start, "end": start + len(words), "text": words, "labels": ["q"]}
    data = export(task(pack, [region("quote", "labels", value)]))
    (one,) = label_studio.answers(data, pack)
    first, last = one.quotes["quote"]
    assert pack.items[0].text[first:last] == "I see\r\n3 there"


def test_without_words_an_ambiguous_place_is_refused(pack: Packet) -> None:
    value = {"start": 2, "end": 7, "labels": ["Quote"]}
    data = export(task(pack, [region("quote", "labels", value)]))
    assert "not the text at its place" in refusal(data, pack)


def test_json_min_says_the_same(pack: Packet) -> None:
    start = shown(pack).index(WORDS)
    flat = {
        "item": pack.items[0].id,
        "text": shown(pack),
        "id": 100,
        "reading": "own-view",
        "quote": [
            {"start": start, "end": start + 11, "text": WORDS, "labels": ["Quote"]}
        ],
        "sees_choice": "Not said",
        "works_out": {"choices": ["no"]},
        "note": "odd\none",
        "annotator": 1,
        "annotation_id": 9,
        "lead_time": 8.4,
    }
    assert label_studio.answers(export(flat), pack) == label_studio.answers(
        export(full(pack)), pack
    )


def test_skipped_and_untouched_tasks(pack: Packet) -> None:
    skipped, bare = task(pack, []), task(pack, [], 1)
    skipped["annotations"][0]["was_cancelled"] = True
    bare["annotations"] = []
    (one,) = label_studio.answers(export(skipped, bare), pack)
    assert (one.item, one.skip) == (pack.items[0].id, True)


def test_a_flag_comes_back(pack: Packet) -> None:
    data = export(task(pack, [region("flag", "choices", {"choices": ["flag"]})]))
    (one,) = label_studio.answers(data, pack)
    assert one.flag


def test_another_text_is_refused(pack: Packet) -> None:
    changed = full(pack)
    changed["data"]["text"] += "!"
    assert "not the one that was handed out" in refusal(export(changed), pack)


def test_two_annotators_are_refused(pack: Packet) -> None:
    both = full(pack)
    both["annotations"] *= 2
    assert "2 annotations of one item" in refusal(export(both), pack)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (region("reading", "choices", {"choices": ["nope"]}), "is no code of reading"),
        (
            region("reading", "choices", {"choices": ["own-view", "no-rule"]}),
            "2 codes for reading",
        ),
        (region("nope", "choices", {"choices": ["x"]}), "nope"),
        (region("quote", "labels", {"labels": ["q"]}), "no start and end"),
        (
            region("quote", "labels", {"start": 0, "end": 3, "text": "zzz"}),
            "not the text at its place",
        ),
        (
            region("quote", "labels", {"start": 9**9, "end": 9**10}),
            "not the text at its place",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_the_reason(
    pack: Packet, result: dict[str, Any], words: str
) -> None:
    assert words in refusal(export(task(pack, [result])), pack)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is not JSON"),
        (b"[1]", "must be an object"),
        (b'[{"data": {"text": "x"}}]', "has no item id"),
        (b'[{"data": {"item": "nope"}}]', "is no item of this packet"),
        (b"[" * 99, "is nested deeper"),
        (b"\xff", "is not UTF-8"),
    ],
)
def test_what_is_no_export_is_refused(pack: Packet, data: bytes, words: str) -> None:
    assert words in refusal(data, pack)


def test_annotations_of_another_shape_are_not_passed_over(pack: Packet) -> None:
    one = {**task(pack, []), "annotations": {"result": []}}
    assert "has no list of annotations" in refusal(export(one), pack)


def test_a_note_of_nothing_is_no_note(pack: Packet) -> None:
    said = region("note", "textarea", {"text": None})
    (found,) = label_studio.answers(export(task(pack, [said])), pack)
    assert found.note == ""


def test_a_refused_file_changes_nothing(pack: Packet, tmp_path: Path) -> None:
    found = label_studio.answers(export(full(pack), full(pack)), pack)
    with CodingSession(pack, tmp_path / "r.jsonl", "ann") as session:
        with pytest.raises(CodingError, match="occurs twice"):
            take_in(found, session, "export.json")
        assert not session.can_undo()
