"""Small widgets that every workspace shares, so that they look the same."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import (
    QAction,
    QColor,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.copying import CopyButton
from director_gui.ui.elided import ElidedLine
from director_gui.ui.icons import icon
from director_gui.ui.remark import Choice, Remark, Until

_MEASURE = 420  # px, the widest line of a text that is read
_PASSING_MS = 10_000
_LEFT = Qt.AlignmentFlag.AlignLeft


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


def scrolled(widget: QWidget) -> QScrollArea:
    """Return a frameless area that scrolls `widget` up and down, never sideways."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area


def restyle(widget: QWidget) -> None:
    """Make the stylesheet see a changed property of `widget`."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Banner(Remark):
    """One line; the window shows it at its foot, where it covers and moves nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign = label("")
        self._text = ElidedLine()
        self._text.setProperty("role", "message")
        self._all = QToolButton()
        self._all.setText("Show all")
        self._all.clicked.connect(lambda _checked: self._show_all())
        self._passing = QTimer(self, singleShot=True, interval=_PASSING_MS)
        self._passing.timeout.connect(self._pass_by)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.S3, 0, theme.S2, 0)
        row.setSpacing(theme.S2)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._all)
        row.addLayout(self._row)
        self._row.setSpacing(theme.S1)

    def tell(self, text: str, *choices: Choice, until: Until = ()) -> None:
        super().tell(text, *choices, until=until)
        if not choices:
            # It confirms what was done; there is nothing to decide or to mend.
            self._passing.start()

    def put_text(self, text: str) -> None:
        self._passing.stop()
        self._text.setText(text)
        self._draw_sign()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and not self.isHidden():
            self._draw_sign()

    def _draw_sign(self) -> None:
        error = self.property("role") == "errorBanner"
        name = "alert-circle-outline" if error else "information-outline"
        self._sign.setPixmap(icon(name).pixmap(theme.px(16), theme.px(16)))

    def _fit(self) -> None:
        taken = 0 if self._all.isHidden() else self._all.width() + theme.S2
        self._all.setVisible(self._text.needed() > self._text.width() + taken)

    def _pass_by(self) -> None:
        # Whoever is about to read or press it keeps it.
        if self.underMouse() or self.isAncestorOf(QApplication.focusWidget() or self):
            self._passing.start()
        else:
            self.close_remark()

    def _show_all(self) -> None:
        whole = Whole(self.whole, self)
        corner = self.mapToGlobal(self.rect().topLeft())
        whole.move(corner.x(), corner.y() - whole.sizeHint().height() - theme.S1)
        whole.show()


class Whole(QFrame):
    """A text that is too long for its line, over the window until it is left."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setProperty("role", "popup")
        self.words = label(text, wrap=True)
        self.words.setFixedWidth(theme.px(_MEASURE))
        flags = Qt.TextInteractionFlag
        self.words.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S3, theme.S3, theme.S3, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.words)
        column.addWidget(CopyButton("Copy", lambda: text), 0, _LEFT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)


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
