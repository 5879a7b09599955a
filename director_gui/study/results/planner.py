"""How many scenes a difference needs, as a sentence and a curve."""

from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.stats.display import counted, points_text
from director_gui.stats.planning import (
    Design,
    detectable_difference,
    scenes_from_pilot,
    scenes_needed,
)
from director_gui.stats.result import Comparison

# Denser where the curve bends.
_SCENES = (*range(5, 40, 5), *range(40, 200, 10), *range(200, 401, 20))


@dataclass(frozen=True, slots=True)
class Answer:
    """What a plan comes to.

    Attributes:
        text: Scenes needed and difference detectable, in words.
        curve: Scenes to the least detectable difference, 0-1; gaps left out.
        chosen: The point on the curve that was asked for: scenes and difference.
    """

    text: str
    curve: tuple[tuple[int, float], ...]
    chosen: tuple[int, float] | None


def from_rates(design: Design, difference: float, scenes: int) -> Answer:
    """Return how many scenes show `difference`, and what `scenes` can show.

    Args:
        design: The rates and correlations assumed.
        difference: Test less reference, 0-1.
        scenes: As many as are planned.

    Raises:
        UserError: The difference leaves 0-1, or there are fewer than three scenes.
    """
    # First, as its error about too few scenes is to stop everything.
    least = detectable_difference(design, scenes)
    curve = tuple(
        (count, found)
        for count in _SCENES
        if (found := detectable_difference(design, count)) is not None
    )
    needed, chosen = _needed(design, difference)
    shown = "none, not even a rise to 100 %" if least is None else _points(least)
    text = (
        f"{needed}\n{counted(scenes, 'scene')} with "
        f"{counted(design.samples, 'sample')} can show: {shown}.\n"
        "A difference counts as shown when 80 % of studies would find it at the 5 % "
        "level before correction."
    )
    return Answer(text, curve, chosen)


def from_pilot(pilot: Comparison, difference: float) -> str:
    """Return how many scenes show `difference`, going by a comparison's own error.

    Raises:
        UserError: The comparison has no standard error, or the difference is 0.
    """
    count = scenes_from_pilot(pilot, difference)
    return (
        "by the chosen comparison’s standard error over "
        f"{counted(pilot.scenes, 'scene')}, {_points(abs(difference))} need "
        f"{count:,} scenes."
    )


def _needed(design: Design, difference: float) -> tuple[str, tuple[int, float] | None]:
    try:
        count = scenes_needed(design, difference)
    # The other half of the answer is still worth showing.
    except UserError as error:
        return f"No number of scenes serves: {error}.", None
    return f"{_points(difference)} need {count:,} scenes.", (count, abs(difference))


def _points(value: float) -> str:
    return f"{points_text(value, signed=value < 0)} points"
