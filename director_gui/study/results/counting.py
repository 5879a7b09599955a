"""Count how a run's replies ended: each scored once, and then only counted.

Counts are kept in the study, in the transaction that says how far the replies were
read, and are believed while their basis holds: the scorer's version, the keys that
the conditions asked for and the answer keys of the scenes. Otherwise all of the run's
replies are scored anew.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from threading import Lock

from director_gui.errors import UserError
from director_gui.store.counts import CellCount, Counted, Counts, Place, places_of
from director_gui.store.database import Study
from director_gui.store.faults import StorageFullError
from director_gui.store.outcomes import (
    EndRow,
    before_first,
    call_count,
    ends_between,
    last_attempt,
)
from director_gui.study.results.columns import SceneFact
from director_gui.study.results.facts import SceneFacts, Told, silent
from director_gui.study.results.outcome import Keys, basis_of, outcome_of, score_with
from director_gui.study.scored import keys_of

CHUNK = 10_000  # attempts read at a time, and at most lost when the user cancels
_CALLS = 100_000  # calls read at a time
MOST_BESIDE = 20_000  # attempts that are counted without anybody waiting for it
_REMEMBERED = 20_000  # outcomes of equal short replies
_SHORT = 300  # characters of a reply that is worth remembering


class Counting:
    """Counts the replies of one study; several threads may ask at once."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._counts = Counts(study)
        self._facts = SceneFacts(study)
        self._lock = Lock()

    def facts(self, hashes: set[str], tell: Told = silent) -> dict[str, SceneFact]:
        """Return what is known of some scenes by hash, in string order.

        Raises:
            UserError: The study does not hold one.
        """
        with self._lock:
            return self._facts.of(hashes, tell)

    def cells(self, run: str, tell: Told = silent) -> list[CellCount]:
        """Return the counts of a run's replies as they are stored now.

        Args:
            run: The run's id.
            tell: Told what share (0-1) of the calls was counted; what it raises
                stops the work, and what was counted by then stays.

        Raises:
            UserError: The study is damaged, or holds no such condition or scene.
        """
        # Two jobs may ask at once; the second finds what the first has counted.
        with self._lock:
            try:
                return self._cells(run, tell)
            except StorageFullError:
                self._counts.leave_the_file()
                return self._cells(run, tell)

    def keeping_up(self, run: str) -> Callable[[], None]:
        """Return what counts a run's new replies, to be called now and then.

        It leaves a long backlog, as of a run that an older program stored, to
        somebody who can show progress.
        """

        def count() -> None:
            found = self._counts.of_run(run)
            read = found.until if found else before_first(self._study, run)
            if last_attempt(self._study) - read <= MOST_BESIDE:
                self.cells(run)

        return count

    def _cells(self, run: str, tell: Told) -> list[CellCount]:
        counted, cells = self._believed(run, tell)
        while not self._whole(counted, cells):
            self._read_on(counted, cells, tell)
            # Others may have counted meanwhile, or forgotten what was counted.
            now = self._counts.of_run(run)
            if now is not None and now.id == counted.id:
                counted, cells = now, self._counts.cells(now)
            else:
                counted, cells = self._believed(run, tell)
        return cells

    def _whole(self, counted: Counted, cells: Iterable[CellCount]) -> bool:
        """Tell whether no reply is left to count."""
        # Most runs have ended, and then other runs' attempts need no look.
        ended = sum(cell.n for cell in cells) == counted.calls
        return ended or counted.until == last_attempt(self._study)

    def _believed(self, run: str, tell: Told) -> tuple[Counted, list[CellCount]]:
        found = self._counts.of_run(run)
        if found is not None and self._may_hold(found):
            cells = self._counts.cells(found)
            basis = self._basis({cell.place for cell in cells}, tell)
            if found.basis == basis and _fit(cells):
                return found, cells
        begun = self._begun(run, tell)
        return begun, self._counts.cells(begun)

    def _may_hold(self, found: Counted) -> bool:
        """Tell whether the calls and the attempts still are those that were counted."""
        as_many = found.calls == call_count(self._study, found.run)
        return as_many and found.until <= last_attempt(self._study)

    def _basis(self, counted: Iterable[Place], tell: Told) -> str:
        """Return the basis that counts have now; empty when they are of nothing."""
        try:
            return basis_of(*self._known(counted, tell))
        except UserError:
            return ""  # a condition or a scene that the study does not hold

    def _begun(self, run: str, tell: Told) -> Counted:
        places, total = Counter[Place](), call_count(self._study, run)
        for start in range(0, total, _CALLS):
            places += places_of(self._study, run, start, start + _CALLS)
            done = min(start + _CALLS, total)
            tell(done / total, f"{done:,} calls read")
        basis = basis_of(*self._known(places, tell))
        return self._counts.begin(run, basis, before_first(self._study, run), places)

    def _known(
        self, places: Iterable[Place], tell: Told
    ) -> tuple[dict[str, Keys], dict[str, SceneFact]]:
        used = list(places)
        keys = keys_of(self._study, {place[3] for place in used})
        facts = self._facts.of({place[4] for place in used}, tell)
        return dict(keys), facts

    def _read_on(self, counted: Counted, cells: list[CellCount], tell: Told) -> None:
        ids = {cell.place: cell.cell for cell in cells}
        scorer = _Scorer(*self._known(ids, tell))
        done, last = sum(cell.n for cell in cells), last_attempt(self._study)
        while counted.until < last:
            until = min(counted.until + CHUNK, last)
            rows = ends_between(self._study, counted.run, counted.until, until)
            found = Counter((ids[row[:5]], scorer.code(row)) for row in rows)
            if not self._counts.add(counted, until, found):
                return  # somebody else counts too; ask what stands there now
            counted = counted._replace(until=until)
            done += len(rows)
            tell(min(done / counted.calls, 1.0), f"{done:,} replies scored")


def _fit(cells: Iterable[CellCount]) -> bool:
    """Tell whether no cell holds more ends than calls, as in a file meddled with."""
    ended: Counter[int] = Counter()
    for cell in cells:
        ended[cell.cell] += cell.n
    return all(0 <= ended[cell.cell] <= cell.calls for cell in cells)


class _Scorer:
    """Scores replies of one run, equal short ones once."""

    def __init__(self, keys: dict[str, Keys], facts: dict[str, SceneFact]) -> None:
        self._keys, self._facts = keys, facts
        self._seen: dict[tuple[object, ...], int] = {}

    def code(self, row: EndRow) -> int:
        """Return the number of a reply's outcome."""
        *_, version, scene, replied, finish, text, first = row
        said = text if replied else None
        named = (version, scene, said, first, finish)
        known = self._seen.get(named)
        if known is not None:
            return known
        fact = self._facts[scene]
        found = score_with(fact, self._keys[version], said, first, finish)
        code = outcome_of(fact, found).code
        short = len(text) + len(first or "") <= _SHORT
        if short and len(self._seen) < _REMEMBERED:
            self._seen[named] = code
        return code
