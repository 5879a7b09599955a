"""Keys of a page: one press, one act, wherever the focus is on the page."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget


def bind(page: QWidget, key: str, act: Callable[[], None]) -> None:
    """Let a key do something while `page` has the keyboard; '' binds nothing."""
    if not key:
        return
    shortcut = QShortcut(QKeySequence(key.upper() if len(key) == 1 else key), page)
    # Only while the page has the keyboard: it may be a part of a larger window.
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    # A key that is held down must not code one trace after another.
    shortcut.setAutoRepeat(False)
    shortcut.activated.connect(act)
