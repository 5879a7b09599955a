"""Making a set off the GUI thread: what is told while it goes on, and how it ends."""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from director_gui.errors import UserError
from director_gui.families.forecast import Forecast, HardFamilyError, require_feasible
from director_gui.families.judge import BLAME
from director_gui.families.model import Family
from director_gui.store.database import Study
from director_gui.study.sets import Recipe, make_set
from director_gui.ui.families.starting import start_job
from director_gui.ui.footer import left_in_words
from director_gui.ui.jobs import Job, Jobs, Progress


@dataclass(frozen=True, slots=True)
class Told:
    """How far a set is.

    Attributes:
        done: Scenes kept.
        total: Scenes in all.
        rejected: Refused candidates by reason.
        left: Seconds left, None while that is a guess.
    """

    done: int
    total: int
    rejected: Counter[str]
    left: float | None

    @property
    def words(self) -> str:
        """How far it is, in a line."""
        parts = [f"{self.done} of {self.total} scenes", left_in_words(self.left)]
        return " · ".join(part for part in parts if part)


class Sampling(QObject):
    """At most one set in the making; views follow it."""

    started = Signal()
    told = Signal(object)  # Told
    ended = Signal()  # made, cancelled or failed: what is kept stays
    failed = Signal(object)  # UserError

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self.name = ""  # the set that is being made, or was made last
        self.last: Told | None = None
        self.error: UserError | None = None
        self.cancelled = False
        # By a signal, which brings word over from the job's thread.
        self.told.connect(self._note)

    @property
    def busy(self) -> bool:
        """Whether a set is being made."""
        return self._job is not None

    def start(self, study: Study, recipe: Recipe) -> None:
        """Make a set, or what a set that was begun still lacks.

        Raises:
            UserError: Another set is being made.
        """
        if self.busy:
            raise UserError("a set is being made already", where=self.name)
        self.name, self.last, self.error = recipe.family.name, None, None
        self.cancelled = False
        work = _Work(study, recipe, self.told.emit)
        self._job = start_job(
            self._jobs,
            f"Sampling {self.name}",
            work,
            done=None,
            failed=self._failed,
            ended=self._ended,
        )
        self.started.emit()

    def cancel(self) -> None:
        """Stop at once; the scenes that are kept stay."""
        if self._job is not None:
            self.cancelled = True
            self._job.progress.cancel()

    def _note(self, told: Told) -> None:
        self.last = told

    def _failed(self, error: UserError) -> None:
        self.error = error
        self.failed.emit(error)

    def _ended(self) -> None:
        self._job = None
        self.ended.emit()


class _Work:
    """What runs in the job's thread."""

    def __init__(
        self, study: Study, recipe: Recipe, tell: Callable[[Told], None]
    ) -> None:
        self._study, self._recipe, self._tell = study, recipe, tell
        self._begun, self._first = 0.0, -1

    def __call__(self, progress: Progress) -> str:
        def report(done: int, total: int, rejected: Counter[str]) -> None:
            # A copy: the sampler goes on counting in its own.
            told = Told(done, total, Counter(rejected), self._left(done, total))
            self._tell(told)
            progress.report(done / total, f"{done} of {total} scenes")

        progress.report(0.0)
        self._begun = time.monotonic()
        stop = stopper(progress)
        return make_set(self._study, self._recipe, progress=report, stop=stop).id

    def _left(self, done: int, total: int) -> float | None:
        if self._first < 0 or done <= self._first:
            # The first scene pays for the workers' start: it says nothing of the rest.
            self._begun, self._first = time.monotonic(), done
            return None
        elapsed = time.monotonic() - self._begun
        return elapsed / (done - self._first) * (total - done)


def stopper(progress: Progress) -> Callable[[], bool]:
    """Return what a long work asks many times a second: it raises after a cancel."""

    def stop() -> bool:
        progress.check()
        return False

    return stop


def reason_rows(rejected: Counter[str]) -> list[list[str]]:
    """Return reason, count, share and what to look at, the most frequent first."""
    total = max(1, rejected.total())
    places = {str(reason): place for reason, place in BLAME.items()}
    return [
        [
            reason.replace("_", " "),
            f"{n:,}",
            _percent(n / total),
            places.get(reason, ""),
        ]
        for reason, n in rejected.most_common()
        if n
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a forecast found: words, and the candidates that were refused."""

    words: str
    rejected: Counter[str]
    hard: bool


def refusals_in(error: HardFamilyError) -> Counter[str]:
    """Return the candidates that a forecast refused, by reason."""
    return Counter({str(k): n for k, n in error.forecast.rejected.items()})


def outlook_of(family: Family, progress: Progress) -> Outlook:
    """Return how likely a family's candidates fit, within some seconds.

    Raises:
        JobCancelledError: The user asked to stop.
    """
    try:
        found = require_feasible(family, stop=stopper(progress))
    except HardFamilyError as error:
        words = f"{error.what}. {error.todo}."
        return Outlook(words[0].upper() + words[1:], refusals_in(error), hard=True)
    rejected: Counter[str] = Counter()
    for item in found:
        rejected.update({str(k): n for k, n in item.rejected.items()})
    kinds = "; ".join(map(_kind_in_words, found))
    return Outlook(f"This family can be satisfied. {kinds}.", rejected, hard=False)


def _kind_in_words(item: Forecast) -> str:
    cell = item.cell
    tries = item.tried / max(1, item.accepted)
    return (
        f"{cell.blocks} blocks, the {cell.hidden} hidden: the first fit after "
        f"{tries:,.0f} {'try' if round(tries) == 1 else 'tries'}"
    )
