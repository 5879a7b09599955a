"""The balance check of a set: associations that could pass for a finding."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from director_gui.study.balance import Association
from director_gui.ui import theme
from director_gui.ui.families.bar_chart import Bar, BarChart, BarGroup
from director_gui.ui.families.readable import readable
from director_gui.ui.widgets import EmptyState, label

_NAMES = 100  # px, for a place or a colour
_NOTE = (
    "A check warns when its p is below 0.01; one in a hundred does so by chance alone. "
    "Where a family ties a place to the hidden block on purpose, a warning is no fault."
)
_START = (
    "Looks for what should not tell the hidden block apart but does: digits against "
    "size, its digit, its place on the table, its colour."
)


class BalancePage(QScrollArea):
    """Shows every check in words, with bars where there are counts."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: Sequence[Association] | None = None
        self.setWidgetResizable(True)
        self.setAccessibleName("Balance check")
        self.clear()

    def clear(self) -> None:
        """Show nothing found yet, and the one next step."""
        self.found = None
        step = ("Check the balance", self.wanted.emit)
        # Made anew each time: a scroll area deletes the widget that it held.
        self.setWidget(EmptyState(_START, step))

    def show_busy(self) -> None:
        """Tell that the check goes on."""
        self.found = None
        self.setWidget(EmptyState("Checking the balance…"))

    def show_idle(self) -> None:
        """Offer the check again when it was cancelled or failed."""
        if self.found is None:
            self.clear()

    def show_found(self, found: Sequence[Association]) -> None:
        """Show what the checks found."""
        self.found = found
        column = readable(self)
        column.addWidget(label(summary(found), "strong", wrap=True))
        column.addWidget(label(_NOTE, "caption", wrap=True))
        for item in found:
            _add(column, item)
        column.addStretch()

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        if self.found is not None:
            # Warnings carry a colour of the theme in their own style.
            self.show_found(self.found)
        else:
            self.clear()


def summary(found: Sequence[Association]) -> str:
    """Return the outcome in a sentence."""
    warned = [item.name for item in found if item.warns]
    # One check without a p would leave the others reading like an all-clear.
    if any(item.p is None for item in found):
        return "This set is too small for a balance check."
    if not warned:
        return "No association was found that could pass for a finding."
    names = "; ".join(warned)
    checks = "check warns" if len(warned) == 1 else "checks warn"
    return f"{len(warned)} {checks}: {names}."


def _add(column: QVBoxLayout, item: Association) -> None:
    # A sign beside the colour, which not everybody can see.
    title = label(f"{'⚠ ' if item.warns else ''}{item.name}", "strong")
    title.setContentsMargins(0, theme.S3, 0, 0)
    column.addWidget(title)
    p = "" if item.p is None else f"  {item.test}: p {_p(item.p)}"
    words = label(f"{item.words}{p}", wrap=True)
    if item.warns:
        words.setStyleSheet(f"color: {theme.tokens().ambiguous}")
    column.addWidget(words)
    if item.counts:
        chart = BarChart(item.name, names=_NAMES)
        chart.show_bars(("scenes", "", "by chance"), _groups(item))
        column.addWidget(chart)


def _groups(item: Association) -> list[BarGroup]:
    # At least 1: a set without scenes has bars too.
    most = max(1.0, *(max(n, chance) for _, n, chance in item.counts))
    return [
        # What chance gives gets the grey of the third series, as every reference.
        BarGroup(
            name,
            (Bar(0, n / most, str(n)), Bar(2, chance / most, f"{chance:.1f}")),
        )
        for name, n, chance in item.counts
    ]


def _p(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"
