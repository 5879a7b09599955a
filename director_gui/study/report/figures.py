"""Figures for print as SVG and PNG: rates, differences, choices and agreement.

Letters are drawn as outlines in the font that ships with matplotlib, so a figure looks
the same everywhere; colours are Okabe and Ito's, which colour-blind readers can tell
apart. The files hold no date, so equal figures are equal bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from director_gui.stats.display import points_text
from director_gui.study.blind.joining import Joined
from director_gui.study.report.facts import Facts
from director_gui.study.report.panels import draw_panels
from director_gui.study.report.rates import KIND_WORDS
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Found = tuple[float | None, float | None, float | None]  # middle, low, high
_ROW, _MARGIN = 0.34, 1.15  # inches


def write_figures(facts: Facts, folder: Path) -> None:
    """Write each figure as SVG and PNG into a new folder."""
    from matplotlib import rc_context

    folder.mkdir()
    with rc_context({**STYLE, "font.size": 9}):
        for name, (draw, rows) in _figures(facts).items():
            figure, axes = _blank(rows)
            draw(facts, axes)
            _label(facts, figure)
            _save(figure, folder, name)
        if facts.coded is not None and facts.coded.readings is not None:
            _save(_readings(facts, facts.coded.readings), folder, "readings")


def _figures(
    facts: Facts,
) -> dict[str, tuple[Callable[[Facts, "Axes"], None], int]]:
    found: dict[str, tuple[Callable[[Facts, Axes], None], int]] = {
        "rates": (_rates, len(facts.arms)),
        "differences": (_differences, len(facts.results)),
        "choices": (_choices, len(facts.arms)),
    }
    if facts.coded is not None and facts.coded.agreement is not None:
        found["agreement"] = (_agreement, len(facts.coded.agreement.fields))
    return found


def _blank(rows: int) -> "tuple[Figure, Axes]":
    # The plain class and not pyplot: nothing global is made, and no window.
    from matplotlib.figure import Figure

    size = (6.8, _MARGIN + _ROW * max(rows, 1))
    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    axes = figure.subplots()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _rates(facts: Facts, axes: "Axes") -> None:
    _names(axes, list(map(facts.arm_name, facts.arms)))
    for row, arm in enumerate(facts.arms):
        found = arm.hidden
        at = _points(found.share, found.ci_low, found.ci_high)
        _whisker(axes, row, at, points_text(found.share), VERMILION)
    # Room for dots at exactly 0 and 100 %.
    axes.set_xlim(-2, 102)
    axes.set_xlabel("hidden-block choices, % of answered replies (95 % interval)")


def _differences(facts: Facts, axes: "Axes") -> None:
    _names(axes, list(map(facts.pair_name, facts.results)))
    colors = {"increase": VERMILION, "decrease": BLUE}
    ends = [20.0]
    for row, result in enumerate(facts.results):
        found, color = result.comparison, colors.get(result.call, INK)
        at = _points(found.estimate, found.ci_low, found.ci_high)
        _whisker(axes, row, at, points_text(found.estimate, signed=True), color)
        ends += [abs(end) for end in at if end is not None]
    axes.axvline(0, color=MUTED, linewidth=0.9)
    # Not beyond ±100 points, but for room at the ends.
    reach = min(104.0, 1.05 * max(ends))
    axes.set_xlim(-reach, reach)
    axes.set_xlabel("difference in hidden-block choices, points (95 % interval)")


def _choices(facts: Facts, axes: "Axes") -> None:
    _names(axes, list(map(facts.arm_name, facts.arms)))
    every = [sum(arm.kinds.values()) or 1 for arm in facts.arms]
    left = [0.0] * len(facts.arms)
    for kind, words in KIND_WORDS.items():
        pairs = zip(facts.arms, every, strict=True)
        shares = [100 * arm.kinds.get(kind, 0) / total for arm, total in pairs]
        # A kind that nobody chose would only fill the legend.
        if any(shares):
            axes.barh(
                range(len(shares)), shares, left=left, height=0.62, label=words,
                color=KIND_COLORS[kind], edgecolor="white", linewidth=0.8,
            )  # fmt: skip
        left = [a + b for a, b in zip(left, shares, strict=True)]
    axes.set_xlim(0, 100)
    axes.set_xlabel("choices, % of answered replies")
    axes.legend(
        loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, fontsize=8
    )


def _agreement(facts: Facts, axes: "Axes") -> None:
    coded = facts.coded
    if coded is None or coded.agreement is None:
        return
    fields = coded.fields()
    _names(axes, [coded.agreement.labels[name] for name in fields])
    for row, found in enumerate(fields.values()):
        # One mark a field: the first pair; the page lists them all.
        pair = found["pairs"][0]
        low, high = pair["ci_scenes"] or (None, None)
        kappa = pair["kappa"]
        said = "" if kappa is None else f"{kappa:.2f}"
        _whisker(axes, row, (kappa, low, high), said, BLUE)
    axes.set_xlim(min(0.0, axes.get_xlim()[0]), 1.02)
    axes.set_xlabel("Cohen’s κ (95 % interval over scenes)")


def _readings(facts: Facts, joined: Joined) -> "Figure":
    from matplotlib.figure import Figure

    rows = [(one, arm) for one in joined.passes for arm in one.arms]
    size = (6.8, _MARGIN + _ROW * max(len(rows), 1))
    figure = Figure(figsize=size, layout="constrained", facecolor="white")
    shares = [[arm.shares[code] for _, arm in rows] for code in joined.codes]
    axes = draw_panels(
        figure,
        [joined.labels[code] for code in joined.codes],
        [[(s.share, s.ci_low, s.ci_high) for s in panel] for panel in shares],
    )
    names = [
        f"{facts.named(arm.model, arm.condition)}, {one.name} (n {arm.n})"
        for one, arm in rows
    ]
    _names(axes, names)
    axes.tick_params(axis="y", labelsize=7)
    _label(facts, figure, f"{joined.label}, % of coded traces (95 % interval) · ")
    return figure


def _names(axes: "Axes", names: list[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    # Upside down, so that the first row is on top as in the table.
    axes.set_ylim(len(names) - 0.4, -0.6)


def _whisker(axes: "Axes", row: int, found: Found, said: str, color: str) -> None:
    middle, low, high = found
    if middle is None:
        return
    if low is not None and high is not None:
        axes.plot([low, high], [row, row], color=color, linewidth=1.6)
    axes.plot([middle], [row], "o", color=color, markersize=5.5)
    axes.annotate(
        said, (middle, row), xytext=(0, 5), textcoords="offset points",
        ha="center", fontsize=7.5, color=INK,
    )  # fmt: skip


def _points(*values: float | None) -> Found:
    middle, low, high = (None if v is None else 100 * v for v in values)
    return middle, low, high


def _label(facts: Facts, figure: "Figure", what: str = "") -> None:
    told = "practice: no figure is about any model · " if facts.practice else ""
    text = f"{what}{told}{facts.name}, {len(facts.scenes)} scenes"
    figure.supxlabel(text, fontsize=7.5, color=MUTED, x=0.99, ha="right")


def _save(figure: "Figure", folder: Path, name: str) -> None:
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
    figure.savefig(folder / f"{name}.png", dpi=DPI, metadata={"Software": None})
