"""A family of scenes as frozen values: what is fixed, what is drawn, what is asked.

A quantity is a `Span`, of no width when it is fixed. Lengths are in m, angles in
degrees. `reading` makes a family from TOML, `draw` makes candidates from a family.
"""

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, Self

from director_gui.scene.model import Picture, Request, Table

Rank = Literal["largest", "middle", "smallest"]
RANKS: tuple[Rank, ...] = ("largest", "middle", "smallest")
DigitRule = Literal["draw", "given"]
Place = Literal["hidden", "table"]


# Fixed and drawn values have one type, so nothing has to ask which it is.
class Span(NamedTuple):
    """The least and the greatest value of a quantity; equal when it is fixed."""

    low: float
    high: float


SpanPoint = tuple[Span, Span, Span]


@dataclass(frozen=True, slots=True)
class BlockRule:
    """How the blocks of a scene are drawn.

    Attributes:
        counts: How many blocks, each with its share of the set.
        largest: Edge of the largest block.
        ratio: Each edge over the next smaller one.
        x: Where centres may be.
        y: Where centres may be.
        yaw: How blocks are turned.
        gap: Room that is left between any two things on the table, in m.
        digit_rule: ``draw`` takes digits without replacement and independently of
            size; ``given`` gives them by size, the largest block first.
        digits: What is drawn from, or what is given.
        colors: What colours are drawn from, without replacement.
    """

    # Pairs and not a mapping: a family is hashable, and its order is the plan's.
    counts: tuple[tuple[int, int], ...]
    largest: Span
    ratio: Span
    x: Span
    y: Span
    yaw: Span
    # Not drawn: it limits what is accepted, it is no property of a scene.
    gap: float
    digit_rule: DigitRule
    digits: tuple[int, ...]
    colors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HiddenRule:
    """Which block is hidden and, where it differs from the others, its place.

    Attributes:
        ranks: Ranks by size, each with its share of the set.
        x: Where its centre may be; None for as all blocks.
        y: Where its centre may be; None for as all blocks.
        yaw: How it is turned; None for as all blocks.
    """

    ranks: tuple[tuple[Rank, int], ...]
    # None and not a copy of the blocks' span: a file says only what differs.
    x: Span | None
    y: Span | None
    yaw: Span | None


@dataclass(frozen=True, slots=True)
# Measured from the block it hides, so that a family holds for every size of it.
class HiderRule:
    """A partition between the hidden block and the director.

    Attributes:
        gap: Free room between the block and the partition.
        side: Shift to the director's left (negative) or right, in m.
        turn: Yaw against facing the director squarely.
        width: In edges of the hidden block.
        height: In edges of the hidden block.
        thickness: In m.
    """

    gap: Span
    side: Span
    turn: Span
    width: Span
    height: Span
    thickness: Span


@dataclass(frozen=True, slots=True)
# It hides nothing on purpose, so it has no block to be measured from.
class StanderRule:
    """A partition with a place of its own on the table; all in m and degrees."""

    x: Span
    y: Span
    yaw: Span
    width: Span
    height: Span
    thickness: Span


PartitionRule = HiderRule | StanderRule


@dataclass(frozen=True, slots=True)
class EyeRule:
    """Where an eye may be, what it looks at, and its vertical field of view."""

    eye: SpanPoint
    look_at: SpanPoint
    fov: Span


@dataclass(frozen=True, slots=True)
class Demands:
    """What is demanded beyond a scene without problems (METHOD §2, "Verdicts").

    Attributes:
        director_sees: Least visible fraction of each block that is not hidden.
        model_sees: Least visible fraction of every block in the model's view.
        confounds: Whether scenes with an apparent-size confound are kept.
    """

    director_sees: float
    model_sees: float
    # METHOD keeps confounds for a re-analysis, so keeping is the usual choice.
    confounds: Literal["keep", "avoid"]


@dataclass(frozen=True, slots=True)
class Family:
    """Everything that decides a set of scenes.

    Attributes:
        name: Names the set and its scenes.
        about: What it is for, for people.
        count: How many scenes a set has.
        seed: Where the draws begin.
        table: The table's size.
        picture: The pictures' size.
        request: What the director asks for.
        blocks: How blocks are drawn.
        hidden: Which block is hidden.
        partitions: How partitions are drawn.
        director: Where the director's eye may be.
        camera: Where the model's eye may be.
        demands: What a scene must satisfy.
        rearranges: The family whose digits are permuted; empty for none.
    """

    name: str
    about: str
    count: int
    seed: int
    table: Table
    picture: Picture
    request: Request
    blocks: BlockRule
    hidden: HiddenRule
    partitions: tuple[PartitionRule, ...]
    director: EyeRule
    camera: EyeRule
    demands: Demands
    # Last, with a default: it is no quantity and few families have it.
    rearranges: str = ""

    def with_(self, count: int | None, seed: int | None) -> Self:
        """Return the family with another count or seed, where one is given."""
        return replace(
            self,
            count=self.count if count is None else count,
            seed=self.seed if seed is None else seed,
        )
