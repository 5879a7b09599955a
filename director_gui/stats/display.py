"""Numbers as a reader sees them: points, p-values, percentages, intervals."""

from decimal import ROUND_HALF_UP, Decimal

# A hyphen is narrower than a plus, so signed columns would not line up.
MINUS = "\N{MINUS SIGN}"
NOTHING = "\N{EN DASH}"


def points_text(x: float | None, *, signed: bool = False, minus: str = MINUS) -> str:
    """Return a proportion or a difference in points, to one decimal.

    Rounded half away from zero from the shortest decimal form of 100 x to nine
    places, so that 0.1625 reads 16.3 although its binary value lies elsewhere.

    Args:
        x: A proportion or difference, 0-1; ``None`` gives a dash.
        signed: Whether a positive difference gets a plus sign.
        minus: The sign of a negative one; zero never has a sign.
    """
    if x is None:
        return NOTHING
    # Decimal(x) would take the binary value and round 0.1625 down.
    exact = Decimal(repr(round(100 * float(x), 9)))
    tenths = exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
    plus = "+" if signed else ""
    # Judged after rounding, so that -0.0004 does not read as minus zero.
    sign = minus if tenths < 0 else plus if tenths > 0 else ""
    return f"{sign}{abs(tenths)}"


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its noun, such as ``1 scene`` or ``1,600 replies``.

    Args:
        number: How many.
        one: The noun for one.
        several: The noun for any other number; `one` with an s without it.
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def p_text(p: float | None) -> str:
    """Return a p-value to three decimals, ``<0.001`` below that."""
    if p is None:
        return NOTHING
    # Compared unrounded: 0.0009996 is below, though it rounds to 0.001.
    if p < 0.001:
        return "<0.001"
    exact = Decimal(repr(round(float(p), 9)))
    return str(exact.quantize(Decimal("0.001"), rounding=ROUND_HALF_UP))


def interval_text(
    low: float | None, high: float | None, *, signed: bool = False
) -> str:
    """Return an interval in points, such as ``[+3.1, +8.9]``, or a dash."""
    if low is None or high is None:
        return NOTHING
    ends = (points_text(low, signed=signed), points_text(high, signed=signed))
    return f"[{', '.join(ends)}]"
