"""A sheet's drawings as a figure for print: PNG, SVG, or PDF with embedded fonts.

Colours are Okabe and Ito's, which colour-blind readers can tell apart. No file holds a
date, so equal sheets make equal bytes.
"""

import io
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from director_gui.errors import UserError
from director_gui.stats.display import points_text
from director_gui.study.report.figures import (
    BLUE,
    DPI,
    INK,
    KIND_COLORS,
    MUTED,
    RULE,
    VERMILION,
)
from director_gui.study.results.sheet import Interval, Sheet, Stack

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

SUFFIXES = (".pdf", ".svg", ".png")
_STYLE: "Mapping[RcKeyType, str | float]" = {
    "font.family": "DejaVu Sans",
    "font.size": 8,
    "svg.fonttype": "path",
    "svg.hashsalt": "director-gui",
    "pdf.fonttype": 42,  # TrueType, embedded: journals refuse Type 3
    "axes.edgecolor": MUTED,
    "text.color": INK,
    "text.parse_math": False,  # a name may hold a dollar sign
    "axes.labelcolor": INK,
    "xtick.color": MUTED,
    "ytick.color": INK,
}
_METADATA: Mapping[str, dict[str, None]] = {
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
}
_WIDTH, _ROW, _MARGIN = 6.8, 0.27, 1.1  # inches
_LONGEST = 60  # characters of a row's name


def has_figure(sheet: Sheet) -> bool:
    """Tell whether a sheet has drawings."""
    return bool(sheet.rows) and any(column.drawing for column in sheet.columns)


def write_figure(sheet: Sheet, path: Path, foot: str = "") -> None:
    """Write a sheet's drawings in the format that the path's suffix names.

    Args:
        sheet: A sheet with drawings.
        path: Ends in one of `SUFFIXES`.
        foot: A line under the figure, such as the study's name.

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
    with rc_context({**_STYLE}), warnings.catch_warnings():
        # A sign that the font lacks is drawn as a box; the table has it whole.
        warnings.filterwarnings("ignore", "Glyph")
        _drawn(sheet, foot).savefig(
            out, format=suffix[1:], dpi=DPI, metadata=_METADATA[suffix]
        )
    return out.getvalue()


def _drawn(sheet: Sheet, foot: str) -> "Figure":
    # The plain class and not pyplot: nothing global is made, and no window.
    from matplotlib.figure import Figure

    size = (_WIDTH, _MARGIN + _ROW * len(sheet.rows))
    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    axes = figure.subplots()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_yticks(range(len(sheet.rows)), _names(sheet))
    # Upside down, so that the first row is on top as in the table.
    axes.set_ylim(len(sheet.rows) - 0.4, -0.6)
    at = next(at for at, column in enumerate(sheet.columns) if column.drawing)
    marks = [row.cells[at].mark for row in sheet.rows]
    if any(isinstance(mark, Stack) for mark in marks):
        _stacks(axes, sheet, [m if isinstance(m, Stack) else Stack(()) for m in marks])
        axes.set_xlabel(sheet.columns[at].title)
    else:
        _intervals(axes, [m if isinstance(m, Interval) else None for m in marks])
        axes.set_xlabel(f"{sheet.title.lower()}, points (95 % interval)")
    if foot:
        figure.supxlabel(foot, fontsize=6.5, color=MUTED, x=0.99, ha="right")
    return figure


def _names(sheet: Sheet) -> list[str]:
    # The model is named only where there are several.
    several = len({row.cells[0].text for row in sheet.rows}) > 1
    names = [
        f"{row.cells[0].text}: {row.cells[1].text}" if several else row.cells[1].text
        for row in sheet.rows
    ]
    flat = [" ".join(name.split()) for name in names]
    return [n if len(n) <= _LONGEST else f"{n[: _LONGEST - 1]}…" for n in flat]


def _intervals(axes: "Axes", marks: list[Interval | None]) -> None:
    colors = {"up": VERMILION, "down": BLUE}
    ends = [0.2]
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
    reach = min(104.0, 105 * max(ends))
    axes.set_xlim(-reach, reach)


def _stacks(axes: "Axes", sheet: Sheet, marks: list[Stack]) -> None:
    left = [0.0] * len(marks)
    for kind, words in sheet.legend.items():
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
