"""How many items were coded differently, and the way to settle them."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.study.blind.adjudicating import Adjudication
from director_gui.ui import theme
from director_gui.ui.widgets import button, label

_KEY = "Ctrl+J"


class AdjudicateBox(QWidget):
    """Shown while two coders are done and the packet is blind."""

    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = label("", "caption", wrap=True)
        self.begin = button("Adjudicate", self.asked.emit)
        self.begin.setShortcut(_KEY)
        self.begin.setToolTip(f"Settle what was coded differently ({_KEY})")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.S4, 0, 0)
        column.setSpacing(theme.S2)
        for widget in (label("Adjudication", "section"), self.words, self.begin):
            column.addWidget(widget)

    def show_found(self, found: Adjudication | str | None, *, writable: bool) -> None:
        """Show what there is to settle; nothing before codes may be seen."""
        self.setVisible(found is not None)
        differ = found if isinstance(found, Adjudication) else None
        self.words.setText(_words(differ) if differ else str(found or ""))
        self.begin.setVisible(bool(differ and differ.items and writable))


def _words(found: Adjudication) -> str:
    count = len(found.items)
    if not count:
        return "The coders agree on every item."
    items = "1 item was" if count == 1 else f"{count} items were"
    done = f" {found.settled} settled so far." if found.settled else ""
    return (
        f"{items} coded differently.{done} Adjudicating locks the coders' results; "
        "the third code is a pass of its own."
    )
