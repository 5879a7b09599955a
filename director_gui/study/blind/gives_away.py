"""What the text itself gives away: how well its letters tell the condition.

The pane is metadata-blind, not more: a trace may tell its condition by what it says. A
naive Bayes classifier on runs of three bytes, cross-validated over whole scenes,
measures how far (CODING.md, section 8.4).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FOLDS = 5
LEAST = 10  # texts of a condition, and as many of all others
_BUCKETS = 4096
_GRAM = 3  # bytes


@dataclass(frozen=True, slots=True)
class GivesAway:
    """How well a text tells its condition.

    Attributes:
        auc: Mean over the conditions of the area under the ROC curve, 0.5 is chance;
            None when it cannot be told.
        by_condition: The same for each condition against all others.
        se: Standard error (Hanley and McNeil 1982), mean over the conditions: few
            texts tell little.
        reason: In words why there is none; empty when there is one.
    """

    auc: float | None
    by_condition: Mapping[str, float]
    se: float = 0.0
    reason: str = ""

    def in_words(self) -> str:
        """Return the figure as one sentence for people."""
        if self.auc is None:
            return f"What the text itself gives away: not measured, {self.reason}"
        return (
            f"What the text itself gives away: AUC {self.auc:.2f} ± "
            f"{1.96 * self.se:.2f} for the condition "
            "(0.50 is chance, 1.00 is everything)"
        )


def gives_away(
    texts: Sequence[str], conditions: Sequence[str], scenes: Sequence[str]
) -> GivesAway:
    """Return how well letters tell the condition.

    Texts of one scene stay in one fold, so that a scene's digits cannot be learnt.
    Conditions with fewer than 10 texts are not judged.

    Args:
        texts: The items' texts.
        conditions: The condition of each.
        scenes: The scene of each.
    """
    if len(set(scenes)) < FOLDS:
        return GivesAway(None, {}, reason=f"it needs texts of {FOLDS} scenes")
    labels = np.array(conditions)
    judged = [
        name
        for name in sorted(set(conditions))
        if LEAST <= int((labels == name).sum()) <= len(texts) - LEAST
    ]
    if not judged:
        reason = f"it needs {LEAST} texts each of two conditions"
        return GivesAway(None, {}, reason=reason)
    grams, folds = _grams(texts), _folds(texts, scenes)
    found = {name: _auc(_scores(grams, labels == name, folds), labels == name)
             for name in judged}  # fmt: skip
    errors = [_se(auc, int((labels == name).sum()), len(texts))
              for name, auc in found.items()]  # fmt: skip
    return GivesAway(
        float(np.mean(list(found.values()))), found, float(np.mean(errors))
    )


def _grams(texts: Sequence[str]) -> Floats:
    """Return whether each text holds each hashed run, shape (texts, buckets)."""
    held = np.zeros((len(texts), _BUCKETS))
    for row, text in enumerate(texts):
        data = text.casefold().encode("utf-8", "surrogatepass")
        letters = np.frombuffer(data, dtype=np.uint8).astype(np.int64)
        if len(letters) >= _GRAM:
            # Odd factors spread the runs; a few that collide only blur the measure.
            runs = letters[:-2] * 65_599 + letters[1:-1] * 257 + letters[2:]
            # Presence, not counts: long traces would outvote short ones.
            held[row, runs % _BUCKETS] = 1.0
    return held


def _folds(texts: Sequence[str], scenes: Sequence[str]) -> Ints:
    order = {scene: at for at, scene in enumerate(sorted(set(scenes)))}
    # The same texts must give the same figure every time.
    shuffled = np.random.default_rng(0).permutation(len(order))
    place = np.array([order[scene] for scene in scenes[: len(texts)]])
    folds: Ints = shuffled[place] % FOLDS
    return folds


def _scores(grams: Floats, mine: NDArray[np.bool_], folds: Ints) -> Floats:
    """Return each text's log odds of the condition, judged by the other folds."""
    scores = np.zeros(len(grams))
    for fold in range(FOLDS):
        test, train = folds == fold, folds != fold
        yes, no = grams[train & mine], grams[train & ~mine]
        # Half a text more each way, so that no run decides alone.
        p, q = ((g.sum(axis=0) + 0.5) / (len(g) + 1) for g in (yes, no))
        weights = np.log(p) - np.log(q) - np.log1p(-p) + np.log1p(-q)
        scores[test] = grams[test] @ weights + (np.log1p(-p) - np.log1p(-q)).sum()
    return scores


def _se(auc: float, n: int, total: int) -> float:
    m = total - n
    two_mine, two_others = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    spread = (n - 1) * (two_mine - auc**2) + (m - 1) * (two_others - auc**2)
    return float(np.sqrt(max(0.0, auc * (1 - auc) + spread) / (n * m)))


def _auc(scores: Floats, mine: NDArray[np.bool_]) -> float:
    """Return the area under the ROC curve: Mann-Whitney's U over all pairs."""
    order = np.unique(scores, return_inverse=True)[1]
    counts = np.bincount(order)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[order]  # ties share their mean rank
    n, m = int(mine.sum()), int((~mine).sum())
    return float((ranks[mine].sum() - n * (n + 1) / 2) / (n * m))
