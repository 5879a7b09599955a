"""Panels of bars side by side: one share a panel, the same rows in each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from director_gui.stats.display import points_text
from director_gui.study.report.style import INK, RULE, SKY

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Shown = tuple[float | None, float | None, float | None]  # share, low, high; 0-1


def draw_panels(
    figure: "Figure", titles: Sequence[str], panels: Sequence[Sequence[Shown]]
) -> "Axes":
    """Draw shares with their intervals; return the panel that carries the names.

    Args:
        figure: An empty figure.
        titles: What each panel shows.
        panels: For each panel one share a row.
    """
    drawn: list[Axes] = list(
        # One axis of names for all: repeated, they would leave no room for bars.
        figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    )
    for axes, title, rows in zip(drawn, titles, panels, strict=True):
        _panel(axes, rows)
        axes.set_title(title, fontsize=7, loc="left", color=INK)
    return drawn[0]


def _panel(axes: "Axes", rows: Sequence[Shown]) -> None:
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    # The same in every panel, so that bars of different codes can be compared.
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 50, 100])
    axes.tick_params(axis="x", labelsize=6)
    for row, (share, low, high) in enumerate(rows):
        if share is None:
            continue
        axes.barh(row, 100 * share, height=0.56, color=SKY)
        if low is not None and high is not None:
            span = [100 * low, 100 * high]
            axes.plot(span, [row, row], color=INK, linewidth=0.9)
        _say(axes, row, share, high)


def _say(axes: "Axes", row: int, share: float, high: float | None) -> None:
    end = 100 * max(share, high or 0.0)
    # Beyond the whisker where there is room; above it where there is none.
    beside = end < 70
    axes.annotate(
        points_text(share), (end if beside else 100, row),
        xytext=(3 if beside else 0, 0 if beside else 6), textcoords="offset points",
        ha="left" if beside else "right", va="center", fontsize=6, color=INK,
    )  # fmt: skip
