"""The demo: its figures are the study's, it says practice, and it can be made again."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from coding.agreement import Coder, agreement
from coding.log import parse_log
from coding.packet import read_packet
from coding.report import json_value
from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.runner.engine_values import RunEnded
from director_gui.runner.practice.traces import true_codes
from director_gui.stats.contrast import compare
from director_gui.stats.replies import Replies
from director_gui.stats.report import comparison_json
from director_gui.stats.shares import share
from director_gui.store.database import Study, open_study
from director_gui.store.runs import runs
from director_gui.store.sets import set_scenes, sets
from director_gui.study import demo
from director_gui.study.blind.overview import overview
from director_gui.study.demo import STUDY, Demo, make_demo
from director_gui.study.scored import scored_replies
from tests.study.conftest import WISH, Made

pytestmark = pytest.mark.render
COMPARE_KEYS = {
    "method", "reason", "estimate", "se", "df", "ci_low", "ci_high", "p", "G",
    "G_pair", "n", "k", "flags", "shares", "margin",
}  # fmt: skip
AGREE_KEYS = {
    "a", "b", "n", "agree", "percent", "percent_ci", "kappa", "kappa_undefined", "se",
    "ci_fce", "ci_scenes", "resamples_undefined", "kappa_max", "table", "per_code",
    "ac1", "prevalence_index", "bias_index",
}  # fmt: skip


def scored_rows(study: Study) -> list[tuple[str, str, int | None]]:
    (run,) = runs(study)
    return [
        (
            item.reply.call.scene,
            item.reply.call.condition,
            int(bool(item.score.hidden_choice))
            if item.score and item.score.status == "answered"
            else None,
        )
        for item in scored_replies(study, run.id)
    ]


def test_the_document_has_the_promised_keys(made: Made) -> None:
    value = made.demo.value
    assert {"study", "report", "comparisons", "agreement"} <= value.keys()
    for one in value["comparisons"]:
        assert {"model", "reference", "test"} | COMPARE_KEYS <= one.keys()
    for one in value["agreement"]:
        assert one.keys() >= AGREE_KEYS
    json.dumps(value, allow_nan=False)


def test_every_call_was_made_and_none_is_open(demo_study: Study) -> None:
    (run,) = runs(demo_study)
    scored = scored_replies(demo_study, run.id)
    assert len(scored) == WISH.scenes * 6 * WISH.samples
    assert {item.reply.status for item in scored} == {"reply"}
    arms = Counter(item.reply.call.condition for item in scored)
    assert set(arms.values()) == {WISH.scenes * WISH.samples}


def test_the_comparisons_are_those_of_the_stored_replies(
    made: Made, demo_study: Study
) -> None:
    replies = Replies.of(scored_rows(demo_study))
    assert len(made.demo.value["comparisons"]) == 6
    for one in made.demo.value["comparisons"]:
        pair = (one["reference"], one["test"])
        again = comparison_json(
            compare(replies, *pair), [share(replies, name) for name in pair]
        )
        assert {key: one[key] for key in again} == again


def test_the_packet_is_found_where_the_demo_put_it(
    made: Made, demo_study: Study
) -> None:
    (row,) = overview(demo_study)
    assert row.file == next((made.folder / "coding").glob("*.codepack"))


def test_the_agreement_is_that_of_the_results_files(
    made: Made, demo_study: Study
) -> None:
    (file,) = (made.folder / "coding").glob("*.codepack")
    packet = read_packet(file)
    rows = demo_study.query("SELECT key FROM packets")
    refs = {i: s["ref"] for i, s in json.loads(rows[0]["key"])["items"].items()}
    scenes = {
        r["id"]: r["scene"] for r in demo_study.query("SELECT id,scene FROM calls")
    }
    logs = {
        path.stem.partition("-")[2]: parse_log(path.read_bytes(), packet)
        for path in sorted((made.folder / "coding").glob("*.jsonl"))
    }
    for one in made.demo.value["agreement"]:
        field = packet.codebook.field(one["field"])
        coders = [
            Coder(name, {
                refs[item.id]: log.fold.state(item.id).values[field.name]
                for item in packet.items
            })
            for name, log in logs.items()
        ]  # fmt: skip
        found: Any = json_value(agreement(coders, field.code_names(), scenes))
        (again,) = found["pairs"]
        assert {key: one[key] for key in again} == again


def test_the_coders_read_sealed_texts_and_err_now_and_then(made: Made) -> None:
    (file,) = (made.folder / "coding").glob("*.codepack")
    packet = read_packet(file)
    truths = [true_codes(item.text) for item in packet.items]
    assert None not in truths
    assert not any("Practice reader" in item.text for item in packet.items)
    readings = [a for a in made.demo.value["agreement"] if a["field"] == "reading"]
    assert 0.7 < readings[0]["percent"] < 1
    assert readings[0]["n"] == len(packet.items)


def test_everything_says_practice(made: Made, demo_study: Study) -> None:
    (run,) = runs(demo_study)
    assert run.practice
    assert made.demo.value["practice"] is True
    assert all(c["practice"] for c in made.demo.value["comparisons"])
    assert all(a["practice"] for a in made.demo.value["agreement"])
    assert "practice" in (demo_study.meta("name") or "").lower()
    page = made.demo.report.read_text("utf-8")
    assert "Everything here is practice" in page
    assert "(practice)</title>" in page


def test_both_witnesses_looked_at_every_scene(made: Made, demo_study: Study) -> None:
    (found,) = sets(demo_study)
    rows = set_scenes(demo_study, found.id)
    assert (found.name, found.seed, len(rows)) == ("main", WISH.seed, WISH.scenes)
    apart = [
        abs(fraction - row.facts["witnesses"]["depth"][view][digit])
        for row in rows
        for view, fractions in row.facts["witnesses"]["analytic"].items()
        for digit, fraction in fractions.items()
    ]
    assert len(apart) >= 2 * 3 * WISH.scenes
    assert max(apart) <= 0.002
    page = made.demo.report.read_text("utf-8")
    assert f"gave {len(apart)} visible fractions" in page
    assert f"at most {max(apart):.4f} (0.0020" in page


def test_the_pictures_are_the_ones_that_were_sent(
    made: Made, demo_study: Study
) -> None:
    sent = {row["image"] for row in demo_study.query("SELECT image FROM calls")}
    files = {sha256_hex(p.read_bytes()) for p in made.demo.pictures.glob("*-model.png")}
    assert files == sent
    assert len(list(made.demo.pictures.glob("*-director.png"))) == WISH.scenes


def test_progress_only_grows_and_ends_at_one(made: Made) -> None:
    shares = [one.share for one in made.told]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)
    steps = list(dict.fromkeys(one.step for one in made.told))
    assert steps == ["scenes", "replies", "coding", "report"]


def again(folder: Path) -> Demo:
    return make_demo(folder, WISH)


@pytest.mark.slow
def test_again_in_the_same_folder_gives_the_same_figures(
    made: Made, tmp_path: Path
) -> None:
    first = again(tmp_path / "d")
    note = tmp_path / "d" / "figures" / "mine.txt"
    note.write_text("keep me")
    second = again(tmp_path / "d")
    for key in ("comparisons", "agreement"):
        assert first.value[key] == second.value[key] == made.demo.value[key]
    assert second.kept == ()
    assert note.read_text() == "keep me"
    for name in ("rates", "differences", "choices", "agreement"):
        for end in ("svg", "png"):
            paths = [d / f"{name}.{end}" for d in (second.figures, made.demo.figures)]
            assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.slow
def test_a_study_with_work_in_it_is_kept(tmp_path: Path) -> None:
    first = again(tmp_path / "d")
    with open_study(first.study) as study:
        study.set_meta("note", "hours of work")
    second = again(tmp_path / "d")
    (kept,) = second.kept
    with open_study(kept, read_only=True) as study:
        assert study.meta("note") == "hours of work"
    with open_study(second.study, read_only=True) as study:
        assert study.meta("note") is None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("seconds", [1.5, 4.0, 6.0])
def test_a_killed_demo_starts_over_and_harms_nothing(
    tmp_path: Path, seconds: float
) -> None:
    folder = tmp_path / "d"
    command = [sys.executable, "-m", "director_gui", "demo", "--out", str(folder)]
    command += ["--scenes", str(WISH.scenes), "--no-window"]
    child = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ.copy())
    time.sleep(seconds)
    child.send_signal(signal.SIGKILL)
    child.wait()
    made = again(folder)
    assert made.kept == () or seconds > 5  # it may have been done by then
    names = {path.name for path in folder.iterdir()}
    assert names >= {STUDY, "report.html", "pictures", "figures", "coding"}
    assert ".director-gui-demo" not in names


def test_a_study_that_is_open_elsewhere_is_not_replaced(made: Made) -> None:
    before = sha256_hex(made.demo.study.read_bytes())
    with (
        open_study(made.demo.study),
        pytest.raises(UserError, match="already open"),
    ):
        again(made.folder)
    assert sha256_hex(made.demo.study.read_bytes()) == before


def test_a_full_disk_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    # Only the end of the demo is of interest here, so all before it is left out.
    monkeypatch.setattr(demo, "_filled", lambda *_: SimpleNamespace(id="r"))
    monkeypatch.setattr(demo, "facts_of", lambda *_: None)
    monkeypatch.setattr(demo, "write_report", full)
    with pytest.raises(UserError, match="No space left"):
        again(tmp_path / "d")


@pytest.mark.parametrize("end", [RunEnded(0, 0, 3), RunEnded(5, 0, 0, error="broke")])
def test_a_run_that_did_not_finish_makes_no_demo(end: RunEnded) -> None:
    handle = SimpleNamespace(wait=lambda _: True, poll=lambda _: [end])
    steps = SimpleNamespace(at=lambda *_: None)
    with pytest.raises(UserError, match="did not finish") as caught:
        demo._wait(handle, 5, steps)  # type: ignore[arg-type]
    assert caught.value.where == end.error
