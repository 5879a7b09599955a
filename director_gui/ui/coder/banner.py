"""What went wrong, beside what it concerns, with what to do about it."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from director_gui.ui import theme


class Banner(QFrame):
    """One message with at most one action; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel()
        # Names of files and packets stand in it; none of them is markup.
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._words.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._words.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred
        )
        self._button = QPushButton()
        self._button.clicked.connect(self._act)
        self._action: Callable[[], None] | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S2)
        row.setSpacing(theme.S4)
        row.addWidget(self._words, 1)
        row.addWidget(self._button)
        self.hide()

    @property
    def text(self) -> str:
        """The message on show, '' while hidden."""
        # Not isVisible(): that is false while the page is behind another.
        return self._words.text() if not self.isHidden() else ""

    def say(
        self,
        text: str,
        *,
        error: bool = False,
        button: str = "",
        action: Callable[[], None] | None = None,
    ) -> None:
        """Show a message; `button` names what `action` does."""
        role = "errorBanner" if error else "banner"
        if self.property("role") != role:
            self.setProperty("role", role)
            # Qt takes a changed property into account only when it polishes anew.
            self.style().unpolish(self)
            self.style().polish(self)
        self._words.setText(text)
        self._words.setAccessibleName(text)
        self._action = action
        self._button.setText(button)
        self._button.setVisible(bool(button))
        self.show()

    def _act(self) -> None:
        if self._action is not None:
            self._action()
