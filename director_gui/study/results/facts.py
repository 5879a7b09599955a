"""What is known of the scenes of a study's runs: from their sets, or measured."""

from collections.abc import Callable

from director_gui.families.tallies import features_of
from director_gui.geometry.truth import Truth
from director_gui.scene.model import Scene
from director_gui.store.database import Study
from director_gui.store.sets import SetScene, scenes_in_sets
from director_gui.study.kept_truths import truths_of
from director_gui.study.results.columns import SceneFact
from director_gui.study.set_tallies import features_in, key_in
from director_gui.study.stimuli import scene_in

Told = Callable[[float, str], None]


def silent(_share: float, _text: str) -> None:
    """Tell nobody."""


class SceneFacts:
    """The facts of one study's scenes, each looked up once."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._known: dict[str, SceneFact] = {}

    def of(self, hashes: set[str], tell: Told = silent) -> dict[str, SceneFact]:
        """Return the facts of some scenes by hash, in string order.

        Raises:
            UserError: The study does not hold one.
        """
        self._learn(hashes - self._known.keys(), tell)
        # Sorted, as sets have no order and the bootstrap draws scenes by theirs.
        return {found: self._known[found] for found in sorted(hashes)}

    def _learn(self, missing: set[str], tell: Told) -> None:
        if not missing:
            return
        # A sampled scene brings its facts, on which both witnesses agreed.
        for row in scenes_in_sets(self._study, missing):
            # A scene may stand in several sets; its facts are the same in each.
            if row.scene not in self._known:
                self._known[row.scene] = _in_set(scene_in(self._study, row.scene), row)
        others = missing - self._known.keys()
        scenes = {name: scene_in(self._study, name) for name in others}
        for name, truth in truths_of(self._study, scenes, tell).items():
            self._known[name] = _measured(name, scenes[name], truth)


def _in_set(scene: Scene, row: SetScene) -> SceneFact:
    key = key_in(row.facts)
    return SceneFact(
        row.scene, scene.name, scene.digits, key.hidden, key.director_view,
        tuple(row.facts["sees"]["director"]), features_in(scene, row.facts),
    )  # fmt: skip


def _measured(scene_hash: str, scene: Scene, truth: Truth) -> SceneFact:
    return SceneFact(
        scene_hash, scene.name, scene.digits, truth.key.hidden,
        truth.key.director_view, truth.sees["director"], features_of(scene, truth),
    )  # fmt: skip
