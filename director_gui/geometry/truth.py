"""What is true of a scene: who sees what, the answer key, apparent size.

METHOD §2 holds the verdicts. A block's state is one of five, and ``sees`` lists
exactly the digits whose state is "sees": a block that the picture's edge cuts has a
state of its own, so it is neither seen nor hidden, and `problems` reports it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from director_gui.geometry.visibility import Sight, sights_of
from director_gui.scene.model import VIEWS, Block, Scene, ViewName

State = Literal["sees", "hidden", "ambiguous", "cut", "out_of_frame"]
Fractions = Mapping[ViewName, Mapping[int, float | None]]

SEES_FROM = 0.25  # visible fraction
CUT_FROM = 0.01  # share of the projected area outside the picture


@dataclass(frozen=True, slots=True)
class Key:
    """The answer key; each is a digit, or None where there is no such block.

    Attributes:
        hidden: The one block that the director cannot see; None with none or several.
        director_view: The block that fits the request among those the director sees.
        model_view: The block that fits the request among those the model sees.
    """

    hidden: int | None
    director_view: int | None
    model_view: int | None


@dataclass(frozen=True, slots=True)
class Apparent:
    """How large a block looks in a view.

    Attributes:
        area: Its visible area as a fraction (0-1) of the picture.
        rank: 1 for the block that looks largest; equal areas share a rank.
    """

    area: float
    rank: int


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything that geometry says about a scene, by view and digit.

    Attributes:
        sights: Pixels, fractions and areas.
        states: The verdicts.
        sees: The digits whose state is "sees", ascending.
        key: The answer key.
        apparent: Visible areas and their ranks.
        confound: Another block than the director-view block looks like the one asked
            for, among those that the director sees (METHOD "Apparent size").
    """

    sights: Mapping[ViewName, Mapping[int, Sight]]
    states: Mapping[ViewName, Mapping[int, State]]
    sees: Mapping[ViewName, tuple[int, ...]]
    key: Key
    apparent: Mapping[ViewName, Mapping[int, Apparent]]
    confound: bool

    def in_state(self, view: ViewName, state: State) -> tuple[int, ...]:
        """Return the digits that have `state` in `view`, ascending."""
        return _in_state(self.states[view], state)


def truth_of(scene: Scene, step: int = 1, depth: Fractions | None = None) -> Truth:
    """Return what is true of `scene`.

    Args:
        scene: The scene.
        step: 1 for the verdict; more is coarser and faster (`visibility.sights_of`).
        depth: The second witness's fractions by view and digit, where it has been
            asked: "hidden" then needs exactly 0 from both.
    """
    sights = {view: sights_of(scene, view, step) for view in VIEWS}
    states = {
        view: {
            digit: state_of(sight, depth[view][digit] if depth else sight.fraction)
            for digit, sight in sights[view].items()
        }
        for view in VIEWS
    }
    sees = {view: _in_state(states[view], "sees") for view in VIEWS}
    key = key_of(scene, states["director"], sees)
    return Truth(
        sights=sights,
        states=states,
        sees=sees,
        key=key,
        apparent={view: _apparent(sights[view]) for view in VIEWS},
        confound=_is_confound(scene, key, sights["director"], sees["director"]),
    )


def state_of(sight: Sight, second: float | None) -> State:
    """Return the verdict for a block from its sight and a second fraction.

    Args:
        sight: What the analytic witness found.
        second: The fraction of the second witness, or the same one again.
    """
    # The edge comes first: what the picture cuts must not pass for hidden.
    if sight.fraction is None:
        return "out_of_frame"
    if sight.outside > CUT_FROM:
        return "cut"
    if sight.fraction >= SEES_FROM:
        return "sees"
    return "hidden" if sight.visible_px == 0 and second == 0 else "ambiguous"


def key_of(
    scene: Scene,
    director: Mapping[int, State],
    sees: Mapping[ViewName, Iterable[int]],
) -> Key:
    """Return the answer key from the director's states and what each view sees."""
    hidden = _in_state(director, "hidden")
    return Key(
        hidden=hidden[0] if len(hidden) == 1 else None,
        director_view=fitting(scene, sees["director"]),
        model_view=fitting(scene, sees["model"]),
    )


def fitting(scene: Scene, digits: Iterable[int]) -> int | None:
    """Return the digit of the block that fits the request among `digits`.

    Of blocks with the same edge the smaller digit counts, so that a key is always
    well defined; `problems` reports such sizes. None when `digits` is empty.
    """
    sign = -1 if scene.request.extreme == "largest" else 1

    def rank(block: Block) -> tuple[float, int]:
        return (sign * block.edge, block.digit)

    blocks = [scene.block(digit) for digit in digits]
    return min(blocks, key=rank).digit if blocks else None


def _in_state(states: Mapping[int, State], state: State) -> tuple[int, ...]:
    return tuple(sorted(digit for digit, found in states.items() if found == state))


def _apparent(sights: Mapping[int, Sight]) -> dict[int, Apparent]:
    areas = {digit: sight.visible_area for digit, sight in sights.items()}
    return {
        digit: Apparent(area, 1 + sum(other > area for other in areas.values()))
        for digit, area in areas.items()
    }


def _is_confound(
    scene: Scene, key: Key, sights: Mapping[int, Sight], sees: tuple[int, ...]
) -> bool:
    if key.director_view is None:
        return False
    # Equal looks are no confound: the block asked for looks as it should.
    areas = [sights[digit].visible_area for digit in sees]
    extreme = max(areas) if scene.request.extreme == "largest" else min(areas)
    return sights[key.director_view].visible_area != extreme
