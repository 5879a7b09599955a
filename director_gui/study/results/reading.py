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
    IntArray,
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
        at: Place of each call.
        asked: Condition version and scene of each call.
        names: The labels of models, conditions, batches and scenes, each sorted.
        places: The place of each call's label in `names`.
        keys: The JSON keys that each condition version asked for, turn by turn.
        scores: Five small numbers per call, shape (calls, 5).
        first_turns: Turn-1 texts of calls whose second turn is still open.
        last: Id of the last attempt that was read.
    """

    at: dict[str, int]
    asked: list[tuple[str, str]]
    names: tuple[tuple[str, ...], ...]
    places: tuple[IntArray, ...]
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

    def calls(self, run_id: str) -> frozenset[str]:
        """Return the ids of a run's calls; of one that was read."""
        return frozenset(self._runs[run_id].at)

    def facts(self, hashes: set[str]) -> dict[str, SceneFact]:
        """Return what is known of some scenes.

        Raises:
            UserError: The study does not hold one.
        """
        with self._lock:
            self._learn(hashes, silent)
            return {found: self._facts[found] for found in sorted(hashes)}

    def _begin(self, run_id: str, tell: Told) -> _Run:
        rows = call_rows(self._study, run_id)
        ids, profiles, conditions, versions, batches, scenes = _turned(rows)
        keys = dict(keys_of(self._study, set(versions)))
        self._learn(set(scenes), tell)
        scores = np.full((len(rows), 5), NOTHING, dtype=np.int8)
        scores[:, 0] = OPEN
        coded = [_coded(values) for values in (profiles, conditions, batches, scenes)]
        run = _Run(
            at={call: place for place, call in enumerate(ids)},
            asked=list(zip(versions, scenes, strict=True)),
            names=tuple(names for names, _ in coded),
            places=tuple(places for _, places in coded),
            keys=keys,
            scores=scores,
        )
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
        places, scores = [], []
        for number, call, turn, turns, outcome, finish, text in rows:
            run.last = number
            place = run.at.get(call)
            if place is None:
                continue  # another run's
            if outcome == "reply" and turn < turns:
                run.first_turns[place] = text
                continue
            first = run.first_turns.pop(place, None) if turns > 1 else None
            said = text if outcome == "reply" else None
            places.append(place)
            scores.append(self._score(run, place, said, first, finish))
        # At once: numpy takes longer over one row than scoring does.
        if places:
            run.scores[places] = scores

    def _score(
        self,
        run: _Run,
        place: int,
        text: str | None,
        first: str | None,
        finish_reason: str | None,
    ) -> Encoded:
        version, scene = asked = run.asked[place]
        named = (asked, text, first, finish_reason)
        known = self._known.get(named)
        if known is not None:
            return known
        fact = self._facts[scene]
        found = encoded(
            fact, score_with(fact, run.keys[version], text, first, finish_reason)
        )
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


def _turned(rows: list[CallRow]) -> tuple[tuple[str, ...], ...]:
    return tuple(zip(*rows, strict=True)) if rows else ((),) * 6


def _coded(values: tuple[str, ...]) -> tuple[tuple[str, ...], IntArray]:
    # The order of calls is shuffled, so it is no order to show things in.
    names = tuple(sorted(set(values)))
    at = {value: place for place, value in enumerate(names)}
    places = np.fromiter(map(at.__getitem__, values), np.int32, len(values))
    return names, places


def _columns(run: _Run, facts: dict[str, SceneFact], corrected: int) -> Columns:
    models, conditions, batches, scenes = run.names
    model, condition, batch, scene = run.places
    # A copy: reading on must not change what somebody holds.
    status, hidden, correct, leaves_out, kind = np.array(run.scores.T, order="C")
    return Columns(
        models=models, conditions=conditions, batches=batches, scenes=scenes,
        model=model, condition=condition, batch=batch, scene=scene,
        status=status, hidden=hidden, correct=correct, leaves_out=leaves_out,
        kind=kind, facts={name: facts[name] for name in scenes}, corrected=corrected,
    )  # fmt: skip
