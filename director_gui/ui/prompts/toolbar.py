"""The workspace's actions with their shortcuts, and the bar that holds them."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QUndoStack
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QWidget

from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.widgets import action, label, tool

_READ_ONLY = "The prompts of this study are read-only"
_ICON = 16  # px
# name, what it does, shortcut, icon
_ACTIONS = (
    (
        "new_condition",
        "New condition from this one",
        "Ctrl+Shift+N",
        "table-row-plus-after",
    ),
    ("new_piece", "New piece", "Ctrl+Shift+P", "text-box-plus-outline"),
    ("edit", "Edit the chosen piece", "F2", "pencil-outline"),
    ("delete", "Delete the condition", "Del", "trash-can-outline"),
    ("import", "Import prompts…", "", "import"),
    ("export", "Export this study’s own prompts…", "", "export"),
)
_GROUPS = (
    ("new_condition", "new_piece", "edit", "delete"),
    ("undo", "redo"),
    ("import", "export"),
)


class Toolbar(QWidget):
    """Buttons at the left, the filter at the right.

    Args:
        acts: What each action of `_ACTIONS` does, by name.
        stack: What undo and redo act on.
        table: Owns the deletion, whose key means something else anywhere else.
    """

    def __init__(
        self,
        acts: Mapping[str, Callable[[], object]],
        stack: QUndoStack,
        table: QWidget,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.filter = QLineEdit()
        self.locked = label(_READ_ONLY, "caption")
        self.actions_by_name = self._make(acts, stack, parent)
        delete = self.actions_by_name["delete"]
        # Else Del in a list or a field would delete a condition.
        parent.removeAction(delete)
        table.addAction(delete)
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action(
            parent,
            "Filter",
            self.filter.setFocus,
            shortcut=QKeySequence.StandardKey.Find,
        )
        self._lay_out()
        self.retheme()

    def enable(self, name: str, *, enabled: bool) -> None:
        """Enable or disable one action."""
        self.actions_by_name[name].setEnabled(enabled)

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        for made in self.actions_by_name.values():
            made.setIcon(icon(str(made.property("icon_name"))))
        for made_button in self.findChildren(QToolButton):
            made_button.setIconSize(QSize(theme.px(_ICON), theme.px(_ICON)))

    def _make(
        self,
        acts: Mapping[str, Callable[[], object]],
        stack: QUndoStack,
        parent: QWidget,
    ) -> dict[str, QAction]:
        made = {
            name: action(parent, text, acts[name], shortcut=key, icon_name=icon_name)
            for name, text, key, icon_name in _ACTIONS
        }
        made["undo"] = stack.createUndoAction(parent, "Undo")
        made["redo"] = stack.createRedoAction(parent, "Redo")
        keys = QKeySequence.StandardKey
        for name, key in (("undo", keys.Undo), ("redo", keys.Redo)):
            made[name].setShortcuts(key)
            made[name].setProperty("icon_name", name)
            parent.addAction(made[name])
        return made

    def _lay_out(self) -> None:
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.S2, theme.S1, theme.S3, theme.S1)
        row.setSpacing(2)
        for at, names in enumerate(_GROUPS):
            if at:
                row.addSpacing(theme.S3)
            for name in names:
                row.addWidget(tool(self.actions_by_name[name]))
        row.addStretch()
        self.locked.setMinimumWidth(1)  # it gives way when the text is large
        self.locked.setToolTip(_READ_ONLY)
        self.locked.hide()
        row.addWidget(self.locked)
        row.addSpacing(theme.S3)
        self.filter.setPlaceholderText("Filter (Ctrl+F)")
        self.filter.setAccessibleName("Filter conditions")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(theme.px(220))
        row.addWidget(self.filter)
