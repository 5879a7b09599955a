"""Known-code items for rehearsals: they state what they were written to."""

import json
from collections import Counter
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.runner.practice.coders import READINGS
from director_gui.runner.practice.traces import true_codes
from director_gui.store.database import create_study
from director_gui.study.blind.auto_known import DEFAULT_COUNT, practice_known
from director_gui.study.blind.known import read_known
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.sealing import default_codebook
from tests.blind_studies import Desk


def test_each_item_states_the_codes_that_it_names(desk: Desk) -> None:
    lines = practice_known(desk.study).splitlines()
    assert len(lines) == DEFAULT_COUNT
    for line in lines:
        item = json.loads(line)
        codes = true_codes(item["reasoning"])
        assert codes is not None
        assert item["codes"] == {
            "reading": codes.reading,
            "sees_choice": codes.sees_choice,
            "works_out": codes.works_out,
        }


def test_every_reading_has_its_turn(desk: Desk) -> None:
    items = map(json.loads, practice_known(desk.study, 10).splitlines())
    readings = Counter(item["codes"]["reading"] for item in items)
    assert readings == dict.fromkeys(READINGS, 2)


def test_the_file_is_one_that_a_packet_takes(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    path.write_bytes(practice_known(desk.study, 6))
    items = read_known(path, default_codebook())
    assert len(items) == 6
    found = desk.seal(Request(seed=5, known=items))
    assert len(found.packet.items) - len(found.calls) == 6
    # With the whole reply, too: then an item without one would stand out.
    assert desk.seal(Request(seed=5, form="with_reply", known=items), seed=2)


def test_the_same_seed_gives_the_same_bytes_and_another_others(desk: Desk) -> None:
    assert practice_known(desk.study, 5, 1) == practice_known(desk.study, 5, 1)
    assert practice_known(desk.study, 5, 1) != practice_known(desk.study, 5, 2)


def test_what_cannot_be_written_is_told(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="at least one"):
        practice_known(desk.study, 0)
    empty = create_study(tmp_path / "empty.study", "empty")
    with empty, pytest.raises(UserError, match="no scenes"):
        practice_known(empty)
