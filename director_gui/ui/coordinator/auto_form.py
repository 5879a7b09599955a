"""Begin an automatic pass: a model, a cost ceiling, and what both come to."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from director_gui.runner.profiles import Profile
from director_gui.study.blind.auto_forecast import forecast
from director_gui.ui import theme
from director_gui.ui.coordinator.auto_desk import AutoShown
from director_gui.ui.notice import Notice
from director_gui.ui.widgets import button, label, restyle

_MOST = 1_000_000.0  # US dollars
_NARROW = 80  # px


class AutoForm(QWidget):
    """Asks for a new pass; nothing is sent before its button is pressed."""

    wanted = Signal(object, object)  # Profile, ceiling in US dollars or None

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: AutoShown | None = None
        self._free = False
        self.model = QComboBox()
        self.model.setAccessibleName("Model that codes")
        self.model.setMinimumContentsLength(12)
        # A long name must not widen the panel; the tooltip has it whole.
        self.model.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.ceiling = QDoubleSpinBox()
        self.ceiling.setRange(0.0, _MOST)
        self.ceiling.setPrefix("$")
        self.ceiling.setSpecialValueText("none")
        self.ceiling.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.ceiling.setAccessibleName("Cost ceiling of a pass, US dollars")
        self.ceiling.setMinimumWidth(_NARROW)
        self.forecast = label("", wrap=True)
        self.forecast.setAccessibleName("Forecast")
        self.hint = label("", "caption", wrap=True)
        self.notice = Notice()
        self.start = button("Start", self._start, primary=True)
        self.model.currentIndexChanged.connect(lambda _at: self._show_forecast())
        self._lay_out()

    @property
    def profile(self) -> Profile | None:
        """The chosen model."""
        found: Profile | None = self.model.currentData()
        return found

    @property
    def limit(self) -> float | None:
        """The cost ceiling in US dollars, None for none."""
        return self.ceiling.value() or None

    def show_found(self, found: AutoShown) -> None:
        """Show the models and the forecast for a packet; the choice stays."""
        before = self.profile
        self._found = found
        # Filling the list is not choosing from it.
        self.model.blockSignals(True)
        self.model.clear()
        for profile in found.profiles:
            price = "" if profile.price_known else " · unknown price"
            tail = " · practice" * profile.practice or price
            self.model.addItem(f"{profile.name}{tail}", profile)
            tip = f"{profile.model} at {profile.base_url}"
            self.model.setItemData(
                self.model.count() - 1, tip, Qt.ItemDataRole.ToolTipRole
            )
        names = [profile.name for profile in found.profiles]
        if before is not None and before.name in names:
            self.model.setCurrentIndex(names.index(before.name))
        self.model.blockSignals(False)
        self._show_forecast()

    def show_state(self, *, free: bool, primary: bool, hint: str) -> None:
        """Say whether a pass can be begun now.

        Args:
            free: Whether it can.
            primary: Whether beginning one is the next step.
            hint: Why it cannot, or what it will be.
        """
        self._free = free
        self.hint.setText(hint)
        self.start.setProperty("primary", primary)
        restyle(self.start)
        for widget in (self.start, self.model):
            widget.setEnabled(free and self.model.count() > 0)

    def _show_forecast(self) -> None:
        profile, found = self.profile, self._found
        self.notice.close_remark()
        if profile is None or found is None:
            self.forecast.setText("")
            return
        self.model.setToolTip(f"{profile.name}: {profile.model} at {profile.base_url}")
        lines = forecast(found.work, profile).lines()
        self.forecast.setText("\n".join(f"{t[:1].upper()}{t[1:]}" for t in lines))

    def _start(self) -> None:
        profile, limit = self.profile, self.limit
        if profile is None:
            return
        if profile.price_known or profile.practice:
            self.wanted.emit(profile, limit)
            return
        # Asked as close to the money as can be.
        more = " The cost ceiling cannot hold it." if limit else ""
        self.notice.tell(
            f"The price of {profile.name} is unknown, so the pass may cost more than"
            f" you expect.{more}",
            (
                "Send anyway at unknown price",
                lambda: self.wanted.emit(profile, limit),
            ),
            ("Do not send", lambda: None),
        )

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        for name, widget in (("Model", self.model), ("Cost ceiling", self.ceiling)):
            head = label(name, "caption")
            head.setBuddy(widget)
            column.addWidget(head)
            column.addWidget(widget)
        column.addSpacing(theme.S2)
        column.addWidget(self.forecast)
        column.addWidget(self.hint)
        column.addSpacing(theme.S2)
        column.addWidget(self.notice)
        column.addWidget(self.start)
