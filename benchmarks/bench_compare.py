"""Time all comparisons of a study beside a loop over statsmodels' GEE.

Run it by hand: ``python benchmarks/bench_compare.py``. 18 conditions of 160 scenes
and 5 samples make 153 pairs, which is as many comparisons as the paper's three
families hold together; all are corrected as one family.
"""

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from director_gui.stats.contrast import compare
from director_gui.stats.correction import adjust
from director_gui.stats.replies import Replies

SCENES, SAMPLES, CONDITIONS = 160, 5, 18
PEER_PAIRS = 10  # statsmodels is timed on so many, and scaled up

Row = tuple[str, str, int]


def study() -> list[Row]:
    """Return replies with scenes of their own difficulty."""
    rng = np.random.default_rng(1)
    hard = rng.normal(0, 1, SCENES)
    return [
        (f"s{scene:03}", f"c{condition:02}", int(rng.random() < rate))
        for condition in range(CONDITIONS)
        for scene in range(SCENES)
        for rate in [1 / (1 + np.exp(1.5 - 0.15 * condition - hard[scene]))]
        for _ in range(SAMPLES)
    ]


def best_of(repeats: int, work: Callable[[], Any]) -> float:
    """Return the least seconds that `work` took."""
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


class Peer:
    """The logit GEE of statsmodels for one pair, its arrays made beforehand."""

    def __init__(self, rows: list[Row], reference: str, test: str) -> None:
        both = [row for row in rows if row[1] in (reference, test)]
        self.y = np.array([row[2] for row in both])
        self.groups = np.array([int(row[0][1:]) for row in both])
        columns = [[row[1] == reference, row[1] == test] for row in both]
        self.design = np.array(columns, dtype=float)

    def se(self) -> float:
        """Fit and return the standard error of the difference of shares."""
        import statsmodels.api as sm

        binomial = sm.families.Binomial()
        model = sm.GEE(self.y, self.design, groups=self.groups, family=binomial)
        fit = model.fit()
        shares = 1 / (1 + np.exp(-fit.params))
        slope = np.array([-1, 1]) * shares * (1 - shares)
        return float(np.sqrt(slope @ fit.cov_params() @ slope))


def main() -> None:
    """Print the times and their ratio; fail when the two disagree."""
    rows = study()
    names = sorted({name for _, name, _ in rows})
    pairs = list(itertools.combinations(names, 2))
    replies = Replies.of(rows)
    ours = best_of(20, lambda: adjust([compare(replies, a, b).p for a, b in pairs]))
    table = best_of(5, lambda: Replies.of(rows))
    some = pairs[:: len(pairs) // PEER_PAIRS][:PEER_PAIRS]
    peers = [Peer(rows, a, b) for a, b in some]
    known = [peer.se() for peer in peers]
    theirs = best_of(2, lambda: [peer.se() for peer in peers]) * len(pairs) / len(some)
    errors = [compare(replies, a, b).se for a, b in some]
    if not np.allclose(np.array(errors, dtype=float), known, rtol=1e-8):
        raise SystemExit("the standard errors differ")
    print(f"{len(pairs)} comparisons, corrected: {ours * 1000:.1f} ms")
    print(f"building the table of {len(rows)} replies: {table * 1000:.1f} ms")
    print(f"statsmodels, scaled from {len(some)}: {theirs:.2f} s")
    print(f"ratio: {theirs / ours:.0f}")


if __name__ == "__main__":
    main()
