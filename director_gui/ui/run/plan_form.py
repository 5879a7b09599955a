"""The fields of a plan that is composed, and what they add up to."""

from dataclasses import replace

from PySide6.QtCore import QRegularExpression, Qt, Signal
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.library import Library
from director_gui.study.plan_draft import Offer
from director_gui.study.plan_file import Plan, SceneChoice
from director_gui.study.plan_scenes import dropped_in_words
from director_gui.study.running import DEFAULT_SAMPLES
from director_gui.ui import theme
from director_gui.ui.run.batches import Batches
from director_gui.ui.run.families import Families
from director_gui.ui.run.model_list import ModelList
from director_gui.ui.widgets import button, label

_MOST_SAMPLES = 1000
_MOST_DOLLARS = 1_000_000.0


class PlanForm(QWidget):
    """What a plan file says, as fields."""

    changed = Signal()
    manage = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = QLineEdit("plan 1")
        self.scenes = QComboBox()
        self.batches = Batches()
        self.models = ModelList()
        self.samples = QSpinBox()
        self.families = Families()
        self.ceiling = QDoubleSpinBox()
        self.seed = QLineEdit()
        self.transport = QComboBox()
        self._offers: list[Offer] = []
        self._factor = 1.0
        self._lay_out()
        for signal in (
            self.name.textChanged,
            self.scenes.currentIndexChanged,
            self.samples.valueChanged,
            self.ceiling.valueChanged,
            self.seed.textChanged,
            self.transport.currentIndexChanged,
        ):
            signal.connect(lambda _value: self.changed.emit())
        for part in (self.batches, self.models, self.families):
            part.changed.connect(self.changed)

    @property
    def scene_count(self) -> int:
        """How many scenes are chosen."""
        at = self.scenes.currentIndex()
        return self._offers[at].count if at >= 0 else 0

    def plan(self) -> Plan:
        """Return what the fields say; it may lack what a run needs."""
        at, seed = self.scenes.currentIndex(), self.seed.text()
        return Plan(
            name=self.name.text().strip(),
            scenes=self._offers[at].choice if at >= 0 else SceneChoice(),
            batches=self.batches.batches,
            profiles=self.models.chosen,
            samples=self.samples.value(),
            # Empty is "draw one": 0 is a seed like any other.
            order_seed=int(seed) if seed else None,
            ceiling=self.ceiling.value() or None,
            families=self.families.families,
            transport="batch" if self.transport.currentIndex() else "live",
            batch_price_factor=self._factor,
        )

    def show_plan(self, plan: Plan) -> None:
        """Show a plan, such as one of a file."""
        # One word when all fields stand: between them they are no plan at all.
        self.blockSignals(True)
        self.name.setText(plan.name)
        self._choose_scenes(plan.scenes)
        self.batches.show_batches(plan.batches)
        self.models.choose(plan.profiles)
        self.samples.setValue(plan.samples)
        self.ceiling.setValue(plan.ceiling or 0.0)
        self.seed.setText("" if plan.order_seed is None else str(plan.order_seed))
        self.transport.setCurrentIndex(int(plan.transport == "batch"))
        # No field of its own, but a plan that is saved again must not lose it.
        self._factor = plan.batch_price_factor
        self.blockSignals(False)
        self.changed.emit()
        # Which pairs can be declared follows from the rest.
        self.families.show_families(plan.families)
        self.changed.emit()

    def show_study(self, offers: tuple[Offer, ...], known: Library) -> None:
        """Offer what a study holds; what was chosen stays chosen where it can."""
        at = self.scenes.currentIndex()
        before = self._offers[at].choice if at >= 0 else None
        self.blockSignals(True)
        self._offers = []
        self.scenes.clear()
        for offer in offers:
            self._offer(offer)
        if before is not None:
            self._choose_scenes(before, add=False)
        self.batches.show_library(known)
        self.models.load()
        self.blockSignals(False)
        self.changed.emit()

    def rename(self, name: str) -> None:
        """Give the plan another name."""
        self.show_plan(replace(self.plan(), name=name))

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        for part in (self.batches, self.models, self.families):
            part.retheme()

    def _offer(self, offer: Offer) -> None:
        self._offers.append(offer)
        gone = f" ({len(offer.left_out):,} dropped)" if offer.left_out else ""
        self.scenes.addItem(f"{offer.name} · {offer.count:,}{gone}")
        why = dropped_in_words(offer.left_out)
        self.scenes.setItemData(
            self.scenes.count() - 1, why, Qt.ItemDataRole.ToolTipRole
        )

    def _choose_scenes(self, choice: SceneChoice, *, add: bool = True) -> None:
        known = [offer.choice for offer in self._offers]
        # A plan of a file may name scenes one by one, which no offer does.
        if choice not in known and add:
            named = [*(f"set {name}" for name in choice.sets), *choice.names]
            of_sets = sum(
                o.count for o in self._offers if set(o.choice.sets) & {*choice.sets}
            )
            count = of_sets + len(choice.names)
            short = ", ".join(named[:2]) + ", …" * (len(named) > 2)
            self._offer(Offer(short, choice, count))
            known.append(choice)
        if choice in known:
            self.scenes.setCurrentIndex(known.index(choice))

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._set_up()
        form = QFormLayout(self)
        form.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S3)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setHorizontalSpacing(theme.S3)
        form.setVerticalSpacing(theme.S2)
        form.addRow("Name", self.name)
        form.addRow("Scenes", self.scenes)
        form.addRow("Samples", self.samples)
        form.addRow(label("Conditions", "section"))
        form.addRow(self.batches)
        form.addRow(self._models())
        form.addRow(label("Comparisons, declared before the run", "section"))
        form.addRow(self.families)
        note = (
            "Ticked comparisons are reported; those of one family are corrected"
            " together. Double-click a family to name it."
        )
        form.addRow(label(note, "caption", wrap=True))
        form.addRow("Cost ceiling", self.ceiling)
        form.addRow("Order seed", self.seed)
        form.addRow("Sent", self.transport)

    def _models(self) -> QWidget:
        made = QWidget()
        head = QHBoxLayout()
        head.addWidget(label("Models", "section"))
        head.addStretch()
        head.addWidget(button("Manage…", self.manage.emit))
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S1)
        column.addLayout(head)
        column.addWidget(self.models)
        return made

    def _set_up(self) -> None:
        for box in (self.samples, self.ceiling):
            box.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.samples.setRange(1, _MOST_SAMPLES)
        self.samples.setValue(DEFAULT_SAMPLES)
        self.ceiling.setRange(0.0, _MOST_DOLLARS)
        self.ceiling.setPrefix("$")
        self.ceiling.setSpecialValueText("none")
        self.seed.setPlaceholderText("drawn and stored")
        # Eighteen digits always fit into the 64 bits of a TOML integer.
        digits = QRegularExpression("[0-9]{0,18}")
        self.seed.setValidator(QRegularExpressionValidator(digits, self.seed))
        self.transport.addItems(["one request a call", "by the provider’s batch API"])
        fit = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        for choice in (self.scenes, self.transport):
            # A long name of a set would else push the form wider than its column.
            choice.setSizeAdjustPolicy(fit)
            choice.setMinimumContentsLength(12)
        for widget, name in (
            (self.name, "Name of the plan"),
            (self.scenes, "Scenes to show"),
            (self.samples, "Samples of each scene, condition and model"),
            (self.ceiling, "Cost ceiling of the whole run, US dollars"),
            (self.seed, "Order seed"),
            (self.transport, "How calls are sent"),
        ):
            widget.setAccessibleName(name)
