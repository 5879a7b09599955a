"""What the outline and the forms do to a codebook: named, each one undo step."""

from typing import cast

from coding import book_edits as edits
from coding.codebook import Code, Codebook, Field, Kind
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.coordinator.codebook_tree import Place


class BookActs:
    """Edits of the desk's draft; those that move something say where it is now."""

    def __init__(self, desk: BookDesk) -> None:
        self._desk = desk

    def edit_book(self, book: Codebook, part: str) -> None:
        """Take another codebook as a whole; `part` was typed in, '' for a choice."""
        self._desk.apply(book, "Edit codebook", part)

    def edit_field(self, place: Place, value: Field, part: str) -> None:
        """Take another field at a place."""
        at, _ = place
        book = edits.with_field(self._desk.draft, at, value)
        # Typing in another field is another step, though the entry is the same one.
        self._desk.apply(book, "Edit field", f"{at} {part}" if part else "")

    def edit_code(self, place: Place, value: Code, part: str) -> None:
        """Take another code at a place."""
        at, code = place
        field = edits.with_code(self._desk.draft.fields[at], code, value)
        book = edits.with_field(self._desk.draft, at, field)
        self._desk.apply(book, "Edit code", f"{at} {code} {part}" if part else "")

    def add_field(self, kind: str) -> Place:
        """Add a field at the end."""
        book = self._desk.draft
        # At the end: coders meet fields in this order, the least tried one last.
        made = edits.plus_field(book, edits.fresh_field(book, cast("Kind", kind)))
        self._desk.apply(made, "Add field")
        return len(made.fields) - 1, -1

    def add_code(self, place: Place) -> Place:
        """Add a code to the field at a place."""
        at, _ = place
        field = self._desk.draft.fields[at]
        more = edits.plus_code(field, edits.fresh_code(field))
        self._desk.apply(edits.with_field(self._desk.draft, at, more), "Add code")
        return at, len(more.codes) - 1

    def remove(self, place: Place) -> None:
        """Remove the field or code at a place."""
        book, (at, code) = self._desk.draft, place
        if code < 0:
            self._desk.apply(edits.minus_field(book, at), "Remove field")
        else:
            less = edits.minus_code(book.fields[at], code)
            self._desk.apply(edits.with_field(book, at, less), "Remove code")

    def move(self, place: Place, by: int) -> Place:
        """Move the field or code at a place; it stops at either end."""
        book, (at, code) = self._desk.draft, place
        if code < 0:
            self._desk.apply(edits.moved_field(book, at, by), "Move field")
            # The outline follows what was moved, so that it can be moved on.
            return _within(at + by, len(book.fields)), -1
        moved = edits.moved_code(book.fields[at], code, by)
        self._desk.apply(edits.with_field(book, at, moved), "Move code")
        return at, _within(code + by, len(moved.codes))


def _within(at: int, count: int) -> int:
    return min(count - 1, max(0, at))
