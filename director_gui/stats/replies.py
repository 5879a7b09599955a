"""The table of scored replies, reduced to what every estimate is made of.

Labels of scenes and conditions are strings, verbatim: "01" is not "1". Scenes are
kept in Python's string order, so the order of rows can never change a result.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from director_gui.errors import UserError

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]


class Reply(NamedTuple):
    """One reply: `y` is 1 for the event, 0 for none, ``None`` for unanswered."""

    scene: str
    condition: str
    y: int | None
    batch: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What one condition has in each scene of the table.

    Attributes:
        events: Events k_i in each scene, shape (scenes,).
        answered: Answered replies m_i in each scene, shape (scenes,).
        present: Where m_i > 0, shape (scenes,).
        residual: k_i - m_i * share, shape (scenes,); zero without replies.
        per_scene: k_i / m_i, shape (scenes,); nan where nothing was answered.
        k: Events in all scenes.
        n: Answered replies in all scenes.
        scenes: Scenes with at least one answered reply.
        share: k / n in 0-1; 0 when nothing was answered.
        influence: residual / n, shape (scenes,).
    """

    events: FloatArray
    answered: FloatArray
    present: BoolArray
    residual: FloatArray
    per_scene: FloatArray
    k: int
    n: int
    scenes: int
    share: float
    influence: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Replies:
    """Scored replies of any number of conditions; build it with `of`.

    Attributes:
        scenes: Labels of all scenes, in string order.
        tallies: One tally a condition, in string order of the conditions.
        batches: The batches in which each condition has answered replies.
    """

    scenes: tuple[str, ...]
    tallies: Mapping[str, Tally]
    batches: Mapping[str, frozenset[str]]

    @classmethod
    # Sorting here is what makes results free of the order of rows.
    def of(cls, rows: Iterable[tuple[str, str, int | None] | Reply]) -> "Replies":
        """Return the table of `rows`: (scene, condition, y) or (…, batch).

        Raises:
            UserError: A `y` is neither 0, 1 nor ``None``.
        """
        replies = [Reply(*row) for row in rows]
        _check(replies)
        scenes = tuple(sorted({reply.scene for reply in replies}))
        names = sorted({reply.condition for reply in replies})
        events, answered = _count(replies, scenes, names)
        tallies = {
            name: tally(events[row], answered[row]) for row, name in enumerate(names)
        }
        return cls(
            scenes, MappingProxyType(tallies), MappingProxyType(_batches(replies))
        )

    @property
    def conditions(self) -> tuple[str, ...]:
        """The names of all conditions, in string order."""
        return tuple(self.tallies)

    def tally(self, condition: str) -> Tally:
        """Return a condition's tally; an empty one when it has no row."""
        # Without rows it is "no replies", a result to show; a misspelling is for
        # `require`.
        found = self.tallies.get(condition)
        zeros = np.zeros(len(self.scenes))
        return found if found is not None else tally(zeros, zeros)

    def require(self, conditions: Iterable[str]) -> None:
        """Check that each condition has rows, answered or not.

        Raises:
            UserError: One has none, which is most often a misspelt name.
        """
        for name in conditions:
            if name not in self.tallies:
                listed = ", ".join(self.conditions) or "none"
                raise UserError(
                    f"no reply has the condition {name!r}",
                    todo=f"Conditions here: {listed}",
                )


def tally(events: npt.ArrayLike, answered: npt.ArrayLike) -> Tally:
    """Return the tally of one condition from its counts, shape (scenes,) each."""
    k_i = np.array(events, dtype=np.float64)
    m_i = np.array(answered, dtype=np.float64)
    k, n = int(k_i.sum()), int(m_i.sum())
    # 0 and not nan, which would spread over the sums of other conditions.
    share = k / n if n else 0.0
    present = m_i > 0
    residual = k_i - m_i * share
    per_scene = np.divide(k_i, m_i, out=np.full(len(m_i), np.nan), where=present)
    # Kept per condition: every contrast over it sums the same array.
    influence = residual / max(n, 1)
    for array in (k_i, m_i, present, residual, per_scene, influence):
        # Frozen dataclasses do not freeze their arrays, and tallies are shared.
        array.setflags(write=False)
    scenes = int(np.count_nonzero(present))
    return Tally(k_i, m_i, present, residual, per_scene, k, n, scenes, share, influence)


def _check(replies: Iterable[Reply]) -> None:
    for number, reply in enumerate(replies, start=1):
        if reply.y not in (0, 1, None):
            raise UserError(
                f"y must be 0, 1 or nothing, found {reply.y!r}",
                where=f"reply {number}",
            )


def _count(
    replies: list[Reply], scenes: tuple[str, ...], names: list[str]
) -> tuple[FloatArray, FloatArray]:
    scene_at = {name: column for column, name in enumerate(scenes)}
    condition_at = {name: row for row, name in enumerate(names)}
    events = np.zeros((len(names), len(scenes)))
    answered = np.zeros_like(events)
    kept = [reply for reply in replies if reply.y is not None]
    rows = [condition_at[reply.condition] for reply in kept]
    columns = [scene_at[reply.scene] for reply in kept]
    # Not `+=`: that would count a scene's repeated index only once.
    np.add.at(answered, (rows, columns), 1.0)
    np.add.at(events, (rows, columns), [float(reply.y or 0) for reply in kept])
    return events, answered


def _batches(replies: Iterable[Reply]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for reply in replies:
        # A batch whose replies all failed adds nothing, so it cannot bar a comparison.
        seen = found.setdefault(reply.condition, set())
        if reply.y is not None:
            seen.add(reply.batch)
    return {name: frozenset(seen) for name, seen in found.items()}
