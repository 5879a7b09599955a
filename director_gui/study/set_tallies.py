"""What a stored set holds, read from its rows a page at a time."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from director_gui.errors import UserError
from director_gui.families.tallies import (
    Features,
    hidden_has_largest,
    rank_of,
    smaller_outranks,
    tally,
)
from director_gui.geometry.truth import Key
from director_gui.ids import Json
from director_gui.scene.model import Scene
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.marks import marks_of
from director_gui.store.sets import SetScene, StoredSet
from director_gui.study.stimuli import scene_in

_PAGE = 200  # rows held at a time: memory stays flat over 10,000 scenes


def require_sets(study: Study) -> list[StoredSet]:
    """Return the study's sets, oldest first.

    Raises:
        UserError: It holds none.
    """
    found = rows.sets(study)
    if not found:
        raise UserError(
            "the study holds no set of scenes",
            where=str(study.path),
            todo="Make one with `director-gui scenes make`",
        )
    return found


def every_scene(study: Study, set_id: str) -> Iterator[SetScene]:
    """Yield the scenes of a set in order."""
    start = 0
    # Pages and not one open cursor: a writer must be able to come between.
    while page := rows.set_scenes(study, set_id, start=start, limit=_PAGE):
        yield from page
        start = page[-1].position + 1


def refusals(study: Study, set_id: str) -> Counter[str]:
    """Return why candidates of a set were refused, how often."""
    counts: Counter[str] = Counter()
    for row in every_scene(study, set_id):
        counts.update(row.rejected)
    return counts


def key_in(facts: Json) -> Key:
    """Return the answer key that a scene's stored facts hold."""
    key = facts["key"]
    return Key(key["hidden"], key["director_view"], key["model_view"])


def features_in(scene: Scene, facts: Json) -> Features:
    """Return what is counted of a stored scene."""
    key = key_in(facts)
    return Features(
        blocks=len(scene.blocks),
        hidden_rank=rank_of(scene, key.hidden),
        hidden_has_largest=hidden_has_largest(scene, key),
        smaller_outranks=smaller_outranks(scene, key, facts["sees"]["director"]),
        confound=facts["apparent_size"]["confound"],
    )


def tallies_of(study: Study, set_id: str) -> dict[str, Any]:
    """Return a set's tallies as `scenes make --json` prints them (INTERFACES).

    What was dropped counts in none of them; ``dropped`` has the reason of each by its
    name.
    """
    gone = {m.scene: m for m in marks_of(study, set_id).values() if m.kind == "drop"}
    reasons: dict[str, str] = {}

    def kept() -> Iterator[Features]:
        # A generator: the scenes of a large set are never all in memory.
        for row in every_scene(study, set_id):
            scene = scene_in(study, row.scene)
            if row.scene in gone:
                reasons[scene.name] = gone[row.scene].reason
            else:
                yield features_in(scene, row.facts)

    counted = tally(kept())
    refused = refusals(study, set_id)
    return {
        **counted,
        "rejected": dict(sorted(refused.items())),
        "dropped": reasons,
    }
