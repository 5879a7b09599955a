"""A real drawer with a real session; only the drawing of pictures is a stand-in."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.runner.engine_values import Policy
from director_gui.runner.profiles import Profile
from tests.probe_runs import FlatRenderer
from tests.ui.probe.desk import Desk, MakeProfile


@pytest.fixture
def desk(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Desk]:
    monkeypatch.setattr("director_gui.ui.probe.sending.StillRenderer", FlatRenderer)
    quick = Policy(tries=3, first_wait=0.01, longest_wait=0.02)
    monkeypatch.setattr("director_gui.runner.engine.Policy", lambda: quick)
    made = Desk(qtbot, tmp_path)
    yield made
    made.close()


@pytest.fixture
def real() -> MakeProfile:
    """A profile of a model that is no practice reader."""
    base = Profile(
        name="real", base_url="http://127.0.0.1:9/v1", model="m", timeout=5.0
    )

    def made(**more: object) -> Profile:
        return replace(base, **({"input_price": 1.0, "output_price": 2.0} | more))

    return made
