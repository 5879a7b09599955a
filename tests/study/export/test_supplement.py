import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.corrections import add_correction
from director_gui.store.database import Study
from director_gui.study.analysis import pair_results
from director_gui.study.correcting import corrected
from director_gui.study.export.folder import target_at
from director_gui.study.export.supplement import export_supplement
from director_gui.study.results.contrasts import collected, keep_contrast
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer
from director_gui.study.scored import scored_replies
from director_gui.study.stimuli import truths_in
from tests.study.export.conftest import HOSTILE


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def files_in(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_two_exports_are_byte_identical(study: Study, tmp_path: Path) -> None:
    listed = export_supplement(study, tmp_path / "a")
    assert export_supplement(study, tmp_path / "b") == listed
    first, second = files_in(tmp_path / "a"), files_in(tmp_path / "b")
    assert first == second
    assert {one["path"] for one in listed} == set(first)
    for one in listed:
        assert hashlib.sha256(first[one["path"]]).hexdigest() == one["sha256"]
    # Over an earlier one: the same again, and nothing of the user's is touched.
    (tmp_path / "a" / "mine.txt").write_text("mine")
    export_supplement(study, tmp_path / "a")
    again = files_in(tmp_path / "a")
    assert again.pop("mine.txt") == b"mine"
    assert again == second


def test_two_zips_are_byte_identical(study: Study, tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        export_supplement(study, tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as made:
        assert made.testzip() is None
        assert "manifest.json" in made.namelist()


def test_it_holds_what_the_figures_rest_on(study: Study, tmp_path: Path) -> None:
    export_supplement(study, tmp_path / "a")
    out = tmp_path / "a"
    replies = lines(out / "replies" / "run-1.jsonl")
    scored = scored_replies(study, "run-1")
    assert [row["score"] for row in replies] == [
        json.loads(json.dumps(item.score.value())) for item in scored if item.score
    ]
    assert len(lines(out / "keys.jsonl")) == 4
    assert len(list((out / "stimuli").glob("*.json"))) == 4
    conditions = {row["condition"] for row in lines(out / "prompts/conditions.jsonl")}
    assert conditions == {"move.ask", "move.plain", "mean.ask"}
    note = (out / "method.md").read_text()
    assert "## Our choices" in note
    assert "Renderer: test 1" in note
    assert "Practice" in (out / "README.md").read_text()


def test_estimates_are_at_full_precision(study: Study, tmp_path: Path) -> None:
    export_supplement(study, tmp_path / "a")
    value = json.loads((tmp_path / "a/results/run-1/estimates.json").read_text())
    ours = value["families"]["All declared pairs"]["comparisons"]
    theirs = {
        (r.model, r.test, r.reference): r
        for r in pair_results(scored_replies(study, "run-1"))
    }
    assert len(ours) == len(theirs) == 4
    for one in ours:
        same = theirs[one["model"], one["test"], one["reference"]]
        assert one["estimate"] == same.comparison.estimate
        assert one["ci_low"] == same.comparison.ci_low
        assert one["adjusted"] == pytest.approx(same.adjusted, abs=1e-15)


def test_only_unblinded_packets_go_out(study: Study, tmp_path: Path) -> None:
    export_supplement(study, tmp_path / "a")
    (folder,) = (tmp_path / "a" / "coding").iterdir()
    codes = lines(folder / "codes.jsonl")
    assert codes
    assert {"coder", "item", "call", "codes", "quotes"} == set(codes[0])
    sheets = {path.name for path in folder.glob("*.jsonl")} - {"codes.jsonl"}
    assert len(sheets) == 2


def test_addresses_stay_at_home_and_names_stay_inert(
    study: Study, tmp_path: Path
) -> None:
    export_supplement(study, tmp_path / "a")
    every = files_in(tmp_path / "a")
    assert not any(b"secret@" in data for data in every.values())
    sheet = every["results/run-1/comparisons.csv"].decode()
    assert f'"\'{HOSTILE.replace(chr(34), chr(34) * 2)}"' in sheet
    assert all(".." not in name for name in every)


def test_corrections_lie_beside_the_scores(study: Study, tmp_path: Path) -> None:
    call = scored_replies(study, "run-1")[0].reply.call.id
    add_correction(study, call, {"choice": 5}, actor="me", reason="misread")
    export_supplement(study, tmp_path / "a")
    row = lines(tmp_path / "a/replies/run-1.jsonl")[0]
    assert row["correction"] == {"score": {"choice": 5}, "reason": "misread"}
    assert row["score"]


def test_somebody_elses_folder_is_left_alone(study: Study, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("x")
    for manifest in (None, "not json", '{"format": "other", "files": []}'):
        if manifest is not None:
            (mine / "manifest.json").write_text(manifest)
        with pytest.raises(UserError, match="holds other things"):
            export_supplement(study, mine)
    assert (mine / "thesis.txt").read_text() == "x"
    with pytest.raises(UserError, match="not a folder"):
        export_supplement(study, mine / "thesis.txt")


def test_a_supplement_that_was_cut_short_is_made_again_in_its_folder(
    tmp_path: Path,
) -> None:
    for _ in range(2):  # into a new folder, and over what is unfinished there
        target = target_at(tmp_path / "out")
        target.write("a/one.csv", b"1")
        target.write("a/two.csv", b"2")  # and here the power goes
        assert not (tmp_path / "out/manifest.json").exists()
    again = target_at(tmp_path / "out")
    assert files_in(tmp_path / "out").keys() == {"unfinished.txt"}
    again.write("b.csv", b"3")
    again.finish()
    assert files_in(tmp_path / "out").keys() == {"b.csv", "manifest.json"}


def test_a_forged_manifest_cannot_delete_outside(study: Study, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("x")
    folder = tmp_path / "a"
    export_supplement(study, folder)
    listed = json.loads((folder / "manifest.json").read_text())
    listed["files"].append({"path": "../precious", "sha256": ""})
    (folder / "manifest.json").write_text(json.dumps(listed))
    export_supplement(study, folder)
    assert precious.read_text() == "x"


def test_it_tells_what_is_being_written(study: Study, tmp_path: Path) -> None:
    told: list[tuple[float, str]] = []
    export_supplement(study, tmp_path / "a", lambda *said: told.append(said))
    assert [share for share, _ in told] == sorted(share for share, _ in told)
    assert any("replies of label of run-1" in text for _, text in told)


def estimates(folder: Path, name: str = "estimates") -> dict[str, object]:
    value: dict[str, object] = json.loads(
        (folder / f"results/run-1/{name}.json").read_text()
    )
    return value


def test_corrections_count_and_the_automatic_estimates_stay(
    study: Study, tmp_path: Path
) -> None:
    export_supplement(study, tmp_path / "before")
    assert not (tmp_path / "before/results/run-1/automatic.json").exists()
    one = next(
        item
        for item in scored_replies(study, "run-1")
        if item.reply.call.condition == "move.plain"
        and item.score is not None
        and item.score.hidden_choice is False
    )
    shown = truths_in(study, {one.reply.call.scene})[one.reply.call.scene]
    add_correction(
        study, one.reply.call.id, corrected(shown, 3, None), actor="me", reason="read"
    )
    listed = export_supplement(study, tmp_path / "after")
    before, after = estimates(tmp_path / "before"), estimates(tmp_path / "after")
    assert after["families"] != before["families"]
    assert after["scores"] == "as corrected by hand"
    assert "1 score was corrected by hand" in str(after["state"])
    plain = estimates(tmp_path / "after", "automatic")
    assert plain["families"] == before["families"]
    assert (before["scores"], plain["scores"]) == ("automatic", "automatic")
    tables = [
        (tmp_path / name / "results/run-1/rates.csv").read_text()
        for name in ("before", "after")
    ]
    assert tables[0] != tables[1]
    # And again, to the byte.
    assert export_supplement(study, tmp_path / "again") == listed


def test_kept_contrasts_go_out_in_full(study: Study, tmp_path: Path) -> None:
    made = collected("one & two", [("move.ask", 1), ("move.plain", -0.5),
                                   ("mean.ask", -0.5)])  # fmt: skip
    keep_contrast(study, made)
    export_supplement(study, tmp_path / "a")
    every = estimates(tmp_path / "a")["contrasts"]
    assert isinstance(every, list)
    assert {one["name"] for one in every} == {"one & two"}
    assert [one["weights"] for one in every] == [[1.0, -0.5, -0.5]] * 2
    found = answer(study, ReplyCache(study), Question())
    assert found is not None
    assert [one["estimate"] for one in every] == [
        one.found.estimate for one in found.contrasts if one.found
    ]
    for suffix in ("csv", "md", "tex", "svg", "pdf"):
        assert (tmp_path / f"a/results/run-1/contrasts.{suffix}").stat().st_size


def test_tables_without_a_row_stay_at_home(study: Study, tmp_path: Path) -> None:
    export_supplement(study, tmp_path / "a")
    names = {path.name for path in (tmp_path / "a/results/run-1").iterdir()}
    assert "comparisons.csv" in names
    assert "contrasts.csv" not in names
