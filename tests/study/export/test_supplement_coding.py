"""Adjudicated codes and guesses go out with the packet that they are about."""

import json
from pathlib import Path

from coding.events import ASKED
from coding.results import ADJUDICATED, CodingSession
from director_gui.store.database import Study
from director_gui.study.blind.adjudicating import begin
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.unblinding import unblind
from director_gui.study.export.supplement import export_supplement
from tests.blind_studies import Desk


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_what_was_settled_and_guessed_goes_out(study: Study, tmp_path: Path) -> None:
    desk = Desk(study, tmp_path / "packets")
    found = desk.seal(Request(seed=9, size=20), seed=7)
    paths = [desk.code(found, at, error=0.5) for at in (0, 1)]
    with CodingSession(found.packet, paths[0], "practice-coder-1") as session:
        for item in found.packet.items:
            session.set_guess(item.id, ASKED)
    merge_results(study, paths, "me")
    todo = begin(study, found.stored.id, "me")
    item, one = next(iter(todo.items.items()))
    field = one.fields[0]
    code = todo.packet.codebook.field(field).code_names()[0]
    with CodingSession(todo.packet, todo.path, ADJUDICATED) as third:
        third.record_code(item, field, code)
    unblind(study, found.stored.id, "me", "done")
    export_supplement(study, tmp_path / "out")
    folder = tmp_path / "out" / "coding" / found.stored.id
    settled = [
        row
        for row in lines(folder / "codes.jsonl")
        if row["coder"] == ADJUDICATED and row["codes"]
    ]
    assert [(row["item"], row["codes"]) for row in settled] == [(item, {field: code})]
    assert (folder / f"{ADJUDICATED}.jsonl").read_bytes() == todo.path.read_bytes()
    guesses = lines(folder / "guesses.jsonl")
    assert {row["coder"] for row in guesses} == {"practice-coder-1"}
    asked = {row["condition"]: row["bang"] for row in guesses}
    assert asked["move.ask"] == 1.0
    assert asked["move.plain"] == -1.0
    # What nobody guessed about has no such file.
    others = [p for p in (tmp_path / "out" / "coding").iterdir() if p != folder]
    assert others
    assert not any((p / "guesses.jsonl").exists() for p in others)
