"""Verify every set of the study again, write sets as files, take sets in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QWidget

from director_gui.scene.model import VIEWS
from director_gui.ui import theme
from director_gui.ui.families.readable import readable
from director_gui.ui.tables import Table
from director_gui.ui.widgets import button, label

# Verifying brings the renderer along, which this page only names.
if TYPE_CHECKING:
    from director_gui.study.verifying import Verification

_VERIFY = (
    "Asks the second witness about every stored scene again and redraws both pictures "
    "of each, from what the study holds alone. Rearranged scenes are also redrawn with "
    "their original digits."
)
_EXPORT = (
    "Scenes, both pictures of each, answer keys (CSV and JSON Lines), CLEVR-like "
    "scenes, glTF and contact sheets, with a manifest of hashes."
)
_COLUMNS = ("Scene", "Block or key", "View", "Stored", "Found")
_HASH = 64  # digits of one; hashes are told apart by their beginnings


class FilesPage(QScrollArea):
    """Two acts with their outcomes in words."""

    verify_wanted = Signal()
    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.verify = button("Verify all sets again", self.verify_wanted.emit)
        self.export = button("Export all sets…", self.export_wanted.emit)
        self.verdict, self.exported = label("", wrap=True), label("", wrap=True)
        self.verdict.setAccessibleName("What verifying found")
        self.exported.setAccessibleName("What was exported")
        # The path is to be copied.
        self.exported.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.table = Table("Mismatches", left=3)
        self._lay_out()
        self.clear()

    def clear(self) -> None:
        """Forget what was found in another study."""
        for widget in (self.verdict, self.exported, self.table):
            widget.hide()

    def show_busy(self, *, verifying: bool) -> None:
        """Tell that one of the two goes on; the footer shows how far."""
        told = self.verdict if verifying else self.exported
        self._say(told, "At work; the line below shows how far it is.", bad=False)
        for made in (self.verify, self.export):
            made.setEnabled(False)

    def show_idle(self) -> None:
        """Let both be asked for again."""
        for made in (self.verify, self.export):
            made.setEnabled(True)
        for told in (self.verdict, self.exported):
            # Cancelled or failed: an outcome would have taken the words' place.
            if told.text().startswith("At work"):
                told.hide()

    def show_verified(self, found: "Verification") -> None:
        """Show what verifying found, and every mismatch."""
        self._say(self.verdict, verification_words(found), bad=not found.holds)
        self.table.setVisible(bool(found.mismatches or found.changes))
        self.table.show_rows(_COLUMNS, mismatch_rows(found))

    def show_exported(self, folder: str, files: Sequence[object]) -> None:
        """Show where the files are."""
        self._say(self.exported, f"{len(files):,} files are in {folder}.", bad=False)

    def _say(self, where: QLabel, words: str, *, bad: bool) -> None:
        color = theme.tokens().error if bad else theme.tokens().text
        where.setStyleSheet(f"color: {color}")
        where.setText(words)
        where.show()

    def _lay_out(self) -> None:
        column = readable(self)
        for title, words, made, outcome in (
            ("Verify", _VERIFY, self.verify, (self.verdict, self.table)),
            ("Export", _EXPORT, self.export, (self.exported,)),
        ):
            column.addWidget(label(title, "strong"))
            column.addWidget(label(words, wrap=True))
            row = QHBoxLayout()
            row.addWidget(made)
            row.addStretch()
            column.addLayout(row)
            for widget in outcome:
                column.addWidget(widget)
            column.addSpacing(theme.S3)
        column.addStretch()


def verification_words(found: "Verification") -> str:
    """Return what verifying found, in sentences."""
    scenes = "1 scene" if found.scenes == 1 else f"{found.scenes:,} scenes"
    often = len(found.mismatches)
    times = "once" if often == 1 else f"{often:,} times"
    parts = [
        f"Both witnesses agree on every block of {scenes}."
        if not often
        else f"The witnesses disagree {times}.",
        *([f"{_things(len(found.changes))} not as stored."] if found.changes else ()),
        f"{found.pixels_identical:,} of {scenes} came out the same pixel for pixel.",
    ]
    if found.other_renderer:
        verb = "was" if found.other_renderer == 1 else "were"
        parts.append(
            f"{found.other_renderer:,} {verb} drawn by another renderer, whose pixels "
            f"cannot be compared."
        )
    return " ".join(parts)


def mismatch_rows(found: "Verification") -> list[list[str]]:
    """Return scene, block, viewpoint and both fractions of every mismatch.

    Below them what else is not as it was stored: scene, what it is, and both values.
    """
    mismatches = [
        [
            f"{item['set']} · {item['scene']}",
            str(item["block"]),
            str(item["view"]),
            _fraction(item["analytic"]),
            _fraction(item["depth"]),
        ]
        for item in found.mismatches
    ]
    return mismatches + [
        [
            f"{item['set']} · {item['scene']}",
            *_place(str(item["what"])),
            _value(item["stored"]),
            _value(item["found"]),
        ]
        for item in found.changes
    ]


def _things(count: int) -> str:
    return "1 other thing is" if count == 1 else f"{count:,} other things are"


def _place(what: str) -> tuple[str, str]:
    """Return block (or what it is) and viewpoint of a path such as `sees.model`."""
    name, *rest = what.split(".")
    view = next((part for part in rest if part in VIEWS), "")
    more = [part for part in rest if part != view]
    return " ".join([name.replace("_", " "), *more]), view


def _value(value: object) -> str:
    text = "–" if value is None else str(value)
    return f"{text[:12]}…" if len(text) == _HASH else text


def _fraction(value: float | None) -> str:
    # Four places: the witnesses may differ by 0.002 (METHOD §2).
    return "–" if value is None else f"{value:.4f}"
