"""What happened and what to do about it: one manner for banners and notices.

A remark goes when it is dismissed, when one of its choices is taken, when something
new is told in its place, and when its cause is gone. Escape dismisses it.
"""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QWidget
from shiboken6 import isValid

from director_gui.errors import UserError
from director_gui.ui.copying import CopyButton

SHOWN = 400  # characters; a longer detail is copied, not shown
_DISMISS = "Dismiss"
_ENOUGH = 2  # choices: one of so many is a way out already

Choice = tuple[str, Callable[[], object]]
Until = tuple[SignalInstance, ...]


class Remark(QFrame):
    """Base of banner and notice; they say how text and buttons stand."""

    changed = Signal()  # something was told or taken away

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.whole = ""  # all that was told, however much of it is shown
        self._buttons: list[QPushButton] = []
        self._until: Until = ()
        self._before: QWidget | None = None  # had the focus before this took it
        self._row = QHBoxLayout()
        self.setAccessibleName("Remark")
        super().setVisible(False)  # nothing was told yet

    @property
    def text(self) -> str:
        """What it says; empty when it is closed."""
        return self.whole if not self.isHidden() else ""

    def tell(self, text: str, *choices: Choice, until: Until = ()) -> None:
        """Show a remark; any of its buttons closes it.

        Args:
            text: What happened and what can be done.
            choices: Names of buttons and what they do.
            until: Signals that say that the cause is gone.
        """
        made = [self._choice(name, act) for name, act in choices]
        if len(choices) < _ENOUGH and _DISMISS not in dict(choices):
            made.append(self._choice(_DISMISS, lambda: None))
        self._show("banner", text, made, until)

    def tell_error(self, error: UserError, *choices: Choice, until: Until = ()) -> None:
        """Show an error, with a button that copies its whole text."""
        detail = str(error)
        short = ". ".join(part for part in (error.what[:SHOWN], error.todo) if part)
        made = [self._choice(name, act) for name, act in choices]
        made.append(CopyButton("Copy detail", lambda: detail))
        made.append(self._choice(_DISMISS, lambda: None))
        text = detail if len(detail) <= SHOWN else short
        self._show("errorBanner", text, made, until)

    def close_remark(self) -> None:
        """Take the remark away."""
        self.hide()

    def take_focus(self) -> None:
        """Go to the first button; closing gives the focus back."""
        self._before = QApplication.focusWidget()
        if self._buttons:
            self._buttons[0].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def setVisible(self, visible: bool) -> None:
        inside = self.isAncestorOf(QApplication.focusWidget() or self)
        super().setVisible(visible)
        if not visible:
            self._forget_cause()
            if inside:
                self._give_focus_back()
        self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_remark()
        else:
            super().keyPressEvent(event)

    def put_text(self, text: str) -> None:
        """Show `text`; each kind of remark has its own way."""
        raise NotImplementedError

    def _show(
        self, role: str, text: str, buttons: list[QPushButton], until: Until
    ) -> None:
        self._forget_cause()
        for old in self._buttons:
            # Deleted later, for the click that led here may still be in it.
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._buttons = buttons
        for made in buttons:
            self._row.addWidget(made)
        self.whole = text
        self.setAccessibleDescription(text)
        self.setProperty("role", role)
        self.style().unpolish(self)
        self.style().polish(self)
        self.put_text(text)
        self._until = until
        for signal in until:
            signal.connect(self.close_remark)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    def _choice(self, name: str, act: Callable[[], object]) -> QPushButton:
        def chosen() -> None:
            self.hide()
            act()

        made = QPushButton(name)
        # Qt would hand its "checked" to whatever has room for it.
        made.clicked.connect(lambda _checked: chosen())
        return made

    def _forget_cause(self) -> None:
        for signal in self._until:
            signal.disconnect(self.close_remark)
        self._until = ()

    def _give_focus_back(self) -> None:
        before, self._before = self._before, None
        # Whoever had it may have been deleted meanwhile.
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)
