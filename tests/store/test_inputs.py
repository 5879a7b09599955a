import pytest

from director_gui.runner.records import CallInput
from director_gui.store import inputs as module
from director_gui.store.database import Study
from director_gui.store.inputs import CallInputs
from director_gui.store.runs import call_input
from tests.made_runs import PNG, fill, profile_at


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    found: list[str] = []
    original = module.image

    def counted(study: Study, sha256: str) -> object:
        found.append(sha256)
        return original(study, sha256)

    monkeypatch.setattr(module, "image", counted)
    return found


def test_a_picture_is_read_once_and_sent_untouched(
    study: Study, reads: list[str]
) -> None:
    planned = fill(study, profile_at("http://x/v1"), 5, turns=("ü", "two"))
    inputs = CallInputs(study)
    for item in planned:
        assert inputs(item.call) == CallInput(("ü", "two"), PNG)
        assert inputs(item.call) == call_input(study, item.call)
    assert len(reads) == 1


def test_no_more_pictures_are_held_than_fit(
    study: Study, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (planned,) = fill(study, profile_at("http://x/v1"), 1)
    monkeypatch.setattr(module, "MOST_BYTES", len(PNG) - 1)
    inputs = CallInputs(study)
    for _ in range(3):
        assert inputs(planned.call).image == PNG
    assert len(inputs._pictures) == 1  # the one in use, however large
    assert len(reads) == 1
