"""What the workspace does to a study's prompts: named, each one undo step."""

from collections.abc import Callable

from director_gui.errors import UserError
from director_gui.store.prompts import OwnPrompts
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    next_name,
    put_condition,
    put_in_family,
    put_piece,
    slots_of,
    withdraw,
    without_condition,
    without_piece,
)
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.condition_form import MadeCondition
from director_gui.ui.prompts.piece_form import WrittenPiece


class Changes:
    """Applies what forms and buttons ask for.

    Each method returns the name of the condition to show, or None when the book said
    why it was refused.
    """

    def __init__(self, book: PromptBook) -> None:
        self._book = book

    def keep_piece(self, written: WrittenPiece) -> str | None:
        """Keep a piece, and use it in a condition or a copy of one."""
        own, name = self._book.own, written.piece.name
        try:
            self._refuse_taken(name, written.replaces, self._book.is_own_piece(name))
            own = put_piece(own, written.piece, written.origin)
            own, condition = self._used(own, written)
        except UserError as error:
            self._book.refused.emit(error)
            return None
        return condition if self._book.apply(own, f"Edit piece {name}") else None

    def keep_condition(self, made: MadeCondition) -> str | None:
        """Keep a condition, and declare it against another one."""
        name = made.row.name
        taken = self._book.is_own_condition(name)
        try:
            self._refuse_taken(name, made.replaces, taken)
            own = put_condition(self._book.own, made.row)
            # In one step, so that undoing takes the pair back with its condition.
            if made.against:
                own = declare(own, name, made.against, made.family)
        except UserError as error:
            self._book.refused.emit(error)
            return None
        return name if self._book.apply(own, f"Edit condition {name}") else None

    def delete_condition(self, name: str) -> None:
        """Delete a condition and its pairs."""
        self._try(lambda: without_condition(self._book.own, name), f"Delete {name}")

    def delete_piece(self, name: str) -> None:
        """Delete a piece that nothing uses."""
        self._try(lambda: without_piece(self._book.own, name), f"Delete {name}")

    def declare(self, first: str, second: str) -> None:
        """Declare a pair."""
        text = f"Declare {first} / {second}"
        self._try(lambda: declare(self._book.own, first, second), text)

    def withdraw(self, first: str, second: str) -> None:
        """Take a declared pair back."""
        text = f"Remove pair {first} / {second}"
        self._try(lambda: withdraw(self._book.own, first, second), text)

    def put_in_family(self, first: str, second: str, family: str) -> None:
        """Put a pair into another comparison family."""
        text = f"Family of {first} / {second}"
        self._try(lambda: put_in_family(self._book.own, first, second, family), text)

    def _refuse_taken(self, name: str, replaces: str, taken: bool) -> None:
        # A name that was typed by chance must not change what has it already.
        if taken and name != replaces:
            raise UserError(
                "this name is taken", where=name, todo="Choose another name"
            )

    def _used(self, own: OwnPrompts, written: WrittenPiece) -> tuple[OwnPrompts, str]:
        if not written.use_in:
            return own, ""
        known = self._book.library
        condition = known.condition(written.use_in)
        slots = {**slots_of(condition), written.piece.slot: written.piece.name}
        name, origin = condition.name, condition.name
        # Its own condition takes the piece over; one that must stay gets a copy.
        if self._book.can_change_condition(name):
            rows = {row.name: row.origin for row in own.conditions}
            origin = rows[name]
        else:
            name = next_name(name, [one.name for one in known.conditions])
        row = condition_row(name, slots, condition.turns, origin)
        return put_condition(own, row), name

    def _try(self, change: Callable[[], OwnPrompts], text: str) -> None:
        try:
            own = change()
        except UserError as error:
            self._book.refused.emit(error)
            return
        self._book.apply(own, text)
