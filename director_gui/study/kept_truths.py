"""Truths of a study's scenes: measured once and kept beside them.

Another version of the program, or of its geometry, measures them anew.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import astuple

from director_gui import __version__
from director_gui.errors import UserError
from director_gui.geometry.truth import Apparent, Key, Truth, truth_of
from director_gui.geometry.visibility import Sight
from director_gui.ids import Json, canonical_json
from director_gui.scene.model import VIEWS, Scene
from director_gui.store.database import Study
from director_gui.store.truths import keep_truths, kept_truths

Told = Callable[[float, str], None]
# Raise it when a change of geometry/ may change a truth; a test tells when that may be.
GEOMETRY_VERSION = 1
_AT_ONCE = 16  # scenes measured between two writes: about a second


def version() -> str:
    """Return what a kept truth must have been measured by to be believed."""
    return f"{__version__}/{GEOMETRY_VERSION}"


def silent(_share: float, _text: str) -> None:
    """Tell nobody."""


def truths_of(
    study: Study, scenes: Mapping[str, Scene], tell: Told = silent
) -> dict[str, Truth]:
    """Return the truths of some stored scenes by hash, each measured at most once.

    Args:
        study: The study that holds them.
        scenes: The scenes by the hash of their canonical JSON.
        tell: Told of each scene that must be measured.

    Raises:
        UserError: The study is damaged.
    """
    known = kept_truths(study, scenes, version())
    found = {name: truth_from(json.loads(text)) for name, text in known.items()}
    missing = sorted(scenes.keys() - found.keys())
    for start in range(0, len(missing), _AT_ONCE):
        measured = {}
        for name in missing[start : start + _AT_ONCE]:
            measured[name] = truth_of(scenes[name])
            done = start + len(measured)
            tell(done / len(missing), f"{done} of {len(missing)} scenes measured")
        _keep(study, measured)
        found |= measured
    return found


def _keep(study: Study, measured: Mapping[str, Truth]) -> None:
    if study.read_only:
        return
    texts = {name: canonical_json(truth_value(t)) for name, t in measured.items()}
    try:
        keep_truths(study, version(), {name: t.decode() for name, t in texts.items()})
    except UserError:
        # A full disk costs the time to measure again, and nothing else.
        return


def truth_value(truth: Truth) -> Json:
    """Return a truth as a JSON value that `truth_from` reads."""
    return {
        # Rows and not objects: JSON would sort the digits as texts.
        "sights": {v: _rows(truth.sights[v]) for v in VIEWS},
        "states": {v: list(truth.states[v].items()) for v in VIEWS},
        "sees": {v: list(truth.sees[v]) for v in VIEWS},
        "key": astuple(truth.key),
        "apparent": {v: _rows(truth.apparent[v]) for v in VIEWS},
        "confound": truth.confound,
    }


def truth_from(value: Json) -> Truth:
    """Return the truth that `truth_value` wrote."""
    sights, states, looks = (value[n] for n in ("sights", "states", "apparent"))
    return Truth(
        sights={v: {row[0]: Sight(*row[1:]) for row in sights[v]} for v in VIEWS},
        states={v: dict(states[v]) for v in VIEWS},
        sees={v: tuple(value["sees"][v]) for v in VIEWS},
        key=Key(*value["key"]),
        apparent={v: {row[0]: Apparent(*row[1:]) for row in looks[v]} for v in VIEWS},
        confound=value["confound"],
    )


def _rows(
    values: Mapping[int, Sight] | Mapping[int, Apparent],
) -> list[tuple[float | None, ...]]:
    return [(digit, *astuple(one)) for digit, one in values.items()]
