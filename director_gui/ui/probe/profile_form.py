"""The form of one model profile: fields with their faults beside them."""

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.runner.profiles import Profile, Wire
from director_gui.ui import theme
from director_gui.ui.probe.profile_fields import (
    EFFORTS,
    PRICES,
    SOURCES,
    WIRES,
    Source,
    Typed,
    typed_of,
)
from director_gui.ui.widgets import label, restyle

_NAMES = {
    "name": "Name",
    "base_url": "Base URL",
    "model": "Model",
    "wire": "Wire",
    "effort": "Reasoning effort",
    "source": "Key from",
    "variable": "Variable",
    "key": "Key",
    "input_price": "Input, $ per million",
    "cached_price": "Cached input, $",
    "output_price": "Output, $ per million",
    "concurrency": "Requests at a time",
    "timeout": "Timeout, seconds",
}


class ProfileForm(QWidget):
    """Edits one profile's texts; knows nothing of where profiles are kept."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = {
            name: QLineEdit()
            for name in ("name", "base_url", "model", "variable", *PRICES)
        }
        self.wire, self.effort, self.source = QComboBox(), QComboBox(), QComboBox()
        self.concurrency, self.timeout = QSpinBox(), QDoubleSpinBox()
        self.key = QLineEdit()
        self.faults: dict[str, QLabel] = {}
        self._rows: dict[str, QWidget] = {}
        self._form = QFormLayout(self)
        self._lay_out()
        self.source.currentIndexChanged.connect(lambda _at: self._show_key_fields())
        self._show_key_fields()

    def show_profile(self, profile: Profile) -> None:
        """Show a profile; a key that was typed before is dropped."""
        typed = typed_of(profile)
        for name, line in self.lines.items():
            line.setText(getattr(typed, name))
        _choose(self.wire, typed.wire)
        self.effort.setCurrentText(typed.effort)
        _choose(self.source, typed.source)
        self.concurrency.setValue(typed.concurrency)
        self.timeout.setValue(typed.timeout)
        # The practice reader gets a port of its own at every start.
        self.lines["base_url"].setEnabled(not profile.practice)
        self.take_key()
        self.show_faults({})

    def typed(self) -> Typed:
        """Return the texts as they stand."""
        return Typed(
            **{name: line.text() for name, line in self.lines.items()},
            wire=cast("Wire", self.wire.currentData()),
            effort=self.effort.currentText(),
            source=cast("Source", self.source.currentData()),
            concurrency=self.concurrency.value(),
            timeout=self.timeout.value(),
        )

    def take_key(self) -> str:
        """Return the key that was typed and empty its field: it is shown no more."""
        key = self.key.text().strip()
        self.key.setText("")
        return key

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Say beside each field what is wrong with it."""
        for name, words in self.faults.items():
            words.setText(faults.get(name, ""))
            words.setVisible(name in faults)
            line = self.lines.get(name)
            if line is not None:
                line.setProperty("state", "refused" if name in faults else "")
                restyle(line)
        first = next((self.lines[n] for n in self.lines if n in faults), None)
        if first is not None:
            first.setFocus()

    def _lay_out(self) -> None:
        for wire, text in WIRES.items():
            self.wire.addItem(text, wire)
        for source, text in SOURCES.items():
            self.source.addItem(text, source)
        self.effort.addItems(list(EFFORTS))
        # Servers know words of their own, such as `xhigh`.
        self.effort.setEditable(True)
        self.effort.setToolTip("Empty leaves the parameter out")
        self.concurrency.setRange(1, 256)
        self.timeout.setRange(0.1, 86_400.0)
        self.timeout.setDecimals(1)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("Type to set it; it is never shown again")
        for name in PRICES:
            self.lines[name].setPlaceholderText("unknown")
            self.lines[name].setAlignment(Qt.AlignmentFlag.AlignRight)
        for number in (self.concurrency, self.timeout):
            number.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._form.setSpacing(theme.S2)
        self._form.setFieldGrowthPolicy(
            QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow
        )
        self._form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        editors: dict[str, QWidget] = {
            **self.lines,
            "wire": self.wire,
            "effort": self.effort,
            "source": self.source,
            "key": self.key,
            "concurrency": self.concurrency,
            "timeout": self.timeout,
        }
        for name, words in _NAMES.items():
            editors[name].setAccessibleName(words)
            self._rows[name] = self._with_fault(name, editors[name])
            self._form.addRow(label(words), self._rows[name])

    def _with_fault(self, name: str, editor: QWidget) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(editor)
        fault = label("", "error", wrap=True)
        fault.hide()
        column.addWidget(fault)
        self.faults[name] = fault
        # Whoever gives the row the focus means its field.
        made.setFocusProxy(editor)
        return made

    def _show_key_fields(self) -> None:
        source = self.source.currentData()
        shown = {"variable": source == "env", "key": source in ("keyring", "memory")}
        for name, visible in shown.items():
            self._form.setRowVisible(self._rows[name], visible)


def _choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(max(0, box.findData(value, Qt.ItemDataRole.UserRole)))
