"""Scores corrected by hand, in place of the automatic ones among a run's counts.

The automatic scores stay stored and can be asked for; what is shown and exported
counts what a person read, and says of how many replies.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from director_gui.store.attempts import attempts_of, reply_of
from director_gui.store.corrections import Correction, current_corrections
from director_gui.store.counts import CellCount, Place
from director_gui.store.database import Study
from director_gui.store.runs import planned_call
from director_gui.study.correcting import score_given
from director_gui.study.results.columns import SceneFact
from director_gui.study.results.outcome import Keys, outcome_of, score_with
from director_gui.study.scored import keys_of

Move = tuple[Place, int, int]  # of which cell, from which outcome, to which


class Mended(NamedTuple):
    """Counts with corrections laid over them.

    Attributes:
        cells: The counts, those of a cell one after another.
        corrected: How many replies count by a correction: one that was taken back,
            or came before the reply, is none.
    """

    cells: list[CellCount]
    corrected: int


def mended_cells(
    study: Study, run_id: str, cells: list[CellCount], facts: Mapping[str, SceneFact]
) -> Mended:
    """Return a run's counts with each corrected reply where its correction puts it.

    Args:
        study: The study.
        run_id: The run.
        cells: The counts of its automatic scores, those of a cell one after another.
        facts: What is known of each of its scenes, by hash.

    Raises:
        UserError: The study is damaged.
    """
    given = current_corrections(study, run_id)
    if not given:
        return Mended(cells, 0)
    keys = keys_of(study, {cell.place[3] for cell in cells})
    left: dict[Place, Counter[int]] = {cell.place: Counter() for cell in cells}
    for cell in cells:
        if cell.outcome is not None:
            left[cell.place][cell.outcome] += cell.n
    corrected = 0
    for place, before, after in _moves(study, given, keys, facts):
        # A reply that was corrected before it was counted has nothing to move yet.
        if left.get(place, Counter())[before]:
            left[place][before] -= 1
            left[place][after] += 1
            corrected += 1
    return Mended(list(_rebuilt(cells, left)), corrected)


def _moves(
    study: Study,
    given: Mapping[str, Correction],
    keys: Mapping[str, Keys],
    facts: Mapping[str, SceneFact],
) -> Iterator[Move]:
    for call_id, one in given.items():
        call = planned_call(study, call_id).call
        reply = reply_of(call, attempts_of(study, call_id))
        if reply.status == "open" or call.scene not in facts:
            continue
        fact, asked = facts[call.scene], keys[call.condition_hash]
        # The text of a failed attempt is an error's, not the model's.
        text = reply.text if reply.status == "reply" else None
        finish = reply.last.finish_reason if reply.last else None
        found = score_with(fact, asked, text, reply.turn1_text, finish)
        if one.score == found.value():
            continue  # taken back
        right = score_given(one.score, fact.hidden, fact.sees)
        place = (
            call.profile,
            call.batch,
            call.condition,
            call.condition_hash,
            call.scene,
        )
        yield place, outcome_of(fact, found).code, outcome_of(fact, right).code


def _rebuilt(
    cells: list[CellCount], left: Mapping[Place, Counter[int]]
) -> Iterator[CellCount]:
    # Reversed, so that the dict keeps each cell's first row.
    for first in {cell.place: cell for cell in reversed(cells)}.values():
        counts = [(code, n) for code, n in sorted(left[first.place].items()) if n]
        for code, n in counts:
            yield first._replace(outcome=code, n=n)
        # A cell without ends still holds its open calls, which the tables must show.
        if not counts:
            yield first._replace(outcome=None, n=0)
