"""Simulate how often the 95 % interval of a difference covers the true one.

Run it by hand: ``python benchmarks/coverage.py > docs/coverage.md`` (minutes). In
each cell 2,000 studies are drawn: scenes have beta-distributed rates, which gives
replies of one scene the correlation named; the two conditions share their scenes'
difficulty to a half (a Gaussian copula), as paired prompts do. Both conditions have
5 samples a scene; their true rates are the same or 10 points apart.
"""

import itertools
import sys
from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from director_gui.stats.contrast import contrast
from director_gui.stats.replies import FloatArray, Replies, tally
from director_gui.stats.result import Cov

DRAWS, SAMPLES, SHARED = 2000, 5, 0.5
RATES, ICCS = (0.05, 0.3, 0.9), (0.0, 0.3, 0.9)
SCENES, DIFFERENCES = (20, 40, 160), (0.0, 0.1)
LOW = 0.93


@dataclass(frozen=True)
class Cell:
    """One design of the simulation."""

    rate: float
    difference: float
    icc: float
    scenes: int

    def rates(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return the scenes' true rates in both conditions, shape (scenes,) each."""
        common = rng.normal(size=self.scenes)
        own = rng.normal(size=(2, self.scenes))
        places = ndtr(np.sqrt(SHARED) * common + np.sqrt(1 - SHARED) * own)
        means = (self.rate, min(self.rate + self.difference, 1.0))
        first, second = (
            self._spread(mean, place) for mean, place in zip(means, places, strict=True)
        )
        return first, second

    def _spread(self, mean: float, places: FloatArray) -> FloatArray:
        if self.icc == 0 or mean == 1:
            return np.full(self.scenes, mean)
        size = (1 - self.icc) / self.icc
        return np.asarray(betaincinv(mean * size, (1 - mean) * size, places))

    def _seed(self) -> list[int]:
        numbers = (self.rate, self.difference, self.icc, self.scenes)
        return [round(1000 * number) for number in numbers]

    def covered(self, cov: Cov) -> tuple[float, Counter[str]]:
        """Return the share of intervals that hold the truth, and their methods."""
        rng = np.random.default_rng(self._seed())
        answered = np.full(self.scenes, float(SAMPLES))
        names = tuple(f"{i:03}" for i in range(self.scenes))
        truth = min(self.rate + self.difference, 1.0) - self.rate
        hits, methods = 0, Counter[str]()
        for _ in range(DRAWS):
            ks = [rng.binomial(SAMPLES, rates) for rates in self.rates(rng)]
            tallies = {n: tally(k, answered) for n, k in zip("AB", ks, strict=True)}
            found = contrast(Replies(names, tallies, {}), {"A": -1, "B": 1}, cov)
            methods[found.method] += 1
            if found.ci_low is not None and found.ci_high is not None:
                hits += found.ci_low <= truth <= found.ci_high
        return hits / DRAWS, methods


def main() -> None:
    """Print the table, and the cells below 93 %."""
    print("# How often the interval covers the truth\n")
    print("Made by `benchmarks/coverage.py`: 2,000 simulated studies a cell, 5 samples")
    print("a scene and condition, scenes' difficulty half shared by the conditions.")
    print("The nominal level is 95 %; one cell's own error is about 0.5 points.\n")
    print("| rate | difference | ICC | scenes | robust | bias_reduced | methods |")
    print("|---|---|---|---|---|---|---|")
    low = []
    for rate, difference, icc, scenes in itertools.product(
        RATES, DIFFERENCES, ICCS, SCENES
    ):
        cell = Cell(rate, difference, icc, scenes)
        robust, methods = cell.covered("robust")
        reduced, _ = cell.covered("bias_reduced")
        used = ", ".join(f"{name} {n}" for name, n in methods.most_common())
        line = f"| {rate} | {difference} | {icc} | {scenes} "
        print(f"{line}| {robust:.1%} | {reduced:.1%} | {used} |")
        sys.stdout.flush()
        if robust < LOW:
            low.append((cell, robust, reduced))
    print("\n## Cells below 93 %\n")
    print(f"{len(low)} cells with the robust form (bias-reduced in brackets):\n")
    for cell, robust, reduced in low:
        where = f"rate {cell.rate}, difference {cell.difference}, ICC {cell.icc}"
        print(f"- {where}, {cell.scenes} scenes: {robust:.1%} ({reduced:.1%})")


if __name__ == "__main__":
    main()
