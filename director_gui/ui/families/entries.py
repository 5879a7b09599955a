"""What a form's row holds: a quantity, a number, a text, a choice, shares, a list."""

from typing import Any, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.families.form_fields import SCALE, FormField
from director_gui.ui.widgets import label, restyle

Mode = Literal["absent", "fixed", "range"]
_WORDS: dict[Mode, str] = {
    "absent": "as all blocks",
    "fixed": "fixed",
    "range": "range",
}
# Qt needs some range; what is too large the family itself refuses, in words.
_MOST = 1e7
_DECIMALS = {"cm": 2, "°": 2, "×": 3, "edges": 3, "%": 1, "px": 0, "": 0}


class Number(QDoubleSpinBox):
    """A number in the unit that people read; scrolling over it changes nothing."""

    def __init__(
        self, field: FormField, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._scale = SCALE.get(field.unit, 1.0)
        self.setDecimals(_DECIMALS[field.unit])
        self.setRange(-_MOST, _MOST)
        if field.kind == "integer":
            # Beyond, a float would round a seed to another one.
            self.setRange(-(2.0**53), 2.0**53)
        self.setKeyboardTracking(False)
        self.setFixedWidth(theme.px(150 if field.kind == "integer" else 84))
        self.setAccessibleName(name)
        self.setSingleStep(0.05 if field.unit in ("×", "edges") else 1.0)

    @property
    def shown(self) -> float:
        """The value in the file's own unit."""
        # 12.3 cm is 0.12300000000000001 m.
        value = round(self.value() / self._scale, 6)
        # As a person writes it: 5 and not 5.0.
        return int(value) if value == int(value) else value

    def show_value(self, value: float) -> None:
        """Show a value in the file's own unit, without telling anyone."""
        self.blockSignals(True)
        self.setValue(value * self._scale)
        self.blockSignals(False)

    def textFromValue(self, value: float) -> str:
        text = super().textFromValue(value)
        point = self.locale().decimalPoint()
        return text.rstrip("0").removesuffix(point) if point in text else text

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.selectAll()


class Entry(QWidget):
    """The widgets of one row; `entered` gives the file's own value."""

    entered = Signal(object)

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = field
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(theme.S1)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        """Show a value of the file without telling anyone."""
        raise NotImplementedError

    def show_refused(self, *, refused: bool) -> None:
        """Outline the fields when what they hold is refused."""
        state = "refused" if refused else ""
        own = Qt.FindChildOption.FindDirectChildrenOnly  # not what is inside a box
        boxes: list[QWidget] = [*self.findChildren(Number)]
        boxes += self.findChildren(QLineEdit, options=own)
        for box in boxes:
            if (box.property("state") or "") != state:
                box.setProperty("state", state)
                restyle(box)


class SpanEntry(Entry):
    """A quantity: fixed, a range, or (where that is allowed) absent."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.low = Number(field, f"{field.name}, least")
        self.high = Number(field, f"{field.name}, greatest")
        self.mode = Choice(f"{field.name}: fixed or a range")
        modes: tuple[Mode, ...] = ("fixed", "range")
        for mode in ("absent", *modes) if field.kind == "own_span" else modes:
            self.mode.addItem(_WORDS[mode], mode)
        self._dash = label("–")
        self._unit = label(field.unit, "caption")
        for widget in (self.low, self._dash, self.high):
            self.row.addWidget(widget)
        self._unit.setMinimumWidth(theme.px(34))
        self.row.addWidget(self._unit)
        self.row.addWidget(self.mode)
        self.row.addStretch()
        for widget in (self.low, self._dash, self.high, self._unit):
            policy = widget.sizePolicy()
            # Rows must not shift when a range becomes a single value.
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        self.low.valueChanged.connect(lambda _v: self._tell())
        self.high.valueChanged.connect(lambda _v: self._tell())
        # `activated` and not a changed index: only a choice of the user's.
        self.mode.activated.connect(self._chosen)

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        if isinstance(value, list) and len(value) == 2:
            mode: Mode = "range"
            low, high = value
        else:
            mode = "absent" if value is None else "fixed"
            low = high = value or 0
        self.mode.setCurrentIndex(self.mode.findData(mode))
        self.low.show_value(low)
        self.high.show_value(high)
        self._fit(mode)

    def _chosen(self) -> None:
        mode: Mode = self.mode.currentData()
        self._fit(mode)
        if mode == "fixed" and self.high.shown != self.low.shown:
            # The middle of the range, not the end that stands in the first box.
            self.low.show_value(round((self.low.shown + self.high.shown) / 2, 6))
        self._tell()

    def _fit(self, mode: Mode) -> None:
        for widget in (self.low, self._unit):
            widget.setVisible(mode != "absent")
        for widget in (self._dash, self.high):
            widget.setVisible(mode == "range")
        self.low.setAccessibleName(
            f"{self.field.name}, least" if mode == "range" else self.field.name
        )

    def _tell(self) -> None:
        mode: Mode = self.mode.currentData()
        if mode == "absent":
            self.entered.emit(None)
        elif mode == "fixed":
            self.entered.emit(self.low.shown)
        else:
            self.entered.emit([self.low.shown, self.high.shown])


class NumberEntry(Entry):
    """One number."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = Number(field, field.name)
        self.row.addWidget(self.box)
        self.row.addWidget(label(field.unit, "caption"))
        self.row.addStretch()
        self.box.valueChanged.connect(lambda _v: self.entered.emit(self.box.shown))

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        self.box.show_value(value or 0)


class TextEntry(Entry):
    """A text, or a list of words and numbers with blanks between them."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = QLineEdit()
        self.box.setAccessibleName(field.name)
        self.row.addWidget(self.box)
        self.box.editingFinished.connect(self._tell)
        self._shown = ""

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        items = value if isinstance(value, list) else [value or ""]
        self._shown = " ".join(map(str, items))
        if self.box.text() != self._shown:
            self.box.setText(self._shown)
            self.box.setCursorPosition(0)

    def _tell(self) -> None:
        text = self.box.text()
        if text == self._shown:
            return  # it only lost the focus
        if self.field.kind == "list":
            words = text.replace(",", " ").split()
            self.entered.emit([int(w) if w.isdecimal() else w for w in words])
        else:
            self.entered.emit(text)


class ChoiceEntry(Entry):
    """One of a few words."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.box = Choice(field.name)
        for value, words in field.choices:
            self.box.addItem(words, value)
        self.row.addWidget(self.box)
        self.row.addStretch()
        self.box.activated.connect(
            lambda _at: self.entered.emit(self.box.currentData())
        )

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        self.box.setCurrentIndex(self.box.findData(value))


class SharesEntry(Entry):
    """A whole share for each of a few names; what has none is left out."""

    def __init__(self, field: FormField, parent: QWidget | None = None) -> None:
        super().__init__(field, parent)
        self.boxes: dict[str, QSpinBox] = {}
        for key, words in field.choices:
            box = _Share(f"{field.name}: {words}")
            box.valueChanged.connect(lambda _v: self._tell())
            self.boxes[key] = box
            self.row.addWidget(label(words, "caption"))
            self.row.addWidget(box)
        self.row.addStretch()

    def show_value(self, value: Any) -> None:  # noqa: ANN401 - whatever TOML holds
        shares = value if isinstance(value, dict) else {}
        for key, box in self.boxes.items():
            box.blockSignals(True)
            box.setValue(shares.get(key, 0))
            box.blockSignals(False)

    def _tell(self) -> None:
        values = {key: box.value() for key, box in self.boxes.items()}
        self.entered.emit({key: value for key, value in values.items() if value})


class Choice(QComboBox):
    """A list to choose from; scrolling over it changes nothing."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class _Share(QSpinBox):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.setRange(0, 999)
        self.setAccessibleName(name)
        self.setKeyboardTracking(False)
        self.setMinimumWidth(theme.px(36))

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def entry_for(field: FormField) -> Entry:
    """Return the widgets for one row of the form."""
    made = {
        "span": SpanEntry,
        "own_span": SpanEntry,
        "number": NumberEntry,
        "integer": NumberEntry,
        "text": TextEntry,
        "list": TextEntry,
        "choice": ChoiceEntry,
        "shares": SharesEntry,
    }
    return made[field.kind](field)
