"""Every tool there and back: the same codes, whichever tool a lab knows."""

import csv
import io
import json
from pathlib import Path

import pytest

from coding.codebook import Codebook
from coding.errors import CodingError
from coding.exchange import TOOLS, Tool, bring_in, hand_out, tool_of
from coding.log import parse_log
from coding.packet import Packet
from coding.results import own_alias, results_name
from tests.canary import found_in

QUOTE = "The largest cube is"
CODES = {"reading": "own-view", "sees_choice": "no", "works_out": "yes"}


def coded(tool: Tool, files: tuple[Path, ...], packet: Packet) -> bytes:
    """What the tool would export after each item was coded alike."""
    data = files[0].read_bytes()
    if tool == "csv":
        rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, **CODES, "quote": QUOTE} for row in rows)
        return out.getvalue().encode()
    if tool == "xlsx":
        return sheet(data)
    if tool == "doccano":
        cats = [f"{field}: {code}" for field, code in CODES.items()]
        span = [0, len(QUOTE), "quote"]
        lines = (json.loads(line) for line in data.splitlines())
        told = ({"id": 1, **one, "cats": cats, "entities": [span]} for one in lines)
        return b"\n".join(json.dumps(one).encode() for one in told)
    result = [
        {"from_name": f, "type": "choices", "value": {"choices": [c]}}
        for f, c in CODES.items()
    ]
    words = {"start": 0, "end": len(QUOTE), "text": QUOTE, "labels": ["Quote"]}
    result.append({"from_name": "quote", "type": "labels", "value": words})
    tasks = [{**one, "annotations": [{"result": result}]} for one in json.loads(data)]
    assert len(tasks) == len(packet.items)
    return json.dumps(tasks).encode()


def sheet(data: bytes) -> bytes:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data))
    rows = book.worksheets[0]
    head = [cell.value for cell in rows[1]]
    for row in range(2, rows.max_row + 1):
        for field, code in {**CODES, "quote": QUOTE}.items():
            rows.cell(row, head.index(field) + 1, code)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize("tool", TOOLS)
def test_there_and_back_gives_the_same_results(
    tool: Tool, pack: Packet, tmp_path: Path
) -> None:
    files = hand_out(pack, tool, tmp_path / "out")
    assert all(path.name.startswith(pack.id) for path in files)
    back = tmp_path / f"back{files[0].suffix}"
    back.write_bytes(coded(tool, files, pack))
    assert tool_of(back) == tool
    found = bring_in(pack, back, tool, "ann", tmp_path)
    assert found.path.name == results_name(pack.id, "ann")
    assert (found.progress.coded, found.progress.open) == (len(pack.items), 0)
    assert found.recorded == 4 * len(pack.items)
    fold = parse_log(found.path.read_bytes(), pack).fold
    for item in pack.items:
        state = fold.state(item.id)
        assert state.values == CODES
        assert state.quotes["quote"].text == item.text[: len(QUOTE)]
    again = bring_in(pack, back, tool, "ann", tmp_path)
    assert again.recorded == 0


@pytest.mark.parametrize("tool", TOOLS)
def test_nothing_of_the_key_goes_out(tool: Tool, pack: Packet, tmp_path: Path) -> None:
    for path in hand_out(pack, tool, tmp_path):
        for secret in ("reply-0", "reply-5", pack.commitment, str(tmp_path)):
            assert not found_in(path.read_bytes(), secret)


@pytest.mark.parametrize("tool", TOOLS)
def test_a_file_that_is_no_export_leaves_no_results(
    tool: Tool, pack: Packet, tmp_path: Path
) -> None:
    back = tmp_path / "back"
    back.write_bytes(b"\x00 not an export")
    with pytest.raises(CodingError):
        bring_in(pack, back, tool, "ann", tmp_path)
    assert list(tmp_path.glob("*.jsonl")) == []


def test_a_refused_answer_leaves_earlier_results_as_they_were(
    pack: Packet, tmp_path: Path
) -> None:
    files = hand_out(pack, "doccano", tmp_path / "out")
    back = tmp_path / "back.jsonl"
    back.write_bytes(coded("doccano", files, pack))
    path = bring_in(pack, back, "doccano", "ann", tmp_path).path
    before = path.read_bytes()
    back.write_bytes(back.read_bytes().replace(b"own-view", b"nope-view"))
    with pytest.raises(CodingError, match="no code of reading"):
        bring_in(pack, back, "doccano", "ann", tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("tool", TOOLS)
def test_a_folder_for_the_results_is_made(
    tool: Tool, pack: Packet, tmp_path: Path
) -> None:
    back = tmp_path / "back"
    back.write_bytes(coded(tool, hand_out(pack, tool, tmp_path / "out"), pack))
    found = bring_in(pack, back, tool, "ann", tmp_path / "new" / "results")
    assert found.path.parent == tmp_path / "new" / "results"
    assert found.progress.coded == len(pack.items)
    with pytest.raises(CodingError, match="cannot be written"):
        bring_in(pack, back, tool, "ben", back)


def test_an_unknown_ending_names_the_tools() -> None:
    with pytest.raises(CodingError, match="label-studio"):
        tool_of(Path("codes.docx"))


def test_a_folder_that_cannot_be_made_is_told(pack: Packet, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(CodingError, match="cannot be written"):
        hand_out(pack, "csv", tmp_path / "file" / "sub")


def test_a_setup_for_label_studio_comes_along(
    pack: Packet, book: Codebook, tmp_path: Path
) -> None:
    _, setup = hand_out(pack, "label-studio", tmp_path)
    text = setup.read_text()
    assert all(f'name="{field.name}"' in text for field in book.fields)


@pytest.mark.parametrize("alias", ["adjudicated", "Adjudicated", "auto-gpt-6"])
def test_nobody_takes_codes_in_under_a_kept_alias(
    alias: str, pack: Packet, tmp_path: Path
) -> None:
    files = hand_out(pack, "csv", tmp_path / "out")
    with pytest.raises(CodingError, match="no person's"):
        bring_in(pack, files[0], "csv", alias, tmp_path)
    assert own_alias("ann") == "ann"
