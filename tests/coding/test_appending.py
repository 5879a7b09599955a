import errno
import os
from pathlib import Path

import pytest

from coding.appending import AppendFile
from coding.errors import CodingError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log"


def test_lines_are_added_behind_each_other(path: Path) -> None:
    file = AppendFile(path)
    assert file.is_new
    for part in (b"one\n", b"two\n"):
        file.append(part)
    file.close()
    again = AppendFile(path)
    assert not again.is_new
    again.append(b"three\n")
    assert again.read(100) == b"one\ntwo\nthree\n"
    again.append(b"four\n")  # reading did not move where it writes
    again.close()
    assert path.read_bytes() == b"one\ntwo\nthree\nfour\n"


def test_cutting_off_moves_the_end(path: Path) -> None:
    path.write_bytes(b"one\ntorn")
    file = AppendFile(path)
    file.truncate(4)
    file.append(b"two\n")
    file.close()
    assert path.read_bytes() == b"one\ntwo\n"


def test_more_than_the_limit_is_not_read(path: Path) -> None:
    path.write_bytes(b"12345")
    file = AppendFile(path)
    assert file.read(5) == b"12345"
    with pytest.raises(CodingError, match="larger than 4"):
        file.read(4)
    file.close()


def test_closing_twice_does_no_harm_and_frees_the_lock(path: Path) -> None:
    file = AppendFile(path)
    with pytest.raises(CodingError, match="another window"):
        AppendFile(path)
    file.close()
    file.close()
    AppendFile(path).close()


def test_a_write_in_pieces_is_finished(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = AppendFile(path)
    inner = file._file

    class Slow:
        def write(self, part: bytes) -> int:
            return inner.write(bytes(part)[:3])

        def __getattr__(self, name: str) -> object:
            return getattr(inner, name)

    monkeypatch.setattr(file, "_file", Slow())
    file.append(b"a long line\n")
    inner.close()
    assert path.read_bytes() == b"a long line\n"


def test_when_nothing_can_be_taken_back_nothing_more_is_added(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = AppendFile(path)
    file.append(b"one\n")
    inner = file._file
    broken = OSError(errno.EIO, os.strerror(errno.EIO))

    class Broken:
        def write(self, part: bytes) -> int:
            inner.write(bytes(part)[:3])
            raise broken

        def truncate(self, _size: int) -> int:
            raise broken

        def __getattr__(self, name: str) -> object:
            return getattr(inner, name)

    with monkeypatch.context() as patch:
        patch.setattr(file, "_file", Broken())
        with pytest.raises(CodingError, match="cannot be written"):
            file.append(b"two\n")
    assert path.read_bytes() == b"one\ntwo"
    with pytest.raises(CodingError, match="closed since a fault"):
        file.append(b"three\n")


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CodingError, match="cannot be opened"):
        AppendFile(tmp_path)
