"""What a run has come to: the counts that ``run --json`` prints."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from director_gui.runner.profiles import Profile
from director_gui.runner.records import Usage
from director_gui.scoring.score import STATUSES, score_reply
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.database import Study
from director_gui.store.runs import Run
from director_gui.store.sendings import lost_of, spent_of
from director_gui.study.plan_forecast import unpriced
from director_gui.study.scored import keys_of

_TOKENS = ("input", "output", "reasoning", "cached")
OPEN = "open"


def plan_result(
    study: Study, run: Run, profiles: Mapping[str, Profile]
) -> dict[str, Any]:
    """Return a run's result as JSON (INTERFACES, ``run``).

    ``counts`` has METHOD's statuses and ``open``; tokens are null where no server
    counted them; ``cost`` is null where the price of any reply is unknown.

    Raises:
        UserError: The study cannot be read.
    """
    replies = replies_of(study, run.id)
    keys = keys_of(study, {reply.call.condition_hash for reply in replies})
    statuses = Counter(_status(r, keys[r.call.condition_hash]) for r in replies)
    known = not unpriced(list(profiles.values()))
    cost = sum(reply.cost or 0.0 for reply in replies)
    # A reply whose server counted no tokens has no cost, whatever its price.
    whole = all(r.cost is not None or not r.texts for r in replies)
    return {
        "plan": run.label,
        "run": run.id,
        "practice": run.practice,
        "calls": len(replies),
        "scenes": len(run.settings["scenes"]),
        "left_out": run.settings.get("left_out", []),
        "counts": {name: statuses[name] for name in (*STATUSES, OPEN)},
        "attempts": sum(reply.attempts for reply in replies),
        "tokens": {name: _sum(replies, name) for name in _TOKENS},
        "cost": cost if known and whole else None,
        "price_known": known,
        "cost_at_most": spent_of(study, run.id) if known else None,
        "could_be_paid_twice": lost_of(study, run.id).in_flight,
    }


def _status(reply: Reply, keys: tuple[tuple[str, ...], ...]) -> str:
    if reply.status == OPEN:
        return OPEN
    # Neither scene nor key decides a status, so neither is computed.
    score = score_reply(
        reply.text if reply.status == "reply" else None,
        # The last turn decides the status (METHOD §5.9).
        keys=keys[-1],
        finish_reason=reply.last.finish_reason if reply.last else None,
        digits=(),
        hidden=None,
        sees=(),
    )
    return score.status


def _sum(replies: Iterable[Reply], name: str) -> int | None:
    def count(usage: Usage) -> int | None:
        value: int | None = getattr(usage, name)
        return value

    found = [n for reply in replies if (n := count(reply.usage)) is not None]
    # None is "no server counted"; 0 would be a claim.
    return sum(found) if found else None
