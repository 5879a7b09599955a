"""Folders of the program: moved by the environment, never in the way."""

from pathlib import Path

import pytest

from director_gui import home


def test_the_environment_moves_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path))
    folders = (
        home.settings_folder(),
        home.cache_folder(),
        home.state_folder(),
        home.data_folder(),
    )
    assert len(set(folders)) == 4
    assert all(f.is_dir() and f.parent == tmp_path for f in folders)


def test_a_folder_that_cannot_be_made_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(blocked))
    assert home.cache_folder() == blocked / "cache"
    assert not home.cache_folder().exists()


def test_without_it_the_users_own_folders_serve(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DIRECTOR_GUI_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert "director-gui" in str(home.settings_folder())
