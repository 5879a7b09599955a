"""A remark in a narrow column: text above its buttons."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.ui import theme
from director_gui.ui.widgets import button, label, restyle

_SHOWN = 400  # characters; a longer detail is copied, not shown

Choice = tuple[str, Callable[[], object]]


class Notice(QFrame):
    """Says what happened and what to do, beside what it concerns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S2)
        self._text = label("", wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setAccessibleName("Remark")
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.S2)
        column.addWidget(self._text)
        column.addLayout(self._buttons)
        self.hide()

    @property
    def text(self) -> str:
        """What it says; empty when it is closed."""
        return self._text.text() if not self.isHidden() else ""

    def tell(self, text: str, *choices: Choice) -> None:
        """Show a remark; any of its buttons closes it."""
        self._show("banner", text, choices)

    def tell_error(self, error: UserError, *choices: Choice) -> None:
        """Show an error, with a button that copies its whole text."""
        whole = str(error)
        short = ". ".join(part for part in (error.what[:_SHOWN], error.todo) if part)
        text = whole if len(whole) <= _SHOWN else short
        clipboard = QApplication.clipboard()
        copy = ("Copy detail", lambda: clipboard.setText(whole))
        self._show("errorBanner", text, (*choices, copy, ("Dismiss", lambda: None)))

    def close_remark(self) -> None:
        """Take the remark away."""
        self.hide()

    def _show(self, role: str, text: str, choices: tuple[Choice, ...]) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                # Deleted later, for the click that led here may still be in it.
                old.hide()
                old.deleteLater()
        for name, act in choices:
            self._buttons.addWidget(button(name, self._closing(act)))
        self._buttons.addStretch()
        self._text.setText(text)
        self.setProperty("role", role)
        restyle(self)
        self.show()

    def _closing(self, act: Callable[[], object]) -> Callable[[], None]:
        def chosen() -> None:
            self.hide()
            act()

        return chosen
