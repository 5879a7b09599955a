"""Does the key hold when the director's eye moves a little? METHOD §2, "Verdicts"."""

from dataclasses import replace
from itertools import product
from math import sqrt
from typing import NamedTuple

from director_gui.geometry.truth import Key, Truth, key_of, state_of
from director_gui.geometry.visibility import sights_of
from director_gui.scene.model import Point, Scene

MOVE = 0.02  # m


def _directions() -> tuple[Point, ...]:
    """Return the 6 directions along the axes and the 8 diagonals, unit vectors.

    Up and sideways come first: there a key breaks most often.
    """
    axes: list[Point] = [(0, 0, 1), (1, 0, 0), (-1, 0, 0), (0, 0, -1)]
    axes += [(0, 1, 0), (0, -1, 0)]
    third = 1 / sqrt(3)
    diagonals = [
        (x * third, y * third, z * third) for z, x, y in product((1, -1), repeat=3)
    ]
    return (*axes, *diagonals)


DIRECTIONS = _directions()


class Break(NamedTuple):
    """A move of the director's eye that changes the answers.

    Attributes:
        move: Where the eye goes, in m.
        key: The key from there.
        sees: The digits that the director sees from there.
    """

    move: Point
    key: Key
    sees: tuple[int, ...]


def find_break(scene: Scene, truth: Truth) -> Break | None:
    """Return the first move of 2 cm that changes the key or what the director sees.

    The 14 `DIRECTIONS` are tried, with the gaze still on the same point. What the
    director sees belongs to the answers, because the report is scored against it.
    """
    # One break is enough: a robust scene costs 14 views, a fragile one often 1.
    for x, y, z in DIRECTIONS:
        move = (x * MOVE, y * MOVE, z * MOVE)
        found = _after(scene, truth, move)
        if found.key != truth.key or found.sees != truth.sees["director"]:
            return found
    return None


def _after(scene: Scene, truth: Truth, move: Point) -> Break:
    ex, ey, ez = scene.director.eye
    eye = (ex + move[0], ey + move[1], ez + move[2])
    moved = replace(scene, director=replace(scene.director, eye=eye))
    # Every pixel counts: a coarse grid would miss the sliver that unhides a block.
    sights = sights_of(moved, "director")
    states = {digit: state_of(s, s.fraction) for digit, s in sights.items()}
    sees = tuple(sorted(d for d, state in states.items() if state == "sees"))
    key = key_of(moved, states, {"model": truth.sees["model"], "director": sees})
    return Break(move, key, sees)
