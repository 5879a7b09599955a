"""Open the key: a reason first, then a button; afterwards what the log says."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from director_gui.study.blind.overview import PacketRow
from director_gui.ui import theme
from director_gui.ui.widgets import button, label


class UnblindBox(QWidget):
    """Asks for the reason while the packet is blind, and shows it afterwards."""

    asked = Signal(str)  # the reason

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = label("", "caption", wrap=True)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason, for the study's log")
        self.reason.setAccessibleName("Reason for unblinding")
        self.reason.setMaxLength(500)
        self.reason.textChanged.connect(self._enable)
        self.reason.returnPressed.connect(self._ask)
        self.open = button("Unblind", self._ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        for widget in (self._words, self.reason, self.open):
            column.addWidget(widget)
        self._enable()

    def show_packet(self, row: PacketRow, *, writable: bool) -> None:
        """Show how a packet stands."""
        blind = not row.unblinded
        for widget in (self.reason, self.open):
            widget.setVisible(blind and writable)
        # A warning, not a lock: a coder may have given up.
        unfinished = not row.coders or any(not c.done for c in row.coders)
        warning = " Not all coders are done." if unfinished else ""
        self._words.setText(
            "Locks and hashes the results, checks the key against its commitment and "
            f"logs who opened it, when and why.{_others(row)} It cannot be taken back."
            f"{warning}"
            if blind
            else f"Unblinded {row.unblinded}.\nLater codes are marked and left out."
        )

    def _enable(self) -> None:
        self.open.setEnabled(bool(self.reason.text().strip()))

    def _ask(self) -> None:
        if reason := self.reason.text().strip():
            self.reason.clear()
            self.asked.emit(reason)


def _others(row: PacketRow) -> str:
    # Whoever coordinates must not learn of it afterwards.
    if not row.together:
        return ""
    many = row.together > 1
    also = f"{row.together} other packets" if many else "the other packet"
    return f" Opens {also} of these items too."
