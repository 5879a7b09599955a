"""Reasoning traces written to a known code, and the code read back from a trace."""

import random
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from string import Template
from typing import Literal, TypedDict, cast

from director_gui import assets
from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.mixture import Reading

SeesChoice = Literal["yes", "no", "not-said"]
YesNo = Literal["yes", "no"]
MAX_ASIDES = 3
_ANY_WORDS = r"[^\n]{1,300}?"
_WORD_PATTERNS = {
    "choice": r"\d+",
    "size": r"[\d.e+]+ cm",
    "extreme": "(?:largest|smallest)",
}


@dataclass(frozen=True, slots=True)
class Codes:
    """The codes that a trace states, named as in resources/codebooks/reading.toml."""

    reading: Reading
    sees_choice: SeesChoice
    works_out: YesNo
    quote: str  # the sentence that states the reading, verbatim


@dataclass(frozen=True, slots=True)
class Thought:
    """What the reader thinks of a scene before any words are found."""

    belief: tuple[int, ...]  # digits it takes the director to see
    works_out: bool
    reading: Reading | None = None  # None when no choice was asked for
    choice: int | None = None

    @property
    def sees_choice(self) -> SeesChoice:
        """Whether the thought takes the director to see the chosen block."""
        if not self.works_out:
            return "not-said"
        return "yes" if self.choice in self.belief else "no"


@dataclass(frozen=True, slots=True)
class Trace:
    """A trace and its true codes; None when it makes no choice."""

    text: str
    codes: Codes | None


class _Sentences(TypedDict):
    opening: list[str]
    opening_with_request: list[str]
    aside: list[str]
    looking: list[str]
    closing: list[str]
    seeing: dict[str, list[str]]
    sees_choice: dict[YesNo, list[str]]
    reading: dict[Reading, list[str]]


def write_trace(rng: random.Random, scene: KnownScene, thought: Thought) -> Trace:
    """Put a thought into words.

    Args:
        rng: Chooses among the phrasings.
        scene: The scene that the thought is about.
        thought: What the trace must state.
    """
    words = _words(scene, thought)
    said = _sentences()

    def say(phrasings: list[str]) -> str:
        return Template(rng.choice(phrasings)).substitute(words)

    # Asides state no code; they only make traces differ in length.
    asides = rng.sample(said["aside"], rng.randint(0, MAX_ASIDES))
    openings = said["opening"]
    if thought.reading is not None:  # a first turn has not heard the request yet
        openings = openings + said["opening_with_request"]
    parts = [say(openings), *asides, say(_seeing(said, scene, thought))]
    codes = None
    if thought.reading is not None:
        quote = say(said["reading"][thought.reading])
        sees = thought.sees_choice
        parts += [] if sees == "not-said" else [say(said["sees_choice"][sees])]
        parts += [quote, say(said["closing"])]
        works_out: YesNo = "yes" if thought.works_out else "no"
        codes = Codes(thought.reading, sees, works_out, quote)
    return Trace(rng.choice((" ", "\n\n")).join(parts), codes)


def true_codes(text: str) -> Codes | None:
    """Return the codes that a practice trace states, or None for any other text.

    The codes are read off the wording, so they are known wherever the trace has been
    since (stored, exported, sealed in a packet) without ever being sent along.
    """
    patterns = _patterns()
    for reading, pattern in patterns.reading.items():
        found = pattern.search(text)
        if found:
            return Codes(
                reading,
                _first_match(patterns.sees_choice, text),
                "yes" if patterns.seeing.search(text) else "no",
                found.group(),
            )
    return None


def _first_match(patterns: Mapping[YesNo, re.Pattern[str]], text: str) -> SeesChoice:
    return next((c for c, p in patterns.items() if p.search(text)), "not-said")


def _seeing(said: _Sentences, scene: KnownScene, thought: Thought) -> list[str]:
    if not thought.works_out:
        return said["looking"]
    if not thought.belief:
        return said["seeing"]["none"]
    # “covers none” and “none is free” cannot be said by filling in a list.
    everything = set(scene.digits) <= set(thought.belief)
    return said["seeing"]["all" if everything else "some"]


def _words(scene: KnownScene, thought: Thought) -> dict[str, str]:
    unseen = [d for d in scene.digits if d not in thought.belief]
    size = 0.0 if thought.choice is None else scene.sizes[thought.choice]
    return {
        "blocks": _listed(f"{d} ({_cm(scene.sizes[d])})" for d in scene.digits),
        "count": str(len(scene.digits)),
        "choice": str(thought.choice),
        "size": _cm(size),
        "seen": _listed(map(str, thought.belief)),
        "unseen": _listed(map(str, unseen)),
        "extreme": scene.extreme,
    }


def _cm(metres: float) -> str:
    return f"{metres * 100:.3g} cm"


def _listed(items: Iterable[str]) -> str:
    *head, last = list(items) or ["none"]
    return f"{', '.join(head)} and {last}" if head else last


@cache
def _sentences() -> _Sentences:
    return cast("_Sentences", tomllib.loads(assets.read_text("practice/traces.toml")))


@dataclass(frozen=True, slots=True)
class _Patterns:
    seeing: re.Pattern[str]
    sees_choice: Mapping[YesNo, re.Pattern[str]]
    reading: Mapping[Reading, re.Pattern[str]]


@cache
def _patterns() -> _Patterns:
    said = _sentences()
    seeing = [text for texts in said["seeing"].values() for text in texts]
    return _Patterns(
        seeing=_any_of(seeing),
        sees_choice={code: _any_of(t) for code, t in said["sees_choice"].items()},
        reading={code: _any_of(t) for code, t in said["reading"].items()},
    )


def _any_of(templates: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_as_pattern, templates)))


def _as_pattern(template: str) -> str:
    # Split at the $words: fixed text and the words' names take turns.
    fixed, *pairs = re.split(r"\$([a-z]+)", template)
    words, texts = pairs[::2], pairs[1::2]
    return re.escape(fixed) + "".join(
        _WORD_PATTERNS.get(word, _ANY_WORDS) + re.escape(text)
        for word, text in zip(words, texts, strict=True)
    )
