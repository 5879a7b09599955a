"""Codebook versions in a study: frozen once used, edited into new ones."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from coding.book_edits import (
    fresh_book,
    fresh_field,
    minus_code,
    minus_field,
    plus_field,
    with_field,
)
from coding.book_files import book_data
from coding.codebook import Codebook
from coding.qdc import to_qdc
from director_gui.errors import UserError
from director_gui.store.codebooks import stored_codebooks
from director_gui.store.database import Study, create_study, open_study
from director_gui.study.blind.codebooks import (
    KeptBook,
    codebook_for,
    codebooks,
    discard_codebook,
    import_codebook,
    keep_codebook,
    newest,
)
from director_gui.study.blind.overview import overview
from director_gui.study.blind.practice import can_code
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, seal_packet
from tests.blind_studies import Desk


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "books") as made:
        yield made


def mine(**changes: object) -> Codebook:
    return replace(fresh_book("mine"), **changes)  # type: ignore[arg-type]


def versions(study: Study) -> list[tuple[str, int]]:
    return [(one.book.name, one.book.version) for one in codebooks(study)]


def used(study: Study, book: Codebook) -> KeptBook:
    """Make a packet with a codebook."""
    prepared = prepare(study, Request(size=2))
    decisions = {found.name: "keep" for found in prepared.findings}
    seal_packet(study, prepared, book, "me", decisions=decisions)  # type: ignore[arg-type]
    return next(one for one in codebooks(study) if one.book == book)


def test_a_new_study_has_the_programs_codebook_and_it_is_frozen(study: Study) -> None:
    (kept,) = codebooks(study)
    assert kept.book == default_codebook()
    assert kept.shipped
    assert kept.frozen
    assert kept.label == "reading, version 1"


def test_an_edit_of_the_shipped_one_is_version_2(study: Study) -> None:
    (shipped,) = codebooks(study)
    edited = replace(shipped.book, title="Other words")
    kept = keep_codebook(study, edited, shipped)
    assert (kept.book.version, kept.book.title) == (2, "Other words")
    assert not kept.frozen
    assert versions(study) == [("reading", 2), ("reading", 1)]
    assert newest(codebooks(study), "reading") == kept


def test_a_version_that_nobody_used_is_edited_in_place(study: Study) -> None:
    kept = keep_codebook(study, mine(), None)
    for title in ("a", "b", "c"):
        kept = keep_codebook(study, replace(kept.book, title=title), kept)
    assert kept.book.version == 1
    assert [stored.version for stored in stored_codebooks(study)] == [1]
    assert newest(codebooks(study), "mine") == kept


def test_undoing_to_what_there_was_leaves_no_version_behind(study: Study) -> None:
    (shipped,) = codebooks(study)
    edited = keep_codebook(study, replace(shipped.book, title="x"), shipped)
    back = keep_codebook(study, replace(edited.book, title=shipped.book.title), edited)
    assert back == shipped
    assert versions(study) == [("reading", 1)]


def test_keeping_twice_keeps_once(study: Study) -> None:
    kept = keep_codebook(study, mine(), None)
    assert keep_codebook(study, kept.book, kept) == kept
    assert keep_codebook(study, mine(version=7), None) == kept
    assert versions(study) == [("mine", 1), ("reading", 1)]


def test_a_codebook_that_cannot_be_used_is_not_kept(study: Study) -> None:
    with pytest.raises(UserError, match="cannot be used yet"):
        keep_codebook(study, mine(fields=()), None)
    assert versions(study) == [("reading", 1)]


def test_another_name_is_another_codebook(study: Study) -> None:
    kept = keep_codebook(study, mine(), None)
    other = keep_codebook(study, replace(kept.book, name="yours"), kept)
    assert (other.book.name, other.book.version) == ("yours", 1)
    assert versions(study) == [("reading", 1), ("yours", 1)]


def test_a_version_of_a_packet_is_frozen_and_the_packet_keeps_it(desk: Desk) -> None:
    study = desk.study
    first = keep_codebook(study, mine(), None)
    first = used(study, first.book)
    assert first.packets == 1
    assert first.frozen
    edited = minus_field(first.book, 1)
    second = keep_codebook(study, edited, first)
    assert second.book.version == 2
    assert versions(study)[:2] == [("mine", 2), ("mine", 1)]
    with pytest.raises(UserError, match="this version stays"):
        discard_codebook(study, first)
    discard_codebook(study, second)
    assert versions(study)[0] == ("mine", 1)


def test_a_packet_made_meanwhile_freezes_what_is_being_edited(desk: Desk) -> None:
    study = desk.study
    before = keep_codebook(study, mine(), None)  # not frozen, as far as we know
    used(study, before.book)
    after = keep_codebook(study, replace(before.book, title="late"), before)
    assert after.book.version == 2
    assert before.book in [one.book for one in codebooks(study)]


def test_a_codebook_that_only_a_packet_holds_is_listed(desk: Desk) -> None:
    study = desk.study
    kept = used(study, mine(title="from a file"))
    assert stored_codebooks(study) == []
    assert kept.packets == 1
    edited = keep_codebook(study, replace(kept.book, title="edited"), kept)
    assert edited.book.version == 2


@pytest.mark.parametrize("suffix", [".toml", ".json", ".qdc"])
def test_a_file_comes_in(study: Study, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_bytes(book_data(mine(version=4), path))
    assert import_codebook(study, path).book == mine(version=4)
    assert import_codebook(study, path).book == mine(version=4)
    assert versions(study) == [("mine", 4), ("reading", 1)]
    path.write_bytes(book_data(mine(version=4, title="else"), path))
    assert import_codebook(study, path).book.version == 5


def test_a_file_of_another_tool_is_called_after_its_file(
    study: Study, tmp_path: Path
) -> None:
    text = to_qdc(default_codebook()).decode().replace("-- kept by", "-- once kept by")
    path = tmp_path / "Étude 7 (final).qdc"
    path.write_text(text, encoding="utf-8")
    assert import_codebook(study, path).book.name == "tude-7--final"


def test_a_file_that_is_refused_changes_nothing(study: Study, tmp_path: Path) -> None:
    path = tmp_path / "bad.qdc"
    path.write_bytes(b"<!DOCTYPE a><CodeBook/>")
    with pytest.raises(UserError, match="document type") as caught:
        import_codebook(study, path)
    assert "bad.qdc" in caught.value.where
    assert versions(study) == [("reading", 1)]


def test_a_read_only_study_lists_but_keeps_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.study"
    with create_study(path, "books") as study:
        keep_codebook(study, mine(), None)
    with open_study(path, read_only=True) as study:
        assert len(codebooks(study)) == 2
        with pytest.raises(UserError):
            keep_codebook(study, mine(title="x"), None)


def test_the_overview_names_the_codebook_and_who_can_code_by_it(desk: Desk) -> None:
    study = desk.study
    used(study, default_codebook())
    used(study, mine())
    by_mine, by_reading = overview(study)
    assert (by_reading.book, by_reading.practisable) == ("reading, version 1", True)
    assert (by_mine.book, by_mine.practisable) == ("mine, version 1", False)


def test_practice_coders_need_every_code_that_they_say() -> None:
    book = default_codebook()
    assert can_code(book)
    assert can_code(replace(book, title="other words", version=2))
    fewer = minus_code(book.fields[0], 0)
    assert not can_code(with_field(book, 0, fewer))
    more = fresh_field(book, "yes_no")
    assert not can_code(plus_field(book, more))
    assert can_code(plus_field(book, replace(more, required=False)))


def test_a_second_pass_takes_the_first_ones_codebook(desk: Desk) -> None:
    study = desk.study
    used(study, mine())
    (row,) = overview(study)
    assert codebook_for(study, row.id, default_codebook()) == mine()
    assert codebook_for(study, "") == default_codebook()
    assert codebook_for(study, "", mine()) == mine()
