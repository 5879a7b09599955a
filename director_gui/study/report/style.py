"""Colours and type of printed figures, the same in every one.

The colours are Okabe and Ito's, which colour-blind readers can tell apart.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.typing import RcKeyType

DPI = 200
INK, MUTED, RULE = "#1c2026", "#5b6470", "#dcdfe4"
BLUE, VERMILION, ORANGE, SKY, GREY = (
    "#0072b2", "#d55e00", "#e69f00", "#56b4e9", "#8c8c8c",
)  # fmt: skip
KIND_COLORS = {
    "hidden": VERMILION,
    "director_view": BLUE,
    "largest_digit": ORANGE,
    "other_visible": SKY,
    "unseen": GREY,
    "not_a_block": "#c8c8c8",
}
STYLE: "Mapping[RcKeyType, str | float]" = {
    # Ships with matplotlib, so the same letters are drawn on every machine.
    "font.family": "DejaVu Sans",
    "font.size": 8,
    # Outlines: a reader's machine need not have the font.
    "svg.fonttype": "path",
    # Ids in an SVG are random without it, and equal figures unequal bytes.
    "svg.hashsalt": "director-gui",
    "pdf.fonttype": 42,  # TrueType, embedded: journals refuse Type 3
    "axes.edgecolor": MUTED,
    "text.color": INK,
    "text.parse_math": False,  # a name may hold a dollar sign
    "axes.labelcolor": INK,
    "xtick.color": MUTED,
    "ytick.color": INK,
}
