"""The rail at the left: one button a workspace, settings at the foot."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QToolButton, QVBoxLayout

from director_gui.ui import theme
from director_gui.ui.icons import icon

_WIDTH = 56  # px


class _RailButton(QToolButton):
    """An icon over a short word, with a dot when there is something new."""

    def __init__(self, word: str, icon_name: str, hint: str) -> None:
        super().__init__()
        self._icon_name = icon_name
        self.news = False
        self.setText(word)
        self.setToolTip(hint)
        self.setAccessibleName(hint)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.retheme()

    def retheme(self) -> None:
        """Tint the icon for the theme that is shown now."""
        self.setIcon(icon(self._icon_name))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.news:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setBrush(QColor(theme.tokens().accent))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(self.width() - 16, 6, 7, 7)


class Rail(QFrame):
    """Switches between the workspaces."""

    chosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setFixedWidth(theme.px(_WIDTH))
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, theme.S2, 0, theme.S2)
        self._column.setSpacing(theme.S1)
        # Between the workspaces, which are put before it, and the foot.
        self._column.addStretch()
        self._group = QButtonGroup(self)
        # Clicks alone: a workspace that is opened otherwise must not be opened twice.
        self._group.idClicked.connect(self.chosen)
        self._buttons: list[_RailButton] = []
        self._feet: list[_RailButton] = []

    def add(self, word: str, icon_name: str) -> None:
        """Add a workspace's button; Ctrl+1, Ctrl+2 … choose it."""
        at = len(self._buttons)
        made = _RailButton(word, icon_name, f"{word} (Ctrl+{at + 1})")
        made.setCheckable(True)
        made.setShortcut(f"Ctrl+{at + 1}")
        self._group.addButton(made, at)
        self._buttons.append(made)
        self._column.insertWidget(at, made)

    def add_foot(
        self, word: str, icon_name: str, on_click: Callable[[], object]
    ) -> QToolButton:
        """Add a button at the foot that is no workspace."""
        made = _RailButton(word, icon_name, word)
        made.clicked.connect(lambda _checked: on_click())
        self._feet.append(made)
        self._column.addWidget(made)
        return made

    def choose(self, at: int) -> None:
        """Show workspace `at` as the one that is open."""
        self._buttons[at].setChecked(True)
        self.set_news(at, news=False)

    def set_news(self, at: int, *, news: bool) -> None:
        """Show or clear the dot of workspace `at`."""
        self._buttons[at].news = news
        self._buttons[at].update()

    def retheme(self) -> None:
        """Take colours and sizes of the theme that is shown now."""
        self.setFixedWidth(theme.px(_WIDTH))
        for made in (*self._buttons, *self._feet):
            made.retheme()
