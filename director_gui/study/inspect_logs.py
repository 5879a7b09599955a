"""Bring the replies in Inspect logs back as replies of a plan's run.

A sample counts when it is a call of the run that is still open, asked with the very
texts and picture that were planned; everything else is counted and left out.
"""

import base64
import binascii
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json, sha256_hex
from director_gui.runner.attempting import answered
from director_gui.runner.client import RawReply
from director_gui.runner.content import MalformedError, content_of
from director_gui.runner.engine_values import Task
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Call, Outcome, now_utc
from director_gui.store.attempts import add_attempts, open_tasks
from director_gui.store.database import Study
from director_gui.store.runs import Run, planned_call
from director_gui.study.inspect_archive import read_log

_SDK = "inspect_ai"
_DATA = "data:image/png;base64,"
_FINISH = {"max_tokens": "length", "model_length": "length"}


@dataclass(frozen=True, slots=True)
class Brought:
    """What logs held.

    Attributes:
        kept: Calls that now have their reply.
        left_out: Samples that were not taken, by reason.
    """

    kept: int
    left_out: Mapping[str, int]


def bring_logs(
    study: Study, run: Run, profiles: Mapping[str, Profile], paths: Iterable[Path]
) -> Brought:
    """Keep the replies in Inspect logs; nothing that has an end is touched.

    Args:
        study: Open for writing.
        run: The run that the task folder was written from.
        profiles: The run's profiles by name, with their prices.
        paths: ``.eval`` or ``.json`` files.

    Raises:
        UserError: A file is no Inspect log, or the study cannot be written.
    """
    left_out: Counter[str] = Counter()
    kept = 0
    for path in paths:
        log = read_log(path)
        tasks = {task.call.id: task for task in open_tasks(study, run.id)}
        for sample in log.samples:
            task = tasks.pop(str(sample["id"]), None)
            reason = _keep(study, task, profiles, sample, log.model)
            kept += not reason
            if reason:
                left_out[reason] += 1
    return Brought(kept, dict(left_out))


def _keep(
    study: Study,
    task: Task | None,
    profiles: Mapping[str, Profile],
    sample: Json,
    model: str,
) -> str:
    """Keep a sample's replies; return why not, empty when they were kept."""
    if task is None:
        return "not an open call of this run"
    turns = planned_call(study, task.call.id).turns
    events = list(_answers(sample))[-len(turns) :]
    reason = _why_not(task.call, turns, sample, model)
    if reason or len(events) < len(turns):
        return reason or "no reply"
    attempts = list(_attempts(task, profiles[task.call.profile], events))
    if any(attempt.outcome is not Outcome.REPLY for attempt in attempts):
        return "no reply"
    add_attempts(study, attempts)
    return ""


def _why_not(call: Call, turns: tuple[str, ...], sample: Json, model: str) -> str:
    """Return how a sample differs from the call it names; empty when it does not."""
    if not _same_model(call, model):
        return "another model"
    # A sample that failed early asked less, and has no reply either.
    asked = _asked(sample)
    if asked != list(turns[: len(asked)]):
        return "other texts than planned"
    return "" if _same_picture(sample, call) else "another picture than planned"


def _attempts(task: Task, profile: Profile, events: list[Json]) -> Iterator[Attempt]:
    answered_already = len(task.replies)
    for at, event in enumerate(events[answered_already:], start=answered_already):
        first = at == answered_already
        request = (event.get("call") or {}).get("request")
        sent = Attempt(
            call=task.call.id,
            turn=at + 1,
            turns=len(events),
            number=task.attempts + 1 if first else 1,
            outcome=Outcome.RETRY,
            started=str(event.get("timestamp") or now_utc()),
            latency=float(event.get("working_time") or 0.0),
            request_hash=sha256_hex(_bytes(request)) if request else "",
        )
        yield _with_reply(sent, profile, event)


def _with_reply(sent: Attempt, profile: Profile, event: Json) -> Attempt:
    served = (event.get("call") or {}).get("response")
    body = served if _readable(served) else _as_chat(event["output"])
    raw = RawReply(200, {}, _bytes(body), _SDK)
    made, _ = answered(sent, profile, raw, last_try=True)
    # What Inspect kept of the response is the evidence, not our reading of it.
    return replace(made, body=_bytes(served or event["output"]))


def _bytes(value: Json) -> bytes:
    try:
        return canonical_json(value)
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can say
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _readable(served: Json) -> bool:
    if not isinstance(served, dict):
        return False
    try:
        content_of(served)
    except MalformedError:
        return False
    return True


def _as_chat(output: Json) -> Json:
    """Return Inspect's own form of a reply as a Chat Completions body."""
    choice = output["choices"][0]
    content = choice["message"]["content"]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    stop = choice.get("stop_reason")
    reasoned = _of(parts, "reasoning")
    thoughts = [part.get("reasoning") or part.get("summary") for part in reasoned]
    message = {
        "content": "\n".join(part["text"] for part in _of(parts, "text")),
        "reasoning_content": "\n\n".join(text for text in thoughts if text),
    }
    return {
        "model": output.get("model"),
        "id": output.get("response_id"),
        "choices": [{"finish_reason": _FINISH.get(stop, stop), "message": message}],
        "usage": _usage(output.get("usage") or {}),
    }


def _usage(usage: Json) -> Json:
    reasoning = usage.get("reasoning_tokens")
    cached = usage.get("input_tokens_cache_read") or 0
    written = usage.get("input_tokens_cache_write") or 0
    # Inspect counts cached tokens apart; servers count them in.
    whole = (usage.get("input_tokens") or 0) + cached + written
    return {
        "prompt_tokens": whole if "input_tokens" in usage else None,
        "completion_tokens": usage.get("output_tokens"),
        "prompt_tokens_details": {"cached_tokens": cached},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }


def _answers(sample: Json) -> Iterator[Json]:
    """Yield the model events that brought a reply, in order."""
    for event in sample.get("events") or []:
        output = event.get("output") or {}
        wrong = event.get("error") or output.get("error")
        if event.get("event") == "model" and output.get("choices") and not wrong:
            yield event


def _asked(sample: Json) -> list[str]:
    """Return the text of each user message."""
    return [
        _words(message.get("content"))
        for message in sample.get("messages") or []
        if message.get("role") == "user"
    ]


def _words(content: Json) -> str:
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in _of(content, "text"))


def _same_picture(sample: Json, call: Call) -> bool:
    asked = sample.get("input")
    messages = asked if isinstance(asked, list) else []
    images = [
        str(part.get("image", ""))
        for message in messages
        for part in _of(message.get("content"), "image")
    ]
    if len(images) != 1:
        return False
    if not images[0].startswith(_DATA):  # not kept in the log: its name is its hash
        return Path(images[0]).stem == call.image
    try:
        data = base64.b64decode(images[0].removeprefix(_DATA), validate=True)
    except binascii.Error:
        return False
    return sha256_hex(data) == call.image


def _same_model(call: Call, model: str) -> bool:
    # Inspect puts the provider before the name, and services a service as well.
    return model == call.model or model.endswith("/" + call.model)


def _of(content: Json, kind: str) -> list[Json]:
    parts = content if isinstance(content, list) else []
    return [p for p in parts if isinstance(p, dict) and p.get("type") == kind]


def refuse_nothing_kept(brought: Brought) -> None:
    """Say why no reply was kept.

    Raises:
        UserError: None was.
    """
    if not brought.kept:
        reasons = ", ".join(f"{n} {reason}" for reason, n in brought.left_out.items())
        raise UserError(
            f"the logs hold no reply for this run ({reasons or 'they are empty'})",
            todo="Choose the logs of the task folder that this plan wrote",
        )
