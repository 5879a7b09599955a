"""A study whose every text is hostile: the report shows it and runs none of it."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from director_gui.render.still import Still
from director_gui.runner.practice.coders import two_coders
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome, now_utc
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene, ViewName
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study, create_study
from director_gui.store.runs import Run, calls_of
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.practice import practice_coding
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, seal_packet
from director_gui.study.blind.unblinding import unblind
from director_gui.study.practice import Practice
from director_gui.study.report.facts import Facts, facts_of
from director_gui.study.report.page import page
from director_gui.study.report.value import report_value
from director_gui.study.report.writing import write_report
from director_gui.study.running import Draft, make_run
from tests.study.report.test_markup import read

EVIL = (
    "<script>alert(1)</script></pre></style></title>--><img src=x onerror=alert(2)>"
    "\"' onload=alert(3) &lt;b&gt; \u202e\u2066 <svg/onload=alert(4)> ]]>"
)
PROFILE = Profile(
    name=f"m {EVIL}", base_url="http://x.invalid/v1", model=EVIL, practice=True
)
WHY = "<b onclick=steal(5)>why</b>"  # the words of the model’s name would be cut
REPLY = f'{EVIL}\n{{"visible": [5, 8], "choice": 3, "count": 3}}'


class Painted:
    """Stands in for the renderer: a picture whose renderer has a hostile name."""

    def draw(self, scene: Scene, view: ViewName) -> Still:
        shade = 9 * len(scene.name) + len(view)
        return Still(np.full((6, 8, 3), shade % 256, np.uint8), EVIL)


def attempt(call: str, number: int) -> Attempt:
    return Attempt(
        call=call, turn=1, turns=1, number=1, outcome=Outcome.REPLY, started=now_utc(),
        latency=0.1, request_hash="0", text=REPLY, reasoning=f"{WHY} {number}",
        finish_reason="stop", model_returned=EVIL, fingerprint=EVIL, sdk=EVIL,
    )  # fmt: skip


def filled(study: Study) -> Run:
    scene = replace(example_scene(), name=f"s {EVIL[:80]}")
    draft = Draft(
        "plan", EVIL, (scene,), ("move.ask", "move.plain", "move.count"), (PROFILE,), 2
    )
    with Practice() as practice:
        run = make_run(study, draft, Painted(), practice)  # type: ignore[arg-type]
    calls = calls_of(study, run.id)
    add_attempts(study, [attempt(call.id, i) for i, call in enumerate(calls)])
    return run


def coded(study: Study, folder: Path) -> str:
    """Seal and code a packet; return its id."""
    prepared = prepare(study, Request(seed=1))
    cuts = {finding.name: "keep" for finding in prepared.findings}
    sealed = seal_packet(study, prepared, default_codebook(), EVIL, decisions=cuts)
    files = [
        practice_coding(sealed.packet, coder.alias, coder, folder)
        for coder in two_coders(0)
    ]
    merge_results(study, files, EVIL)
    return sealed.stored.id


@pytest.fixture
def facts(tmp_path: Path) -> Iterator[Facts]:
    with create_study(tmp_path / "evil.study", EVIL) as study:
        run = filled(study)
        unblind(study, coded(study, tmp_path), EVIL, EVIL)
        yield facts_of(study, run.id)


def test_a_packet_that_is_blind_gives_no_code_away(tmp_path: Path) -> None:
    with create_study(tmp_path / "blind.study", "blind") as study:
        run = filled(study)
        coded(study, tmp_path)
        facts = facts_of(study, run.id)
    assert facts.coded is not None
    assert facts.coded.agreement is not None  # no condition shows in it
    assert (facts.coded.traces, facts.coded.readings) == ((), None)


def test_no_hostile_text_becomes_markup(facts: Facts) -> None:
    made = page(facts)
    found = read(made)
    assert found.tags.count("img") == 2
    assert found.tags.count("style") == found.tags.count("title") == 1
    assert "script" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    assert "<script" not in made
    assert "onerror=alert(2)&gt;" in made


def test_hostile_text_can_be_read_as_it_is(facts: Facts) -> None:
    said = read(page(facts)).text
    assert EVIL in said  # the model's name, and the study's
    assert REPLY in said
    assert WHY in said


def test_skipped_items_give_no_kappa_but_words(facts: Facts) -> None:
    value = report_value(facts)
    assert len(value["agreement"]) == 3
    assert all(one["kappa"] is None for one in value["agreement"])
    assert all(one["n"] == 0 for one in value["agreement"])
    said = read(page(facts)).text
    assert "no item coded by both" in said
    assert "nan" not in said.lower().split()


def test_one_scene_has_no_interval_but_a_reason(facts: Facts) -> None:
    said = read(page(facts)).text
    assert "Needs at least 3 scenes" in said
    assert "no interval" in said
    assert all(one["ci_low"] is None for one in report_value(facts)["comparisons"])


def test_files_have_plain_names(facts: Facts, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    folder.mkdir()
    write_report(facts, folder)
    names = [path.name for path in (folder / "pictures").iterdir()]
    assert len(names) == 2
    assert all(name.startswith("001-s-script-alert") for name in names)
    assert all(char.isalnum() or char in "-." for name in names for char in name)
    assert (folder / "figures" / "agreement.svg").exists()
    shutil.rmtree(folder)
