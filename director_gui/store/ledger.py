"""Which tables hold calls: those of runs, or those of automatic coding passes.

Both kinds go through the same engine and are kept in the same way; they stay apart so
that what codes replies can never be taken for a reply.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ledger:
    """The names of three tables: our own words, never a user's, so SQL may hold them.

    Attributes:
        calls: What is asked.
        attempts: What was sent and what came back.
        sendings: What is in flight.
    """

    calls: str
    attempts: str
    sendings: str


RUNS = Ledger("calls", "attempts", "sendings")
PASSES = Ledger("auto_calls", "auto_attempts", "auto_sendings")
