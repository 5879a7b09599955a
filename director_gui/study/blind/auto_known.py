"""Known-code items for rehearsals: practice traces, written to codes in equal shares.

A real calibration needs items that a person wrote; these stand in for them where the
practice reader wrote the replies, so that nothing tells the two apart.
"""

import random
from collections.abc import Iterator, Sequence

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json
from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.coders import READINGS
from director_gui.runner.practice.mixture import HIDDEN_READINGS, Reading
from director_gui.runner.practice.traces import Thought, write_trace
from director_gui.scene.serialize import read_scene
from director_gui.store.database import Study
from director_gui.store.scenes import scene, scenes
from director_gui.study.catalogue import known_scene

DEFAULT_COUNT = 30  # as in the paper (METHOD §7)


def practice_known(study: Study, count: int = DEFAULT_COUNT, seed: int = 0) -> bytes:
    """Return a file of known-code items about a study's scenes, as JSON Lines.

    The same scenes, count and seed give the same bytes.

    Args:
        study: Holds the scenes.
        count: How many items; each reading has its turn.
        seed: Decides scenes and wording.

    Raises:
        UserError: The study has no scene, or the count is below 1.
    """
    if count < 1:
        raise UserError("there is at least one known-code item", where="count")
    shown = _scenes(study)
    if not shown:
        raise UserError("this study has no scenes", todo="Add scenes to it first")
    rng = random.Random(f"known-code items {seed}")
    # Scenes by chance, readings in turn: rare readings must be tried as well.
    items = (_item(rng, rng.choice(shown), at) for at in range(count))
    return b"".join(canonical_json(item) + b"\n" for item in items)


def _scenes(study: Study) -> Sequence[KnownScene]:
    # By hash, so that the order in which scenes were added moves nothing.
    stored = sorted(row.hash for row in scenes(study))
    return [known_scene(read_scene(scene(study, key).json)) for key in stored]


def _item(rng: random.Random, shown: KnownScene, at: int) -> Json:
    reading = READINGS[at % len(READINGS)]
    thought = _thought(rng, shown, reading)
    trace = write_trace(rng, shown, thought)
    assert trace.codes is not None  # noqa: S101 - a thought with a reading states codes
    return {
        "reasoning": trace.text,
        "choice": thought.choice,
        "codes": {
            "reading": trace.codes.reading,
            "sees_choice": trace.codes.sees_choice,
            "works_out": trace.codes.works_out,
        },
        "reply": f'{{"choice": {thought.choice}}}',
    }


def _thought(rng: random.Random, shown: KnownScene, reading: Reading) -> Thought:
    seen = [digit for digit in shown.digits if digit in shown.sees]
    choices = list(_choices(shown, reading, seen))
    # A director's view is worked out by whoever chooses by it.
    works_out = reading == "director-view" or rng.random() < 0.5
    return Thought(tuple(seen), works_out, reading, rng.choice(choices))


def _choices(shown: KnownScene, reading: Reading, seen: Sequence[int]) -> Iterator[int]:
    best = shown.by_request()
    if reading in HIDDEN_READINGS:
        yield best[0]
    elif reading == "largest-digit":
        yield max(seen or shown.digits)
    elif reading == "director-view":
        yield next((digit for digit in best if digit in seen), best[0])
    else:
        yield from seen or shown.digits
