"""A panel that makes a filter of scenes, with a name it is kept under."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLineEdit, QWidget

from director_gui.study.results.filters import PROPERTIES, VALUES, Filter
from director_gui.ui import theme
from director_gui.ui.widgets import button, label


class FilterForm(QWidget):
    """Asks for the properties that scenes must have."""

    made = Signal(object)  # Filter

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name of this re-analysis")
        self.name.setAccessibleName("Name of the filter")
        self.choices: dict[str, QComboBox] = {}
        form = QFormLayout(self)
        form.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S2)
        form.addRow(label("New filter of scenes, kept in the study", "section"))
        form.addRow("Name", self.name)
        for name, words in PROPERTIES.items():
            combo = QComboBox()
            combo.setAccessibleName(words)
            combo.addItem("any", "")
            for value in VALUES[name]:
                combo.addItem(value, value)
            self.choices[name] = combo
            form.addRow(words[:1].upper() + words[1:], combo)
        row = QHBoxLayout()
        self.keep = button("Keep and use", self._keep)
        row.addWidget(self.keep)
        row.addWidget(button("Cancel", self.hide))
        row.addStretch()
        form.addRow(row)
        self.hide()

    def begin(self) -> None:
        """Show the form, empty."""
        self.name.clear()
        for combo in self.choices.values():
            combo.setCurrentIndex(0)
        self.show()
        self.name.setFocus()

    def _keep(self) -> None:
        given = {name: str(c.currentData()) for name, c in self.choices.items()}
        # "any" is no rule.
        rules = {name: value for name, value in given.items() if value}
        # Judged where it is kept, so that the same words refuse it everywhere.
        self.made.emit(Filter(self.name.text().strip(), rules))
