"""Small drawings that stand in a table's cells; their colours are the page's own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from director_gui.study.report.markup import Markup, join, tag

# Padding holds half a tick's label, which is centred on the scale's end.
WIDTH, HEIGHT, _PAD = 200.0, 24.0, 14.0  # CSS px of every drawing


@dataclass(frozen=True, slots=True)
class Scale:
    """What the left and the right end of a drawing stand for."""

    low: float
    high: float
    unit: int = 100  # what a tick's label is multiplied by

    def x(self, value: float) -> float:
        """Return where `value` lies, in px."""
        share = (value - self.low) / (self.high - self.low)
        # Two decimals: the last digits of floats would make equal studies unequal
        # pages.
        return round(_PAD + (WIDTH - 2 * _PAD) * share, 2)

    @property
    def ticks(self) -> tuple[float, ...]:
        """Values that get a line: the ends, the middle and the quarters."""
        step = (self.high - self.low) / 4
        return tuple(self.low + step * i for i in range(5))


SHARES = Scale(0.0, 1.0)
KAPPA = Scale(0.0, 1.0, unit=1)


def difference_scale(ends: Iterable[float | None]) -> Scale:
    """Return a scale around zero that holds all `ends`, in steps of 20 points."""
    # Few possible scales, so that the plots of two studies can be laid side by side.
    most = max((abs(end) for end in ends if end is not None), default=0.0)
    # 2 is as far as a difference of differences can reach.
    steps = (0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)
    reach = next((r for r in steps if r >= most - 1e-9), most)
    return Scale(-reach, reach)


def axis(scale: Scale) -> Markup:
    """Return the tick labels that head a column of drawings, in points."""
    labels = [
        tag("text", _points(scale, tick), x=scale.x(tick), y=12) for tick in scale.ticks
    ]
    return tag("svg", *labels, **_frame("chart axis", 16.0), aria_hidden="true")


def interval(
    scale: Scale,
    middle: float | None,
    low: float | None,
    high: float | None,
    kind: str = "",
) -> Markup:
    """Return a point with its interval; the same figures stand in the row as text."""
    # Rules first: what is drawn later lies above.
    marks: list[Markup] = [_rule(scale, tick) for tick in scale.ticks]
    if low is not None and high is not None:
        marks.append(_line(scale.x(low), scale.x(high)))
    if middle is not None:
        marks.append(tag("circle", cx=scale.x(middle), cy=12, r=4.2, class_="dot"))
    body = tag("g", marks, class_=kind or None)
    # Hidden from screen readers, which find the figures in the row's own cells.
    return tag("svg", body, **_frame("chart", HEIGHT), aria_hidden="true")


def stack(parts: Sequence[tuple[str, float]]) -> Markup:
    """Return a bar of shares that add up to 1 at most, one class each."""
    bars, at = [], 0.0
    for kind, share in parts:
        left, right = SHARES.x(at), SHARES.x(at + share)
        # A hairline between neighbours, for prints without colour.
        width = max(0.0, round(right - left - 0.8, 2))
        bars.append(
            tag("rect", x=left, y=5, width=width, height=14, class_=f"k-{kind}")
        )
        at += share
    return tag("svg", bars, **_frame("chart", HEIGHT), aria_hidden="true")


def _frame(kind: str, height: float) -> dict[str, object]:
    return {
        "class_": kind,
        "viewBox": f"0 0 {WIDTH:g} {height:g}",
        "width": f"{WIDTH:g}",
        "height": f"{height:g}",
    }


def _rule(scale: Scale, tick: float) -> Markup:
    # Ticks are sums of quarters, which may miss 0 by a rounding.
    kind = "zero" if abs(tick) < 1e-9 else "rule"
    x = scale.x(tick)
    return tag("line", x1=x, x2=x, y1=0, y2=HEIGHT, class_=kind)


def _line(left: float, right: float) -> Markup:
    def stroke(x1: float, y1: float, x2: float, y2: float) -> Markup:
        return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="whisker")

    return join(
        stroke(left, 12, right, 12),
        stroke(left, 8, left, 16),
        stroke(right, 8, right, 16),
    )


def _points(scale: Scale, value: float) -> str:
    # Signs only where a scale has both sides; shares and κ have one.
    plus = "+" if value > 0 > scale.low else ""
    return f"{plus}{scale.unit * value:g}".replace("-", "\N{MINUS SIGN}")
