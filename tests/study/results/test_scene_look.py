from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.attempts import replies_of
from director_gui.store.corrections import add_correction
from director_gui.store.database import Study
from director_gui.study.correcting import automatic
from director_gui.study.foreign.mapping import ColumnMap
from director_gui.study.foreign.scene_rows import MOST, scene_rows
from director_gui.study.results.comparing import Compared, compared
from director_gui.study.results.effects import scene_sheet
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.scene_look import (
    Look,
    look_at,
    look_at_label,
    named_scene,
)
from director_gui.study.results.view import Question, answer
from director_gui.study.scored import scored_replies
from tests.study.results.planted import columns_of

MAPPING = ColumnMap("scene", "condition", "y", sample="sample")


def comparison(study: Study) -> tuple[str, Compared]:
    found = answer(study, ReplyCache(study), Question())
    assert found is not None
    one = next(c for c in found.comparisons if c.test == "move.ask")
    return found.columns.scenes[0], one


def shown(study: Study) -> Look:
    scene, one = comparison(study)
    return look_at(study, "run-1", scene, one)


def test_the_replies_of_the_comparison_alone_are_shown(study: Study) -> None:
    scene, one = comparison(study)
    look = look_at(study, "run-1", scene, one)
    wanted = [
        reply
        for reply in replies_of(study, "run-1")
        if reply.call.scene == scene
        and reply.call.profile == one.model
        and reply.call.condition in (one.test, one.reference)
    ]
    assert {row.key for row in look.replies.rows} == {r.call.id for r in wanted}
    assert look.replies.rows[0].cells[0].text == one.test
    texts = {reply.call.id: reply.text for reply in wanted}
    for row in look.replies.rows:
        assert row.cells[6].hint == texts[row.key][:4000]
    assert f"{len(wanted)} calls to {one.model}" in look.replies.note
    assert look.scene is not None
    assert look.name == look.scene.name


def test_counts_by_scene_are_those_of_the_replies_shown(study: Study) -> None:
    scene, one = comparison(study)
    assert one.replies is not None
    tally = one.replies.tally(one.test)
    at = one.replies.scenes.index(scene)
    rows = look_at(study, "run-1", scene, one).replies.rows
    test = [r for r in rows if r.cells[0].text == one.test]
    answered = [r for r in test if r.cells[2].text == "answered"]
    assert len(answered) == tally.answered[at]
    hidden = [r for r in answered if r.cells[4].text == "hidden block"]
    assert len(hidden) == tally.events[at]


def test_a_corrected_reply_shows_what_counts(study: Study) -> None:
    scene, one = comparison(study)
    row = next(r for r in shown(study).replies.rows if r.cells[3].text not in ("", "3"))
    value = {"status": "answered", "choice": 3, "visible": [5, 8]}
    add_correction(study, row.key, value, actor="me", reason="misread")
    now = next(r for r in shown(study).replies.rows if r.key == row.key)
    cells = [cell.text for cell in now.cells]
    # 3 is the hidden block of the example scene.
    assert cells[2:6] == ["answered, corrected by hand", "3", "hidden block", "5, 8"]
    plain = look_at(study, "run-1", scene, one, automatic=True)
    assert row in plain.replies.rows


def test_a_correction_that_was_taken_back_is_not_told(study: Study) -> None:
    row = shown(study).replies.rows[0]
    item = next(i for i in scored_replies(study, "run-1") if i.reply.call.id == row.key)
    for value in ({"choice": 3}, automatic(item)):
        add_correction(study, row.key, value, actor="me", reason="misread")
    assert shown(study).replies.rows[0] == row


def test_a_corrected_reply_says_so(study: Study) -> None:
    row = shown(study).replies.rows[0]
    add_correction(study, row.key, {"choice": 5}, actor="me", reason="read")
    assert "corrected by hand" in shown(study).replies.rows[0].cells[2].text


def test_a_scene_that_is_not_there_is_refused(study: Study) -> None:
    _, one = comparison(study)
    with pytest.raises(UserError):
        look_at(study, "run-1", "nothing", one)


def test_a_label_means_a_scene_by_hash_or_by_its_only_name(study: Study) -> None:
    scene, _ = comparison(study)
    assert named_scene(study, scene) == scene
    assert named_scene(study, "scene 0") in {
        row["hash"] for row in study.query("SELECT hash FROM scenes")
    }
    assert named_scene(study, "scene") is None
    assert named_scene(study, "Scene 0") is None


def test_somebody_elses_scene_has_rows_and_perhaps_pictures(study: Study) -> None:
    rows = shown(study).replies
    for opened in (None, study):
        strange = look_at_label(opened, "elsewhere", rows)
        assert (strange.scene, strange.pictures) == (None, {})
        assert strange.replies is rows
    known = look_at_label(study, "scene 0", rows)
    assert known.scene is not None
    assert known.scene.name == "scene 0"


def test_a_files_rows_of_one_scene_are_verbatim(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("scene,condition,y,sample\n01,a,1,0\n1,a,0,0\n01,=b,,1\n")
    sheet = scene_rows(path, MAPPING, "01")
    assert [[c.text for c in row.cells] for row in sheet.rows] == [
        ["a", "0", "1"],
        ["=b", "1", ""],
    ]
    assert [column.title for column in sheet.columns] == [
        "Condition", "Sample", "0 or 1",
    ]  # fmt: skip
    assert sheet.note == "2 rows of r.csv about this scene."


def test_very_many_rows_are_cut_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    rows = "".join(f"s,a,1,{at}\n" for at in range(MOST + 7))
    path.write_text(f"scene,condition,y,sample\n{rows}")
    told: list[str] = []
    sheet = scene_rows(path, MAPPING, "s", lambda _share, text: told.append(text))
    assert len(sheet.rows) == MOST
    assert f"{MOST + 7} rows" in sheet.note
    assert "the first 500 shown" in sheet.note
    assert told


def test_without_facts_a_scene_is_its_label() -> None:
    columns = columns_of({"a": 0.6, "b": 0.2})
    (one,) = compared(columns, (("a", "b"),))
    sheet = scene_sheet(one, {})
    assert len(sheet.columns) == 6
    assert {row.key for row in sheet.rows} == set(columns.scenes)
    assert all(row.cells[0].text == row.key for row in sheet.rows)
    sizes = [abs(float(row.cells[5].value or 0)) for row in sheet.rows]
    assert sizes == sorted(sizes, reverse=True)
