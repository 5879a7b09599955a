"""How far runs have come, against the tasks that the engine would be given."""

from pathlib import Path

import pytest

from director_gui.store.attempts import open_tasks
from director_gui.store.database import create_study
from director_gui.store.progress import ended_calls
from director_gui.store.runs import runs
from director_gui.study.practice import Practice
from tests.probe_runs import answered, stored


def test_no_run_counts_nothing(tmp_path: Path) -> None:
    with create_study(tmp_path / "a.study", "a") as study:
        assert ended_calls(study, "probe") == {}


@pytest.mark.render
def test_ended_calls_are_those_that_leave_no_task(tmp_path: Path) -> None:
    with create_study(tmp_path / "a.study", "a") as study, Practice() as practice:
        answered(study, practice)
        stored(study, practice, conditions=("move.ask", "move.first_turn"))
        found = ended_calls(study, "probe")
        for run in runs(study, "probe"):
            calls = study.query("SELECT id FROM calls WHERE run = ?", (run.id,))
            left = len(open_tasks(study, run.id))
            assert found.get(run.id, 0) == len(calls) - left
        assert len(found) == 1  # of the other none has ended
        assert ended_calls(study, "plan") == {}
