"""A sheet's drawings as a figure for print: PNG, SVG, or PDF with embedded fonts.

Colours are Okabe and Ito's, which colour-blind readers can tell apart. No file holds a
date, so equal sheets make equal bytes.
"""

import io
import textwrap
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from director_gui.errors import UserError
from director_gui.stats.display import points_text
from director_gui.study.report.panels import draw_panels
from director_gui.study.report.style import (
    BLUE,
    DPI,
    INK,
    KIND_COLORS,
    MUTED,
    RULE,
    STYLE,
    VERMILION,
)
from director_gui.study.results.sheet import Bar, Interval, Row, Sheet, Stack

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUFFIXES = (".pdf", ".svg", ".png")
# None takes the entry out; matplotlib would put the time or its version there.
_METADATA: Mapping[str, dict[str, None]] = {
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}
_WIDTH, _ROW, _MARGIN, _LINE = 6.8, 0.34, 0.8, 0.13  # inches
_NOTE, _PANEL_TITLE = 128, 18  # characters of a line
_LONGEST = 60  # characters of a row's name


def has_figure(sheet: Sheet) -> bool:
    """Tell whether a sheet has drawings."""
    return bool(sheet.rows) and any(column.drawing for column in sheet.columns)


def write_figure(sheet: Sheet, path: Path, foot: str = "") -> None:
    """Write a sheet's drawings in the format that the path's suffix names.

    Args:
        sheet: A sheet with drawings.
        path: Ends in one of `SUFFIXES`.
        foot: What stands before the sheet's note, such as that it is practice.

    Raises:
        UserError: The sheet has no drawing, the suffix is another, or the file cannot
            be written.
    """
    data = figure_bytes(sheet, path.suffix.lower(), foot)
    try:
        path.write_bytes(data)
    except OSError as error:
        what = f"the figure cannot be written ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error


def figure_bytes(sheet: Sheet, suffix: str, foot: str = "") -> bytes:
    """Return the figure's bytes; see `write_figure`."""
    if suffix not in SUFFIXES:
        listed = ", ".join(SUFFIXES)
        raise UserError(
            f"no figure is drawn as “{suffix}”", todo=f"Name the file with {listed}"
        )
    if not has_figure(sheet):
        raise UserError("this table has nothing to draw", where=sheet.title)
    from matplotlib import rc_context

    out = io.BytesIO()
    with rc_context({**STYLE}), warnings.catch_warnings():
        # A sign that the font lacks is drawn as a box; the table has it whole.
        warnings.filterwarnings("ignore", "Glyph")
        _drawn(sheet, foot).savefig(
            out, format=suffix[1:], dpi=DPI, metadata=_METADATA[suffix]
        )
    return out.getvalue()


def _drawn(sheet: Sheet, foot: str) -> "Figure":
    # The plain class and not pyplot: nothing global is made, and no window.
    from matplotlib.figure import Figure

    note = textwrap.wrap(
        " ".join(f"{foot}. {sheet.note}".removeprefix(". ").split()), _NOTE
    )
    height = _MARGIN + _ROW * len(sheet.rows) + _LINE * len(note)
    figure = Figure(figsize=(_WIDTH, height), layout="constrained", facecolor="white")
    places = [at for at, column in enumerate(sheet.columns) if column.drawing]
    # A table of codes has a drawing for each code; all others have one.
    if len(places) > 1 or _is_bar(sheet, places[0]):
        axes = _bars(figure, sheet, places)
    else:
        axes = _single(figure, sheet, places[0])
    axes.set_yticks(range(len(sheet.rows)), _names(sheet))
    axes.tick_params(axis="y", labelsize=7)
    # Upside down, so that the first row is on top as in the table.
    axes.set_ylim(len(sheet.rows) - 0.4, -0.6)
    figure.supxlabel(
        "\n".join(note), fontsize=6.5, color=MUTED, x=0.01, ha="left", linespacing=1.3
    )
    return figure


def _is_bar(sheet: Sheet, at: int) -> bool:
    return any(isinstance(row.cells[at].mark, Bar) for row in sheet.rows)


def _bars(figure: "Figure", sheet: Sheet, places: list[int]) -> "Axes":
    marks = [[row.cells[at].mark for row in sheet.rows] for at in places]
    return draw_panels(
        figure,
        [textwrap.fill(sheet.columns[at].title, _PANEL_TITLE) for at in places],
        [
            [
                (m.share, m.low, m.high) if isinstance(m, Bar) else (None, None, None)
                for m in panel
            ]
            for panel in marks
        ],
    )


def _single(figure: "Figure", sheet: Sheet, at: int) -> "Axes":
    axes = figure.subplots()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    marks = [row.cells[at].mark for row in sheet.rows]
    if any(isinstance(mark, Stack) for mark in marks):
        _stacks(axes, sheet, [m if isinstance(m, Stack) else Stack(()) for m in marks])
        axes.set_xlabel(sheet.columns[at].title)
    else:
        rules = sheet.columns[at].rules
        for rule in rules:
            axes.axvline(100 * rule, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
        _intervals(axes, [m if isinstance(m, Interval) else None for m in marks], rules)
        dashed = f"; {sheet.columns[at].hint.lower()}" if rules else ""
        axes.set_xlabel(f"{sheet.title.lower()}, points (95 % interval{dashed})")
    return axes


def _names(sheet: Sheet) -> list[str]:
    # Up to the first figure columns name a row; what all rows share is left out.
    named = next((at for at, c in enumerate(sheet.columns) if c.number or c.drawing), 1)
    kept = [
        at for at in range(named) if len({r.cells[at].text for r in sheet.rows}) > 1
    ]
    # With one row all is shared; the second column names the pair or condition.
    kept = kept or [min(1, named - 1)]
    return [f"{_cut(_joined(row, kept))}{_counts(sheet, row)}" for row in sheet.rows]


def _joined(row: Row, places: list[int]) -> str:
    return ": ".join(" ".join(row.cells[at].text.split()) for at in places)


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def _counts(sheet: Sheet, row: Row) -> str:
    found = [
        row.cells[at].text for at, column in enumerate(sheet.columns) if column.counts
    ]
    told = " and ".join(text for text in found if text)
    # "3 of 80" says what it is; bare numbers need the n.
    return f"\n{'' if ' of ' in told else 'n '}{told}" if told else ""


def _intervals(
    axes: "Axes", marks: list[Interval | None], rules: tuple[float, ...]
) -> None:
    colors = {"up": VERMILION, "down": BLUE}
    # At least ±20 points, so that tiny differences do not fill the figure.
    ends = [0.2, *map(abs, rules)]
    for row, mark in enumerate(marks):
        if mark is None or mark.middle is None:
            continue
        color = colors.get(mark.kind, INK)
        if mark.low is not None and mark.high is not None:
            span = [100 * mark.low, 100 * mark.high]
            axes.plot(span, [row, row], color=color, linewidth=1.5)
            ends += [abs(mark.low), abs(mark.high)]
        axes.plot([100 * mark.middle], [row], "o", color=color, markersize=4.5)
        ends.append(abs(mark.middle))
        axes.annotate(
            points_text(mark.middle, signed=True), (100 * mark.middle, row),
            xytext=(0, 4), textcoords="offset points", ha="center", fontsize=6.5,
        )  # fmt: skip
    axes.axvline(0, color=MUTED, linewidth=0.9)
    # Points, with a twentieth of room for the end marks.
    reach = 105 * max(ends)
    axes.set_xlim(-reach, reach)


def _stacks(axes: "Axes", sheet: Sheet, marks: list[Stack]) -> None:
    left = [0.0] * len(marks)
    for kind, words in sheet.legend.items():
        # By the legend's order, so that a kind has one place in every bar.
        shares = [100 * dict(mark.parts).get(kind, 0.0) for mark in marks]
        axes.barh(
            range(len(shares)), shares, left=left, height=0.62, label=words,
            color=KIND_COLORS[kind], edgecolor="white", linewidth=0.8,
        )  # fmt: skip
        left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.set_xlim(0, 100)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, fontsize=7
    )
