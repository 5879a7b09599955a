"""Results come back: what is refused, what changes nothing, what a kill leaves."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from coding.results import CodingSession, results_name
from director_gui.errors import UserError
from director_gui.store.database import open_study
from director_gui.store.log import entries
from director_gui.store.packets import packets, results_of
from director_gui.study.blind.keys import Opened, opened, packet_id_of
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import passes_of
from director_gui.study.blind.sealing import release
from tests.blind_studies import Desk

ROOT = Path(__file__).parents[3]


def by_hand(found: Opened, folder: Path, alias: str, items: int, code: str) -> Path:
    path = folder / results_name(found.packet.id, alias)
    with CodingSession(found.packet, path, alias) as session:
        for item in found.packet.items[:items]:
            session.record_code(item.id, "reading", code)
    return path


def kept(desk: Desk, found: Opened) -> dict[str, bytes]:
    return {r.alias: r.data for r in results_of(desk.study, found.stored.id)}


def test_what_came_back_is_counted(desk: Desk) -> None:
    found = desk.seal()
    path = desk.code(found)
    with CodingSession(found.packet, path, "practice-coder-1") as session:
        session.set_skip(found.packet.items[0].id)
        session.record_code(found.packet.items[1].id, "reading", None)
    report = merge_results(desk.study, [path], "me")
    total = len(found.packet.items)
    assert report.value() == {
        "coded": total - 2,
        "skipped": 1,
        "missing": 1,
        "files": [
            {
                "packet": found.stored.id,
                "alias": "practice-coder-1",
                "change": "new",
                "coded": total - 2,
                "skipped": 1,
                "missing": 1,
                "late": False,
            }
        ],
    }
    (one,) = passes_of(desk.study, found)
    assert (one.coded, one.skipped, one.missing) == (total - 2, 1, 1)
    assert kept(desk, found) == {"practice-coder-1": path.read_bytes()}


def test_the_same_file_twice_changes_nothing(desk: Desk) -> None:
    found = desk.seal()
    path = desk.code(found)
    merge_results(desk.study, [path], "me")
    log = entries(desk.study)
    report = merge_results(desk.study, [path, path], "me")
    assert [file.change for file in report.files] == ["same", "same"]
    assert entries(desk.study) == log


def test_a_longer_chain_updates_and_an_older_one_does_not(desk: Desk) -> None:
    found = desk.seal()
    desk.folder.mkdir()
    path = by_hand(found, desk.folder, "ann", 2, "own-view")
    old = desk.folder / "old.jsonl"
    shutil.copy(path, old)
    merge_results(desk.study, [path], "me")
    by_hand(found, desk.folder, "ann", 4, "no-rule")
    changes = [
        merge_results(desk.study, [one], "me").files[0].change for one in (path, old)
    ]
    assert changes == ["update", "older"]
    assert kept(desk, found)["ann"] == path.read_bytes()


def broken(path: Path) -> bytes:
    return path.read_bytes().replace(b"own-view", b"no-rule", 1)


def test_one_bad_file_keeps_all_out(desk: Desk) -> None:
    found = desk.seal()
    good = desk.code(found)
    bad = by_hand(found, desk.folder, "ann", 3, "own-view")
    bad.write_bytes(broken(bad))
    with pytest.raises(UserError, match="chain is broken"):
        merge_results(desk.study, [good, bad], "me")
    assert kept(desk, found) == {}
    assert [e.action for e in entries(desk.study)] == ["packet sealed"]


def test_a_fork_is_refused_and_both_are_named(desk: Desk) -> None:
    found = desk.seal()
    desk.folder.mkdir()
    one = by_hand(found, desk.folder, "ann", 2, "own-view")
    merge_results(desk.study, [one], "me")
    other = desk.folder / "other"
    other.mkdir()
    fork = by_hand(found, other, "ann", 2, "no-rule")
    with pytest.raises(UserError, match="two different continuations"):
        merge_results(desk.study, [fork], "me")
    assert kept(desk, found)["ann"] == one.read_bytes()


def test_results_of_another_study_are_refused(desk: Desk, tmp_path: Path) -> None:
    from tests.blind_studies import make

    found = desk.seal()
    path = desk.code(found)
    with (
        make(tmp_path / "b.study", count=1, samples=1) as other,
        pytest.raises(UserError, match="has not released"),
    ):
        merge_results(other, [path], "me")


@pytest.mark.parametrize("data", [b"", b"nonsense", b"{}\n", b"\xff" * 99])
def test_a_file_that_is_no_results_file_is_refused(desk: Desk, data: bytes) -> None:
    desk.seal()
    desk.folder.mkdir()
    path = desk.folder / "x.jsonl"
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"x\.jsonl"):
        merge_results(desk.study, [path], "me")


def test_a_missing_file_is_told(desk: Desk) -> None:
    with pytest.raises(UserError, match=r"gone\.jsonl"):
        merge_results(desk.study, [desk.folder / "gone.jsonl"], "me")


def test_a_packet_can_be_named_by_its_file(desk: Desk) -> None:
    found = desk.seal()
    path = release(desk.study, found.stored.id, desk.folder, "me")
    assert packet_id_of(str(path)) == packet_id_of(found.stored.id) == found.stored.id
    assert opened(desk.study, packet_id_of(str(path))).packet == found.packet


def test_a_folder_that_cannot_be_written_leaves_the_packet(desk: Desk) -> None:
    found = desk.seal()
    desk.folder.write_text("a file, not a folder")
    with pytest.raises(UserError, match="the packet is kept in the study"):
        release(desk.study, found.stored.id, desk.folder, "me")
    desk.folder.unlink()
    path = release(desk.study, found.stored.id, desk.folder, "me")
    assert path.read_bytes() == found.stored.file


# A program that ends like a power cut, at the second call of a named function.
DYING = """
import os, signal, sys
from pathlib import Path
from director_gui.store.database import open_study
import director_gui.study.blind.{module} as module
real, calls = module.{function}, []
def dying(*args, **more):
    calls.append(1)
    if len(calls) == {at}:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*args, **more)
module.{function} = dying
study = open_study(Path(sys.argv[1]))
{act}
"""


def killed(study: Path, module: str, function: str, at: int, act: str) -> None:
    code = DYING.format(module=module, function=function, at=at, act=act)
    done = subprocess.run(
        [sys.executable, "-c", code, str(study)], cwd=ROOT, check=False
    )
    assert done.returncode == -signal.SIGKILL


def test_a_kill_while_merging_keeps_all_or_nothing(desk: Desk) -> None:
    found = desk.seal()
    paths = [str(desk.code(found, at)) for at in (0, 1)]
    path = desk.study.path
    desk.study.close()
    act = f"module.merge_results(study, [Path(p) for p in {paths!r}], 'me')"
    killed(path, "merging", "add_entry", 2, act)
    with open_study(path) as study:
        assert results_of(study, found.stored.id) == []
        merged = merge_results(study, [Path(p) for p in paths], "me")
        assert [f.change for f in merged.files] == ["new", "new"]


def test_a_kill_while_sealing_leaves_no_packet_without_its_log(desk: Desk) -> None:
    path = desk.study.path
    desk.study.close()
    act = (
        "from director_gui.study.blind.preparing import Request, prepare\n"
        "made = prepare(study, Request())\n"
        "module.seal_packet(study, made, module.default_codebook(), 'me')"
    )
    killed(path, "sealing", "add_entry", 1, act)
    with open_study(path) as study:
        assert packets(study) == []
        assert entries(study) == []


def test_a_kill_while_releasing_leaves_no_half_file(desk: Desk) -> None:
    found = desk.seal()
    path, folder = desk.study.path, desk.folder
    desk.study.close()
    act = f"module.release(study, {found.stored.id!r}, Path({str(folder)!r}), 'me')"
    killed(path, "sealing", "os.fsync", 1, act)
    assert not list(folder.glob("*.codepack"))
    with open_study(path) as study:
        made = release(study, found.stored.id, folder, "me")
        assert made.read_bytes() == found.stored.file
