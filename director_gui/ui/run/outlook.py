"""What a composed plan will do, in the place where its arms will be followed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from director_gui.study.plan_draft import PlanEstimate
from director_gui.study.plan_file import Plan
from director_gui.study.probing import price_text
from director_gui.study.time_words import time_range_text
from director_gui.ui import theme
from director_gui.ui.probe.pair_table import pair_name
from director_gui.ui.run.words import and_text
from director_gui.ui.widgets import label, scrolled

_WORDS = 600  # px at 100 %: a line that is read with ease
_MOST_PAIRS = 8
_JOIN = ("joins as the base", "join as the bases")
_HEADS = ("Calls", "Conditions", "Takes", "Answers")
_STEPS = (
    "Compose the plan at the left, or take over a file or a probe.",
    "Prepare the run: pictures are drawn and every pair is proved; nothing is sent.",
    "Start it. Its arms are followed here; pause, drain or cancel at any time.",
)


class Outlook(QWidget):
    """The empty state of the arms: a plan in words, and the steps to its run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "title", wrap=True)
        self._values = {head: label("", wrap=True) for head in _HEADS}
        self._heads = {head: _head(head) for head in _HEADS}
        self._words = QWidget()
        self._lay_out()
        self.show_missing("")

    @property
    def text(self) -> str:
        """Everything that is told, in lines."""
        shown = [self._title, *self._values.values()]
        return "\n".join(line.text() for line in shown if line.text())

    def show_missing(self, what: str) -> None:
        """Say what the plan still lacks."""
        self._title.setText(what or "A run asks every model about every scene")
        for value in self._values.values():
            value.clear()
        self._show_filled()

    def show_plan(self, plan: Plan, scenes: int, made: PlanEstimate) -> None:
        """Say what a plan will do.

        Args:
            plan: As it is composed now.
            scenes: How many scenes it shows.
            made: What it adds up to.
        """
        self._title.setText("What this plan will do")
        takes = f"{time_range_text(made.seconds)} · {price_text(made.price)}"
        texts = (
            calls_text(plan, scenes, made),
            "\n".join(condition_lines(plan, made)),
            f"{takes[:1].upper()}{takes[1:]}",
            "\n".join(answer_lines(plan, made.pairs)),
        )
        for value, text in zip(self._values.values(), texts, strict=True):
            value.setText(text)
        self._show_filled()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self._words.setMaximumWidth(theme.px(_WORDS))

    def _show_filled(self) -> None:
        for head, value in self._values.items():
            for part in (self._heads[head], value):
                part.setVisible(bool(value.text()))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self._words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S3)
        column.addWidget(self._title)
        column.addLayout(
            _rows([(self._heads[h], value) for h, value in self._values.items()])
        )
        column.addSpacing(theme.S2)
        column.addWidget(label("Steps", "section"))
        steps = enumerate(_STEPS, 1)
        column.addLayout(
            _rows([(_head(f"{n}"), label(s, wrap=True)) for n, s in steps])
        )
        for head, value in self._values.items():
            value.setAccessibleName(head)
        inside = QWidget()
        inside.setProperty("role", "panel")
        place = QVBoxLayout(inside)
        place.setContentsMargins(theme.S6, theme.S6, theme.S6, theme.S6)
        place.addWidget(self._words)
        place.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scrolled(inside))
        self.retheme()


def calls_text(plan: Plan, scenes: int, made: PlanEstimate) -> str:
    """Return how many calls a plan makes, and of what they are the product."""
    factors = [
        _count(scenes, "scene"),
        _count(plan.samples, "sample"),
        _count(len(plan.profiles), "model"),
    ]
    batches = len(plan.batches)
    if batches == 1:
        (batch,) = plan.batches
        asked = {*batch.conditions, *made.joined[batch.name]}
        factors.insert(1, _count(len(asked), "condition"))
    how = "shuffled together" if batches == 1 else f"shuffled in {batches} batches"
    return f"{made.calls:,} = {' × '.join(factors)}, {how}"


def condition_lines(plan: Plan, made: PlanEstimate) -> list[str]:
    """Return the conditions of every batch, with the bases that join it."""
    lines = []
    for batch in plan.batches:
        name = f"Batch {batch.name}: " if len(plan.batches) > 1 else ""
        bases = made.joined[batch.name]
        joins = f"; {and_text(bases)} {_JOIN[len(bases) > 1]}" if bases else ""
        lines.append(f"{name}{', '.join(batch.conditions)}{joins}")
    return lines


def answer_lines(plan: Plan, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return the pairs that a plan can answer, with their families."""
    if not pairs:
        return ["No declared pair: add the other condition of one"]
    lines = []
    for pair in pairs[:_MOST_PAIRS]:
        named = [family.name for family in plan.families if pair in family.pairs]
        family = f"family {and_text(named)}" if named else "not declared"
        lines.append(f"{pair_name(*pair)} · {family}")
    if len(pairs) > _MOST_PAIRS:
        lines.append(f"and {len(pairs) - _MOST_PAIRS} more pairs")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _rows(rows: Sequence[tuple[QLabel, QLabel]]) -> QGridLayout:
    # No form layout: it keeps the heights of texts that were there before.
    grid = QGridLayout()
    grid.setHorizontalSpacing(theme.S4)
    grid.setVerticalSpacing(theme.S2)
    grid.setColumnStretch(1, 1)
    for at, (head, value) in enumerate(rows):
        grid.addWidget(head, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, at, 1)
    return grid


def _head(text: str) -> QLabel:
    return label(text, "caption")
