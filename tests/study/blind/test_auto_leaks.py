"""Nothing of an automatic pass gets out of a study whose packet is still sealed."""

import json
from pathlib import Path

import pytest

from director_gui.store.log import entries
from director_gui.study.blind.auto_accepting import accept
from director_gui.study.blind.auto_prompt import codebook_part, item_part
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.unblinding import unblind
from director_gui.study.export.supplement import export_supplement
from tests.auto_studies import answering, begun, right_answer, run_pass, sealed
from tests.blind_studies import Desk
from tests.canary import files_with
from tests.fault_server import FaultServer

# A known-code item says so in its text alone, and in no other place of the study.
KNOWN_TEXT = "That settles it, 0."
REMARK = "automatic-canary-remark-7c1f"


@pytest.fixture
def found(desk: Desk) -> Opened:
    return sealed(desk, 3)


def coded(desk: Desk, found: Opened, *, accepted: bool) -> None:
    def say(text: str, _asked: int) -> str:
        # A model may say anything beside its answer.
        return f"{REMARK} {right_answer(text)}"

    with FaultServer(answering(say)) as server:
        one, profile = begun(desk, found, server.base_url)
        assert run_pass(desk.study, one, profile).open == 0
    if accepted:
        accept(desk.study, one, "me")


def test_a_supplement_of_a_sealed_packet_holds_nothing_of_the_pass(
    desk: Desk, found: Opened, tmp_path: Path
) -> None:
    assert any(KNOWN_TEXT in item.text for item in found.packet.items)
    coded(desk, found, accepted=True)
    folder = tmp_path / "out"
    export_supplement(desk.study, folder)
    for canary in (KNOWN_TEXT, REMARK, found.stored.id):
        assert files_with(folder, canary) == []


def test_an_unaccepted_pass_stays_out_after_the_unblinding_too(
    desk: Desk, found: Opened, tmp_path: Path
) -> None:
    coded(desk, found, accepted=False)
    unblind(desk.study, found.stored.id, "me", "the end")
    folder = tmp_path / "out"
    export_supplement(desk.study, folder)
    (codes,) = folder.glob("coding/*/codes.jsonl")
    assert codes.read_text() == ""
    assert list(folder.glob("coding/*/automatic.jsonl")) == []
    assert files_with(folder, REMARK) == []


def test_an_accepted_pass_is_in_the_supplement_like_any_coder(
    desk: Desk, found: Opened, tmp_path: Path
) -> None:
    coded(desk, found, accepted=True)
    unblind(desk.study, found.stored.id, "me", "the end")
    folder = tmp_path / "out"
    export_supplement(desk.study, folder)
    (codes,) = folder.glob("coding/*/codes.jsonl")
    rows = [json.loads(line) for line in codes.read_text().splitlines()]
    assert {row["coder"] for row in rows} == {"auto-coder-9"}
    assert len(rows) == len(found.packet.items)
    (path,) = folder.glob("coding/*/automatic.jsonl")
    (about,) = [json.loads(line) for line in path.read_text().splitlines()]
    assert about["alias"] == "auto-coder-9"
    assert about["profile"]["model"] == "lab/coder-9"
    assert about["calibration"]["fields"][0]["right"] == 3
    assert about["accepted"]["actor"] == "me"
    # Every request can be written again from what is there.
    first = found.packet.items[0].text
    assert about["begins_with"] + item_part(first) == codebook_part(
        found.packet.codebook
    ) + item_part(first)
    # Where the server stood, and where its key was, is nobody's business.
    assert "127.0.0.1" not in path.read_text()
    assert "key_source" not in path.read_text()


def test_the_log_tells_counts_and_no_code_of_a_reply(desk: Desk, found: Opened) -> None:
    coded(desk, found, accepted=True)
    said = json.dumps([entry.detail for entry in entries(desk.study)])
    for item in found.packet.items:
        assert item.id not in said
        quote = json.loads(right_answer(item.text))["quote"]
        assert quote not in said
    assert REMARK not in said
