"""Names of models and makers: which ones there are, and how they are found in text."""

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache

from director_gui import assets
from director_gui.store.runs import Run

MARK = "\N{LOWER SEVEN EIGHTHS BLOCK}"  # ▇ stands for a name that was cut
_LEAST = 3  # letters of a part of a model's name that is cut on its own
# A version clings to its name: "Qwen3.8-27B", "gpt-6-sol".
# Underscores stand apart, so that no text has two ways to match.
_RUN = r"(?:[^\W_]|\.(?=[^\W_]))*"
_VERSION = rf"(?:[-_ ]?v?\d{_RUN})?(?:[-_][^\W_]{_RUN})*"
_AROUND = (r"(?<![^\W_])", r"(?![^\W_])")


def names_of(runs: Iterable[Run]) -> tuple[str, ...]:
    """Return every name to cut, longest first: the list of ours and the runs' own.

    All runs' names together, for every text alike: were each text searched for its own
    model's names alone, the cuts would tell the model.
    """
    lists = _lists()
    found = {*lists["makers"], *lists["models"]}
    # A run that names no profiles adds no names; the lists still serve.
    for run in runs:
        for profile in run.settings.get("profiles", ()):
            found |= _own(str(profile["name"]), str(profile["model"]))
    return tuple(sorted(found, key=lambda name: (-len(name), name)))


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern that finds each name as a word, in any case."""
    words = "|".join(_flexible(name) for name in names)
    before, after = _AROUND
    return re.compile(f"{before}(?:{words}){_VERSION}{after}", re.IGNORECASE)


def _flexible(name: str) -> str:
    # "GPT-4", "GPT 4" and "gpt_4" are one name.
    return r"[-_ ]?".join(re.escape(part) for part in re.split(r"[-_ ]+", name) if part)


def _own(profile: str, model: str) -> set[str]:
    ordinary = {word.casefold() for word in _lists()["ordinary"]}
    parts = re.split(r"[^\w.]+|_", model) + re.split(r"[^\w.]+|_", profile)
    tokens = {
        part
        for part in parts
        if len(part) >= _LEAST
        and re.search(r"[^\W\d_]", part)
        and part.casefold() not in ordinary
    }
    whole = (profile, model, model.rpartition("/")[2])
    return {name for name in whole if name} | tokens


@cache
def _lists() -> Mapping[str, list[str]]:
    lists: Mapping[str, list[str]] = tomllib.loads(assets.read_text("blind/names.toml"))
    return lists
