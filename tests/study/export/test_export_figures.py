import io
import re
from pathlib import Path

import pytest
from PIL import Image

from director_gui.errors import UserError
from director_gui.study.export.figures import figure_bytes, has_figure, write_figure
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Interval,
    Row,
    Sheet,
    Stack,
    words,
)

HEAD = (Column("Model"), Column("Comparison"), Column("Plot", drawing=True))


def sheet(mark: Interval | Stack | None, name: str = "$m_1^") -> Sheet:
    rows = tuple(
        Row((words(name), words(f"{at} − b"), Cell("", mark=mark))) for at in range(3)
    )
    legend = {"hidden": "hidden block", "director_view": "director-view block"}
    return Sheet("x", "Differences", HEAD, rows, "note", legend)


FOREST = sheet(Interval(0.1, 0.3, 0.5, "up"))
BARS = sheet(Stack((("hidden", 0.25), ("director_view", 0.75))))


@pytest.mark.parametrize("shown", [FOREST, BARS, sheet(Interval(None, 0.0, None))])
@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_equal_sheets_make_equal_bytes(shown: Sheet, suffix: str) -> None:
    assert figure_bytes(shown, suffix, "foot") == figure_bytes(shown, suffix, "foot")


def test_a_pdf_embeds_its_fonts() -> None:
    data = figure_bytes(FOREST, ".pdf")
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    assert b"CreationDate" not in data


def test_an_svg_needs_no_font_and_loads_nothing() -> None:
    text = figure_bytes(BARS, ".svg").decode()
    assert "<text" not in text
    links = re.findall(r'xlink:href="([^"]*)"', text)
    assert links
    assert all(link.startswith("#") for link in links)
    assert "#d55e00" in text


def test_a_png_is_large_enough_for_print() -> None:
    image = Image.open(io.BytesIO(figure_bytes(FOREST, ".png")))
    assert image.width >= 1300


def test_refusals(tmp_path: Path) -> None:
    plain = Sheet("x", "t", HEAD[:2], (Row((words("a"), words("b"))),), "")
    assert not has_figure(plain)
    with pytest.raises(UserError, match="nothing to draw"):
        figure_bytes(plain, ".svg")
    with pytest.raises(UserError, match=r"\.pdf, \.svg, \.png"):
        figure_bytes(FOREST, ".gif")
    with pytest.raises(UserError, match="cannot be written"):
        write_figure(FOREST, tmp_path / "no" / "x.svg")


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_any_name_can_be_drawn(suffix: str) -> None:
    assert figure_bytes(sheet(None, "模型\t<b>\n\x07" + "x" * 500), suffix)
