import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.runner.content import whole_text
from director_gui.runner.records import Attempt, Outcome, Usage
from director_gui.store.attempts import (
    add_attempts,
    attempts_of,
    open_tasks,
    replies_of,
)
from director_gui.store.database import create_study, open_study
from tests.made_runs import fill, profile_at

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
COUNT = st.none() | st.integers(0, 2**53 - 1)
ATTEMPT = st.builds(
    Attempt,
    call=st.just(""),
    turn=st.just(1),
    turns=st.just(1),
    number=st.just(1),
    outcome=st.sampled_from(Outcome),
    started=TEXT,
    latency=st.floats(0, 1e6),
    request_hash=TEXT,
    body=st.none() | st.binary(max_size=60),
    http_status=st.none() | st.integers(100, 599),
    text=TEXT,
    reasoning=st.none() | TEXT,
    finish_reason=st.none() | TEXT,
    model_returned=st.none() | TEXT,
    request_id=st.none() | TEXT,
    fingerprint=st.none() | TEXT,
    usage=st.builds(Usage, COUNT, COUNT, COUNT, COUNT),
    cost=st.none() | st.floats(0, 1e6),
    sdk=TEXT,
    error_kind=TEXT,
    error_message=TEXT,
)


def as_history(items: Sequence[Attempt], call: str) -> list[Attempt]:
    """Number the attempts of a call; whatever ends it comes last."""
    named = [replace(item, call=call) for item in items]
    retries = [item for item in named if item.outcome is Outcome.RETRY]
    ends = [item for item in named if item.outcome is not Outcome.RETRY]
    history = retries + ends[:1]
    return [replace(item, number=n) for n, item in enumerate(history, 1)]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(ATTEMPT, max_size=4), min_size=1, max_size=5))
def test_any_history_is_read_back_as_it_was_written(
    drawn: list[list[Attempt]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.study"
        with create_study(path, "x") as study:
            planned = fill(study, profile_at("http://x/v1"), len(drawn))
            histories = [
                as_history(items, plan.call.id)
                for items, plan in zip(drawn, planned, strict=True)
            ]
            for history in histories:
                add_attempts(study, history)
        with open_study(path) as study:
            for plan, history in zip(planned, histories, strict=True):
                assert attempts_of(study, plan.call.id) == history
            left = {task.call.id for task in open_tasks(study, "r")}
            replies = replies_of(study, "r")
    for reply, history in zip(replies, histories, strict=True):
        ended = bool(history) and history[-1].terminal
        assert (reply.call.id in left) is not ended
        assert (reply.status == "open") is not ended
        assert reply.attempts == len(history)
        assert reply.last == (replace(history[-1], body=None) if history else None)


@settings(max_examples=10, deadline=None)
@given(st.text(max_size=20).map(lambda text: text + "\ud83d"))
def test_a_reply_is_kept_whatever_it_holds(text: str) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        create_study(Path(folder) / "a.study", "x") as study,
    ):
        (plan,) = fill(study, profile_at("http://x/v1"), 1)
        served = text.encode("utf-8", "surrogatepass")
        words = dict.fromkeys(
            ("text", "reasoning", "finish_reason", "request_id", "error_message"), text
        )
        made = Attempt(
            plan.call.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h", body=served, **words
        )
        add_attempts(study, [made])
        (kept,) = attempts_of(study, plan.call.id)
        assert kept.body == served
        assert kept.text == kept.reasoning == whole_text(text)
        assert kept.text.endswith("\ufffd")
        assert not open_tasks(study, "r")
