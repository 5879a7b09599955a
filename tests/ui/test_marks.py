"""Marks of controls: drawn once a colour, never in the way."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from director_gui.ui.marks import mark_urls

pytestmark = pytest.mark.gui


def test_both_marks_are_drawn_in_their_colours(qtbot: QtBot) -> None:
    del qtbot  # an application is needed to draw
    files = mark_urls(tick="#ff0000", arrow="#00ff00")
    for name, channel in (("tick", 0), ("arrow", 1)):
        with Image.open(files[name]) as image:
            pixels = np.asarray(image.convert("RGBA")).reshape(-1, 4)
        opaque = pixels[pixels[:, 3] == 255]
        assert len(opaque)
        assert (opaque[:, channel] == 255).all()


def test_a_mark_is_not_drawn_twice(qtbot: QtBot) -> None:
    del qtbot
    files = mark_urls(tick="#123456", arrow="#123456")
    Path(files["tick"]).write_bytes(b"kept")
    mark_urls(tick="#123456", arrow="#123456")
    assert Path(files["tick"]).read_bytes() == b"kept"


def test_a_cache_that_cannot_be_written_is_no_error(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    del qtbot
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(blocked))
    assert not Path(mark_urls(tick="#111111", arrow="#222222")["tick"]).exists()
