import sqlite3
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.faults import StorageFullError, mended
from director_gui.store.lock import WriterLock


def raised(
    code: int | None, kind: type[sqlite3.Error] = sqlite3.OperationalError
) -> None:
    error = kind("raw words")
    if code is not None:
        error.sqlite_errorcode = code
    with mended(Path("the.study")):
        raise error


@pytest.mark.parametrize(
    ("code", "word"),
    [
        (sqlite3.SQLITE_CORRUPT, "damaged"),
        (sqlite3.SQLITE_NOTADB, "not a study"),
        (sqlite3.SQLITE_READONLY, "cannot be written"),
        (sqlite3.SQLITE_READONLY_DBMOVED, "cannot be written"),
        (sqlite3.SQLITE_CANTOPEN, "cannot be opened"),
        (sqlite3.SQLITE_BUSY, "busy"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "busy"),
        (sqlite3.SQLITE_IOERR_FSYNC, "failed"),
    ],
)
def test_a_known_fault_says_what_to_do(code: int, word: str) -> None:
    with pytest.raises(UserError, match=word) as caught:
        raised(code)
    assert caught.value.where == "the.study"
    assert caught.value.todo
    assert "raw words" not in str(caught.value)


def test_a_full_disk_is_a_kind_of_its_own() -> None:
    with pytest.raises(StorageFullError, match="Make room"):
        raised(sqlite3.SQLITE_FULL)


@pytest.mark.parametrize("code", [None, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISUSE])
def test_a_bug_stays_a_bug(code: int | None) -> None:
    with pytest.raises(sqlite3.OperationalError, match="raw words"):
        raised(code)


def test_a_broken_rule_of_the_schema_is_a_bug() -> None:
    with pytest.raises(sqlite3.IntegrityError):
        raised(sqlite3.SQLITE_CONSTRAINT, sqlite3.IntegrityError)


def test_one_holds_the_lock_until_it_lets_go(tmp_path: Path) -> None:
    path = tmp_path / "the.study"
    first = WriterLock(path)
    with pytest.raises(UserError, match="already open in process"):
        WriterLock(path)
    first.release()
    first.release()
    second = WriterLock(path)
    second.release()
    assert (tmp_path / "the.study.lock").read_bytes() == b""


def test_a_lock_file_that_a_killed_program_left_holds_nobody(tmp_path: Path) -> None:
    (tmp_path / "the.study.lock").write_text("12345")
    WriterLock(tmp_path / "the.study").release()
