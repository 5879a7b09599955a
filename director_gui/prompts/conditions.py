"""Conditions: which piece each slot uses, in how many turns."""

from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.ids import hash_of
from director_gui.prompts.pieces import SLOTS, Piece

# What each user message of a condition holds; by number of turns.
TURN_SLOTS: dict[int, tuple[tuple[str, ...], ...]] = {
    1: (SLOTS,),
    2: (
        ("setting", "constraint", "report", "reply_format"),
        ("request", "action", "report_after", "reply_format"),
    ),
}


@dataclass(frozen=True, slots=True)
class Condition:
    """One prompt variant.

    Args:
        name: Its name, such as ``move.ask``.
        action: What it asks the model to do: ``mean``, ``move``, or a rewording.
        pieces: The pieces it uses, in the order of the slots, one a slot.
        turns: 1, or 2 when the report is asked for in a turn of its own.

    Raises:
        UserError: Pieces are missing, out of order, or ask for one key twice.
    """

    name: str
    action: str
    pieces: tuple[Piece, ...]
    turns: int = 1

    def __post_init__(self) -> None:
        if self.turns not in TURN_SLOTS:
            raise UserError("turns must be 1 or 2", where=self.name)
        # One piece a slot, in order: else two lists could differ in order alone.
        order = [SLOTS.index(piece.slot) for piece in self.pieces]
        if order != sorted(set(order)):
            raise UserError("its pieces do not follow the slots", where=self.name)
        # A key asked for twice could not be taken away with one piece.
        asked = [piece.key for piece in self.pieces if piece.key]
        if len(asked) != len(set(asked)):
            raise UserError("asks for one key twice", where=self.name)
        if not all(self.keys):
            raise UserError("has a turn that asks for nothing", where=self.name)

    @property
    def slots(self) -> dict[str, Piece | None]:
        """Every slot with its piece, or None."""
        used = {piece.slot: piece for piece in self.pieces}
        return {slot: used.get(slot) for slot in SLOTS}

    @property
    def turn_pieces(self) -> tuple[tuple[Piece, ...], ...]:
        """The pieces of each user message, in order."""
        return tuple(
            tuple(piece for piece in self.pieces if piece.slot in slots)
            for slots in TURN_SLOTS[self.turns]
        )

    @property
    def keys(self) -> tuple[tuple[str, ...], ...]:
        """The JSON keys that each turn asks for, in the order of its questions."""
        return tuple(
            tuple(piece.key for piece in pieces if piece.key)
            for pieces in self.turn_pieces
        )

    @property
    def base(self) -> str:
        """The name of the condition that joins every batch of this one."""
        return "mean.ask" if self.action == "mean" else "move.ask"

    @property
    def version(self) -> str:
        """The hash of all that the condition would send, for any scene."""
        # Neither the name nor the action is sent, so neither makes a version.
        pieces = [piece.value() for piece in self.pieces]
        return hash_of({"turns": self.turns, "pieces": pieces})
