"""What a set holds: METHOD §2's tallies, of one scene and of many."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from director_gui.families.model import RANKS, Rank
from director_gui.geometry.truth import Key, Truth
from director_gui.scene.model import Scene

# Of 160 scenes in the paper's main set.
PAPER = {
    "hidden_has_largest_digit": 40,
    "smaller_visible_has_larger_digit": 95,
    "apparent_size_confound": 19,
}
PAPER_SCENES = 160


@dataclass(frozen=True, slots=True)
class Features:
    """What is counted of one scene.

    Attributes:
        blocks: How many blocks it has.
        hidden_rank: The hidden block's rank by size; None with none or several.
        hidden_has_largest: Whether the hidden block carries the largest digit.
        smaller_outranks: Whether a visible block smaller than the director-view block
            carries a larger digit than it.
        confound: Whether its apparent sizes confound it.
    """

    blocks: int
    hidden_rank: Rank | None
    hidden_has_largest: bool
    smaller_outranks: bool
    confound: bool


def features_of(scene: Scene, truth: Truth) -> Features:
    """Return what is counted of a scene."""
    sees = truth.sees["director"]
    return Features(
        blocks=len(scene.blocks),
        hidden_rank=rank_of(scene, truth.key.hidden),
        hidden_has_largest=hidden_has_largest(scene, truth.key),
        smaller_outranks=smaller_outranks(scene, truth.key, sees),
        confound=truth.confound,
    )


def rank_of(scene: Scene, digit: int | None) -> Rank | None:
    """Return a block's rank by size; what is at neither end is in the middle."""
    if digit is None:
        return None
    edges = sorted(block.edge for block in scene.blocks)
    # By size, not by place in a sorted list: equal edges share a rank.
    edge = scene.block(digit).edge
    if edge == edges[-1]:
        return "largest"
    return "smallest" if edge == edges[0] else "middle"


def hidden_has_largest(scene: Scene, key: Key) -> bool:
    """Tell whether the hidden block carries the largest digit of all."""
    return key.hidden == max(scene.digits)


def smaller_outranks(scene: Scene, key: Key, sees: Iterable[int]) -> bool:
    """Tell whether a smaller visible block's digit beats the director-view block's."""
    if key.director_view is None:
        return False
    edge = scene.block(key.director_view).edge
    return any(
        digit > key.director_view and scene.block(digit).edge < edge for digit in sees
    )


def tally(features: Iterable[Features]) -> dict[str, object]:
    """Return the tallies of a set as INTERFACES' `scenes make` prints them."""
    # Counted more than once, and it may be a generator.
    every = list(features)
    blocks = Counter(item.blocks for item in every)
    ranks = Counter(item.hidden_rank for item in every)
    return {
        "scenes": len(every),
        # 3 and 4 are always there, so that scripts need not ask.
        "blocks": {str(n): blocks[n] for n in sorted({3, 4} | set(blocks))},
        "hidden_rank": {rank: ranks[rank] for rank in RANKS},
        "hidden_has_largest_digit": sum(f.hidden_has_largest for f in every),
        "smaller_visible_has_larger_digit": sum(f.smaller_outranks for f in every),
        "apparent_size_confound": sum(f.confound for f in every),
    }


def lines_of(tallies: Mapping[str, object], *, paper: bool) -> list[str]:
    """Return tallies as lines for people, beside the paper's figures if asked."""
    words = {
        "hidden_has_largest_digit": "hidden block has the largest digit",
        "smaller_visible_has_larger_digit": "a smaller visible block outranks in digit",
        "apparent_size_confound": "apparent-size confounds",
    }
    lines = [f"scenes: {tallies['scenes']}"]
    lines += [f"{name}: {_counts(tallies[name])}" for name in ("blocks", "hidden_rank")]
    for name, text in words.items():
        # Beside the paper's figure, never merged with it: ours need not equal it.
        beside = (
            f" (the paper's main set: {PAPER[name]} of {PAPER_SCENES})" if paper else ""
        )
        lines.append(f"{text}: {tallies[name]} of {tallies['scenes']}{beside}")
    return [line.replace("_", " ") for line in lines]


def _counts(counts: object) -> str:
    if not isinstance(counts, dict):
        return str(counts)
    return ", ".join(f"{key} {count}" for key, count in counts.items() if count)
