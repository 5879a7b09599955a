"""Which key does what: the codebook's own keys first, then ours, then what is free.

Every decision has a key of its own, and no key serves twice. Coders learn the
codebook's keys, so the pane's own letters give way to them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from coding.codebook import CHOICES, Codebook

NOTE, SKIP, FLAG, UNCODED = "note", "skip", "flag", "uncoded"
COMMANDS: Final = (NOTE, SKIP, FLAG, UNCODED)
HELP = "?"
_QUOTE = "quote"
# Digits first; last the letters that commands like to have, so that they stay free.
_POOL = "1234567890qetyiopwadghjklzxcvbmrfnsu"
Place = tuple[str, str]  # field name and code name; '' for the field or for no field


@dataclass(frozen=True, slots=True)
class KeyPlan:
    """The keys of one codebook; '' where none was free."""

    keys: Mapping[Place, str]

    def code(self, field: str, code: str) -> str:
        """Return the key that chooses `code`."""
        return self.keys.get((field, code), "")

    def field(self, field: str) -> str:
        """Return the key that takes a quote or opens a text."""
        return self.keys.get((field, ""), "")

    def command(self, name: str) -> str:
        """Return the key of one of `COMMANDS`."""
        return self.keys.get(("", name), "")


def plan(book: Codebook) -> KeyPlan:
    """Return the keys for `book`."""
    wanted = list(_wanted(book))
    keys: dict[Place, str] = {}
    taken: set[str] = set()
    # Whoever names a key of the codebook gets it; all others take turns after that.
    for place, letters in wanted:
        if len(letters) == 1 and letters not in taken:
            keys[place] = letters
            taken.add(letters)
    for place, letters in wanted:
        if place not in keys:
            keys[place] = next((k for k in letters + _POOL if k not in taken), "")
            taken.add(keys[place])
    return KeyPlan(keys)


def _wanted(book: Codebook) -> Iterator[tuple[Place, str]]:
    """Give each place the letters that suit it; a single one is the codebook's."""
    quotes = [f for f in book.fields if f.kind == "quote"]
    for field in quotes[:1]:
        yield (field.name, ""), _QUOTE
    for name in COMMANDS:
        yield ("", name), name
    for field in book.fields:
        for code in field.codes:
            yield (field.name, code.name), code.key.lower()
        if field.kind not in CHOICES and field not in quotes[:1]:
            yield (field.name, ""), ""
