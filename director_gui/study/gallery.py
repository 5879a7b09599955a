"""The scenes of a set as cards: what a gallery filters and sorts by.

A card is small, so that ten thousand of them fit in memory; pictures and facts are
read when a card is looked at.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from director_gui.errors import UserError
from director_gui.families.model import RANKS, Rank
from director_gui.families.reading import parsed
from director_gui.families.tallies import Features, tally
from director_gui.geometry.truth import SEES_FROM, Key
from director_gui.ids import Json
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store.database import Study
from director_gui.store.marks import Mark, marks_of
from director_gui.store.sets import SetScene, StoredSet, set_scenes
from director_gui.study.plan_scenes import LeftOut, dropped_in_words
from director_gui.study.set_tallies import every_scene, features_in, key_in

Pixels = NDArray[np.uint8]
MarkFilter = Literal["any", "kept", "pin", "drop"]


@dataclass(frozen=True, slots=True)
class Card:
    """One scene of a set.

    Attributes:
        position: Its place in the set, from 0.
        scene: Its hash.
        name: Its name.
        digits: Its digits, the largest block's first.
        key: Its answer key.
        features: What is counted of it.
        least: The least visible fraction (0-1) of a block that is meant to be seen,
            in either view.
        margin: How far the nearest such fraction is above what its family demands,
            0-1; below 0 when it is less.
        candidate: Which candidate it was.
        mark: Its pin or drop, None for none.
    """

    position: int
    scene: str
    name: str
    digits: tuple[int, ...]
    key: Key
    features: Features
    least: float
    margin: float
    candidate: int
    mark: Mark | None = None

    @property
    def dropped(self) -> bool:
        """Whether a person dropped it."""
        return self.mark is not None and self.mark.kind == "drop"

    @property
    def words(self) -> str:
        """What is searched when someone types: name, key, and what is special."""
        found = self.features
        said = [
            self.name,
            f"hidden {_digit(self.key.hidden)} {found.hidden_rank or 'none'}",
            f"director-view {_digit(self.key.director_view)}",
            f"{found.blocks} blocks",
            " ".join(map(str, self.digits)),
        ]
        said += ["confound"] if found.confound else []
        said += [f"{self.mark.kind} {self.mark.reason}"] if self.mark else []
        return " ".join(said).lower()


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which cards are shown; None and the defaults leave all.

    Attributes:
        text: Words that must all occur in a card's own.
        hidden_rank: The hidden block's rank by size.
        blocks: How many blocks.
        confound: Whether apparent sizes confound it.
        hidden_has_largest: Whether the hidden block has the largest digit.
        mark: ``kept`` leaves out what was dropped.
        least: The least visible fraction (0-1) is at most this.
        margin: The margin (0-1) is at most this.
    """

    text: str = ""
    hidden_rank: Rank | None = None
    blocks: int | None = None
    confound: bool | None = None
    hidden_has_largest: bool | None = None
    mark: MarkFilter = "any"
    least: float = 1.0
    margin: float = 1.0


SORTS: dict[str, Callable[[Card], tuple[object, ...]]] = {
    "set order": lambda c: (c.position,),
    "hidden rank": lambda c: (_rank_place(c.features.hidden_rank), c.position),
    "number of blocks": lambda c: (c.features.blocks, c.position),
    "hidden digit": lambda c: (-1 if c.key.hidden is None else c.key.hidden,),
    "least visible": lambda c: (c.least, c.position),
    "margin": lambda c: (c.margin, c.position),
    "confounds first": lambda c: (not c.features.confound, c.position),
    "candidates tried": lambda c: (c.candidate, c.position),
    "marks first": lambda c: (c.mark is None, c.position),
}


def cards_of(
    study: Study, item: StoredSet, told: Callable[[int], None] = lambda _n: None
) -> list[Card]:
    """Return a card of every scene of a set, in the set's order.

    Args:
        study: The study.
        item: The set.
        told: Called now and then with how many are read.
    """
    marks, demands = marks_of(study, item.id), _demands(item)
    cards = []
    for row in every_scene(study, item.id):
        cards.append(_card(study, row, demands, marks))
        if len(cards) % 200 == 0:
            told(len(cards))
    return cards


def with_marks(cards: Iterable[Card], marks: dict[str, Mark]) -> list[Card]:
    """Return the cards with the marks that count now."""
    return [
        card
        if card.mark == marks.get(card.scene)
        else replace(card, mark=marks.get(card.scene))
        for card in cards
    ]


def arranged(
    cards: Iterable[Card],
    wanted: Wanted,
    sort: str = "set order",
    *,
    descending: bool = False,
) -> list[Card]:
    """Return the cards that are wanted, sorted by one of `SORTS`."""
    shown = [card for card in cards if _fits(card, wanted)]
    # Sorted by keys that end with the place in the set, so ties never jump about.
    return sorted(shown, key=SORTS[sort], reverse=descending)


def tallies(cards: Iterable[Card], *, dropped: bool = False) -> dict[str, object]:
    """Return METHOD §2's tallies of cards, with or without those dropped."""
    return tally(card.features for card in cards if dropped or not card.dropped)


def dropped_words(name: str, cards: Iterable[Card]) -> str:
    """Return how many of a set's cards are dropped and why; empty for none."""
    return dropped_in_words(
        [
            LeftOut(name, card.name, card.mark.reason)
            for card in cards
            if card.dropped and card.mark is not None
        ]
    )


def row_at(study: Study, set_id: str, position: int) -> SetScene:
    """Return one scene of a set with its facts.

    Raises:
        UserError: The set has no such place.
    """
    rows = set_scenes(study, set_id, start=position, limit=1)
    if not rows or rows[0].position != position:
        raise UserError("the set holds no such scene", where=f"scene {position + 1}")
    return rows[0]


def pixels_of(study: Study, scene: str, view: ViewName, width: int = 0) -> Pixels:
    """Return a stored picture as (height, width, 3), whole or not above `width` px.

    Raises:
        UserError: The study holds no such picture, or it is damaged.
    """
    shown = stored.stimulus(study, scene, view)
    if shown is None:
        raise UserError("this scene has no picture yet", where=f"{view} view")
    data = stored.image(study, shown.image).png
    with Image.open(io.BytesIO(data)) as image:
        # Inside the block: Pillow reads lazily, and closes the file after it.
        picture = image.convert("RGB")
    if 0 < width < picture.width:
        height = max(1, round(picture.height * width / picture.width))
        # `reducing_gap` halves the cost and cannot be told from without at this size.
        picture = picture.resize(
            (width, height), Image.Resampling.BOX, reducing_gap=2.0
        )
    return np.asarray(picture)


def _card(
    study: Study,
    row: SetScene,
    demands: dict[ViewName, float],
    marks: dict[str, Mark],
) -> Card:
    scene = read_scene(stored.scene(study, row.scene).json)
    seen = list(_meant_to_be_seen(row.facts))
    return Card(
        position=row.position,
        scene=row.scene,
        name=scene.name,
        digits=_by_size(scene),
        key=key_in(row.facts),
        features=features_in(scene, row.facts),
        least=min((fraction for _, fraction in seen), default=0.0),
        margin=min((part - demands[view] for view, part in seen), default=0.0),
        candidate=row.candidate,
        mark=marks.get(row.scene),
    )


def _by_size(scene: Scene) -> tuple[int, ...]:
    blocks = sorted(scene.blocks, key=lambda block: -block.edge)
    return tuple(block.digit for block in blocks)


def _meant_to_be_seen(facts: Json) -> Iterator[tuple[ViewName, float]]:
    """Yield the lesser of both witnesses' fractions of all but the hidden block."""
    hidden = str(facts["key"]["hidden"])
    for view in VIEWS:
        depth = facts["witnesses"]["depth"][view]
        for digit, fraction in facts["witnesses"]["analytic"][view].items():
            # The model sees the hidden block like any other; for the director it is
            # meant to be 0.
            if view == "model" or digit != hidden:
                # The lesser: what either witness doubts should come first.
                both = (fraction, depth.get(digit))
                yield view, min(0.0 if part is None else part for part in both)


def _demands(item: StoredSet) -> dict[ViewName, float]:
    """Return what the set's family demands; of an imported one METHOD's "sees"."""
    found = parsed(item.family.encode()).get("demands") if item.family else None
    found = found if isinstance(found, dict) else {}
    return {view: float(found.get(f"{view}_sees", SEES_FROM)) for view in VIEWS}


def _fits(card: Card, wanted: Wanted) -> bool:
    found = card.features
    asked: tuple[tuple[object, object], ...] = (
        (wanted.hidden_rank, found.hidden_rank),
        (wanted.blocks, found.blocks),
        (wanted.confound, found.confound),
        (wanted.hidden_has_largest, found.hidden_has_largest),
    )
    if any(want is not None and want != have for want, have in asked):
        return False
    if card.least > wanted.least or card.margin > wanted.margin:
        return False
    words = wanted.text.lower().split()
    return _marked(card, wanted.mark) and all(word in card.words for word in words)


def _marked(card: Card, wanted: MarkFilter) -> bool:
    if wanted == "any":
        return True
    if wanted == "kept":
        return not card.dropped
    return card.mark is not None and card.mark.kind == wanted


def _rank_place(rank: Rank | None) -> int:
    # After all ranks.
    return len(RANKS) if rank is None else RANKS.index(rank)


def _digit(digit: int | None) -> str:
    return "none" if digit is None else str(digit)
