"""A probe in memory: its replies as they stand, and what went wrong last."""

from collections.abc import Iterable

from director_gui.errors import UserError
from director_gui.runner.engine_values import (
    AttemptStored,
    Event,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
)
from director_gui.runner.profiles import Profile, profile_of
from director_gui.study.analysis import PairResult, pair_results
from director_gui.study.mishaps import goes_on, mishap
from director_gui.study.probed import Probe, Replies, rescored
from director_gui.study.scored import Scored


class LiveProbe:
    """The replies of one probe; `fold` takes in what the engine tells.

    Attributes:
        rows: One a call, in the order of the table.
        running: Whether its calls are being sent.
        trouble: What went wrong and was not mended since, by profile.
    """

    def __init__(self, replies: Replies) -> None:
        self.rows = list(replies.scored)
        self.running = False
        self.trouble: dict[str, UserError] = {}
        self._replies = replies
        # Only open calls need them; an ended call gets no more attempts.
        self._attempts = dict(replies.attempts)
        self._at = {item.reply.call.id: row for row, item in enumerate(self.rows)}
        # As planned: a profile that was edited since says nothing about these calls.
        raw = replies.probe.run.settings["profiles"]
        self._profiles = {value["name"]: profile_of(value, "run") for value in raw}

    @property
    def probe(self) -> Probe:
        """Which probe it is."""
        return self._replies.probe

    @property
    def open(self) -> int:
        """How many calls have no end yet."""
        return sum(item.reply.status == "open" for item in self.rows)

    def profile(self, name: str) -> Profile:
        """Return a profile as the probe was planned with."""
        return self._profiles[name]

    def pairs(self) -> tuple[PairResult, ...]:
        """Return the declared pairs, of the replies as they stand."""
        return pair_results(self.rows, self._replies.known)

    def pictures(self) -> set[str]:
        """Return the SHA-256 of every picture that its calls send."""
        return {item.reply.call.image for item in self.rows}

    def sending(self, item: Scored) -> str:
        """Return a call's status in one word or two."""
        if item.score is not None:
            return item.score.status
        if not self.running:
            return "open"
        return "trying again" if item.reply.attempts else "waiting"

    def fold(self, events: Iterable[Event]) -> set[int]:
        """Take in events; return the rows that changed."""
        changed = set()
        for event in events:
            if isinstance(event, AttemptStored):
                changed.add(self._take(event))
            elif isinstance(event, RunEnded):
                self.running = False
                if event.error:
                    what = f"sending ended ({event.error})"
                    todo = "Send the open calls again"
                    self.trouble["the probe"] = UserError(what, todo=todo)
            else:
                self._note(event)
        return changed

    def _take(self, event: AttemptStored) -> int:
        call, attempt = event.call, event.attempt
        row = self._at[call.id]
        made = (*self._attempts.get(call.id, ()), attempt)
        self._attempts[call.id] = made
        self.rows[row] = rescored(self._replies, call, made)
        if attempt.error_kind:
            error = mishap(attempt, self._profiles[call.profile])
            # The next step is then to wait, and mending is only for the impatient.
            if goes_on(attempt):
                error = UserError(
                    f"{error.what}. It is tried again by itself",
                    where=error.where,
                    todo=error.todo,
                )
            self.trouble[call.profile] = error
        else:
            # A reply shows that the profile works again.
            self.trouble.pop(call.profile, None)
        return row

    def _note(self, event: Event) -> None:
        # The attempt before it told the cause and the step; this tells only the end.
        if isinstance(event, ProfileStopped) and event.profile not in self.trouble:
            todo = "Mend it, then send the open calls again"
            self.trouble[event.profile] = UserError(
                event.reason, where=event.profile, todo=todo
            )
        elif isinstance(event, GateClosed):
            what = (
                f"the server asks to wait {event.seconds:.0f} s; it goes on by itself"
            )
            self.trouble[event.profile] = UserError(what, where=event.profile)
        elif isinstance(event, RunPaused) and event.reason:
            todo = "Mend it, cancel, then send the open calls again"
            what = f"sending is paused: {event.reason}"
            self.trouble["the probe"] = UserError(what, todo=todo)
