"""Replies as a table, for analysis."""

from typing import TYPE_CHECKING

from director_gui.store.attempts import Reply, replies_of
from director_gui.store.database import Row, Study
from director_gui.store.runs import run

if TYPE_CHECKING:
    from pandas import DataFrame

COLUMNS = (
    "call",
    "run",
    "practice",
    "batch",
    "condition",
    "condition_hash",
    "scene",
    "image",
    "profile",
    "model",
    "sample",
    "status",
    "text",
    "turn1_text",
    "reasoning",
    "finish_reason",
    "model_returned",
    "input_tokens",
    "output_tokens",
    "reasoning_tokens",
    "cached_tokens",
    "cost",
    "latency",
    "attempts",
    "error_kind",
    "error_message",
)


def replies_frame(study: Study, run_id: str) -> "DataFrame":
    """Return one row per call of a run, in the order they are sent.

    The columns are `COLUMNS`; `status` is `reply`, `failed` or `open`, tokens and
    attempts count all requests of the call, `latency` (seconds) is the last one's.

    Raises:
        UserError: The study does not hold the run.
    """
    import pandas as pd

    practice = run(study, run_id).practice
    rows = [_row(reply, practice=practice) for reply in replies_of(study, run_id)]
    # Named, so that a run without calls has its columns too.
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(reply: Reply, *, practice: bool) -> Row:
    call, last, usage = reply.call, reply.last, reply.usage
    named = ("run", "batch", "condition", "condition_hash", "scene", "image")
    row: Row = {name: getattr(call, name) for name in (*named, "profile", "model")}
    if last is not None:
        shown = ("finish_reason", "model_returned", "latency", "error_kind")
        row |= {name: getattr(last, name) for name in (*shown, "error_message")}
    return row | {
        "call": call.id,
        "practice": practice,
        "sample": call.sample,
        "status": reply.status,
        "text": reply.text,
        "turn1_text": reply.turn1_text,
        "reasoning": reply.reasoning,
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "reasoning_tokens": usage.reasoning,
        "cached_tokens": usage.cached,
        "cost": reply.cost,
        "attempts": reply.attempts,
    }
