"""Runs automatic passes for the page: begins, follows, pauses and accepts them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from director_gui.errors import UserError
from director_gui.runner.engine_values import (
    AttemptStored,
    Event,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.profiles import Profile
from director_gui.runner.service import RunHandle
from director_gui.store.auto_passes import AutoPass
from director_gui.store.database import Study
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.auto_accepting import accept
from director_gui.study.blind.auto_forecast import Workload, workload
from director_gui.study.blind.auto_practice import PracticeCoding
from director_gui.study.blind.auto_sending import send_pass
from director_gui.study.blind.auto_standing import Standing, standings
from director_gui.study.blind.auto_work import begin, profile_of
from director_gui.study.blind.keys import opened
from director_gui.study.blind.passes import unblinding_of
from director_gui.study.probing import known_profiles
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session


@dataclass(frozen=True, slots=True)
class AutoShown:
    """Everything that the page of the automatic coder shows of a packet.

    Attributes:
        packet: The packet's id.
        practice: Whether its replies are practice.
        blind: Whether it is still blind: a new pass makes no sense after that.
        work: What a new pass has to do.
        passes: Where each pass stands, oldest first.
        left: Pass id to what it still has to do, of the unfinished ones.
        profiles: The models that may code it.
    """

    packet: str
    practice: bool
    blind: bool
    work: Workload
    passes: tuple[Standing, ...]
    left: Mapping[str, Workload]
    profiles: tuple[Profile, ...]


@dataclass(frozen=True, slots=True)
class Going:
    """A pass that is being sent.

    Attributes:
        made: The pass.
        ended: Calls that ended in this sitting.
        paused: Why nothing is sent; "" when the user asked, None when it goes on.
        draining: Whether only the calls in hand are finished.
        trouble: What the server asked for last; empty since it answers again.
    """

    made: AutoPass
    ended: int = 0
    paused: str | None = None
    draining: bool = False
    trouble: str = ""


def shown_auto(study: Study, packet_id: str) -> AutoShown:
    """Return what there is to show; for a worker thread.

    Raises:
        UserError: The study does not hold the packet, or profiles cannot be read.
    """
    found = opened(study, packet_id)
    passes = standings(study, packet_id)
    left = {n.made.id: workload(found, study, n.made) for n in passes if not n.done}
    profiles = tuple(p for p in known_profiles() if found.practice or not p.practice)
    blind = unblinding_of(study, packet_id) is None
    work = workload(found)
    return AutoShown(packet_id, found.practice, blind, work, passes, left, profiles)


class AutoDesk(QObject):
    """Does what the page asks for; one pass is sent at a time.

    Attributes:
        going: The pass that is being sent; None when none is.
    """

    shown = Signal(object)  # AutoShown
    moved = Signal()  # the pass that is sent went on, paused or met trouble
    ended = Signal(str)  # why the sitting is over; empty when all is done
    accepted = Signal()

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self._practice = PracticeCoding()
        self._packet, self._asked, self._beginning = "", 0, False
        self._stopped = ""  # why the server or the ceiling ended the sitting
        self.going: Going | None = None
        session.events.connect(self._events)
        session.at_close(self._practice.close)

    @property
    def busy(self) -> bool:
        """Whether a pass is being sent, or about to be."""
        return self._beginning or self.going is not None

    def open(self, packet_id: str) -> None:
        """Read a packet's passes; `shown` follows."""
        self._packet = packet_id
        self._asked += 1
        study, asked = self._session.study, self._asked

        def tell(found: AutoShown) -> None:
            if asked == self._asked:  # another packet may have been asked for
                self.shown.emit(found)

        self._jobs.start(
            "Reading automatic passes",
            lambda _: shown_auto(study, packet_id),
            tell,
            self._refuse,
        )

    def begin(self, profile: Profile, ceiling: float | None) -> None:
        """Begin a new pass over the packet and send it."""
        study, packet = self._session.study, self._packet
        self._send(
            lambda: begin(study, packet, profile, user_name(), ceiling=ceiling), ceiling
        )

    def resume(self, made: AutoPass, ceiling: float | None) -> None:
        """Send what is left of a pass."""
        self._send(lambda: made, ceiling)

    def pause(self) -> None:
        """Send nothing new until `go_on`."""
        if self.going is not None:
            self._session.pause(self.going.made.id)

    def go_on(self) -> None:
        """Go on after a pause."""
        if self.going is not None:
            self._session.resume(self.going.made.id)

    def drain(self) -> None:
        """Finish the calls in hand, then end."""
        if self.going is not None:
            self._session.drain(self.going.made.id)
            self.going = replace(self.going, draining=True)

    def cancel(self) -> None:
        """End now; what is in flight stays open, and may be paid for all the same."""
        if self.going is not None:
            self._session.cancel(self.going.made.id)

    def accept(self, made: AutoPass, reason: str) -> None:
        """Accept a pass's calibration, so that its codes count."""
        study = self._session.study
        self._jobs.start(
            "Accepting the automatic pass",
            lambda _: accept(study, made, user_name(), reason),
            lambda _merged: self.accepted.emit(),
            self._refuse,
        )

    def _send(self, made: Callable[[], AutoPass], ceiling: float | None) -> None:
        # Two senders of one pass would pay for its calls twice.
        if self.busy:
            return
        study, practice, session = self._session.study, self._practice, self._session

        def work(_: object) -> tuple[AutoPass, RunHandle]:
            # Stored before anything is sent; a key that is missing loses nothing.
            one = made()
            profile = practice.ready(profile_of(one))
            handle = session.start(
                lambda service, keys: send_pass(
                    service, study, one, profile, keys, ceiling=ceiling
                )
            )
            return one, handle

        self._beginning = True
        self._jobs.start("Beginning the pass", work, self._sent, self._not_sent)
        self.moved.emit()

    def _sent(self, found: tuple[AutoPass, RunHandle]) -> None:
        one, handle = found
        self._beginning, self.going = False, Going(one)
        self._session.follow(one.id, handle)
        self.open(self._packet)
        self.moved.emit()

    def _not_sent(self, error: UserError) -> None:
        self._beginning = False
        self._refuse(error)
        # A pass whose key is missing was begun all the same, and can go on later.
        self.open(self._packet)
        self.moved.emit()

    def _events(self, run_id: str, events: list[Event]) -> None:
        if self.going is None or run_id != self.going.made.id:
            return
        for event in events:
            self._take(event)
        self.moved.emit()

    def _take(self, event: Event) -> None:
        going = self.going
        if going is None:
            return
        match event:
            case AttemptStored():
                self.going = replace(
                    going, ended=going.ended + event.attempt.terminal, trouble=""
                )
            case RunPaused():
                self.going = replace(going, paused=event.reason)
            case RunResumed():
                self.going = replace(going, paused=None)
            case GateClosed():
                words = f"the server asks to wait {event.seconds:.0f} s"
                self.going = replace(going, trouble=words)
            case ProfileStopped():
                self._stopped = event.reason
            case RunEnded():
                self._end(event)
            case _:
                pass  # batches are not used here

    def _end(self, event: RunEnded) -> None:
        # First, so that whoever hears of the end sees a desk that is free.
        self.going = None
        self.ended.emit(event.error or (self._stopped if event.open else ""))
        self._stopped = ""
        self.open(self._packet)
