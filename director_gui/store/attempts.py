"""Every attempt at every call, and the replies that they add up to."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Literal

from director_gui.runner.content import whole_text
from director_gui.runner.engine_values import Task
from director_gui.runner.records import Attempt, Call, Outcome, Usage
from director_gui.store.database import Row, Study
from director_gui.store.ledger import RUNS, Ledger
from director_gui.store.runs import CALL_COLUMNS, call_of_row

Status = Literal["reply", "failed", "open"]
_PLAIN = tuple(item.name for item in fields(Attempt) if item.name != "usage")
# In the order of `Usage`, which is built from them by place.
_TOKENS = ("input", "output", "reasoning", "cached")
_COLUMNS = ", ".join(
    f"a.{name}" for name in (*_PLAIN, *(f"{token}_tokens" for token in _TOKENS))
)
_WRITTEN = (*_PLAIN, *(f"{token}_tokens" for token in _TOKENS), "terminal")
_VALUES = f"({', '.join(_WRITTEN)}) VALUES ({', '.join(':' + n for n in _WRITTEN)})"
# Without bodies, which outweigh the texts many times over.
_LIGHT = _COLUMNS.replace("a.body, ", "")


@dataclass(frozen=True, slots=True)
class Reply:
    """What a call has come to so far.

    Attributes:
        call: The call.
        status: `reply` (all turns answered), `failed` (given up) or `open`.
        texts: The reply to each answered turn, in order.
        reasonings: The reasoning returned with each, None where there was none.
        last: The last attempt without its body; None when nothing was sent yet.
        attempts: How many requests were sent.
        usage: Tokens over all attempts.
        cost: US dollars of its answered requests; None when a price is unknown.
    """

    call: Call
    status: Status
    texts: tuple[str, ...]
    reasonings: tuple[str | None, ...]
    last: Attempt | None
    attempts: int
    usage: Usage
    cost: float | None

    @property
    def text(self) -> str:
        """The reply to the last turn; empty unless the status is `reply`."""
        return self.texts[-1] if self.status == "reply" else ""

    @property
    def turn1_text(self) -> str | None:
        """The reply to turn 1 of a two-turn call, None for other calls."""
        # Told by the attempt and not by the texts: turn 2 may still be unanswered.
        many = self.last is not None and self.last.turns > 1
        return self.texts[0] if many and self.texts else None

    @property
    def reasoning(self) -> str | None:
        """The reasoning behind the last turn's reply, None when none was returned."""
        return self.reasonings[-1] if self.status == "reply" else None


def add_attempts(
    study: Study, attempts: Iterable[Attempt], ledger: Ledger = RUNS
) -> None:
    """Keep attempts durably, all or none.

    Args:
        study: Open for writing.
        attempts: What to keep.
        ledger: The tables that hold their calls.

    Raises:
        sqlite3.IntegrityError: An attempt is kept already, or its call has ended.
        UserError: The file cannot be written.
    """
    with study.write() as db:
        # Said once: a generic insert looks at the schema again for every reply.
        insert = f"INSERT INTO {ledger.attempts} {_VALUES}"
        db.conn.executemany(insert, [_row(item) for item in attempts])


def attempts_of(study: Study, call_id: str, ledger: Ledger = RUNS) -> list[Attempt]:
    """Return a call's attempts with their raw bodies, in the order they were made."""
    rows = study.query(
        f"SELECT {_COLUMNS} FROM {ledger.attempts} a WHERE call = ? ORDER BY id",  # noqa: S608 - our own names
        (call_id,),
    )
    return [_attempt(row) for row in rows]


def replies_of(study: Study, run_id: str, ledger: Ledger = RUNS) -> list[Reply]:
    """Return one reply per call of a run, in the order the calls are sent."""
    return _replies(study, run_id, "1", ledger)


def reply_of(call: Call, attempts: list[Attempt]) -> Reply:
    """Return what a call's attempts, in order, add up to."""
    # At most one per turn: the engine goes on as soon as a turn is answered.
    answers = [a for a in attempts if a.outcome is Outcome.REPLY]
    last = attempts[-1] if attempts else None
    status: Status = "open"
    if last is not None and last.terminal:
        status = "reply" if last.outcome is Outcome.REPLY else "failed"
    return Reply(
        call=call,
        status=status,
        texts=tuple(a.text for a in answers),
        reasonings=tuple(a.reasoning for a in answers),
        last=last,
        attempts=len(attempts),
        # Of all attempts: what failed may have been charged as well.
        usage=_total([a.usage for a in attempts]),
        cost=_cost(answers),
    )


def open_tasks(study: Study, run_id: str, ledger: Ledger = RUNS) -> list[Task]:
    """Return what is left of a run: each call without a terminal attempt.

    A task knows the turns already answered and how often the next was tried.
    """
    # The replies of a long run need not be read to find the few calls that are left.
    is_open = (
        f"NOT EXISTS (SELECT 1 FROM {ledger.attempts} t"  # noqa: S608 - our own names
        " WHERE t.call = calls.id AND t.terminal = 1)"
    )
    return [_task(reply) for reply in _replies(study, run_id, is_open, ledger)]


def _replies(study: Study, run_id: str, which: str, ledger: Ledger) -> list[Reply]:
    calls = study.query(
        f"SELECT calls.id, {CALL_COLUMNS} FROM {ledger.calls} calls"  # noqa: S608 - our own names
        f" WHERE calls.run = ? AND {which} ORDER BY position",
        (run_id,),
    )
    attempts: dict[str, list[Attempt]] = {row["id"]: [] for row in calls}
    for row in study.query(
        f"SELECT {_LIGHT} FROM {ledger.attempts} a"  # noqa: S608 - our own names
        f" JOIN {ledger.calls} calls ON a.call = calls.id"
        f" WHERE calls.run = ? AND {which} ORDER BY a.id",
        (run_id,),
    ):
        attempts[row["call"]].append(_attempt(row))
    return [reply_of(call_of_row(row), attempts[row["id"]]) for row in calls]


def _task(reply: Reply) -> Task:
    last = reply.last
    # A new turn begins its own count of attempts.
    tried = last.number if last and last.outcome is not Outcome.REPLY else 0
    return Task(reply.call, replies=reply.texts, attempts=tried)


def _total(usages: list[Usage]) -> Usage:
    def add(name: str) -> int | None:
        # None is "not said" and must not read as 0.
        found = [n for u in usages if (n := getattr(u, name)) is not None]
        return sum(found) if found else None

    return Usage(*(add(name) for name in _TOKENS))


def _cost(answers: list[Attempt]) -> float | None:
    costs = [a.cost for a in answers]
    known = [cost for cost in costs if cost is not None]
    # One unknown price makes the sum a lower bound, which would look like a cost.
    return sum(known) if known and len(known) == len(costs) else None


def _storable(value: object) -> object:
    # A paid reply is kept whatever it holds; its body has the bytes as served.
    if isinstance(value, str) and not value.isascii():
        return whole_text(value)
    return value


def _row(attempt: Attempt) -> Row:
    row = {name: _storable(getattr(attempt, name)) for name in _PLAIN}
    usage = attempt.usage
    return (
        row
        | {f"{name}_tokens": getattr(usage, name) for name in _TOKENS}
        | {"outcome": attempt.outcome.value, "terminal": int(attempt.terminal)}
    )


def _attempt(row: Row) -> Attempt:
    values = {name: row[name] for name in _PLAIN if name in row}
    values["outcome"] = Outcome(row["outcome"])
    usage = Usage(*(row[f"{name}_tokens"] for name in _TOKENS))
    return Attempt(**values, usage=usage)
