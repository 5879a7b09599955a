"""Is a set balanced? Chance associations that could pass for a finding.

Each check asks whether something that should not tell the hidden block apart does so
all the same. The thresholds are ours: a set is small, so a p below 0.01 is worth a
look, and one in a hundred checks shows it by chance alone.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from director_gui.scene.model import Block, Scene
from director_gui.store.database import Study
from director_gui.store.marks import dropped
from director_gui.store.sets import StoredSet
from director_gui.study.set_tallies import every_scene, key_in
from director_gui.study.stimuli import scene_in

WARN_BELOW = 0.01
FEWEST = 12  # scenes; with fewer no test says anything
Pair = tuple[Scene, int]  # a scene and its hidden block's digit


@dataclass(frozen=True, slots=True)
class Association:
    """One thing checked.

    Attributes:
        name: What against what.
        test: The test's name.
        statistic: Spearman's ρ, or χ².
        p: Its p value; None when too few scenes could be counted.
        warns: Whether it is worth a look.
        words: What was found, in a sentence.
        counts: Observed and expected by category, for a χ² test.
    """

    name: str
    test: str
    statistic: float
    p: float | None
    warns: bool
    words: str
    counts: tuple[tuple[str, int, float], ...] = ()


def balance_of(study: Study, item: StoredSet) -> list[Association]:
    """Return the checks of a stored set, without what was dropped from it."""
    gone = dropped(study, item.id)
    pairs = [
        (scene_in(study, row.scene), hidden)
        for row in every_scene(study, item.id)
        # Dropped scenes are shown to no model, and one without a key has no hidden
        # block.
        if row.scene not in gone and (hidden := key_in(row.facts).hidden) is not None
    ]
    return associations(pairs)


def associations(pairs: Sequence[Pair]) -> list[Association]:
    """Return every check on scenes that have one hidden block."""
    return [
        _digits_and_size(pairs),
        _places(pairs, "Hidden block’s digit", "rank by digit", _digit),
        _places(pairs, "Position from left to right", "place from the left", _x),
        _places(pairs, "Position from near to far", "place from the front", _y),
        _colors(pairs),
    ]


def _digits_and_size(pairs: Sequence[Pair]) -> Association:
    name, test = "Digits against size", "Spearman"
    blocks = [
        # Ranks within a scene: edges differ between scenes for reasons of their own.
        (block.digit, _place(scene, block, lambda b: b.edge) / len(scene.blocks))
        for scene, _ in pairs
        for block in scene.blocks
    ]
    if len(pairs) < FEWEST or len({digit for digit, _ in blocks}) < 2:
        return _too_few(name, test)
    from scipy.stats import spearmanr  # noqa: PLC0415 - 0.8 s

    found = spearmanr([float(d) for d, _ in blocks], [size for _, size in blocks])
    rho, p = float(found.statistic), float(found.pvalue)
    warns = p < WARN_BELOW
    tendency = "larger" if rho > 0 else "smaller"
    words = (
        f"Larger blocks tend to carry {tendency} digits"
        if warns
        else "No sign that larger blocks carry other digits than smaller ones"
    )
    return Association(name, test, rho, p, warns, f"{words} (ρ {rho:+.2f}).")


def _places(
    pairs: Sequence[Pair], name: str, what: str, value: Callable[[Block], float]
) -> Association:
    """Check that the hidden block takes each place among its scene's as often."""
    observed: Counter[int] = Counter()
    expected: Counter[int] = Counter()
    chances: dict[int, float] = {}
    for scene, hidden in pairs:
        observed[_place(scene, scene.block(hidden), value)] += 1
        for place in range(1, len(scene.blocks) + 1):
            expected[place] += 1
            # A place counts by chance: with three blocks it is likelier than with four.
            chances[place] = chances.get(place, 0.0) + 1 / len(scene.blocks)
    counts = tuple((str(k), observed[k], chances[k]) for k in sorted(chances))
    return _goodness(name, what, counts, len(pairs))


def _colors(pairs: Sequence[Pair]) -> Association:
    observed = Counter(scene.block(hidden).color for scene, hidden in pairs)
    chances: dict[str, float] = {}
    for scene, _ in pairs:
        for block in scene.blocks:
            chances[block.color] = chances.get(block.color, 0) + 1 / len(scene.blocks)
    counts = tuple((k, observed[k], chances[k]) for k in sorted(chances))
    return _goodness("Colour of the hidden block", "colour", counts, len(pairs))


def _goodness(
    name: str, what: str, counts: tuple[tuple[str, int, float], ...], scenes: int
) -> Association:
    test = "χ²"
    if scenes < FEWEST or len(counts) < 2:
        return _too_few(name, test, counts)
    from scipy.stats import chisquare  # noqa: PLC0415 - 0.8 s

    found = chisquare([n for _, n, _ in counts], [e for _, _, e in counts])
    statistic, p = float(found.statistic), float(found.pvalue)
    warns = p < WARN_BELOW
    # The category with the largest residual, which the sentence names.
    most = max(counts, key=lambda item: (item[1] - item[2]) / item[2] ** 0.5)
    words = (
        f"The hidden block has {what} {most[0]} in {most[1]} of {scenes} scenes; by "
        f"chance it would in {most[2]:.0f}."
        if warns
        else f"No sign that the {what} tells the hidden block apart."
    )
    return Association(name, test, statistic, p, warns, words, counts)


def _too_few(
    name: str, test: str, counts: tuple[tuple[str, int, float], ...] = ()
) -> Association:
    words = f"Too few scenes to tell: at least {FEWEST} are needed."
    return Association(name, test, 0.0, None, warns=False, words=words, counts=counts)


def _place(scene: Scene, block: Block, value: Callable[[Block], float]) -> int:
    """Return a block's place among its scene's by a value, 1 for the least."""
    return 1 + sum(value(other) < value(block) for other in scene.blocks)


def _digit(block: Block) -> float:
    return float(block.digit)


def _x(block: Block) -> float:
    return block.x


def _y(block: Block) -> float:
    return block.y


def warnings_of(found: Iterable[Association]) -> list[Association]:
    """Return the associations that are worth a look."""
    return [item for item in found if item.warns]
