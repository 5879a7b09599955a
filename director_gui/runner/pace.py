"""How fast one profile may send: learned from what its server refuses.

A gate alone meets a server's limit with a burst: everything in flight is refused at
once. So sends are spaced. The spacing starts small and shrinks while all goes well;
after a refusal with a stated wait it is what the server let through since the last
one, and shrinks again from there: slowly, and faster when more goes well than was let
through before, so that a limit that rose, or was none, is left behind. A refusal
without a wait says that a server is busy, not what its limit is [ours].
"""

LONGEST = 5.0  # seconds; slower limits are left to the gate's waiting
SHORTEST_WAIT = 0.1  # seconds; a shorter one tells nothing of a limit
WAIT_SHARE = 1 / 3  # a spacing is at most this share of the wait asked for
FASTEST = 2e-4  # seconds; a shorter spacing is none
CREDIT = 0.01  # seconds that a late send may catch up, as timers are coarse
FEWEST = 3  # sends from which a rate can be told
SLACK = 1.03  # below the measured rate, so that the next window holds
RAMP = 0.04  # share by which the first spacing shrinks with each answer
STEP = 0.001  # the least share by which a learned one does


class Pace:
    """Spacing of sends; times are the loop's, in seconds.

    Args:
        first: The spacing at the start; 0 for none.
    """

    def __init__(self, first: float = 0.0) -> None:
        self._spacing = first
        self._slot: float | None = None  # when the next send may go
        self._since: float | None = None  # when this stretch of counting began
        self._last = 0.0  # when the last send went
        self._sent = 0
        self._refused = 0
        self._asked = 0.0  # seconds; the longest wait stated in this stretch
        self._lot = 0  # how many the stretch let through that was learned from
        self._passed = 0  # since then

    @property
    def _learned(self) -> bool:
        return self._lot > 0

    @property
    def spacing(self) -> float:
        """Seconds from one send to the next; 0 when they are not spaced."""
        return self._spacing if self._spacing > FASTEST else 0.0

    def wait(self, now: float) -> float:
        """Return the seconds until a send may go."""
        if self._slot is None or not self.spacing:
            return 0.0
        return max(0.0, self._slot - now)

    def sent(self, now: float) -> None:
        """Count a send and take its slot."""
        if self._since is None:
            self._since = now
        self._last = now
        self._sent += 1
        earliest = now - CREDIT if self._slot is None else max(self._slot, now - CREDIT)
        self._slot = earliest + self.spacing

    def refused(self, asked: float | None) -> None:
        """Count a refusal that asked for a wait of some seconds, or for none."""
        self._refused += 1
        self._asked = max(self._asked, asked or 0.0)

    def passed(self) -> None:
        """Count a send that got through: the spacing shrinks a little."""
        step = RAMP
        if self._learned:
            self._passed += 1
            # Long spacings shrink in larger steps, or they would hold for hours.
            least = max(STEP, self._spacing / 100)
            step = min(0.5, least * (1 + self._passed / self._lot))
        self._spacing *= 1 - step

    def reopened(self, now: float) -> None:
        """Learn from the stretch that the last refusal ended; a new one begins."""
        # The send that found the gate open is the last, and begins the new stretch;
        # its reply may have taken long, which says nothing of the limit.
        let_through = self._sent - self._refused - 1
        known = let_through >= FEWEST and self._asked >= SHORTEST_WAIT
        if self._since is not None and known:
            spacing = SLACK * (self._last - self._since) / let_through
            # A short wait near a window's end does not undo what was learned.
            most = max(self._spacing, WAIT_SHARE * self._asked)
            self._spacing = min(LONGEST, most, spacing)
            self._lot, self._passed = let_through, 0
        self._since, self._sent, self._refused = self._last, 1, 0
        self._asked = 0.0
        self._slot = now + self.spacing
