"""Truths of scenes: measured once, the same when they are read, renewed by version."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from director_gui.geometry import truth as geometry
from director_gui.geometry.truth import Truth, truth_of
from director_gui.ids import canonical_json, sha256_hex
from director_gui.scene.model import Scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.faults import StorageFullError
from director_gui.store.scenes import add_scene
from director_gui.store.truths import keep_truths, kept_truths
from director_gui.study import kept_truths as module
from director_gui.study.kept_truths import (
    truth_from,
    truth_value,
    truths_of,
    version,
)
from director_gui.study.stimuli import truths_in
from tests import blind_studies, strategies

SOME = blind_studies.scenes(3)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "truths") as made:
        yield made


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the scenes that were measured."""
    seen: list[str] = []

    def counted(scene: Scene) -> Truth:
        seen.append(scene.name)
        return truth_of(scene)

    monkeypatch.setattr(module, "truth_of", counted)
    return seen


def stored(study: Study) -> dict[str, Scene]:
    return {add_scene(study, s.name, canonical_bytes(s)): s for s in SOME}


@strategies.FEW
@given(scene=strategies.scenes())
def test_a_truth_comes_back_as_it_was(scene: Scene) -> None:
    found = truth_of(scene, step=8)
    again = truth_from(json.loads(canonical_json(truth_value(found))))
    assert again == found
    # The order of digits too: a table may go by it.
    assert repr(again) == repr(found)


def test_a_scene_is_measured_once(study: Study, measured: list[str]) -> None:
    scenes = stored(study)
    first = truths_of(study, scenes)
    assert sorted(measured) == sorted(scene.name for scene in SOME)
    assert first == {name: truth_of(scene) for name, scene in scenes.items()}
    assert truths_of(study, scenes) == first
    path = study.path
    study.close()
    with open_study(path, read_only=True) as again:
        assert truths_of(again, scenes) == first
    assert len(measured) == 3


def test_what_reads_truths_reads_the_kept_ones(
    study: Study, measured: list[str]
) -> None:
    scenes = stored(study)
    for _ in range(2):
        found = truths_in(study, set(scenes))
        assert {name: scene for name, (scene, _) in found.items()} == scenes
    assert len(measured) == 3


def test_only_what_is_missing_is_measured(study: Study, measured: list[str]) -> None:
    scenes = stored(study)
    first = min(scenes)
    truths_of(study, {first: scenes[first]})
    told: list[tuple[float, str]] = []
    truths_of(study, scenes, lambda share, text: told.append((share, text)))
    assert told == [(0.5, "1 of 2 scenes measured"), (1.0, "2 of 2 scenes measured")]
    assert len(measured) == 3


@pytest.mark.parametrize(
    ("name", "value"), [("GEOMETRY_VERSION", 2), ("__version__", "99.0")]
)
def test_another_version_measures_anew(
    study: Study,
    measured: list[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    value: object,
) -> None:
    scenes = stored(study)
    truths_of(study, scenes)
    before = version()
    monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(geometry, "SEES_FROM", 2.0)  # nobody sees anything any more
    found = truths_of(study, scenes)
    assert len(measured) == 6
    assert {truth.sees["director"] for truth in found.values()} == {()}
    assert kept_truths(study, scenes, before) == {}
    assert truths_of(study, scenes) == found


def test_a_version_never_reads_another_ones(study: Study) -> None:
    keep_truths(study, "1", {"a": "old", "b": "old"})
    keep_truths(study, "2", {"a": "new"})
    assert kept_truths(study, ["a", "b"], "1") == {"b": "old"}
    assert kept_truths(study, ["a", "b", "c"], "2") == {"a": "new"}
    assert kept_truths(study, [], "2") == {}


def test_very_many_scenes_are_asked_for_at_once(study: Study) -> None:
    names = [sha256_hex(str(at).encode()) for at in range(3000)]
    keep_truths(study, "1", dict.fromkeys(names, "{}"))
    assert len(kept_truths(study, names, "1")) == 3000


def test_a_read_only_study_is_measured_and_left_alone(
    study: Study, measured: list[str]
) -> None:
    scenes, path = stored(study), study.path
    study.close()
    before = path.read_bytes()
    with open_study(path, read_only=True) as opened:
        assert len(truths_of(opened, scenes)) == 3
        assert len(truths_of(opened, scenes)) == 3
    assert len(measured) == 6
    assert path.read_bytes() == before


def test_a_full_disk_costs_the_time_and_no_truth(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageFullError("the disk is full")

    monkeypatch.setattr(module, "keep_truths", full)
    scenes = stored(study)
    assert truths_of(study, scenes).keys() == scenes.keys()
    assert kept_truths(study, scenes, version()) == {}


def test_measuring_can_be_stopped_and_keeps_what_was_done(
    study: Study, measured: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_AT_ONCE", 1)

    class StoppedError(Exception):
        """What a cancelled job raises."""

    def stop(share: float, _text: str) -> None:
        if share == 1.0:
            raise StoppedError

    scenes = stored(study)
    with pytest.raises(StoppedError):
        truths_of(study, scenes, stop)
    truths_of(study, scenes)
    assert len(measured) == 4
