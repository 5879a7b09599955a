"""Small widgets that every workspace shares, so that they look the same."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.ui import theme
from director_gui.ui.icons import icon


def _plain(act: Callable[[], object]) -> Callable[[], None]:
    # Qt hands its "checked" to whatever has room for it, a default argument too.
    def called() -> None:
        act()

    return called


def label(text: str, role: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label in one of the stylesheet's roles."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if not wrap:
        made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    if role:
        made.setProperty("role", role)
    return made


def button(
    text: str, on_click: Callable[[], object], *, primary: bool = False
) -> QPushButton:
    """Return a push button; one per view is `primary`."""
    made = QPushButton(text)
    made.setProperty("primary", primary)
    made.clicked.connect(_plain(on_click))
    return made


def tool(action: QAction) -> QToolButton:
    """Return a flat icon button for `action`; its tooltip names the shortcut."""
    made = QToolButton()
    made.setDefaultAction(action)
    made.setProperty("flat", True)
    made.setAccessibleName(action.text())
    return made


def action(
    parent: QWidget,
    text: str,
    on_trigger: Callable[[], object],
    *,
    shortcut: str | QKeySequence.StandardKey = "",
    icon_name: str = "",
    scope: Qt.ShortcutContext = Qt.ShortcutContext.WindowShortcut,
) -> QAction:
    """Return an action of `parent` with a tooltip that names its shortcut."""
    made = QAction(text, parent)
    if icon_name:
        made.setIcon(icon(icon_name))
        made.setProperty("icon_name", icon_name)
    if shortcut:
        made.setShortcut(QKeySequence(shortcut))
    made.setShortcutContext(scope)
    shown = made.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    plain = text.replace("&", "").rstrip("…")
    made.setToolTip(f"{plain} ({shown})" if shown else plain)
    made.triggered.connect(_plain(on_trigger))
    parent.addAction(made)
    return made


def swatch(color: str) -> QIcon:
    """Return a small square of a block's colour."""
    pixmap = QPixmap(theme.px(12), theme.px(12))
    pixmap.fill(QColor(color))
    made = QIcon(pixmap)
    # A style tints the icon of a chosen row; a block's colour must stay what it is.
    made.addPixmap(pixmap, QIcon.Mode.Selected)
    return made


def panel(*widgets: QWidget, margin: int = theme.S3, spacing: int = theme.S2) -> QFrame:
    """Return a surface with `widgets` one under the other."""
    made = QFrame()
    made.setProperty("role", "panel")
    column = QVBoxLayout(made)
    column.setContentsMargins(margin, margin, margin, margin)
    column.setSpacing(spacing)
    for widget in widgets:
        column.addWidget(widget)
    return made


def restyle(widget: QWidget) -> None:
    """Make the stylesheet see a changed property of `widget`."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Banner(QFrame):
    """One line about what happened and what to do, beside what it concerns."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(theme.S3, theme.S1, theme.S2, theme.S1)
        self._text = label("", wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._row.addWidget(self._text, 1)
        self._buttons: list[QPushButton] = []
        self.hide()

    @property
    def text(self) -> str:
        """What the banner says."""
        return self._text.text()

    def tell(self, text: str, *choices: tuple[str, Callable[[], object]]) -> None:
        """Show a remark with buttons; any of them closes it."""
        self._show("banner", text, choices)

    def tell_error(self, error: UserError) -> None:
        """Show an error with a button that copies its detail."""
        detail = str(error)
        shown = detail if len(detail) < 400 else f"{error.what}. {error.todo}"
        clipboard = QApplication.clipboard()
        copy = ("Copy detail", lambda: clipboard.setText(detail))
        self._show("errorBanner", shown, (copy,))

    def _show(
        self,
        role: str,
        text: str,
        choices: tuple[tuple[str, Callable[[], object]], ...],
    ) -> None:
        for old in self._buttons:
            self._row.removeWidget(old)
            old.deleteLater()
        self._text.setText(text)
        self.setProperty("role", role)
        restyle(self)
        self._buttons = [self._choice(name, act) for name, act in choices]
        if not any(name == "Dismiss" for name, _ in choices):
            self._buttons.append(self._choice("Dismiss", lambda: None))
        self.show()

    def _choice(self, name: str, act: Callable[[], object]) -> QPushButton:
        def chosen() -> None:
            self.hide()
            act()

        made = button(name, chosen)
        self._row.addWidget(made)
        return made


_MEASURE = 420  # px, the widest line of an empty state


class EmptyState(QWidget):
    """Says what goes here and offers the one next step."""

    def __init__(
        self,
        text: str,
        step: tuple[str, Callable[[], object]] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.addStretch()
        words = label(text, "empty", wrap=True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        words.setMaximumWidth(theme.px(_MEASURE))
        words.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(words, 1000)  # up to its measure, and less in a narrow place
        row.addStretch(1)
        column.addLayout(row)
        if step:
            made = button(step[0], step[1])
            column.addWidget(made, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
