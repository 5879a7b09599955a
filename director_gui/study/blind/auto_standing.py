"""Where an automatic pass stands: counts, cost and calibration, but never its codes."""

from collections.abc import Sequence
from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.runner.records import Usage
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.auto_passes import AutoPass, passes_in
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES
from director_gui.store.log import LogEntry, entries
from director_gui.store.sendings import Lost, lost_of, spent_of
from director_gui.study.blind.auto_calibration import Calibration, calibration
from director_gui.study.blind.auto_work import Verdict, verdicts
from director_gui.study.blind.keys import Opened, opened

ACCEPTED = "automatic pass accepted"


@dataclass(frozen=True, slots=True)
class Standing:
    """What may be known of an automatic pass before its packet's results are locked.

    Attributes:
        made: The pass.
        items: Items of the packet.
        coded: Those with an answer.
        uncodable: Item id to the reason, in the packet's order.
        again: Items that were asked a second time.
        calls: Calls that were answered or given up.
        usage: Tokens so far.
        cost: US dollars of the replies so far; None when a price is unknown.
        spent: US dollars spent so far, or possibly spent; unknown prices as 0.
        lost: Requests whose end nobody knows.
        calibration: Known-code items; None while the pass is unfinished.
        accepted: When its calibration was accepted, and by whom; None before.
    """

    made: AutoPass
    items: int
    coded: int
    uncodable: dict[str, str]
    again: int
    calls: int
    usage: Usage
    cost: float | None
    spent: float
    lost: Lost
    calibration: Calibration | None
    accepted: LogEntry | None

    @property
    def left(self) -> int:
        """Items without an end."""
        return self.items - self.coded - len(self.uncodable)

    @property
    def done(self) -> bool:
        """Whether every item has its codes or is uncodable."""
        return self.left == 0

    def value(self) -> Json:
        """Return the JSON value."""
        entry, found = self.accepted, self.calibration
        return {
            "pass": self.made.id,
            "packet": self.made.packet,
            "alias": self.made.alias,
            "practice": self.made.practice,
            "counts": {
                "items": self.items,
                "coded": self.coded,
                "uncodable": len(self.uncodable),
                "left": self.left,
                "asked_again": self.again,
            },
            "uncodable": [{"item": i, "reason": r} for i, r in self.uncodable.items()],
            "tokens": {
                "input": self.usage.input,
                "output": self.usage.output,
                "reasoning": self.usage.reasoning,
                "cached": self.usage.cached,
            },
            "cost": self.cost,
            "calibration": found.value() if found else None,
            "accepted": {"time": entry.time, "actor": entry.actor} if entry else None,
        }


def standing(study: Study, made: AutoPass, found: Opened | None = None) -> Standing:
    """Return where a pass stands.

    Args:
        study: The study.
        made: The pass.
        found: Its packet, when it was opened before.

    Raises:
        UserError: The study cannot be read.
    """
    found = found or opened(study, made.packet)
    # Counts and reasons are taken from the verdicts; the codes in them stay here.
    said = verdicts(study, made, found)
    replies = replies_of(study, made.id, PASSES)
    done = all(one.ended for one in said)
    return Standing(
        made=made,
        items=len(said),
        coded=sum(one.answer is not None for one in said),
        uncodable=_uncodable(said),
        again=sum(one.asks > 1 for one in said),
        calls=sum(one.asks for one in said),
        usage=_usage(replies),
        cost=_cost(replies),
        spent=spent_of(study, made.id, PASSES),
        lost=lost_of(study, made.id, PASSES),
        # Half a calibration would invite stopping when it looks good.
        calibration=calibration(found, said) if done else None,
        accepted=acceptance_of(study, made),
    )


def standings(study: Study, packet_id: str) -> tuple[Standing, ...]:
    """Return where all passes of a packet stand, oldest first."""
    found = opened(study, packet_id)
    return tuple(standing(study, one, found) for one in passes_in(study, packet_id))


def acceptance_of(study: Study, made: AutoPass) -> LogEntry | None:
    """Return the log's entry of a pass's acceptance, None before it."""
    found = entries(study, ACCEPTED)
    return next((one for one in found if one.detail["pass"] == made.id), None)


def _uncodable(said: tuple[Verdict, ...]) -> dict[str, str]:
    return {
        one.item: one.refusal.words for one in said if one.uncodable and one.refusal
    }


def _cost(replies: Sequence[Reply]) -> float | None:
    # A sum with an unknown part is unknown: it would pass for cheap.
    costs = [reply.cost for reply in replies if reply.status == "reply"]
    known = [cost for cost in costs if cost is not None]
    return sum(known) if len(known) == len(costs) else None


def _usage(replies: Sequence[Reply]) -> Usage:
    # Retries count as well: they were sent, and some were paid for.
    names = ("input", "output", "reasoning", "cached")
    usages = [reply.usage for reply in replies]

    def total(name: str) -> int | None:
        counts = [getattr(one, name) for one in usages]
        known = [count for count in counts if count is not None]
        return sum(known) if known else None

    return Usage(*(total(name) for name in names))
