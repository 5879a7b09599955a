"""Intervals for a share of items."""


def clopper_pearson(k: int, n: int, level: float = 0.95) -> tuple[float, float] | None:
    """Return the exact (Clopper-Pearson 1934) interval for `k` of `n`, 0 to 1.

    The ends are quantiles of beta distributions: B(k, n-k+1) and B(k+1, n-k).

    Returns:
        Lower and upper end; None without any item.
    """
    if n == 0:
        return None
    from scipy.special import betaincinv  # noqa: PLC0415 - costs 0.3 s to import

    # At 0 and at n one quantile does not exist, and the end is the bound itself.
    tail = (1 - level) / 2
    low = float(betaincinv(k, n - k + 1, tail)) if k > 0 else 0.0
    high = float(betaincinv(k + 1, n - k, 1 - tail)) if k < n else 1.0
    return low, high
