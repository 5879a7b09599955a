"""The practice reader of a session: started when needed, resumed in another."""

from pathlib import Path

from director_gui.render.still import StillRenderer
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import find_profile
from director_gui.runner.service import RunService
from director_gui.scene.example import example_scene
from director_gui.store.attempts import open_tasks, replies_of
from director_gui.store.database import create_study
from director_gui.store.session import start_run
from director_gui.study.practice import Practice
from director_gui.study.running import Draft, make_run, profiles_of


def test_a_run_made_in_one_session_is_sent_in_another(tmp_path: Path) -> None:
    profile = find_profile("Practice reader")
    draft = Draft(
        "probe", "one", (example_scene(),), ("move.plain",), (profile,), samples=2
    )
    with create_study(tmp_path / "a.study", "a") as study:
        with StillRenderer() as renderer, Practice() as first:
            run = make_run(study, draft, renderer, first)
        with Practice() as second, RunService() as service:
            second.know_run(study, run.id)
            profiles = profiles_of(run, second)
            assert start_run(service, study, run.id, profiles, Keys()).wait(60)
        assert open_tasks(study, run.id) == []
        assert {reply.status for reply in replies_of(study, run.id)} == {"reply"}


def test_other_profiles_are_left_alone() -> None:
    profile = find_profile("OpenAI gpt-6-sol")
    with Practice() as practice:
        assert practice.ready(profile) is profile
