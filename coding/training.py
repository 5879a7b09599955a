"""Practice on a codebook's own examples, before the first trace and at any time.

The cards are made from the codebook alone, which every coder reads anyway. No item of
a packet is among them, and nothing that is answered here is kept.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from coding.codebook import Codebook


@dataclass(frozen=True, slots=True)
class Card:
    """A passage, the field that it is an example for, and the code it stands for."""

    field: str
    text: str
    code: str


def cards(book: Codebook, round_: int = 0) -> tuple[Card, ...]:
    """Return a card for each example, mixed; another round is mixed otherwise."""
    found = list(dict.fromkeys(_cards(book)))
    # In the codebook's order the answer would be the one before, mostly. Mixed by the
    # codebook, so that two coders of a packet practise alike.
    random.Random(f"{book.hash} {round_}").shuffle(found)
    return tuple(found)


def _cards(book: Codebook) -> Iterator[Card]:
    for field in book.fields:
        for code in field.codes:
            for text in code.examples:
                # An entry that was begun and left empty is nothing to read.
                if text.strip():
                    yield Card(field.name, text, code.name)


class Practice:
    """One way through the cards; what was answered lives only as long as this."""

    def __init__(self, book: Codebook) -> None:
        self._book = book
        self._round = 0
        self.cards = cards(book)
        self.at = 0
        self.answer: str | None = None
        self.right = 0
        self.answered = 0

    @property
    def card(self) -> Card:
        """The card that is up; there must be one."""
        return self.cards[self.at]

    @property
    def over(self) -> bool:
        """Whether every card has been up."""
        return self.at >= len(self.cards)

    @property
    def is_right(self) -> bool:
        """Whether the answer is the code that the passage is an example for."""
        return self.answer == self.card.code

    def choose(self, code: str) -> bool:
        """Answer the card that is up; the first answer counts. Return if it did."""
        if self.over or self.answer is not None:
            return False
        self.answer = code
        self.answered += 1
        # Counted at once: whoever stops half-way still sees what it came to.
        self.right += self.is_right
        return True

    def next(self) -> None:
        """Turn to the next card; one that was not answered counts for nothing."""
        self.at = min(self.at + 1, len(self.cards))
        self.answer = None

    def again(self) -> None:
        """Begin anew, in another order."""
        self._round += 1
        self.cards = cards(self._book, self._round)
        self.at = self.right = self.answered = 0
        self.answer = None
