"""Codebook versions in the study's file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.codebooks import (
    forget_codebook,
    put_codebook,
    stored_codebooks,
)
from director_gui.store.database import Study, create_study, open_study


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "rows") as made:
        yield made


def hashes(study: Study) -> list[str]:
    return [stored.hash for stored in stored_codebooks(study)]


def test_versions_come_back_in_order_with_their_bytes(study: Study) -> None:
    put_codebook(study, "h2", "b", 2, b"two")
    put_codebook(study, "h1", "b", 1, b"one")
    put_codebook(study, "h0", "a", 9, b"nine")
    found = stored_codebooks(study)
    assert [(s.name, s.version, s.data) for s in found] == [
        ("a", 9, b"nine"), ("b", 1, b"one"), ("b", 2, b"two"),
    ]  # fmt: skip
    assert all(stored.saved for stored in found)
    assert "one" not in repr(found)  # a log of rows must not spill whole codebooks


def test_one_version_replaces_another_in_one_step(study: Study) -> None:
    put_codebook(study, "old", "b", 1, b"old")
    put_codebook(study, "new", "b", 1, b"new", replaces="old")
    assert hashes(study) == ["new"]
    put_codebook(study, "newer", "b", 2, b"newer", replaces="no such hash")
    assert hashes(study) == ["new", "newer"]


def test_the_same_bytes_are_kept_once(study: Study) -> None:
    for _ in range(2):
        put_codebook(study, "h", "b", 1, b"one")
    assert hashes(study) == ["h"]
    # A replacement that is there already takes the old one's place all the same.
    put_codebook(study, "other", "b", 2, b"two")
    put_codebook(study, "h", "b", 1, b"one", replaces="other")
    assert hashes(study) == ["h"]


def test_one_is_forgotten(study: Study) -> None:
    put_codebook(study, "h", "b", 1, b"one")
    forget_codebook(study, "h")
    forget_codebook(study, "h")
    assert hashes(study) == []


def test_they_last(tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    with create_study(path, "rows") as study:
        put_codebook(study, "h", "b", 1, b"one")
    with open_study(path, read_only=True) as study:
        assert hashes(study) == ["h"]
        with pytest.raises(UserError):
            put_codebook(study, "i", "b", 2, b"two")
        with pytest.raises(UserError):
            forget_codebook(study, "h")
        assert hashes(study) == ["h"]
