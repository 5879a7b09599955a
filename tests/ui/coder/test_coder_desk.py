"""The desk: where the coder is, what is decided, what a failing disk keeps waiting."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from coding.packet import Packet
from coding.results import CodingSession
from director_gui.ui.coder.desk import Desk

Full = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def desk(packet: Packet, session: CodingSession, qapp: QApplication) -> Iterator[Desk]:
    del qapp
    made = Desk(packet, session)
    yield made
    made.session.close()


@pytest.fixture
def heard(desk: Desk) -> list[str]:
    said: list[str] = []
    desk.hinted.connect(said.append)
    desk.failed.connect(lambda text: said.append(f"failed {text}") if text else None)
    desk.finished.connect(lambda: said.append("finished"))
    return said


@contextmanager
def dying_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Take a line, fail to confirm it, and fail to take it back."""

    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as faults:
        faults.setattr("coding.appending.os.fsync", fail)
        faults.setattr("coding.appending.AppendFile._take_back", lambda s: s.close())
        yield


def code_fully(desk: Desk) -> None:
    desk.choose("reading", "own-view")
    desk.quote("quote", 0, 12)
    desk.choose("sees_choice", "no")
    desk.choose("works_out", "yes")


def test_nothing_is_prefilled(desk: Desk) -> None:
    assert (desk.state.values, desk.state.quotes, desk.state.note) == ({}, {}, "")
    assert desk.status == "open"
    assert desk.index == 0


def test_the_same_code_again_takes_it_away(desk: Desk) -> None:
    desk.choose("reading", "own-view")
    desk.choose("reading", "director-view")
    assert desk.state.values == {"reading": "director-view"}
    desk.choose("reading", "director-view")
    assert desk.state.values == {}


def test_a_quote_leaves_out_the_blanks_at_its_ends(desk: Desk) -> None:
    text = desk.item.text
    at = text.index(" sees ")
    desk.quote("quote", at, at + 6)
    quote = desk.state.quotes["quote"]
    assert quote.text == "sees" == text[quote.start : quote.end]


def test_an_empty_selection_is_no_quote(desk: Desk, heard: list[str]) -> None:
    desk.quote("quote", 3, 3)
    at = desk.item.text.index(" ")
    desk.quote("quote", at, at + 1)
    assert desk.state.quotes == {}
    assert len(heard) == 2
    assert "Select the words" in heard[0]


def test_next_names_once_what_is_missing_then_goes(
    desk: Desk, heard: list[str]
) -> None:
    desk.choose("reading", "own-view")
    desk.next()
    assert desk.index == 0
    assert "Quote" in heard[0]
    assert "Reading of the request" not in heard[0]
    desk.next()
    assert desk.index == 1
    assert desk.session.status(desk.packet.items[0].id) == "started"


def test_a_skipped_trace_is_left_at_once(desk: Desk) -> None:
    desk.skip()
    desk.next()
    assert desk.index == 1
    assert desk.session.status(desk.packet.items[0].id) == "skipped"


def test_a_code_takes_a_skipped_trace_up_again(desk: Desk) -> None:
    desk.skip()
    desk.choose("reading", "own-view")
    assert not desk.state.skipped


def test_undo_and_redo_show_the_trace_they_change(desk: Desk) -> None:
    code_fully(desk)
    desk.next()
    assert desk.index == 1
    desk.undo()
    assert desk.index == 0
    assert "works_out" not in desk.state.values
    desk.redo()
    assert desk.state.values["works_out"] == "yes"


def test_undo_on_a_blank_log_says_so(desk: Desk, heard: list[str]) -> None:
    desk.undo()
    desk.redo()
    assert heard == ["There is nothing to undo", "There is nothing to redo"]


def test_the_end_comes_when_all_is_decided_and_only_once_by_itself(
    desk: Desk, heard: list[str]
) -> None:
    for _ in desk.packet.items:
        desk.skip()
        desk.next()
    assert heard.count("finished") == 1
    desk.previous()
    desk.next()
    assert heard.count("finished") == 1  # looking back is not ending again
    desk.next()
    assert heard.count("finished") == 2  # the last trace is


def test_next_uncoded_goes_round(desk: Desk, heard: list[str]) -> None:
    desk.next()
    desk.next()
    desk.skip()
    last = len(desk.packet.items) - 1
    for _ in range(last - 1):
        desk.next_uncoded()
    assert desk.index == last
    desk.next_uncoded()
    assert desk.index == 0
    for _ in range(last):
        desk.skip()
        desk.next_uncoded()
    desk.next_uncoded()
    assert heard[-1] == "Every trace is coded or skipped"


def test_it_resumes_at_the_first_trace_that_is_open(
    packet: Packet, results: Path, qapp: QApplication
) -> None:
    del qapp
    with CodingSession(packet, results, "ann") as session:
        desk = Desk(packet, session)
        code_fully(desk)
        desk.next()
        desk.choose("reading", "own-view")
    with CodingSession(packet, results, "ann") as session:
        desk = Desk(packet, session)
        assert desk.index == 1
        assert desk.state.values == {"reading": "own-view"}


@pytest.mark.parametrize("left", [0, 1, 40])
def test_a_full_disk_keeps_the_decision_on_screen_and_the_place(
    desk: Desk, heard: list[str], results: Path, full_disk: Full, left: int
) -> None:
    code_fully(desk)
    before = results.read_bytes()
    with full_disk(results, left):  # no byte fits, or the line fits in part
        desk.choose("reading", "director-view")
        assert desk.waits
        assert desk.state.values["reading"] == "director-view"  # on screen
        assert results.read_bytes() == before
        desk.next()
        desk.next_uncoded()
        desk.previous()
        desk.undo()
        assert desk.index == 0
    assert all(said.startswith("failed") for said in heard)
    assert "Check the folder" in heard[0]
    assert desk.retry()
    assert not desk.waits
    assert desk.session.state(desk.item.id).values["reading"] == "director-view"
    assert results.read_bytes().startswith(before)


def test_the_next_decision_waits_behind_the_one_that_failed(
    desk: Desk, results: Path, full_disk: Full
) -> None:
    with full_disk(results):
        desk.choose("reading", "own-view")
        desk.choose("works_out", "no")
        assert desk.state.values == {"reading": "own-view"}
    desk.choose("works_out", "no")
    assert desk.state.values == {"reading": "own-view", "works_out": "no"}


@pytest.mark.parametrize("back", ["same file", "copy"])
def test_a_file_that_was_taken_away_loses_nothing(
    desk: Desk, heard: list[str], results: Path, back: str
) -> None:
    desk.choose("reading", "own-view")
    away = results.with_name("away")
    results.rename(away)
    desk.choose("works_out", "no")
    assert desk.waits
    assert "cannot be reached" in heard[-1]
    assert not results.exists()  # a second log is never begun
    if back == "copy":
        results.write_bytes(away.read_bytes())
    else:
        away.rename(results)
    assert desk.retry()
    assert desk.state.values == {"reading": "own-view", "works_out": "no"}
    assert results.read_bytes().count(b"\n") == 3


def test_another_file_in_its_place_is_not_written_to(
    desk: Desk, heard: list[str], results: Path
) -> None:
    desk.choose("reading", "own-view")
    results.unlink()
    results.write_bytes(b"")
    desk.choose("works_out", "no")
    assert desk.waits
    assert "not the one that was open" in heard[-1]
    assert results.read_bytes() == b""


def test_a_refused_line_that_reached_the_disk_is_not_written_twice(
    desk: Desk, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.choose("reading", "own-view")
    with dying_disk(monkeypatch):
        desk.choose("works_out", "no")
        assert desk.waits
    assert desk.retry()
    assert desk.state.values == {"reading": "own-view", "works_out": "no"}
    assert results.read_bytes().count(b"\n") == 3


def test_an_undo_that_reached_the_disk_is_not_done_twice(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.choose("reading", "own-view")
    desk.choose("works_out", "no")
    with dying_disk(monkeypatch):
        desk.undo()
        assert desk.waits
    assert desk.retry()
    assert desk.state.values == {"reading": "own-view"}


def test_what_the_session_refuses_does_not_wait(desk: Desk, heard: list[str]) -> None:
    desk.note("x" * 30_000)
    assert not desk.waits
    assert "longer than" in heard[-1]
    assert desk.state.note == ""
