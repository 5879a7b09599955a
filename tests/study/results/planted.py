"""Columns of one model with planted shares, for tests without a study."""

import numpy as np

from director_gui.study.results.columns import ANSWERED, NOTHING, Columns

SCENES = 60


def columns_of(
    rates: dict[str, float],
    *,
    batches: dict[str, str] | None = None,
    seed: int = 1,
    samples: int = 4,
) -> Columns:
    """Columns of one model with planted shares of hidden choices."""
    rng = np.random.default_rng(seed)
    names = tuple(sorted(rates))
    where = batches or dict.fromkeys(names, "1")
    known = tuple(sorted(set(where.values())))
    scene = np.tile(np.repeat(np.arange(SCENES), samples), len(names))
    condition = np.repeat(np.arange(len(names)), SCENES * samples)
    y = rng.random(len(scene)) < np.array([rates[n] for n in names])[condition]
    small = y.astype(np.int8)
    return Columns(
        models=("m",), conditions=names, batches=known,
        scenes=tuple(f"s{at:03d}" for at in range(SCENES)),
        model=np.zeros(len(scene), np.int32), condition=condition.astype(np.int32),
        batch=np.array([known.index(where[n]) for n in names], np.int32)[condition],
        scene=scene.astype(np.int32), status=np.full(len(scene), ANSWERED, np.int8),
        hidden=small, correct=np.full(len(scene), NOTHING, np.int8),
        leaves_out=np.full(len(scene), NOTHING, np.int8),
        kind=np.where(y, 0, 1).astype(np.int8), n=np.ones(len(y), np.int32), facts={},
    )  # fmt: skip
