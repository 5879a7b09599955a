"""Bang's blinding index: how far guesses of the condition beat chance, arm by arm.

Bang, Ni and Davis (2004), Assessment of blinding in clinical trials, Controlled
Clinical Trials 25, 143-156: the index of a 2x3 table, "don't know" being an answer.
"""

import math
from dataclasses import dataclass

Z95 = 1.959963984540054  # the normal distribution's .975 quantile


@dataclass(frozen=True, slots=True)
class Bang:
    """The index of one condition.

    Attributes:
        right: Guesses that name the condition.
        wrong: Guesses that name the other.
        unknown: Answers "don't know".
        value: From -1 (all wrong) over 0 (chance, or nobody knows) to 1 (all right);
            None without answers.
        se: Its standard error; None without answers.
        ci: `value` plus and minus 1.96 `se`, cut at -1 and 1; None where there is none.
        note: In words why there is no value or no interval; '' otherwise.
    """

    right: int
    wrong: int
    unknown: int
    value: float | None
    se: float | None
    ci: tuple[float, float] | None
    note: str

    @property
    def n(self) -> int:
        """The number of answers."""
        return self.right + self.wrong + self.unknown


def bang(right: int, wrong: int, unknown: int) -> Bang:
    """Return Bang's index of one condition.

    Args:
        right: Guesses that name the condition.
        wrong: Guesses that name the other condition.
        unknown: Answers "don't know".

    Raises:
        ValueError: A count is negative.
    """
    if min(right, wrong, unknown) < 0:
        raise ValueError("counts are not negative")
    n = right + wrong + unknown
    if n == 0:
        return Bang(0, 0, 0, None, None, None, "nobody guessed")
    p, q = right / n, wrong / n
    # (2 r - 1) (1 - d), with r the share right among guesses and d that of "don't
    # know", comes to this, which is also defined when nobody dares a guess.
    value = p - q
    variance = (p * (1 - p) + q * (1 - q) + 2 * p * q) / n
    se = math.sqrt(max(0.0, variance))
    note = _alike(right, wrong, unknown)
    ends = (max(-1.0, value - Z95 * se), min(1.0, value + Z95 * se))
    return Bang(right, wrong, unknown, value, se, None if note else ends, note)


def _alike(right: int, wrong: int, unknown: int) -> str:
    # All answers alike: the formula's interval has no width, which would be a lie.
    n = right + wrong + unknown
    words = {right: "all right", wrong: "all wrong", unknown: "all “don't know”"}
    return (
        f"no interval: {n} answer{'' if n == 1 else 's'}, {words[n]}"
        if n in words
        else ""
    )
