"""`packet autocode` and `packet accept`, as a script calls them."""

import errno
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli import dispatch
from director_gui.runner.profiles import save_profiles
from director_gui.store.auto_passes import passes_in
from director_gui.store.database import open_study
from director_gui.store.packets import results_of
from tests import blind_studies
from tests.auto_studies import CODER, answering, sealed
from tests.blind_studies import Desk
from tests.fault_server import FaultServer

PRACTICE = "Practice reader"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("cli")
    with blind_studies.make(folder / "a.study") as study:
        found = sealed(Desk(study, folder), 5)
    return folder / "a.study", found.stored.id


@pytest.fixture
def packet(made: tuple[Path, str], tmp_path: Path) -> tuple[str, str]:
    return str(shutil.copy(made[0], tmp_path / "a.study")), made[1]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultServer]:
    """A server that codes everything rightly, in the user's own profiles."""
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path / "home"))
    with FaultServer(answering()) as running:
        from dataclasses import replace

        priced = replace(CODER, base_url=running.base_url)
        unpriced = replace(priced, name="unpriced", input_price=None)
        save_profiles((priced, unpriced))
        yield running


def call(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, Any, str]:
    """The exit code, the JSON on stdout, and stderr."""
    code = dispatch.run(["packet", *args, "--json"])
    out = capsys.readouterr()
    return code, json.loads(out.out) if out.out else None, out.err


def test_a_dry_run_tells_and_sends_nothing(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str], server: FaultServer
) -> None:
    code, value, said = call(
        capsys, "autocode", *packet, "--profile", CODER.name, "--dry-run"
    )
    assert code == 0
    told = value["forecast"]
    assert (told["items"], told["known"], told["calls"]) == (21, 5, [21, 42])
    assert told["price"][0] < told["price"][1]
    assert "calls: 21, at most 42" in said
    assert "price: " in said
    assert "time: about" in said
    assert server.requests == []
    with open_study(Path(packet[0]), read_only=True) as study:
        assert passes_in(study, packet[1]) == []


def test_a_pass_is_coded_then_accepted(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str], server: FaultServer
) -> None:
    code, value, _ = call(capsys, "autocode", *packet, "--profile", CODER.name)
    assert code == 0
    assert len(server.requests) == 21
    assert value["counts"] == {
        "items": 21, "coded": 21, "uncodable": 0, "left": 0, "asked_again": 0,
    }  # fmt: skip
    assert value["cost"] == pytest.approx(21 * 0.0014)
    assert value["calibration"]["items"] == 5
    assert value["calibration"]["fields"][0]["right"] == 5
    assert value["accepted"] is None
    # Nothing says which code an item was given.
    assert "quote" not in json.dumps(value)
    code, value, _ = call(capsys, "accept", *packet, value["alias"], "--actor", "ada")
    assert code == 0
    assert value["accepted"]["actor"] == "ada"
    with open_study(Path(packet[0]), read_only=True) as study:
        (kept,) = results_of(study, packet[1])
    assert kept.alias == "auto-coder-9"


def test_the_same_command_pays_for_nothing_twice(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str], server: FaultServer
) -> None:
    call(capsys, "autocode", *packet, "--profile", CODER.name)
    code, _, said = call(capsys, "autocode", *packet, "--profile", CODER.name)
    assert code == dispatch.EXIT_INPUT
    assert "coded the packet already" in said
    assert "--second" in said
    assert len(server.requests) == 21
    code, value, _ = call(
        capsys, "autocode", *packet, "--profile", CODER.name, "--second"
    )
    assert (code, value["alias"]) == (0, "auto-coder-9-2")
    assert len(server.requests) == 42


def test_a_limit_stops_it_and_a_higher_one_goes_on(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str], server: FaultServer
) -> None:
    args = ("autocode", *packet, "--profile", CODER.name, "--limit-cost")
    code, value, said = call(capsys, *args, "0.06")
    assert code == 1
    assert "cost ceiling" in said
    assert 0 < value["counts"]["coded"] < 21
    assert value["cost"] <= 0.06
    assert value["calibration"] is None
    code, value, _ = call(capsys, *args, "5")
    assert (code, value["counts"]["left"]) == (0, 0)
    # The second sitting sent what was left of the same pass.
    assert (len(server.requests), value["alias"]) == (21, "auto-coder-9")


def test_an_unknown_price_is_sent_only_when_asked(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str], server: FaultServer
) -> None:
    args = ("autocode", *packet, "--profile", "unpriced")
    code, _, said = call(capsys, *args)
    assert code == dispatch.EXIT_INPUT
    assert "price of a call is unknown" in said
    assert server.requests == []
    code, value, _ = call(capsys, *args, "--yes")
    assert (code, value["cost"]) == (0, None)  # unknown, which is not free


def test_practice_codes_without_a_model_and_says_so(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["packet", "autocode", *packet, "--profile", PRACTICE]
    assert dispatch.run(args) == 0
    out = capsys.readouterr().out
    assert out.startswith("practice-auto-coder, practice: 21 items, ")
    assert "known-code items as intended (" in out
    assert "its codes are not used yet; to use them: packet accept STUDY" in out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("autocode", "--profile", "nobody"), "no such model profile"),
        (("accept", "auto-nobody"), "no such automatic pass"),
    ],
)
def test_what_is_not_there_is_told_in_one_line(
    packet: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    says: str,
) -> None:
    code, value, said = call(capsys, args[0], *packet, *args[1:])
    assert (code, value) == (dispatch.EXIT_INPUT, None)
    assert says in said
    assert len(said.strip().splitlines()) == 1


def test_known_items_for_a_rehearsal_are_written_to_a_file(
    packet: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "known.jsonl"
    code, value, _ = call(capsys, "known", packet[0], "-o", str(path), "--count", "7")
    assert (code, value["items"], value["practice"]) == (0, 7, True)
    assert len(path.read_bytes().splitlines()) == 7
    made = ["packet", "make", packet[0], "-o", str(tmp_path), "--known", str(path)]
    assert dispatch.run([*made, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["items"] == 16 + 7
    nowhere = tmp_path / "no" / "known.jsonl"
    code, _, said = call(capsys, "known", packet[0], "-o", str(nowhere))
    assert code == dispatch.EXIT_INPUT
    assert "known.jsonl" in said


def test_a_limit_is_a_number_of_dollars(
    packet: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for limit in ("-1", "nan", "inf", "dear"):
        with pytest.raises(SystemExit) as caught:
            dispatch.run(
                ["packet", "autocode", *packet, "--profile", "x", "--limit-cost", limit]
            )
        assert caught.value.code == dispatch.EXIT_USAGE
    assert "number of dollars" in capsys.readouterr().err


def test_a_full_disk_is_told_in_one_line(
    packet: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(_path: Path, _data: bytes) -> int:
        # As a write says it: without the file's name.
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    code, _, said = call(capsys, "known", packet[0], "-o", str(tmp_path / "k.jsonl"))
    assert code == 1
    assert "k.jsonl: the items cannot be written (No space left on device)" in said
