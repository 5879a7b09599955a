"""The catalogue holds a study's pictures with the truth of their scenes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.scene.example import example_scene
from director_gui.scene.model import Request, Scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store import scenes as stored
from director_gui.store.database import Study, create_study
from director_gui.study.catalogue import catalogue_of, known_scene


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        yield made


def keep(study: Study, scene: Scene, png: bytes | None, view: str = "model") -> str:
    scene_hash = stored.add_scene(study, scene.name, canonical_bytes(scene))
    if png is None:
        return ""
    sha256 = stored.add_image(
        study,
        png,
        pixels_sha256="",
        renderer="test",
        view=view,
        width=1024,
        height=768,
    )
    stored.add_stimulus(study, scene_hash, view, sha256)
    return sha256


def test_the_worked_example_is_known_rightly() -> None:
    known = known_scene(example_scene())
    assert known.digits == (3, 5, 8)
    assert known.sizes == {3: 0.20, 5: 0.15, 8: 0.11}
    assert set(known.sees) == {5, 8}
    assert (known.hidden, known.director_view, known.model_view) == (3, 5, 3)
    assert known.extreme == "largest"


def test_the_request_comes_along() -> None:
    small = replace(example_scene(), request=Request(extreme="smallest"))
    known = known_scene(small)
    assert (known.extreme, known.director_view) == ("smallest", 8)


def test_every_drawn_scene_is_found_by_its_picture(study: Study) -> None:
    one = example_scene()
    two = replace(one, name="two", blocks=one.blocks[:2])
    first, second = keep(study, one, b"png one"), keep(study, two, b"png two")
    keep(study, replace(one, name="undrawn"), None)
    catalogue = catalogue_of(study)
    assert len(catalogue) == 2
    found = [catalogue.get(sha256) for sha256 in (first, second)]
    assert [scene.name for scene in found if scene] == [one.name, "two"]
    assert catalogue.get("0" * 64) is None


def test_the_directors_picture_is_not_shown_to_models(study: Study) -> None:
    keep(study, example_scene(), b"png", view="director")
    with pytest.raises(UserError, match="none of this study's scenes has a picture"):
        catalogue_of(study)


def test_a_study_without_scenes_says_so(study: Study) -> None:
    with pytest.raises(UserError, match="no scenes") as caught:
        catalogue_of(study)
    assert caught.value.where == str(study.path)
    assert caught.value.todo
