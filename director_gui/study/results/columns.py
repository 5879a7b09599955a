"""A run's scored replies in columns of small numbers, alike ones in one row."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

import numpy as np
import numpy.typing as npt

from director_gui.families.tallies import Features
from director_gui.scoring.score import STATUSES, Kind
from director_gui.stats.replies import Replies, tally

IntArray = npt.NDArray[np.int32]
SmallArray = npt.NDArray[np.int8]
BoolArray = npt.NDArray[np.bool_]
Outcome = Literal["hidden_choice", "report_correct", "joint"]
Given = Literal["", "correct", "leaves_out"]
Cube = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

KINDS: tuple[Kind, ...] = (
    "hidden",
    "director_view",
    "largest_digit",
    "other_visible",
    "unseen",
    "not_a_block",
)
# The order is stored in counts: see `outcome.basis_of` before adding to it.
ENDINGS = (*STATUSES, "open")
ANSWERED, OPEN = ENDINGS.index("answered"), ENDINGS.index("open")
NOTHING = -1  # no value: not asked for, or not answered


@dataclass(frozen=True, slots=True)
class SceneFact:
    """What is known of a scene of the run.

    Attributes:
        hash: Of its canonical JSON.
        name: As its author calls it.
        digits: Its digits.
        hidden: The hidden block's digit; None with none or several.
        director_view: The director-view block's digit.
        sees: The digits that the director sees.
        features: What filters go by.
    """

    hash: str
    name: str
    digits: tuple[int, ...]
    hidden: int | None
    director_view: int | None
    sees: tuple[int, ...]
    features: Features


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Every call of a run, alike ones in one row; each array has the shape (rows,).

    Tables need sums over calls and nothing of a single one, so a million replies come
    down to a few rows for each arm and scene.

    Attributes:
        models: Profile names; `model` holds places in it, and so on below.
        conditions: Condition names.
        batches: Batch names.
        scenes: Scene hashes in string order.
        model: Place in `models`.
        condition: Place in `conditions`.
        batch: Place in `batches`.
        scene: Place in `scenes`.
        status: Place in `ENDINGS`.
        hidden: 1 for a hidden choice, 0 for another, `NOTHING` without one.
        correct: 1 for an exactly right report, 0, or `NOTHING`.
        leaves_out: 1 when the report leaves the hidden block out, 0, or `NOTHING`.
        kind: Place in `KINDS`, or `NOTHING`.
        n: How many calls the row stands for, 1 or more.
        facts: What is known of each scene, by hash.
        corrected: How many replies a person scored otherwise than the rules.
        automatic: Whether they count by the rules all the same.
    """

    models: tuple[str, ...]
    conditions: tuple[str, ...]
    batches: tuple[str, ...]
    scenes: tuple[str, ...]
    model: IntArray
    condition: IntArray
    batch: IntArray
    scene: IntArray
    status: SmallArray
    hidden: SmallArray
    correct: SmallArray
    leaves_out: SmallArray
    kind: SmallArray
    n: IntArray
    facts: Mapping[str, SceneFact]
    corrected: int = 0
    automatic: bool = False
    # Counts that were made once: every arm's table is a slice of them.
    _endings: list[npt.NDArray[np.int64]] = field(
        init=False, default_factory=list, repr=False
    )
    _cubes: dict[tuple[Outcome, Given], Cube] = field(
        init=False, default_factory=dict, repr=False
    )

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return int(self.n.sum())

    @property
    def open_calls(self) -> int:
        """How many calls have not ended yet."""
        return self.ended()["open"]

    def ended(self) -> dict[str, int]:
        """Return how many calls ended how, every ending named."""
        counts = self.endings().sum(axis=(0, 1, 2))
        return {name: int(n) for name, n in zip(ENDINGS, counts, strict=True)}

    def outcome(self, name: Outcome) -> SmallArray:
        """Return 1, 0 or `NOTHING` per row: what a rate counts."""
        if name == "hidden_choice":
            return self.hidden
        if name == "report_correct":
            return self.correct
        # A reply that lacks either leaves the joint rate (METHOD §5.9) and is not a 0.
        both = (self.hidden == 1) & (self.correct == 1)
        known = (self.hidden != NOTHING) & (self.correct != NOTHING)
        return np.where(known, both, NOTHING).astype(np.int8)

    def kept(self, scenes: Sequence[str]) -> "Columns":
        """Return the calls of some scenes alone."""
        # Scenes keep their places, so an index means the same before and after a
        # filter.
        wanted = np.isin(np.array(self.scenes, dtype=object), np.array(scenes, object))
        keep = wanted[self.scene] if len(self.n) else np.zeros(0, np.bool_)
        names = ("model", "condition", "batch", "scene", "n", "status")
        scored = ("hidden", "correct", "leaves_out", "kind")
        cut = {name: getattr(self, name)[keep] for name in (*names, *scored)}
        # `replace` begins the two memories anew, as they are not of `init`.
        return replace(self, **cut)

    def replies(
        self, name: Outcome, model: int, batch: int, given: Given = ""
    ) -> Replies:
        """Return the table that estimates of one model and batch are made of.

        Args:
            name: What counts as an event.
            model: Place in `models`.
            batch: Place in `batches`.
            given: Only replies count that have a 1 there; all when empty.
        """
        answered, events = (c[model, batch] for c in self._cube(name, given))
        # Conditions with calls but no answers stay: their silence is to be reported.
        present = self.endings()[model, batch].any(axis=1)
        # String order, as `Replies.of` has it, so both ways give one table.
        places = [at for at in np.argsort(self.conditions) if present[at]]
        found = {self.conditions[at]: tally(events[at], answered[at]) for at in places}
        here, nowhere = frozenset({self.batches[batch]}), frozenset[str]()
        batches = {n: here if one.n else nowhere for n, one in found.items()}
        return Replies(self.scenes, MappingProxyType(found), batches)

    def endings(self) -> npt.NDArray[np.int64]:
        """Return how calls ended, shape (models, batches, conditions, endings)."""
        if not self._endings:
            self._endings.append(self.count(self.status, len(ENDINGS)))
        return self._endings[0]

    def count(
        self, values: IntArray | SmallArray, width: int, which: BoolArray | None = None
    ) -> npt.NDArray[np.int64]:
        """Count calls per arm and value, shape (models, batches, conditions, width).

        Args:
            values: One per row, 0 or more and below `width`.
            width: How many values there are.
            which: The rows that count; all without it.
        """
        sizes = (len(self.models), len(self.batches), len(self.conditions))
        # Widened first: the product of all sizes may pass 32 bits.
        arm = (self.model.astype(np.int64) * sizes[1] + self.batch) * sizes[2]
        flat = (arm + self.condition) * width + values
        n = self.n if which is None else self.n[which]
        flat = flat if which is None else flat[which]
        # Sums of whole numbers, exact in floats far beyond any number of replies.
        counts = np.bincount(flat, n, minlength=int(np.prod(sizes)) * width)
        return counts.astype(np.int64).reshape(*sizes, width)

    def _cube(self, name: Outcome, given: Given) -> Cube:
        """Return answered replies and events by model, batch, condition and scene."""
        if (name, given) not in self._cubes:
            y = self.outcome(name)
            counted = (y != NOTHING) & (self.status == ANSWERED)
            if given:
                counted &= getattr(self, given) == 1
            width = len(self.scenes)
            self._cubes[name, given] = (
                self.count(self.scene, width, counted),
                self.count(self.scene, width, counted & (y == 1)),
            )
        return self._cubes[name, given]
