"""Entry fields with units that turn what is typed into edits of the document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QWheelEvent
from PySide6.QtWidgets import QColorDialog, QDoubleSpinBox, QPushButton, QWidget

from director_gui.scene.items import Item
from director_gui.scene.model import Scene
from director_gui.ui import theme
from director_gui.ui.widgets import swatch

Unit = Literal["cm", "°", "px", ""]
_SCALE: dict[Unit, float] = {"cm": 100.0, "°": 1.0, "px": 1.0, "": 1.0}
_DECIMALS: dict[Unit, int] = {"cm": 2, "°": 2, "px": 0, "": 0}
_STEP: dict[Unit, float] = {"cm": 1.0, "°": 1.0, "px": 16.0, "": 1.0}


@dataclass(frozen=True, slots=True)
class Field:
    """One number of an item: its name, unit, bounds, and how it is read and put."""

    name: str
    unit: Unit
    low: float
    high: float
    get: Callable[[Scene, Item], float]  # in the scene's own unit: m, degrees, px
    put: Callable[[Scene, Item, float], Scene]
    hint: str = ""


class NumberBox(QDoubleSpinBox):
    """A spin box in the unit that people read; `entered` gives the scene's unit."""

    entered = Signal(float)

    def __init__(self, field: Field, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scale = _SCALE[field.unit]
        self.setDecimals(_DECIMALS[field.unit])
        self.setRange(field.low * self._scale, field.high * self._scale)
        self.setSingleStep(_STEP[field.unit])
        self.setSuffix(f" {field.unit}" if field.unit not in ("", "°") else field.unit)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(theme.px(84))
        self.setAccessibleName(field.name)
        self.setToolTip(field.hint or "Type a number, or use the up and down keys")
        self.valueChanged.connect(lambda value: self.entered.emit(value / self._scale))

    def show_value(self, value: float) -> None:
        """Show a value in the scene's unit, without telling anyone."""
        self.blockSignals(True)
        self.setValue(value * self._scale)
        self.blockSignals(False)

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        # 12.00 reads as 12.0; the second decimal shows only where it says something.
        return text[:-1] if self.decimals() == 2 and text.endswith("0") else text

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Scrolling the panel over a field must not change the scene.
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()


class ColorButton(QPushButton):
    """Shows a block's colour and lets the user choose another."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._color = "#808080"
        self.setAccessibleName("Colour")
        self.clicked.connect(self._choose)

    def show_color(self, color: str) -> None:
        """Show `color`, such as #c0504d."""
        self._color = color
        self.setIcon(swatch(color))
        self.setText(color)

    def _choose(self) -> None:
        picked = QColorDialog.getColor(QColor(self._color), self, "Colour of the block")
        if picked.isValid():
            self.chosen.emit(picked.name())
