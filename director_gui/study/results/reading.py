"""Read a run into columns, from the counts of its replies."""

from dataclasses import replace

import numpy as np

from director_gui.store.counts import CellCount
from director_gui.store.database import Study
from director_gui.study.results.columns import Columns, IntArray, SceneFact
from director_gui.study.results.counting import Counting
from director_gui.study.results.facts import Told, silent
from director_gui.study.results.mending import mended_cells
from director_gui.study.results.outcome import NO_REPLY, decoded


class ReplyCache:
    """The scored replies of one study, as counts.

    Replies that were counted before are not read again: the counts are in the study.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._counting = Counting(study)

    def columns(
        self, run_id: str, tell: Told = silent, *, automatic: bool = False
    ) -> Columns:
        """Return a run's calls with their scores as they are stored now.

        Args:
            run_id: The run.
            tell: Told what share (0-1) of the calls was counted.
            automatic: Leave corrections by hand aside, and only count them.

        Raises:
            UserError: The study is damaged, or holds no such condition or scene.
        """
        cells = self._counting.cells(run_id, tell)
        facts = self._counting.facts({cell.place[4] for cell in cells}, tell)
        # Also for automatic scores, as the note says how many were left aside.
        mended, corrected = mended_cells(self._study, run_id, cells, facts)
        found = columns_of(cells if automatic else mended, facts, corrected)
        return replace(found, automatic=automatic)

    def facts(self, hashes: set[str]) -> dict[str, SceneFact]:
        """Return what is known of some scenes.

        Raises:
            UserError: The study does not hold one.
        """
        return self._counting.facts(hashes)


def columns_of(
    cells: list[CellCount], facts: dict[str, SceneFact], corrected: int
) -> Columns:
    """Return counts in columns; calls that have not ended are rows of their own.

    Args:
        cells: The counts of a run, those of a cell one after another.
        facts: What is known of each of its scenes, by hash.
        corrected: How many replies a person scored otherwise.
    """
    ended = [cell for cell in cells if cell.outcome is not None]
    open_ones = _open(cells)
    every = [*ended, *open_ones]
    codes = [cell.outcome for cell in ended] + [NO_REPLY.code] * len(open_ones)
    status, hidden, correct, leaves_out, kind = decoded(np.array(codes, np.int64))
    # The order of calls is shuffled, so it is no order to show things in.
    models, model = _coded([cell.place[0] for cell in every])
    batches, batch = _coded([cell.place[1] for cell in every])
    conditions, condition = _coded([cell.place[2] for cell in every])
    scenes, scene = _coded([cell.place[4] for cell in every])
    return Columns(
        models=models, conditions=conditions, batches=batches, scenes=scenes,
        model=model, condition=condition, batch=batch, scene=scene,
        status=status, hidden=hidden, correct=correct, leaves_out=leaves_out,
        kind=kind, n=np.array([cell.n for cell in every], np.int32),
        facts={name: facts[name] for name in scenes}, corrected=corrected,
    )  # fmt: skip


def _open(cells: list[CellCount]) -> list[CellCount]:
    """Return one row for the calls of each cell that have not ended."""
    first: dict[int, CellCount] = {}
    left: dict[int, int] = {}
    for cell in cells:
        first.setdefault(cell.cell, cell)
        left[cell.cell] = left.get(cell.cell, cell.calls) - cell.n
    # The outcome of these rows is not read; `columns_of` gives them NO_REPLY.
    return [first[at]._replace(n=n) for at, n in left.items() if n]


def _coded(values: list[str]) -> tuple[tuple[str, ...], IntArray]:
    names = tuple(sorted(set(values)))
    at = {value: place for place, value in enumerate(names)}
    places = np.fromiter(map(at.__getitem__, values), np.int32, len(values))
    return names, places
