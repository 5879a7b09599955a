"""A scroll area for one column: as wide as there is room, never cut, never sideways."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget

from director_gui.ui import theme


class FittedArea(QScrollArea):
    """Keeps its widget as wide as itself and whatever has the focus in sight.

    Args:
        inner: What scrolls.
        parent: The widget to live in.
        stop: What a screen reader calls it when it holds words alone and takes the
            focus itself, to be scrolled by keys; '' when it holds controls.
    """

    def __init__(
        self, inner: QWidget, parent: QWidget | None = None, *, stop: str = ""
    ) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Else the area would be a stop of the Tab key where nothing can be done.
        policy = Qt.FocusPolicy.TabFocus if stop else Qt.FocusPolicy.NoFocus
        self.setFocusPolicy(policy)
        self.setAccessibleName(stop)
        self._inner = inner
        self.setWidget(inner)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            # Qt scrolls when Tab moves inside the area, not when it comes from outside.
            app.focusChanged.connect(self._follow)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # A long word would widen the widget, and what is wider than the area is cut.
        self._inner.setMaximumWidth(self.viewport().width())
        super().resizeEvent(event)

    def _follow(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self._inner.isAncestorOf(now):
            self.reveal(now)

    def reveal(self, widget: QWidget) -> None:
        """Scroll until all of `widget` is in sight."""
        # Qt's own way is content with the line that the caret is on.
        middle = widget.mapTo(self._inner, widget.rect().center())
        half = min(widget.height() // 2 + theme.S2, self.viewport().height() // 2)
        self.ensureVisible(middle.x(), middle.y(), 0, half)
