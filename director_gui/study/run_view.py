"""A run as a window shows it while it goes on.

Replies are counted and let go, so that a run of any length fits in memory.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.prompts.library import Library
from director_gui.runner.engine_values import (
    AttemptStored,
    BatchMoved,
    Event,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.profiles import profile_of
from director_gui.runner.records import Attempt, Call, Outcome
from director_gui.scene.model import Scene
from director_gui.stats.contrast import compare
from director_gui.stats.replies import Replies, tally
from director_gui.stats.verdicts import call_in_words
from director_gui.store.attempts import Reply, attempts_of, replies_of, reply_of
from director_gui.store.corrections import Correction, current_corrections
from director_gui.store.database import Study
from director_gui.store.runs import CALL_COLUMNS, Run, call_of_row, run
from director_gui.study.analysis import PairResult
from director_gui.study.correcting import counted_as, undone
from director_gui.study.mishaps import goes_on, mishap
from director_gui.study.prompt_library import study_library
from director_gui.study.run_arms import (
    ENDINGS,
    OPEN,
    ArmCounts,
    ArmView,
    Drift,
    ErrorCount,
    Key,
    imbalances,
)
from director_gui.study.scored import Scored, keys_of, scored_reply
from director_gui.study.stimuli import truths_in

THE_RUN = "the run"  # whose trouble it is when it is no profile's
_BY_ITSELF = "by itself"  # in the words for what needs nobody

Keys = Mapping[str, tuple[tuple[str, ...], ...]]


class RunView:
    """One run; `fold` takes in what the engine tells.

    Attributes:
        run: The stored run.
        shown: Each scene with its truth, by hash.
        trouble: What went wrong and was not mended since, by profile.
        paused: Why nothing is sent; None while it is, empty when the user asked.
        batches: Where each batch at a provider is, by the provider's id of it.
    """

    def __init__(
        self,
        stored: Run,
        shown: Mapping[str, tuple[Scene, Truth]],
        keys: Keys,
        known: Library,
        given: Mapping[str, Correction] | None = None,
    ) -> None:
        self.run = stored
        self.shown = shown
        self.trouble: dict[str, UserError] = {}
        self.paused: str | None = None
        self.batches: dict[str, BatchMoved] = {}
        self._keys = keys
        self._bases = {c.base for c in known.conditions}
        self._library_pairs = known.pairs
        self._arms: dict[Key, ArmCounts] = {}
        self._given = dict(given or {})  # corrections by hand, by call
        self._standing: set[str] = set()  # the calls that they count for
        self._stopped: set[str] = set()  # profiles, in this session
        self._errors: Counter[tuple[str, str]] = Counter()
        # Only of open calls: an ended call gets no more attempts.
        self._attempts: dict[str, tuple[Attempt, ...]] = {}
        raw = stored.settings["profiles"]
        self.profiles = {value["name"]: profile_of(value, "run") for value in raw}

    # Taking in ----------------------------------------------------------------

    def add(self, reply: Reply, attempts: Sequence[Attempt] = ()) -> None:
        """Take in a call as the study holds it.

        Args:
            reply: What it came to so far.
            attempts: What was tried, when the call is open.
        """
        arm = self._arms.setdefault(_key(reply.call), ArmCounts())
        arm.pay(reply.usage, reply.cost, replied=bool(reply.texts))
        if reply.status == OPEN:
            arm.statuses[OPEN] += 1
            if attempts:
                self._attempts[reply.call.id] = tuple(attempts)
        else:
            arm.end(self._counted(self.scored(reply)))

    def correct(self, item: Scored, given: Correction) -> None:
        """Count an ended call by what a person read from now on."""
        call = item.reply.call
        arm = self._arms[_key(call)]
        arm.take_back(self._counted(item))
        self._given[call.id] = given
        arm.end(self._counted(item))

    def add_errors(self, model: str, kind: str, count: int) -> None:
        """Count failed attempts of earlier sessions."""
        self._errors[model, kind] += count

    def fold(self, events: Iterable[Event]) -> list[Scored]:
        """Take in events; return the calls that moved, scored."""
        moved = []
        for event in events:
            if isinstance(event, AttemptStored):
                moved.append(self._take(event.call, event.attempt))
            elif isinstance(event, RunEnded):
                self._end(event)
            else:
                self._note(event)
        return moved

    def scored(self, reply: Reply) -> Scored:
        """Return a reply of this run with its score."""
        call = reply.call
        return scored_reply(
            reply, self.shown[call.scene], self._keys[call.condition_hash]
        )

    def asks_report(self, item: Scored) -> bool:
        """Tell whether a call asked which blocks the director sees."""
        keys = self._keys[item.reply.call.condition_hash]
        return any("visible" in turn for turn in keys)

    def _counted(self, item: Scored) -> Scored:
        """Return a reply with the score that the arms count."""
        call = item.reply.call
        if call.id not in self._given:
            return item
        whole = replace(item, correction=self._given.get(call.id))
        if undone(whole):
            self._standing.discard(call.id)
            return item
        self._standing.add(call.id)
        return counted_as(whole, self.shown[call.scene])

    def _take(self, call: Call, attempt: Attempt) -> Scored:
        made = (*self._attempts.pop(call.id, ()), attempt)
        item = self.scored(reply_of(call, list(made)))
        # Taken by key and never made here: a call outside the plan is a bug to see.
        arm = self._arms[_key(call)]
        replied = attempt.outcome is Outcome.REPLY
        arm.pay(attempt.usage, attempt.cost if replied else None, replied=replied)
        if attempt.terminal:
            arm.statuses[OPEN] -= 1
            arm.end(self._counted(item))
        else:
            self._attempts[call.id] = made
        self._note_error(call, attempt)
        return item

    def _note_error(self, call: Call, attempt: Attempt) -> None:
        # What was in flight when a profile stopped says nothing about why it did.
        stopped = call.profile in self._stopped
        if attempt.error_kind:
            self._errors[call.profile, attempt.error_kind] += 1
        elif not stopped:
            # A reply shows that the profile works again.
            self.trouble.pop(call.profile, None)
        if stopped or not attempt.error_kind:
            return
        error = mishap(attempt, self.profiles[call.profile])
        again = f". It is tried again {_BY_ITSELF}" if goes_on(attempt) else ""
        what = f"{error.what}{again}"
        self.trouble[call.profile] = UserError(what, where=error.where, todo=error.todo)

    def _note(self, event: Event) -> None:
        if isinstance(event, RunPaused):
            self.paused = event.reason
        elif isinstance(event, RunResumed):
            self.paused = None
        elif isinstance(event, BatchMoved):
            self.batches[event.batch or event.profile] = event
        elif isinstance(event, GateClosed):
            what = f"the server asks to wait {event.seconds:.0f} s"
            if event.profile not in self._stopped:
                self.trouble[event.profile] = UserError(
                    what, where=event.profile, todo=f"It goes on {_BY_ITSELF}"
                )
        elif isinstance(event, ProfileStopped):
            self._stopped.add(event.profile)
            # The attempt before it told the cause; this tells only the end.
            if _passes(self.trouble.get(event.profile)):
                todo = "Mend it, then resume; the other models go on"
                self.trouble[event.profile] = UserError(
                    event.reason, where=event.profile, todo=todo
                )

    def _end(self, event: RunEnded) -> None:
        self.paused = None
        self._stopped.clear()
        # Nobody waits any more; why a model stopped stays to be read.
        lasting = {k: e for k, e in self.trouble.items() if not _passes(e)}
        self.trouble = lasting
        if event.error:
            what = f"sending ended ({event.error})"
            self.trouble[THE_RUN] = UserError(what, todo="Resume the run")

    # Telling ------------------------------------------------------------------

    @property
    def calls(self) -> int:
        """All calls of the run."""
        return sum(arm.statuses.total() for arm in self._arms.values())

    @property
    def corrected(self) -> int:
        """Ended calls that count by a correction; one taken back counts no more."""
        return len(self._standing)

    @property
    def open(self) -> int:
        """Calls without an end."""
        return sum(arm.statuses[OPEN] for arm in self._arms.values())

    @property
    def tokens(self) -> tuple[int, int]:
        """Tokens sent and received, as far as servers counted them."""
        counts = [arm.tokens for arm in self._arms.values()]
        return sum(sent for sent, _ in counts), sum(got for _, got in counts)

    @property
    def cost(self) -> float | None:
        """US dollars; None when the price of a reply is unknown."""
        arms = self._arms.values()
        return sum(a.cost for a in arms) if all(a.priced for a in arms) else None

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The comparisons of the declared families; the library's without any."""
        families = self.run.settings.get("families", [])
        declared = [tuple(pair) for family in families for pair in family["pairs"]]
        return tuple(dict.fromkeys(declared)) or self._library_pairs

    def errors(self) -> tuple[ErrorCount, ...]:
        """Return how often attempts failed, the most frequent first."""
        found = self._errors.most_common()
        return tuple(ErrorCount(model, kind, n) for (model, kind), n in found)

    def arms(self) -> tuple[ArmView, ...]:
        """Return every arm, by batch, model and condition as planned."""
        # Twice, for an imbalance needs both arms of a pair counted.
        plain = {key: self._arm(key) for key in sorted(self._arms, key=self._order())}
        unequal = dict(imbalances(plain, self._library_pairs))
        return tuple(
            self._arm(key, unequal[key]) if key in unequal else arm
            for key, arm in plain.items()
        )

    def drifts(self) -> tuple[Drift, ...]:
        """Return the bases' rates in each batch."""
        rates: dict[tuple[str, str], list[tuple[str, int, int]]] = {}
        for key in sorted(self._arms, key=self._order()):
            model, condition, batch = key
            if condition in self._bases:
                k, n = self._arms[key].hidden
                rates.setdefault((model, condition), []).append((batch, k, n))
        return tuple(Drift(*key, tuple(found)) for key, found in rates.items())

    def interim(self) -> tuple[PairResult, ...]:
        """Return the differences of the declared pairs so far, each in one batch.

        They are interim while calls are open, and no p-value is corrected: looking
        early and stopping at a welcome difference makes false ones more frequent.
        """
        found = [
            (model, batch, pair, replies)
            for (model, batch), replies in self._tables()
            for pair in self.pairs
            if set(pair) <= set(replies.conditions)
        ]
        often = Counter((model, pair) for model, _, pair, _ in found)
        return tuple(
            # A batch is named only where it tells two differences apart.
            _difference(
                f"{model}, batch {batch}" if often[model, pair] > 1 else model,
                replies,
                pair,
            )
            for model, batch, pair, replies in found
        )

    def _arm(self, key: Key, imbalance: str = "") -> ArmView:
        arm = self._arms[key]
        return ArmView(
            *key,
            base=key[1] in self._bases,
            statuses={name: arm.statuses[name] for name in ENDINGS},
            hidden=(arm.hidden[0], arm.hidden[1]),
            right=(arm.right, arm.reports),
            tokens=(arm.tokens[0], arm.tokens[1]),
            cost=arm.cost if arm.priced else None,
            imbalance=imbalance,
        )

    def _order(self) -> "_Order":
        batches = [name for name, _ in self.run.settings.get("batches", [])]
        return _Order(batches, list(self.profiles), self.run.settings["conditions"])

    def _tables(self) -> Iterator[tuple[tuple[str, str], Replies]]:
        groups: dict[tuple[str, str], dict[str, ArmCounts]] = {}
        for model, condition, batch in sorted(self._arms, key=self._order()):
            arm = self._arms[model, condition, batch]
            groups.setdefault((model, batch), {})[condition] = arm
        for (model, batch), arms in groups.items():
            yield (model, batch), _table(arms, batch)


@dataclass(frozen=True, slots=True)
class _Order:
    """Sorts arms as the plan lists them."""

    batches: Sequence[str]
    models: Sequence[str]
    conditions: Sequence[str]

    def __call__(self, key: Key) -> tuple[int, int, int, Key]:
        model, condition, batch = key
        return (
            _place(batch, self.batches),
            _place(model, self.models),
            _place(condition, self.conditions),
            key,
        )


def read_run(study: Study, run_id: str) -> RunView:
    """Return a stored run as it stands; takes seconds for a long one.

    Raises:
        UserError: The study does not hold it, or is damaged.
    """
    stored = run(study, run_id)
    replies = replies_of(study, run_id)
    view = RunView(
        stored,
        truths_in(study, {reply.call.scene for reply in replies}),
        keys_of(study, {reply.call.condition_hash for reply in replies}),
        study_library(study),
        current_corrections(study, run_id),
    )
    for reply in replies:
        tried = reply.status == OPEN and reply.attempts
        view.add(reply, attempts_of(study, reply.call.id) if tried else ())
    for row in study.query(
        "SELECT c.profile, a.error_kind AS kind, count(*) AS n FROM attempts a"
        " JOIN calls c ON c.id = a.call WHERE c.run = ? AND a.error_kind != ''"
        " GROUP BY c.profile, a.error_kind",
        (run_id,),
    ):
        view.add_errors(row["profile"], row["kind"], row["n"])
    return view


def arm_replies(study: Study, view: RunView, key: Key) -> tuple[Scored, ...]:
    """Return the replies of one arm as the study holds them, by scene and sample.

    Raises:
        UserError: The study is damaged.
    """
    corrections = current_corrections(study, view.run.id)
    # Not all replies of the run: a long one holds a hundred thousand.
    rows = study.query(
        f"SELECT {CALL_COLUMNS} FROM calls"  # noqa: S608 - our own column names
        " WHERE run = ? AND profile = ? AND condition = ? AND batch = ?",
        (view.run.id, *key),
    )
    calls = [call_of_row(row) for row in rows]
    chosen = [reply_of(call, attempts_of(study, call.id)) for call in calls]
    found = []
    for reply in chosen:
        item = view.scored(reply)
        correction = corrections.get(reply.call.id)
        found.append(replace(item, correction=correction))
    return tuple(sorted(found, key=lambda i: _place_of(view, i)))


def _table(arms: Mapping[str, ArmCounts], batch: str) -> Replies:
    scenes = tuple(sorted({scene for arm in arms.values() for scene in arm.scenes}))

    def counts(arm: ArmCounts) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        cells = [arm.scenes.get(scene, (0, 0)) for scene in scenes]
        return np.array(cells, np.float64).reshape(len(scenes), 2).T

    # Built from counts: made of replies, it would grow with the run.
    tallies = {name: tally(*counts(arm)) for name, arm in arms.items()}
    seen = {name: frozenset([batch] * bool(a.scenes)) for name, a in arms.items()}
    return Replies(scenes, tallies, seen)


def _difference(model: str, replies: Replies, pair: tuple[str, str]) -> PairResult:
    test, reference = pair
    found = compare(replies, reference, test)
    call = call_in_words(found.ci_low, found.ci_high, None)
    return PairResult(model, reference, test, found, None, call)


def _passes(error: UserError | None) -> bool:
    """Tell whether trouble is over without anybody's help; none is."""
    return error is None or _BY_ITSELF in str(error)


def _key(call: Call) -> Key:
    return call.profile, call.condition, call.batch


def _place(name: str, among: Sequence[str]) -> int:
    return among.index(name) if name in among else len(among)


def _place_of(view: RunView, item: Scored) -> tuple[str, str, int]:
    call = item.reply.call
    return view.shown[call.scene][0].name, call.scene, call.sample
