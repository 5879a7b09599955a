"""Inspect AI: what is written for it, and what is taken back from its logs.

The logs here have the shape that inspect_ai 0.3.285 writes.
"""

import base64
import compileall
import json
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.runner.records import Attempt, Outcome
from director_gui.store.attempts import add_attempts, attempts_of, replies_of
from director_gui.store.database import Study
from director_gui.store.runs import Run, calls_of
from director_gui.study.inspect_archive import read_log
from director_gui.study.inspect_folder import write_inspect
from director_gui.study.inspect_logs import Brought, bring_logs, refuse_nothing_kept
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.plan_sending import Sending, ready
from director_gui.study.practice import Practice
from tests.plan_studies import plan_at, plan_text, study_with_set

Sample = dict[str, Any]
HASH = "3f6c13f9f297fee0f170c906a44c0cc3"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


def planned(study: Study, condition: str = "move.plain") -> Sending:
    text = plan_text("http://127.0.0.1:1/v1").replace("move.plain", condition)
    plan = plan_at(study.path.with_name("p.toml"), text)
    with Practice() as practice:
        run = make_plan_run(study, plan, practice)
        return ready(study, plan, run, practice)


def written(study: Study, sending: Sending, folder: Path) -> list[Sample]:
    (made,) = write_inspect(study, sending.run, sending.profiles, folder)
    lines = (made / "dataset.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_folder_holds_every_open_call_in_order(
    study: Study, tmp_path: Path
) -> None:
    sending = planned(study)
    first, *others = calls_of(study, sending.run.id)
    add_attempts(study, [Attempt(first.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h")])
    samples = written(study, sending, tmp_path / "out")
    assert [sample["id"] for sample in samples] == [call.id for call in others]
    for sample, call in zip(samples, others, strict=True):
        image, text = sample["input"][0]["content"]
        picture = (tmp_path / "out" / "local" / image["image"]).read_bytes()
        assert sha256_hex(picture) == call.image
        assert text["type"] == "text"
        assert sample["metadata"]["condition"] == call.condition
        assert sample["metadata"]["later_turns"] == []


def test_a_second_turn_is_not_seen_in_the_first(study: Study, tmp_path: Path) -> None:
    samples = written(study, planned(study, "move.first_turn"), tmp_path)
    two = [s for s in samples if s["metadata"]["condition"] == "move.first_turn"]
    for sample in two:
        (later,) = sample["metadata"]["later_turns"]
        assert '"choice"' in later
        assert '"choice"' not in sample["input"][0]["content"][1]["text"]


def test_the_task_is_a_program_with_the_profiles_settings(
    study: Study, tmp_path: Path
) -> None:
    written(study, planned(study), tmp_path)
    assert compileall.compile_file(tmp_path / "local" / "task.py", quiet=1)
    settings = json.loads((tmp_path / "local" / "settings.json").read_text())
    assert settings == {"reasoning_effort": "medium", "max_tokens": 1000}


def test_nothing_left_or_nowhere_to_write_is_told(study: Study, tmp_path: Path) -> None:
    sending = planned(study)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_inspect(study, sending.run, sending.profiles, tmp_path / "file")
    calls = calls_of(study, sending.run.id)
    add_attempts(
        study, [Attempt(c.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h") for c in calls]
    )
    with pytest.raises(UserError, match="ended"):
        write_inspect(study, sending.run, sending.profiles, tmp_path)


def served(text: str, **message: object) -> Sample:
    return {
        "id": "chatcmpl-1",
        "model": "served-model",
        "choices": [{"finish_reason": "stop", "message": {"content": text, **message}}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 200},
    }


def output(text: str, stop: str = "stop") -> Sample:
    reasoning = {"type": "reasoning", "reasoning": "because", "redacted": False}
    content = [reasoning, {"type": "text", "text": text}]
    return {
        "model": "served-model",
        "choices": [
            {"message": {"role": "assistant", "content": content}, "stop_reason": stop}
        ],
        "usage": {
            "input_tokens": 900,
            "output_tokens": 200,
            "total_tokens": 1200,
            "input_tokens_cache_read": 100,
            "reasoning_tokens": 150,
        },
        "response_id": "r-1",
    }


def event(text: str, *, raw: bool = True, stop: str = "stop") -> Sample:
    request = {"model": "m", "messages": []}
    return {
        "event": "model",
        "timestamp": "2026-11-29T21:18:06.845374+00:00",
        "working_time": 0.5,
        "output": output(text, stop),
        "call": {"request": request, "response": served(text)} if raw else None,
    }


def log_sample(folder: Path, asked: Sample, *events: Sample) -> Sample:
    """What Inspect keeps of a sample that was asked as it was written."""
    image, text = asked["input"][0]["content"]
    data = base64.b64encode((folder / image["image"]).read_bytes()).decode()
    kept = {"type": "image", "image": f"attachment://{HASH}", "detail": "auto"}
    user = {"role": "user", "content": [kept, text]}
    later = [{"role": "user", "content": t} for t in asked["metadata"]["later_turns"]]
    return {
        "id": asked["id"],
        "epoch": 1,
        "input": [user],
        "messages": [user, {"role": "assistant", "content": "x"}, *later],
        "events": [{"event": "span_begin"}, *events],
        "attachments": {HASH: f"data:image/png;base64,{data}"},
        "error": None,
    }


def eval_file(path: Path, samples: list[Sample], model: str = "openai/m") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_journal/start.json", json.dumps({"eval": {"model": model}}))
        for sample in samples:
            name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
            archive.writestr(name, json.dumps(sample))
        archive.writestr("header.json", json.dumps({"eval": {"model": model}}))
    return path


class Desk:
    """A study, its plan, what was written for Inspect, and logs to take back."""

    def __init__(
        self, study: Study, folder: Path, condition: str = "move.plain"
    ) -> None:
        self.study, self.folder = study, folder
        self.sending = planned(study, condition)
        self.asked = written(study, self.sending, folder)

    def sample(self, at: int, *events: Sample) -> Sample:
        return log_sample(self.folder / "local", self.asked[at], *events)

    def bring(self, *samples: Sample, model: str = "openai/m") -> Brought:
        path = eval_file(self.folder / "log.eval", list(samples), model)
        run: Run = self.sending.run
        return bring_logs(self.study, run, self.sending.profiles, [path])

    def made(self, at: int) -> list[Attempt]:
        return attempts_of(self.study, self.asked[at]["id"])


@pytest.fixture
def desk(study: Study, tmp_path: Path) -> Desk:
    return Desk(study, tmp_path / "inspect")


def test_replies_come_back_as_replies_of_the_plan(desk: Desk) -> None:
    samples = [desk.sample(i, event(f"text {i}")) for i in range(len(desk.asked))]
    assert desk.bring(*samples[::-1]) == Brought(8, {})
    for at in range(8):
        (made,) = desk.made(at)
        assert (made.outcome, made.text) == (Outcome.REPLY, f"text {at}")
        assert json.loads(made.body or b"") == served(f"text {at}")
        assert made.model_returned == "served-model"
        assert (made.usage.input, made.usage.output) == (1000, 200)
        assert made.cost == pytest.approx((1000 * 1 + 200 * 10) / 1e6)
        assert made.sdk == "inspect_ai"
    replies = replies_of(desk.study, desk.sending.run.id)
    assert {reply.status for reply in replies} == {"reply"}


def test_a_provider_that_we_do_not_read_is_read_as_inspect_read_it(desk: Desk) -> None:
    foreign = event("hello", raw=False, stop="max_tokens")
    foreign["call"] = {"request": {}, "response": {"content": [{"text": "hello"}]}}
    assert desk.bring(desk.sample(0, foreign)).kept == 1
    (made,) = desk.made(0)
    assert (made.text, made.reasoning, made.finish_reason) == (
        "hello",
        "because",
        "length",
    )
    usage = made.usage
    assert (usage.input, usage.output, usage.reasoning, usage.cached) == (
        1000,
        200,
        150,
        100,
    )
    assert json.loads(made.body or b"") == {"content": [{"text": "hello"}]}


def test_both_turns_are_kept_and_inspects_own_retries_are_not(
    study: Study, tmp_path: Path
) -> None:
    desk = Desk(study, tmp_path / "inspect", "move.first_turn")
    at = next(i for i, s in enumerate(desk.asked) if s["metadata"]["later_turns"])
    failed = {**event("half"), "error": "500"}
    sample = desk.sample(at, event("one"), failed, event("two"))
    assert desk.bring(sample).kept == 1
    assert [(a.turn, a.text, a.terminal) for a in desk.made(at)] == [
        (1, "one", False),
        (2, "two", True),
    ]
    sample = desk.sample(at + 1 if at + 1 < 8 else 0, failed)
    assert desk.bring(sample).left_out == {"no reply": 1}


def test_bringing_a_log_twice_changes_nothing(desk: Desk) -> None:
    sample = desk.sample(0, event("text"))
    assert desk.bring(sample, {**sample, "epoch": 2}) == Brought(
        1, {"not an open call of this run": 1}
    )
    assert desk.bring(sample).kept == 0
    assert len(desk.made(0)) == 1


def test_what_was_asked_otherwise_is_left_out(desk: Desk) -> None:
    other_text = desk.sample(0, event("x"))
    other_text["messages"][0]["content"][1] = {"type": "text", "text": "edited"}
    other_picture = desk.sample(1, event("x"))
    other_picture["attachments"][HASH] = "data:image/png;base64,AAAA"
    no_picture = desk.sample(2, event("x"))
    no_picture["input"] = "only text"
    stranger = {**desk.sample(3, event("x")), "id": "someone else's"}
    assert desk.bring(other_text, other_picture, no_picture, stranger) == Brought(
        0,
        {
            "other texts than planned": 1,
            "another picture than planned": 2,
            "not an open call of this run": 1,
        },
    )
    good = desk.sample(0, event("x"))
    assert desk.bring(good, model="openai/n").left_out == {"another model": 1}
    assert desk.bring(good, model="openrouter/openai/m").kept == 1


def test_nothing_kept_is_told_with_the_reasons() -> None:
    with pytest.raises(UserError, match="3 another model"):
        refuse_nothing_kept(Brought(0, {"another model": 3}))
    with pytest.raises(UserError, match="empty"):
        refuse_nothing_kept(Brought(0, {}))
    refuse_nothing_kept(Brought(1, {"no reply": 3}))


def test_a_json_log_is_read_too(desk: Desk) -> None:
    path = desk.folder / "log.json"
    sample = desk.sample(0, event("text"))
    path.write_text(json.dumps({"eval": {"model": "m"}, "samples": [sample]}))
    log = read_log(path)
    assert log.model == "m"
    assert log.samples[0]["input"][0]["content"][0]["image"].startswith("data:image")
    profiles = desk.sending.profiles
    assert bring_logs(desk.study, desk.sending.run, profiles, [path]).kept == 1


def test_a_log_without_its_header_was_cut_short_and_is_read(desk: Desk) -> None:
    path = desk.folder / "cut.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", '{"eval": {"model": "m"}}')
        archive.writestr("samples/a.json", json.dumps(desk.sample(0, event("x"))))
    assert len(read_log(path).samples) == 1


def zstandard_file(path: Path, members: dict[str, bytes]) -> Path:
    """A zip with method 93, which no zipfile of ours writes."""
    zstandard = pytest.importorskip("zstandard")
    packed = {k: zstandard.ZstdCompressor().compress(v) for k, v in members.items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in packed.items():
            archive.writestr(name, data)
        for item in archive.infolist():
            item.compress_type = 93
            item.file_size = len(members[item.filename])
    return path


def test_a_log_packed_with_zstandard_is_read(tmp_path: Path) -> None:
    head = b'{"eval": {"model": "m"}}'
    sample = b'{"id": "a", "messages": []}'
    path = zstandard_file(
        tmp_path / "z.eval", {"header.json": head, "samples/a.json": sample}
    )
    assert [item.compress_type for item in zipfile.ZipFile(path).infolist()] == [93] * 2
    assert read_log(path).samples[0]["id"] == "a"


def test_without_zstandard_the_way_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = b'{"eval": {"model": "m"}}'
    path = zstandard_file(tmp_path / "z.eval", {"header.json": head})
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(UserError, match="Zstandard") as told:
        read_log(path)
    assert "inspect log convert" in told.value.todo


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04" + b"\0" * 40, b"{}", b"[1]", b"[" * 100_000, b"\xff"]
)
def test_what_is_no_log_is_told(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.eval"
    path.write_bytes(data)
    with pytest.raises(UserError, match="not an Inspect log"):
        read_log(path)
    with pytest.raises(UserError, match="cannot be read"):
        read_log(tmp_path / "gone.eval")


def test_a_broken_member_is_told(tmp_path: Path) -> None:
    path = zstandard_file(tmp_path / "z.eval", {"header.json": b'{"eval": {}}' * 50})
    data = bytearray(path.read_bytes())
    name, extra = struct.unpack("<HH", data[26:30])
    data[30 + name + extra] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(UserError, match="not an Inspect log"):
        read_log(path)


def test_half_a_surrogate_pair_in_a_log_is_brought_back(desk: Desk) -> None:
    half = event("five \ud83d")
    half["call"]["request"]["messages"] = ["\ud83d"]
    unread = event("six \udc00", raw=False)
    assert desk.bring(desk.sample(0, half), desk.sample(1, unread)) == Brought(2, {})
    (first,), (second,) = desk.made(0), desk.made(1)
    assert (first.text, second.text) == ("five \ufffd", "six \ufffd")
    assert json.loads(first.body or b"") == served("five \ud83d")
    assert json.loads(second.body or b"") == output("six \udc00")
