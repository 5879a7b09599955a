"""What a comparison comes to: one frozen value, whatever the method."""

from dataclasses import dataclass
from typing import Literal

# Words and not enums: they go into JSON and settings as they are.
Cov = Literal["robust", "bias_reduced"]
Method = Literal["gee_t", "cluster_t", "bounded", "none"]
ShareMethod = Literal["bootstrap", "bounded", "none"]
Reason = Literal["no_replies", "too_few_scenes"]
Flag = Literal[
    "some_scenes_lack_a_condition",
    "no_paired_scene",
    "few_informative_scenes",
    "clipped",
]
# One level for intervals, correction and planning: they are read side by side.
ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class Inference:
    """The numbers a method gives around an estimate.

    Attributes:
        method: Which method gave them.
        se: Standard error; ``None`` for the bounded method.
        df: Degrees of freedom of t; ``None`` for the bounded method.
        ci_low: Lower end of the 95 % interval.
        ci_high: Upper end of the 95 % interval.
        p: Two-sided p-value.
        clipped: Whether an end was moved to the largest possible contrast.
    """

    method: Method
    se: float | None
    df: int | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    clipped: bool = False


NO_INFERENCE = Inference("none", None, None, None, None, None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A contrast of conditions with its interval; shares are proportions 0-1.

    Attributes:
        conditions: The conditions, in the order of the weights.
        weights: One weight a condition; (-1, 1) for reference and test.
        cov: The covariance that was asked for; only `gee_t` heeds it.
        method: ``gee_t``, ``cluster_t``, ``bounded`` or ``none``.
        reason: Why there is no interval; ``None`` when there is one.
        estimate: Weighted sum of the raw shares; ``None`` when one has no reply.
        se: Standard error, or ``None``.
        df: Degrees of freedom, or ``None``.
        ci_low: Lower end of the 95 % interval, or ``None``.
        ci_high: Upper end, or ``None``.
        p: Two-sided p-value, not corrected, or ``None``.
        scenes: G, scenes with a reply in any of the conditions.
        paired_scenes: G_pair, scenes with replies in all of them.
        fewest_scenes: The least number of scenes any condition has.
        informative_scenes: Paired scenes whose contrast differs from the median;
            ``None`` outside the t methods and without a paired scene.
        n: Answered replies of each condition.
        k: Events of each condition.
        flags: What a reader should know; none for method ``none``.
    """

    conditions: tuple[str, ...]
    weights: tuple[float, ...]
    cov: Cov
    method: Method
    reason: Reason | None
    estimate: float | None
    se: float | None
    df: int | None
    ci_low: float | None
    ci_high: float | None
    p: float | None
    scenes: int
    paired_scenes: int
    fewest_scenes: int
    informative_scenes: int | None
    n: tuple[int, ...]
    k: tuple[int, ...]
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one condition with its interval, both 0-1.

    Attributes:
        condition: The condition's name.
        share: Events over answered replies; ``None`` without a reply.
        k: Events.
        n: Answered replies.
        scenes: Scenes with at least one answered reply.
        ci_low: Lower end of the 95 % interval, or ``None``.
        ci_high: Upper end, or ``None``.
        method: ``bootstrap``, ``bounded`` (all scenes alike) or ``none``.
        reason: Why there is no interval; ``None`` when there is one.
    """

    condition: str
    share: float | None
    k: int
    n: int
    scenes: int
    ci_low: float | None
    ci_high: float | None
    method: ShareMethod
    reason: Reason | None
