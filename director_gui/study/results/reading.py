"""Read a run into columns; scores are computed anew, and kept in memory alone."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from director_gui.families.tallies import features_of
from director_gui.geometry.truth import truth_of
from director_gui.scoring.score import Score, choice_kind, score_reply
from director_gui.store.corrections import current_corrections
from director_gui.store.database import Study
from director_gui.store.outcomes import (
    AnswerRow,
    CallRow,
    answers_after,
    call_count,
    call_rows,
)
from director_gui.store.sets import sets
from director_gui.study.results.columns import (
    ENDINGS,
    KINDS,
    NOTHING,
    OPEN,
    Columns,
    SceneFact,
)
from director_gui.study.scored import keys_of
from director_gui.study.set_tallies import every_scene, features_in, key_in
from director_gui.study.stimuli import scene_in

Told = Callable[[float, str], None]
Keys = tuple[tuple[str, ...], ...]
Encoded = tuple[int, int, int, int, int]  # status, hidden, correct, leaves out, kind
_REMEMBERED = 200_000  # scores of equal short replies
_SHORT = 300  # characters of a reply that is worth remembering
_SILENT: Encoded = (OPEN, NOTHING, NOTHING, NOTHING, NOTHING)


def silent(_share: float, _text: str) -> None:
    """Tell nobody."""


@dataclass(slots=True, eq=False)
class _Run:
    """One run as far as it was read.

    Attributes:
        calls: Its calls, in order.
        at: Place of each call.
        keys: The JSON keys that each condition version asked for, turn by turn.
        scores: Five small numbers per call, shape (calls, 5).
        first_turns: Turn-1 texts of calls whose second turn is still open.
        last: Id of the last attempt that was read.
    """

    calls: list[CallRow]
    at: dict[str, int]
    keys: dict[str, Keys]
    scores: np.ndarray[tuple[int, int], np.dtype[np.int8]]
    first_turns: dict[int, str] = field(default_factory=dict)
    last: int = 0


class ReplyCache:
    """The scored replies of one study.

    Attempts are only ever added, so a run is read once and then read on: asking again
    costs what came in since. Nothing is written anywhere.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._runs: dict[str, _Run] = {}
        self._facts: dict[str, SceneFact] = {}
        self._known: dict[tuple[object, ...], Encoded] = {}
        self._lock = Lock()

    def columns(self, run_id: str, tell: Told = silent) -> Columns:
        """Return a run's calls with their scores as they are stored now.

        Raises:
            UserError: The study is damaged, or holds no such condition or scene.
        """
        # Two jobs may ask at once; the second finds what the first has read.
        with self._lock:
            run = self._runs.get(run_id) or self._begin(run_id, tell)
            total = max(call_count(self._study, run_id), 1)
            done = 0
            for rows in answers_after(self._study, run_id, run.last):
                self._read(run, rows)
                done += len(rows)
                tell(min(done / total, 1.0), f"{done:,} replies scored")
            corrected = len(current_corrections(self._study, run_id))
            return _columns(run, self._facts, corrected)

    def facts(self, hashes: set[str]) -> dict[str, SceneFact]:
        """Return what is known of some scenes.

        Raises:
            UserError: The study does not hold one.
        """
        with self._lock:
            self._learn(hashes, silent)
            return {found: self._facts[found] for found in sorted(hashes)}

    def _begin(self, run_id: str, tell: Told) -> _Run:
        calls = call_rows(self._study, run_id)
        keys = dict(keys_of(self._study, {call.version for call in calls}))
        self._learn({call.scene for call in calls}, tell)
        scores = np.full((len(calls), 5), NOTHING, dtype=np.int8)
        scores[:, 0] = OPEN
        at = {call.id: place for place, call in enumerate(calls)}
        run = _Run(calls, at, keys, scores)
        self._runs[run_id] = run
        return run

    def _learn(self, hashes: set[str], tell: Told) -> None:
        missing = hashes - self._facts.keys()
        # A sampled scene brings its facts; only others are measured again.
        self._facts |= _facts_in_sets(self._study, missing)
        measured = sorted(missing - self._facts.keys())
        for number, found in enumerate(measured, start=1):
            self._facts[found] = _measured(self._study, found)
            tell(number / len(measured), f"{number} of {len(measured)} scenes measured")

    def _read(self, run: _Run, rows: Iterable[AnswerRow]) -> None:
        for row in rows:
            place = run.at[row.call]
            if row.outcome == "reply" and row.turn < row.turns:
                run.first_turns[place] = row.text
            else:
                first = run.first_turns.pop(place, None)
                run.scores[place] = self._score(run, run.calls[place], row, first)
            run.last = row.id

    def _score(
        self, run: _Run, call: CallRow, row: AnswerRow, first: str | None
    ) -> Encoded:
        text = row.text if row.outcome == "reply" else None
        named = (call.scene, call.version, text, first, row.finish_reason)
        known = self._known.get(named)
        if known is not None:
            return known
        keys, fact = run.keys[call.version], self._facts[call.scene]
        found = encoded(fact, score_with(fact, keys, text, first, row.finish_reason))
        short = len(text or "") + len(first or "") <= _SHORT
        if short and len(self._known) < _REMEMBERED:
            self._known[named] = found
        return found


def score_with(
    fact: SceneFact,
    keys: Keys,
    text: str | None,
    first: str | None,
    finish_reason: str | None,
) -> Score:
    """Return a reply's score.

    Args:
        fact: The scene that was shown.
        keys: The JSON keys that each turn asked for.
        text: The reply; None when the call failed.
        first: The reply to turn 1 of a two-turn call.
        finish_reason: In Chat's words.
    """
    return score_reply(
        text,
        keys=keys[-1],
        finish_reason=finish_reason,
        digits=fact.digits,
        hidden=fact.hidden,
        sees=fact.sees,
        turn1_text=first,
        turn1_keys=keys[0] if len(keys) > 1 else (),
    )


def encoded(fact: SceneFact, score: Score) -> Encoded:
    """Return a score as five small numbers, in the order of `Columns`."""
    kind = NOTHING
    if score.choice is not None:
        kind = KINDS.index(
            choice_kind(
                score.choice,
                digits=fact.digits,
                hidden=fact.hidden,
                sees=fact.sees,
                director_view=fact.director_view,
            )
        )
    left = None
    if score.visible is not None and fact.hidden is not None:
        left = fact.hidden not in score.visible
    status = ENDINGS.index(score.status)
    return (
        status, _small(score.hidden_choice), _small(score.report_correct),
        _small(left), kind,
    )  # fmt: skip


def _small(value: bool | None) -> int:  # noqa: FBT001 - it is the value, no switch
    return NOTHING if value is None else int(value)


def _facts_in_sets(study: Study, wanted: set[str]) -> dict[str, SceneFact]:
    found: dict[str, SceneFact] = {}
    if not wanted:
        return found
    for stored in sets(study):
        for row in every_scene(study, stored.id):
            if row.scene in wanted and row.scene not in found:
                scene, key = scene_in(study, row.scene), key_in(row.facts)
                found[row.scene] = SceneFact(
                    row.scene, scene.name, scene.digits, key.hidden, key.director_view,
                    tuple(row.facts["sees"]["director"]), features_in(scene, row.facts),
                )  # fmt: skip
    return found


def _measured(study: Study, scene_hash: str) -> SceneFact:
    scene = scene_in(study, scene_hash)
    truth = truth_of(scene)
    return SceneFact(
        scene_hash, scene.name, scene.digits, truth.key.hidden,
        truth.key.director_view, truth.sees["director"], features_of(scene, truth),
    )  # fmt: skip


def _columns(run: _Run, facts: dict[str, SceneFact], corrected: int) -> Columns:
    names: dict[str, tuple[str, ...]] = {}
    places: dict[str, np.ndarray[tuple[int], np.dtype[np.int32]]] = {}
    for name in ("profile", "condition", "batch", "scene"):
        values = [getattr(call, name) for call in run.calls]
        # The order of calls is shuffled, so it is no order to show things in.
        names[name] = tuple(sorted(set(values)))
        at = {value: place for place, value in enumerate(names[name])}
        places[name] = np.fromiter((at[v] for v in values), np.int32, len(values))
    # A copy: reading on must not change what somebody holds.
    status, hidden, correct, leaves_out, kind = np.ascontiguousarray(run.scores.T)
    return Columns(
        models=names["profile"], conditions=names["condition"],
        batches=names["batch"], scenes=names["scene"],
        model=places["profile"], condition=places["condition"],
        batch=places["batch"], scene=places["scene"],
        status=status, hidden=hidden, correct=correct, leaves_out=leaves_out,
        kind=kind, facts={s: facts[s] for s in names["scene"]}, corrected=corrected,
    )  # fmt: skip
