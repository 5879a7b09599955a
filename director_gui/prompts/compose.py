"""Make the messages of a condition for one scene: bytes joined, never formatted."""

from collections.abc import Collection
from dataclasses import dataclass

from director_gui.prompts.conditions import Condition
from director_gui.prompts.pieces import Given, Part


@dataclass(frozen=True, slots=True)
class Prompt:
    """The user messages of one condition for one scene.

    Args:
        condition: The condition's name.
        version: The condition's version (hash of its pieces).
        turns: The exact UTF-8 bytes of each user message.
        keys: The JSON keys that each turn asks for.
        parts: The pieces that each turn was joined from.
    """

    condition: str
    version: str
    turns: tuple[bytes, ...]
    keys: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[Part, ...], ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The user messages as text."""
        return tuple(turn.decode() for turn in self.turns)

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """The pieces of all turns in order: what the proof of a pair runs on."""
        return tuple(part for turn in self.parts for part in turn)


def compose(
    condition: Condition, sees: Collection[int], extreme: str = "largest"
) -> Prompt:
    """Return the messages of a condition.

    Args:
        condition: The prompt variant.
        sees: The digits of the blocks that the director sees.
        extreme: What the scene's request asks for.

    Raises:
        UserError: The request has no text for `extreme`.
    """
    # No text is formatted here: a brace or a percent sign in a piece is only itself.
    given = Given.of(sees, extreme)
    parts = tuple(
        tuple(piece.part(given) for piece in pieces) for pieces in condition.turn_pieces
    )
    return Prompt(
        condition=condition.name,
        version=condition.version,
        turns=tuple(join(turn) for turn in parts),
        keys=condition.keys,
        parts=parts,
    )


def join(parts: Collection[Part]) -> bytes:
    """Return the bytes of some parts, end to end."""
    # Nothing between them: every piece ends its own last line.
    return b"".join(part.data for part in parts)
