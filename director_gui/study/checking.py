"""One scene under both witnesses: their fractions, the key and every problem.

Here alone the two witnesses of visibility are compared (METHOD §2). They share no
code; this module takes only what each of them says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from director_gui.geometry.problems import Problem, problems_of
from director_gui.geometry.truth import Truth, truth_of
from director_gui.geometry.visibility import Sight
from director_gui.geometry.words import percent, who
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import canonical_bytes

TOLERANCE = 0.002  # difference of the two fractions
SMALL_TOLERANCE = 0.01  # for a block below SMALL_PX
SMALL_PX = 2000  # unoccluded pixels on the grid


class Witnessed(Protocol):
    """What the second witness says of one block in one view."""

    @property
    def alone_px(self) -> int:
        """Grid pixels that would show the block with nothing in front of it."""

    @property
    def fraction(self) -> float | None:
        """Visible share (0-1) of those pixels; None without any."""


DepthSights = Mapping[str, Mapping[int, Witnessed]]
DepthWitness = Callable[[bytes], DepthSights]


@dataclass(frozen=True, slots=True)
class Check:
    """What is known of a scene after both witnesses have spoken.

    Attributes:
        scene: The scene.
        truth: Sights, verdicts and key; "hidden" needs 0 from both witnesses.
        depth: The second witness's sights by view and digit.
        problems: All problems, `witnesses_disagree` among them.
    """

    scene: Scene
    truth: Truth
    depth: DepthSights
    problems: tuple[Problem, ...]

    @property
    def blocked(self) -> bool:
        """Whether the scene is unfit as a stimulus."""
        return any(problem.blocks_stimulus for problem in self.problems)


def check_scene(scene: Scene, depth: DepthWitness = depth_fractions) -> Check:
    """Return what both witnesses say of `scene`, and its problems.

    Args:
        scene: The scene.
        depth: The second witness: the scene's canonical bytes to its sights.

    Raises:
        UserError: OpenGL cannot draw here.
    """
    # The second witness reads the bytes itself, so that it shares no reader either.
    second = depth(canonical_bytes(scene))
    fractions = {
        view: {digit: sight.fraction for digit, sight in second[view].items()}
        for view in VIEWS
    }
    truth = truth_of(scene, depth=fractions)
    problems = (*problems_of(scene, truth), *_disagreements(scene, truth, second))
    return Check(scene, truth, second, problems)


def check_scenes(scenes: Iterable[Scene]) -> Iterator[Check]:
    """Check several scenes in one window, which is faster.

    Raises:
        UserError: OpenGL cannot draw here.
    """
    with DepthWindow() as window:
        for scene in scenes:
            yield check_scene(scene, lambda data: depth_fractions(data, window))


def disagree(first: Sight, second: Witnessed) -> bool:
    """Tell whether the witnesses' fractions differ by more than METHOD allows."""
    if first.fraction is None or second.fraction is None:
        # None is "outside the picture": a witness that alone says so disagrees.
        return first.fraction is not second.fraction
    # One pixel of a small block is a large step in its fraction.
    small = min(first.alone_px, second.alone_px) < SMALL_PX
    limit = SMALL_TOLERANCE if small else TOLERANCE
    return abs(first.fraction - second.fraction) > limit


def to_json(check: Check) -> dict[str, Any]:
    """Return a check as `scene check --json` prints it (INTERFACES)."""
    truth = check.truth
    return {
        "name": check.scene.name,
        "witnesses": {
            "analytic": _fractions(truth.sights),
            "depth": _fractions(check.depth),
        },
        "sees": {view: list(truth.sees[view]) for view in VIEWS},
        "states": {view: _by_text(truth.states[view]) for view in VIEWS},
        "key": {
            "hidden": truth.key.hidden,
            "director_view": truth.key.director_view,
            "model_view": truth.key.model_view,
        },
        "apparent_size": {
            **{
                view: {str(d): a.area for d, a in truth.apparent[view].items()}
                for view in VIEWS
            },
            "confound": truth.confound,
        },
        "problems": [
            {
                "code": problem.code,
                "message": problem.message,
                "where": problem.where,
                "digits": list(problem.digits),
                "blocks_stimulus": problem.blocks_stimulus,
            }
            for problem in check.problems
        ],
    }


def _disagreements(
    scene: Scene, truth: Truth, second: DepthSights
) -> Iterator[Problem]:
    for view in VIEWS:
        for i, digit in enumerate(scene.digits):
            first, other = truth.sights[view][digit], second[view][digit]
            if disagree(first, other):
                text = (
                    f"the two witnesses disagree about block {digit} in "
                    f"{who(view)}'s view: {_exact(first.fraction)} by geometry, "
                    f"{_exact(other.fraction)} by the depth buffer; move the block a "
                    f"little, and report it if this stays"
                )
                yield Problem("witnesses_disagree", text, f"blocks[{i}]", (digit,))


def _exact(fraction: float | None) -> str:
    return percent(None) if fraction is None else f"{fraction:.4f}"


def _fractions(
    views: Mapping[ViewName, Mapping[int, Sight]] | DepthSights,
) -> dict[str, dict[str, float | None]]:
    return {
        view: {str(digit): sight.fraction for digit, sight in sights.items()}
        for view, sights in views.items()
    }


def _by_text(values: Mapping[int, str]) -> dict[str, str]:
    return {str(key): value for key, value in values.items()}
