import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from director_gui.errors import UserError
from director_gui.study.export import figures
from director_gui.study.export.figures import figure_bytes, has_figure, write_figure
from director_gui.study.results.sheet import (
    Bar,
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


PANELS = Sheet(
    "traces",
    "Traces",
    (Column("Model"), Column("Condition"), Column("Traces", number=True, counts=True),
     Column("Own view, %", drawing=True), Column("Largest digit, %", drawing=True)),
    tuple(
        Row((words("m"), words(f"c{at}"), words("35"),
             Cell("", mark=Bar(0.1, 0.2, 0.4)), Cell("", mark=Bar(None, share, None))))
        for at, share in enumerate((None, 0.0, 1.0))
    ),
    "35 traces of 12 scenes; left out: none.",
)  # fmt: skip


@pytest.mark.parametrize(
    "shown", [FOREST, BARS, PANELS, sheet(Interval(None, 0.0, None))]
)
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


def drawn(shown: Sheet, foot: str = "") -> tuple[list[str], list[str], int]:
    """Return the words, the row names and the number of panels of a figure."""
    from matplotlib.text import Text

    figure = figures._drawn(shown, foot)
    axes = figure.axes
    rows = [label.get_text() for label in axes[0].get_yticklabels()]
    texts = [text.get_text() for text in figure.findobj(Text)]
    return texts, rows, len(axes)


def test_readings_stand_side_by_side_in_panels() -> None:
    texts, rows, panels = drawn(PANELS)
    assert panels == 2
    # The one model is left out; every row says how many traces it rests on.
    assert rows == [f"c{at}\nn 35" for at in range(3)]
    assert "Own view, %" in texts
    assert "100.0" in texts


def test_a_figure_says_what_it_rests_on() -> None:
    texts, _, _ = drawn(PANELS, "practice: no figure is about any model")
    foot = next(text for text in texts if "left out" in text)
    assert foot.startswith("practice: no figure is about any model. 35 traces")


def test_a_long_note_is_wrapped_and_not_cut() -> None:
    note = " ".join(f"word{at}" for at in range(120))
    shown = replace(FOREST, note=note)
    text = next(t for t in drawn(shown)[0] if "word119" in t)
    assert " ".join(text.split()) == note
    assert max(map(len, text.split("\n"))) <= 128


def test_nothing_is_drawn_outside_the_page() -> None:
    from matplotlib.text import Text

    long = replace(FOREST, note="word " * 150)
    for shown in (FOREST, BARS, PANELS, long):
        figure = figures._drawn(shown, "foot")
        figure.draw_without_rendering()
        page = figure.bbox
        # Ticks beyond an axis' ends are kept by matplotlib but not drawn.
        ticks = {t for axes in figure.axes for t in axes.get_xticklabels()}
        for text in figure.findobj(Text):
            if text.get_text() and text not in ticks:
                box = text.get_window_extent()
                assert page.x0 - 1 <= box.x0, text.get_text()
                assert box.x1 <= page.x1 + 1, text.get_text()
                assert page.y0 - 1 <= box.y0, text.get_text()
                assert box.y1 <= page.y1 + 1, text.get_text()


def test_a_difference_of_differences_fits_its_axis() -> None:
    wide = sheet(Interval(-1.9, -1.5, -1.1, "down"))
    low, high = figures._drawn(wide, "").axes[0].get_xlim()
    assert low < -190
    assert high == -low


@pytest.mark.parametrize("middle", [-0.02, 0.3])
def test_the_margin_is_drawn_as_two_dashed_lines(middle: float) -> None:
    plain = sheet(Interval(middle - 0.01, middle, middle + 0.01))
    last = replace(plain.columns[-1], hint="Dashed: a margin", rules=(-0.1, 0.1))
    judged = replace(plain, columns=(*plain.columns[:-1], last))
    axes = figures._drawn(judged, "").axes[0]
    dashed = [line for line in axes.get_lines() if line.is_dashed()]
    assert [line.get_xdata()[0] for line in dashed] == [-10, 10]
    low, high = axes.get_xlim()
    assert low < -10
    assert high > 10
    assert "dashed: a margin" in axes.get_xlabel()
    assert not any(line.is_dashed() for line in figures._drawn(plain, "").axes[0].lines)
