"""What a stored run will still send: calls, tokens, price, what could be paid twice."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from director_gui.runner.engine_values import Task
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import open_tasks
from director_gui.store.database import Study
from director_gui.store.runs import Run
from director_gui.store.sendings import Lost, lost_of, spent_of
from director_gui.study.probing import (
    BYTES_PER_TOKEN,
    IMAGE_TOKENS,
    REPLY_TOKENS,
    price_text,
    tokens_text,
)
from director_gui.study.prompt_library import study_library


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is left of a run.

    Attributes:
        calls: All calls of the run.
        open: Calls that are still to be sent.
        requests: Requests that they take; a two-turn call sends two.
        input_tokens: Tokens sent, about.
        output_tokens: Tokens that come back, least and most, about.
        price: US dollars, least and most, about; None when a price is unknown.
        unpriced: Names of the profiles without a price.
        spent: US dollars spent so far, or possibly spent.
        lost: What earlier sessions left in flight.
        pairs: The declared pairs that the run can answer.
    """

    calls: int
    open: int
    requests: int
    input_tokens: int
    output_tokens: tuple[int, int]
    price: tuple[float, float] | None
    unpriced: tuple[str, ...]
    spent: float
    lost: Lost
    pairs: tuple[tuple[str, str], ...]

    def lines(self, ceiling: float | None = None) -> list[str]:
        """Return what a person should know before anything is sent."""
        low, high = (tokens_text(count) for count in self.output_tokens)
        price = price_text(self.price)
        if self.unpriced:
            price += f" (no price for {', '.join(self.unpriced)})"
        found = [
            f"to send: {self.open} of {self.calls} calls, {self.requests} requests",
            f"tokens: about {tokens_text(self.input_tokens)} in, {low} to {high} out",
            f"price: {price}",
        ]
        if ceiling is not None:
            found.append(f"ceiling: ${ceiling:.2f}, of which ${self.spent:.2f} is gone")
        if self.lost.in_flight:
            found.append(
                f"could be paid twice: {self.lost.in_flight} calls that were in flight"
                " when the program was stopped"
            )
        # Said also when it is nothing: silence would not tell a first run from a lost
        # one.
        else:
            found.append("could be paid twice: nothing")
        return found


def forecast(study: Study, run: Run, profiles: Mapping[str, Profile]) -> Forecast:
    """Return what is left of a run, and what it costs, about.

    Args:
        study: Holds the run.
        run: New or begun.
        profiles: The run's profiles by name, ready to send.

    Raises:
        UserError: The study cannot be read.
    """
    tasks = open_tasks(study, run.id)
    sizes = _turn_bytes(study, run)
    requests = dict.fromkeys(profiles, 0)
    sent = dict.fromkeys(profiles, 0)
    for task in tasks:
        for tokens in _inputs(task, sizes[task.call.id]):
            requests[task.call.profile] += 1
            sent[task.call.profile] += tokens
    total = sum(requests.values())
    conditions = set(run.settings["conditions"])
    return Forecast(
        calls=len(sizes),
        open=len(tasks),
        requests=total,
        input_tokens=sum(sent.values()),
        output_tokens=(total * REPLY_TOKENS[0], total * REPLY_TOKENS[1]),
        price=_price(profiles, sent, requests),
        unpriced=unpriced(list(profiles.values())),
        spent=spent_of(study, run.id),
        lost=lost_of(study, run.id),
        pairs=tuple(p for p in study_library(study).pairs if set(p) <= conditions),
    )


def unpriced(profiles: Sequence[Profile]) -> tuple[str, ...]:
    """Return the names of the profiles whose calls have an unknown price."""
    return tuple(p.name for p in profiles if not (p.price_known or p.practice))


def _inputs(task: Task, sizes: Sequence[int]) -> list[int]:
    """Return the input tokens of each request that a call still needs."""
    # Turn 2 carries the picture and turn 1 again.
    return [
        IMAGE_TOKENS + sum(sizes[: turn + 1]) // BYTES_PER_TOKEN
        for turn in range(len(task.replies), len(sizes))
    ]


def _turn_bytes(study: Study, run: Run) -> dict[str, tuple[int, ...]]:
    """Return the bytes of each turn's text, by call id."""
    rows = study.query(
        # As a blob: SQLite would count characters, and tokens go by bytes.
        "SELECT sha256, length(CAST(text AS BLOB)) AS bytes FROM prompts"
    )
    known = {row["sha256"]: row["bytes"] for row in rows}
    calls = study.query("SELECT id, turns FROM calls WHERE run = ?", (run.id,))
    return {
        row["id"]: tuple(known[key] for key in json.loads(row["turns"]))
        for row in calls
    }


def _price(
    profiles: Mapping[str, Profile],
    sent: Mapping[str, int],
    requests: Mapping[str, int],
) -> tuple[float, float] | None:
    ends = [0.0, 0.0]
    for name, profile in profiles.items():
        if profile.practice:
            continue
        # A sum without one model's share would look like the whole price.
        if profile.input_price is None or profile.output_price is None:
            return None
        for at, tokens in enumerate(REPLY_TOKENS):
            output = requests[name] * tokens * profile.output_price
            # Prices are for a million tokens.
            ends[at] += (sent[name] * profile.input_price + output) / 1e6
    return ends[0], ends[1]
