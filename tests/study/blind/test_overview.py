"""What a coordinator sees of packets while they are blind: counts, never codes."""

import dataclasses
import json
from pathlib import Path

import pytest

from coding.results import CodingSession, results_name
from director_gui.errors import UserError
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.overview import (
    PacketRow,
    need_file,
    overview,
    waiting_results,
)
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.sealing import release
from director_gui.study.blind.unblinding import unblind
from tests.blind_studies import Desk


def only(desk: Desk) -> PacketRow:
    (row,) = overview(desk.study)
    return row


def test_a_new_packet_has_no_coders_and_no_file(desk: Desk) -> None:
    found = desk.seal()
    row = only(desk)
    assert (row.id, row.items, row.coders) == (found.stored.id, 16, ())
    assert (row.practice, row.again, row.unblinded) == (True, "", "")
    assert row.form == "reasoning and choice, the report left out"
    assert row.file is row.folder is None
    with pytest.raises(UserError, match="Save the packet again"):
        need_file(row)


def test_a_released_packet_knows_its_file_until_it_is_gone(desk: Desk) -> None:
    found = desk.seal()
    path = release(desk.study, found.stored.id, desk.folder, "me")
    assert only(desk).file == need_file(only(desk)) == path
    path.unlink()
    row = only(desk)
    assert row.file is None
    assert row.folder == desk.folder
    with pytest.raises(UserError, match=str(desk.folder)):
        need_file(row)


def test_saving_elsewhere_moves_where_results_are_expected(
    desk: Desk, tmp_path: Path
) -> None:
    found = desk.seal()
    for name in ("first", "second"):
        release(desk.study, found.stored.id, tmp_path / name, "me")
    assert only(desk).folder == tmp_path / "second"


def test_coders_are_counted_and_their_codes_are_not_shown(desk: Desk) -> None:
    found = desk.coded()
    row = only(desk)
    assert [c.alias for c in row.coders] == ["practice-coder-1", "practice-coder-2"]
    assert all(c.done and c.practice and c.coded == 16 for c in row.coders)
    assert row.family == 2
    shown = json.dumps(dataclasses.asdict(row), default=str)
    for code in found.packet.codebook.field("reading").code_names():
        assert code not in shown


def test_a_second_pass_counts_in_the_family(desk: Desk) -> None:
    first = desk.seal()
    again = desk.seal(Request(again=first.stored.id), seed=2)
    merge_results(desk.study, [desk.code(first), desk.code(again, 1)], "me")
    newest, oldest = overview(desk.study)
    assert (newest.again, oldest.again) == (first.stored.id, "")
    assert newest.family == oldest.family == 2
    assert len(newest.coders) == len(oldest.coders) == 1


def test_an_unblinding_is_dated_and_has_its_reason(desk: Desk) -> None:
    found = desk.coded()
    entry = unblind(desk.study, found.stored.id, "me", "both are done")
    shown = only(desk).unblinded
    assert shown.startswith(entry.time[:10])
    assert shown.endswith("both are done")


def test_revealing_one_item_does_not_unblind_the_packet(desk: Desk) -> None:
    from director_gui.study.blind.unblinding import reveal

    found = desk.coded()
    reveal(desk.study, found.stored.id, found.packet.items[0].id, "me", "torn text")
    assert only(desk).unblinded == ""


def test_results_wait_until_they_are_merged(desk: Desk) -> None:
    found = desk.seal()
    packet_id = found.stored.id
    assert waiting_results(desk.study, packet_id) == ()
    release(desk.study, packet_id, desk.folder, "me")
    path = desk.folder / results_name(packet_id, "ann")
    with CodingSession(found.packet, path, "ann") as session:
        session.set_flag(found.packet.items[0].id)
        assert waiting_results(desk.study, packet_id) == (path,)
        merge_results(desk.study, [path], "me")
        assert waiting_results(desk.study, packet_id) == ()
        session.set_flag(found.packet.items[1].id)
        assert waiting_results(desk.study, packet_id) == (path,)


def test_files_of_other_packets_do_not_wait_here(desk: Desk) -> None:
    one, other = desk.seal(), desk.seal(seed=2)
    release(desk.study, one.stored.id, desk.folder, "me")
    desk.code(other)
    (desk.folder / f"{one.stored.id}-notes.txt").write_text("x")
    assert waiting_results(desk.study, one.stored.id) == ()


def test_a_folder_that_is_gone_holds_nothing(desk: Desk) -> None:
    found = desk.seal()
    path = release(desk.study, found.stored.id, desk.folder, "me")
    path.unlink()
    desk.folder.rmdir()
    assert waiting_results(desk.study, found.stored.id) == ()


def test_an_unblinding_is_told_to_open_the_other_packets(desk: Desk) -> None:
    first = desk.seal()
    for seed in (2, 3):
        desk.seal(Request(again=first.stored.id), seed=seed)
    desk.seal(Request(seed=9), seed=4)
    together = {row.id: row.together for row in overview(desk.study)}
    assert sorted(together.values()) == [0, 2, 2, 2]
    unblind(desk.study, first.stored.id, "me", "done")
    assert not any(row.together for row in overview(desk.study))
