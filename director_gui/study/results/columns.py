"""A run's scored replies in columns: one small number per reply and fact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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

KINDS: tuple[Kind, ...] = (
    "hidden",
    "director_view",
    "largest_digit",
    "other_visible",
    "unseen",
    "not_a_block",
)
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
    """Every call of a run, one entry in each array, shape (calls,).

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
        facts: What is known of each scene, by hash.
        corrected: How many calls carry a correction by hand.
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
    facts: Mapping[str, SceneFact]
    corrected: int = 0

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return len(self.status)

    @property
    def open_calls(self) -> int:
        """How many calls have not ended yet."""
        return int(np.count_nonzero(self.status == OPEN))

    def outcome(self, name: Outcome) -> SmallArray:
        """Return 1, 0 or `NOTHING` per call: what a rate counts."""
        if name == "hidden_choice":
            return self.hidden
        if name == "report_correct":
            return self.correct
        both = (self.hidden == 1) & (self.correct == 1)
        known = (self.hidden != NOTHING) & (self.correct != NOTHING)
        return np.where(known, both, NOTHING).astype(np.int8)

    def where(self, model: int, batch: int | None = None) -> BoolArray:
        """Return which calls are of a model and, where given, of a batch."""
        found: BoolArray = self.model == model
        return found if batch is None else found & (self.batch == batch)

    def kept(self, scenes: Sequence[str]) -> "Columns":
        """Return the calls of some scenes alone."""
        wanted = np.isin(np.array(self.scenes, dtype=object), np.array(scenes, object))
        keep = wanted[self.scene] if self.calls else np.zeros(0, np.bool_)
        names = ("model", "condition", "batch", "scene", "status")
        scored = ("hidden", "correct", "leaves_out", "kind")
        cut = {name: getattr(self, name)[keep] for name in (*names, *scored)}
        return replace(self, **cut)

    def replies(
        self, name: Outcome, which: BoolArray, extra: BoolArray | None = None
    ) -> Replies:
        """Return the table that estimates are made of.

        Args:
            name: What counts as an event.
            which: The calls that belong to it, shape (calls,).
            extra: Calls whose outcome counts; others are as if unanswered.
        """
        y = self.outcome(name)
        counted = which & (y != NOTHING) & (self.status == ANSWERED)
        if extra is not None:
            counted = counted & extra
        shape = (len(self.conditions), len(self.scenes))
        answered = self._counts(counted, shape)
        events = self._counts(counted & (y == 1), shape)
        present = np.unique(self.condition[which])
        order = sorted(present, key=lambda at: self.conditions[at])
        tallies = {self.conditions[at]: tally(events[at], answered[at]) for at in order}
        batches = {
            self.conditions[at]: frozenset(
                self.batches[b]
                for b in np.unique(self.batch[counted & (self.condition == at)])
            )
            for at in order
        }
        return Replies(
            self.scenes, MappingProxyType(tallies), MappingProxyType(batches)
        )

    def _counts(
        self, which: BoolArray, shape: tuple[int, int]
    ) -> npt.NDArray[np.int64]:
        rows, width = self.condition[which].astype(np.int64), shape[1]
        flat = rows * width + self.scene[which]
        return np.bincount(flat, minlength=shape[0] * width).reshape(shape)
