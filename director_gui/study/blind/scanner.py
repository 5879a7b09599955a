"""The scanner: what in an item's text could still tell a coder too much.

It runs after names were cut. It finds what the cutting could not be sure of: names in
disguise (inside words, with zero-width or full-width letters), and phrases of the
prompt, which would tell the condition. A person resolves each hit before release.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from director_gui.ids import Json
from director_gui.store.conditions import condition
from director_gui.store.database import Study
from director_gui.study.blind.itemtext import ItemText
from director_gui.study.blind.names import MARK

HitKind = Literal["name", "prompt", "key"]
Decision = Literal["keep", "cut", "leave_out"]
DECISIONS: tuple[Decision, ...] = ("keep", "cut", "leave_out")
WORDS_IN_A_ROW = 5  # of a prompt's text that make a hit
_INSIDE_WORDS = 5  # letters; shorter names occur inside ordinary words all the time
_CONTEXT = 60  # code points around a hit
_KEY = re.compile(
    r"""["'`“](?:visible|known|count)["'`”]|\b(?:visible|known)\s*[:=]\s*\[""",
    re.IGNORECASE,
)
# ASCII in whole runs, which is fast; any other character on its own.
_RUNS = re.compile(r"[\x00-\x7f]+|[^\x00-\x7f]")
_PLAIN = {n: chr(n).lower() if chr(n).isalnum() else " " for n in range(128)}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in one text.

    Attributes:
        kind: A name, words of the prompt, or a key of the reply format.
        phrase: What was found, folded: equal phrases are resolved together.
        item: Place of the item among those prepared.
        start: First code point.
        end: One past the last.
        context: The text around it.
    """

    kind: HitKind
    phrase: str
    item: int
    start: int
    end: int
    context: str


@dataclass(frozen=True, slots=True)
class Finding:
    """All hits of one phrase: what a person decides about at once."""

    kind: HitKind
    phrase: str
    hits: tuple[Hit, ...]

    @property
    def name(self) -> str:
        """What decisions are filed under."""
        return f"{self.kind}: {self.phrase}"


@dataclass(frozen=True, slots=True)
class Scanner:
    """What to look for.

    Attributes:
        names: Folded names; those below five letters must be whole words.
        grams: Runs of words of the prompts, each a tuple of folded words.
        keys: Whether keys of the reply format are hits; not where the whole reply is
            shown on purpose.
    """

    names: tuple[str, ...]
    grams: frozenset[tuple[str, ...]]
    keys: bool = True

    @classmethod
    def of(
        cls, names: Iterable[str], prompts: Iterable[str], *, keys: bool = True
    ) -> "Scanner":
        """Return a scanner for `names` and for the lines of `prompts`."""
        folded = {re.sub(r"[\W_]+", "", name.casefold()) for name in names}
        lines = (line for text in prompts for line in text.splitlines())
        grams = frozenset(gram for line in lines for gram in _grams(line))
        return cls(tuple(sorted(folded)), grams, keys)

    def findings(self, items: Sequence[ItemText]) -> tuple[Finding, ...]:
        """Return what is found in some texts, grouped by phrase."""
        groups: dict[tuple[HitKind, str], list[Hit]] = {}
        for at, item in enumerate(items):
            for hit in self._hits(at, item.text):
                groups.setdefault((hit.kind, hit.phrase), []).append(hit)
        return tuple(
            Finding(kind, phrase, tuple(hits))
            for (kind, phrase), hits in sorted(groups.items())
        )

    def _hits(self, item: int, text: str) -> Iterator[Hit]:
        keys = _KEY.finditer(text) if self.keys else ()
        spans: list[tuple[HitKind, int, int]] = [
            *(("name", start, end) for start, end in self._names_in(text)),
            *(("prompt", start, end) for start, end in self._prompts_in(text)),
            *(("key", found.start(), found.end()) for found in keys),
        ]
        for kind, start, end in spans:
            phrase = " ".join(text[start:end].casefold().split())
            around = text[max(0, start - _CONTEXT) : end + _CONTEXT]
            yield Hit(kind, phrase, item, start, end, around)

    def _names_in(self, text: str) -> Iterator[tuple[int, int]]:
        folded, places = _folded(text)
        there = (name for name in self.names if name in folded)
        for name in there:
            for found in re.finditer(_sought(name), folded):
                yield places[found.start()], places[found.end() - 1] + 1

    def _prompts_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield where words of a prompt stand; runs that touch are one."""
        places = list(_WORD.finditer(text))
        words = [place.group().casefold() for place in places]
        firsts = {gram[0] for gram in self.grams}
        start, end = -1, -1
        for at, word in enumerate(words):
            last = at + WORDS_IN_A_ROW
            if word not in firsts or tuple(words[at:last]) not in self.grams:
                continue
            if start >= 0 and places[at].start() > end:
                yield start, end
                start = -1
            start = places[at].start() if start < 0 else start
            end = places[last - 1].end()
        if start >= 0:
            yield start, end


def prompt_texts(study: Study, versions: Collection[str]) -> tuple[str, ...]:
    """Return the texts of every piece of some condition versions.

    Raises:
        UserError: The study does not hold a version.
    """
    texts: set[str] = set()
    for version in versions:
        for piece in condition(study, version).pieces["pieces"]:
            texts |= _piece_texts(piece)
    return tuple(sorted(texts))


def resolved(
    items: Sequence[ItemText],
    findings: Iterable[Finding],
    decisions: Mapping[str, Decision],
) -> list[ItemText | None]:
    """Return the texts as a person decided; None for an item that is left out.

    A name that is cut leaves ▇; words of the prompt leave nothing, since a gap in
    their place would tell the condition as well.
    """
    texts: list[ItemText | None] = list(items)
    decided = [(hit, decisions[f.name]) for f in findings for hit in f.hits]
    behind: dict[int, int] = {}
    # From the back, so that the places before stay true; two that overlap share a cut.
    for hit, decision in sorted(decided, key=lambda pair: -pair[0].start):
        text = texts[hit.item]
        if text is None or decision == "keep":
            continue
        end = min(hit.end, behind.get(hit.item, hit.end))
        mark = MARK if hit.kind == "name" else ""
        cut = text.without("phrase", hit.start, end, mark)
        texts[hit.item] = None if decision == "leave_out" else cut
        behind[hit.item] = hit.start
    return texts


def _sought(name: str) -> str:
    return name if len(name) >= _INSIDE_WORDS else rf"\b{name}s?\b"


def _folded(text: str) -> tuple[str, list[int]]:
    """Return the text's letters and digits, folded, and where each came from."""
    letters: list[str] = []
    places: list[int] = []
    for found in _RUNS.finditer(text):
        start, end, run = found.start(), found.end(), found.group()
        if run.isascii():
            # A blank ends a word, but zero-width characters do not.
            letters.append(run.translate(_PLAIN))
            places.extend(range(start, end))
            continue
        plain = unicodedata.normalize("NFKC", run).casefold()
        kept = [letter for letter in plain if letter.isalnum()]
        letters += kept
        places += [start] * len(kept)
    return "".join(letters), places


def _grams(line: str) -> Iterator[tuple[str, ...]]:
    words = [found.group().casefold() for found in _WORD.finditer(line)]
    for at in range(len(words) - WORDS_IN_A_ROW + 1):
        yield tuple(words[at : at + WORDS_IN_A_ROW])


def _piece_texts(piece: Mapping[str, Json]) -> set[str]:
    if "text" in piece:
        return {piece["text"]}
    if "extremes" in piece:
        return set(piece["extremes"].values())
    return {str(piece["sees"][0])} if piece.get("sees") else set()
