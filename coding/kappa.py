"""Cohen's kappa of one cross-table, with its large-sample standard error.

Everything is exact until the last step: counts are integers, and the standard error's
variance is a fraction, so that "undefined" and "exactly zero" are decisions, not
matters of rounding.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from coding.tables import Counts

Z95 = 1.959963984540054  # the normal distribution's .975 quantile
Undefined = Literal["no_shared_item", "one_code"]


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa of a cross-table.

    Attributes:
        n: Items coded by both.
        agree: Items with the same code.
        value: Kappa; None when it is not defined.
        undefined: Why it is not defined, or None.
        expected: Share of agreement expected by chance; None without items.
        se: Fleiss-Cohen-Everitt standard error; may be exactly 0; None without kappa.
        ci: `value` plus and minus 1.96 `se`, not clipped; None when `se` is 0.
        maximum: The greatest kappa that these marginals allow; None without kappa.
        constant: Which coder ("a" or "b") used one code alone while kappa is
            defined: kappa is then 0 whatever the codes are.
    """

    n: int
    agree: int
    value: float | None
    undefined: Undefined | None
    expected: float | None
    se: float | None
    ci: tuple[float, float] | None
    maximum: float | None
    constant: Literal["a", "b"] | None


@dataclass(frozen=True, slots=True)
class CodeKappa:
    """One code against all others.

    Attributes:
        kappa: Cohen's kappa of the 2x2 table; None when it is not defined.
        n_a: Items to which coder a gave the code.
        n_b: Items to which coder b did.
        n_both: Items to which both did.
        prevalence_index: (both - neither) / n (Byrt, Bishop and Carlin 1993).
        bias_index: (a alone - b alone) / n.
    """

    kappa: float | None
    n_a: int
    n_b: int
    n_both: int
    prevalence_index: float | None
    bias_index: float | None


def kappa_of(table: Counts) -> Kappa:
    """Return Cohen's kappa (1960) of a cross-table.

    Args:
        table: Counts, shape (q, q); rows are coder a's codes, columns coder b's.
    """
    n, agree = int(table.sum()), int(np.trace(table))
    if n == 0:
        return _without(n, agree, "no_shared_item", None)
    rows, columns = _marginals(table)
    by_chance = sum(r * c for r, c in zip(rows, columns, strict=True))
    # Whole numbers: both coders gave everything one and the same code.
    if by_chance == n * n:
        return _without(n, agree, "one_code", 1.0)
    # Whether it is exactly zero decides if there is an interval at all.
    variance = _variance(table)
    value = (n * agree - by_chance) / (n * n - by_chance)
    se = math.sqrt(variance)
    most = sum(min(r, c) for r, c in zip(rows, columns, strict=True))
    return Kappa(
        n=n,
        agree=agree,
        value=value,
        undefined=None,
        expected=by_chance / (n * n),
        se=se,
        ci=(value - Z95 * se, value + Z95 * se) if variance else None,
        maximum=(n * most - by_chance) / (n * n - by_chance),
        constant="a" if max(rows) == n else "b" if max(columns) == n else None,
    )


def per_code(table: Counts) -> tuple[CodeKappa, ...]:
    """Return each code's kappa against the rest, in the table's order."""
    return tuple(_one_code(table, i) for i in range(len(table)))


def indices_of(table: Counts) -> tuple[float | None, float | None]:
    """Return prevalence and bias index of a table of two codes.

    They are defined for two codes (Byrt, Bishop and Carlin 1993); with more, each
    code has its own in `per_code`.

    Returns:
        (n11 - n22) / n and (n12 - n21) / n; None for both with other than two codes
        or without items.
    """
    n = int(table.sum())
    if table.shape != (2, 2) or n == 0:
        return None, None
    (both, a_alone), (b_alone, neither) = table.tolist()
    return (both - neither) / n, (a_alone - b_alone) / n


def _without(n: int, agree: int, reason: Undefined, expected: float | None) -> Kappa:
    return Kappa(n, agree, None, reason, expected, None, None, None, None)


def _marginals(table: Counts) -> tuple[Sequence[int], Sequence[int]]:
    # Python's integers: the squares of large counts must not overflow.
    return table.sum(axis=1).tolist(), table.sum(axis=0).tolist()


def _variance(table: Counts) -> Fraction:
    """Fleiss, Cohen and Everitt (1969), equation 13, without a small-sample factor."""
    n = int(table.sum())
    rows, columns = ([Fraction(m, n) for m in side] for side in _marginals(table))
    observed = Fraction(int(np.trace(table)), n)
    chance = sum((r * c for r, c in zip(rows, columns, strict=True)), Fraction(0))
    kappa = (observed - chance) / (1 - chance)
    total = -((kappa - chance * (1 - kappa)) ** 2)
    # Empty cells add nothing, and large codebooks have many.
    for i, j in np.argwhere(table).tolist():
        share = Fraction(int(table[i, j]), n)
        pull = (columns[i] + rows[j]) * (1 - kappa)
        total += share * (int(i == j) - pull) ** 2
    return total / (n * (1 - chance) ** 2)


def _one_code(table: Counts, i: int) -> CodeKappa:
    n, both = int(table.sum()), int(table[i, i])
    n_a, n_b = int(table[i].sum()), int(table[:, i].sum())
    two = np.array([[both, n_a - both], [n_b - both, n - n_a - n_b + both]])
    prevalence, bias = indices_of(two)
    return CodeKappa(kappa_of(two).value, n_a, n_b, both, prevalence, bias)
