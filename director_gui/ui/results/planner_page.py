"""The planner: scenes and samples for a difference, from rates or from a pilot."""

from collections.abc import Callable

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.stats.planning import Design
from director_gui.study.results.comparing import Compared
from director_gui.study.results.planner import from_pilot, from_rates
from director_gui.ui import theme
from director_gui.ui.results.curve_view import CurveView
from director_gui.ui.widgets import label, panel


class PlannerPage(QWidget):
    """Answers while the user types."""

    def __init__(self, pilot: Callable[[], Compared | None]) -> None:
        super().__init__()
        # Asked for each time: the chosen comparison changes while this page is away.
        self._pilot = pilot
        self.rate = _percent("Rate under the reference, %", 20.0, 0.0)
        self.difference = _percent("Difference to show, points", 10.0, -100.0)
        # The paper's number of scenes, and below its number of samples.
        self.scenes = _number("Scenes planned", 160, 3, 100_000)
        self.samples = _number("Samples a scene and condition", 5, 1, 1000)
        self.icc = _share("Correlation of replies of one scene", 0.3)
        self.overlap = _share("Share of it that both conditions have in common", 0.0)
        self.answer = label("", "strong", wrap=True)
        self.pilot = label("", wrap=True)
        self.curve = CurveView()
        self._lay_out()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Not when it is made: what it reckons with takes long to import.
        self.work_out()

    def work_out(self) -> None:
        """Answer for what the fields say now."""
        difference = self.difference.value() / 100
        try:
            design = Design(
                self.rate.value() / 100,
                self.icc.value(),
                self.samples.value(),
                self.overlap.value(),
            )
            found = from_rates(design, difference, self.scenes.value())
        except UserError as error:
            # The old curve stays: clearing it would flicker while a number is typed.
            self.answer.setText(str(error))
        else:
            self.answer.setText(found.text)
            self.curve.show_answer(found)
        self.pilot.setText(self._pilot_words(difference))

    def _pilot_words(self, difference: float) -> str:
        one = self._pilot()
        if one is None or one.found is None:
            return "With a comparison chosen in the results, its own error is used too."
        try:
            return f"{one.model}, {one.name}: {from_pilot(one.found, difference)}"
        except UserError as error:
            return f"{one.model}, {one.name}: {error}."

    def _lay_out(self) -> None:
        fields = (self.rate, self.difference, self.samples, self.scenes, self.icc)
        form = QFormLayout()
        form.setSpacing(theme.S2)
        for field in (*fields, self.overlap):
            form.addRow(field.accessibleName(), field)
            field.valueChanged.connect(lambda _value: self.work_out())
        held = QWidget()
        held.setLayout(form)
        form.setContentsMargins(0, 0, 0, 0)
        left = panel(
            label("How many scenes?", "title"), held, self.answer, self.pilot,
            margin=theme.S4, spacing=theme.S3,
        )  # fmt: skip
        column = left.layout()
        if isinstance(column, QVBoxLayout):
            column.addStretch()
        left.setFixedWidth(theme.px(440))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        row.addWidget(left)
        row.addWidget(self.curve, 1)


def _percent(name: str, value: float, low: float) -> QDoubleSpinBox:
    return _real(name, value, low, 100.0, 1)


def _share(name: str, value: float) -> QDoubleSpinBox:
    return _real(name, value, 0.0, 1.0, 2)


def _real(
    name: str, value: float, low: float, high: float, places: int
) -> QDoubleSpinBox:
    made = QDoubleSpinBox()
    made.setDecimals(places)
    made.setRange(low, high)
    made.setSingleStep(0.05 if places == 2 else 1.0)
    made.setValue(value)
    made.setAccessibleName(name)
    return made


def _number(name: str, value: int, low: int, high: int) -> QSpinBox:
    made = QSpinBox()
    made.setRange(low, high)
    made.setValue(value)
    made.setAccessibleName(name)
    return made
