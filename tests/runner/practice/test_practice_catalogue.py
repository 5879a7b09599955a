"""The catalogue finds scenes and grows."""

from collections.abc import Callable
from dataclasses import replace

from director_gui.runner.practice.catalogue import Catalogue, KnownScene

SceneNamed = Callable[[str], KnownScene]


def test_finds_what_was_added_and_nothing_else(scene: KnownScene) -> None:
    catalogue = Catalogue([("a", scene)])
    assert catalogue.get("a") is scene
    assert catalogue.get("b") is None
    catalogue.add("b", scene)
    assert catalogue.get("b") is scene
    assert len(catalogue) == 2


def test_a_known_picture_is_replaced(scene: KnownScene) -> None:
    catalogue = Catalogue([("a", scene)])
    catalogue.add("a", replace(scene, name="new"))
    found = catalogue.get("a")
    assert found is not None
    assert found.name == "new"
    assert len(catalogue) == 1


def test_request_orders_the_blocks(scene: KnownScene) -> None:
    assert scene.by_request() == (3, 5, 8, 2)
    assert replace(scene, extreme="smallest").by_request() == (2, 8, 5, 3)


def test_equal_sizes_go_by_digit(scene: KnownScene) -> None:
    same = replace(scene, sizes=dict.fromkeys(scene.digits, 0.1))
    assert same.by_request() == (2, 3, 5, 8)
