"""Choose conditions: actions down, questions across, the rest under “more”."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.library import Library, library
from director_gui.study.asking import BASICS
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.widgets import label

# The effect and its controls are in sight; all else is one click away.
_ROWS = ("mean", "move")
_COLUMNS = {
    "ask": "Asks which blocks the director sees",
    "plain": "Asks nothing beside the action",
    "count": "Asks how many blocks there are",
    "state": "States which blocks the director sees",
}
_CENTER = Qt.AlignmentFlag.AlignCenter


class ConditionGrid(QWidget):
    """A box for every condition of the library."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QCheckBox] = {}
        self._known = library()
        self._more = self._more_button()
        self._rest = QWidget()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S1)
        self._grid = self._main_grid()
        column.addLayout(self._grid)
        self._size()
        column.addWidget(self._more)
        column.addWidget(self._rest)
        self._fill_rest()
        self._turn(opened=False)
        self.choose(BASICS)

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen conditions in the library's order."""
        names = [condition.name for condition in self._known.conditions]
        return tuple(name for name in names if self.boxes[name].isChecked())

    def choose(self, names: tuple[str, ...]) -> None:
        """Choose these conditions and no other."""
        for name, box in self.boxes.items():
            box.setChecked(name in names)

    def show_library(self, known: Library) -> None:
        """Offer these conditions; what was chosen and is still there stays chosen."""
        if known == self._known:
            return
        chosen = self.chosen()
        self._known = known
        main = {f"{action}.{form}" for action in _ROWS for form in _COLUMNS}
        for name in set(self.boxes) - main:
            del self.boxes[name]
        opened = not self._rest.isHidden()
        old, self._rest = self._rest, QWidget()
        self._column.replaceWidget(old, self._rest)
        old.hide()
        old.deleteLater()
        self._fill_rest()
        self._turn(opened)
        self.choose(chosen)
        self.changed.emit()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self._size()
        self._turn(not self._rest.isHidden())

    def _main_grid(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(theme.S1)
        for at, (form, hint) in enumerate(_COLUMNS.items(), 1):
            head = label(form, "caption")
            head.setToolTip(hint)
            grid.addWidget(head, 0, at, _CENTER)
        known = {condition.name for condition in self._known.conditions}
        for row, action in enumerate(_ROWS, 1):
            grid.addWidget(label(action, "strong"), row, 0)
            for at, (form, hint) in enumerate(_COLUMNS.items(), 1):
                name = f"{action}.{form}"
                # A library of the user's own may lack a condition.
                if name in known:
                    grid.addWidget(self._box(name, hint), row, at, _CENTER)
        grid.setColumnStretch(len(_COLUMNS) + 1, 1)
        return grid

    def _size(self) -> None:
        for at in range(len(_COLUMNS) + 1):
            self._grid.setColumnMinimumWidth(at, theme.px(48))

    def _fill_rest(self) -> None:
        grid = QGridLayout(self._rest)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(theme.S1)
        others = [c for c in self._known.conditions if c.name not in self.boxes]
        # Two columns, filled downwards, so that families stay together.
        half = (len(others) + 1) // 2
        for at, condition in enumerate(others):
            hint = ", ".join(piece.name for piece in condition.pieces)
            box = self._box(condition.name, f"Pieces: {hint}")
            box.setText(condition.name)
            grid.addWidget(box, at % half, at // half)
        grid.setColumnStretch(2, 1)

    def _box(self, name: str, hint: str) -> QCheckBox:
        # Without a text of its own: the heads name it, and the accessible name does.
        box = QCheckBox()
        box.setAccessibleName(name)
        box.setToolTip(f"{name}: {hint[:1].lower()}{hint[1:]}")
        box.toggled.connect(lambda _on: self._changed())
        self.boxes[name] = box
        return box

    def _more_button(self) -> QToolButton:
        made = QToolButton()
        made.setProperty("flat", True)
        made.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        made.clicked.connect(lambda _on: self._turn(self._rest.isHidden()))
        return made

    def _turn(self, opened: bool) -> None:
        self._rest.setVisible(opened)
        self._more.setIcon(icon("chevron-down" if opened else "chevron-right"))
        self._say_more()

    def _changed(self) -> None:
        self._say_more()
        self.changed.emit()

    def _say_more(self) -> None:
        # What is chosen out of sight must not be forgotten.
        main = {f"{action}.{form}" for action in _ROWS for form in _COLUMNS}
        count = sum(b.isChecked() for n, b in self.boxes.items() if n not in main)
        text = f"More conditions · {count} chosen" if count else "More conditions"
        self._more.setText(text)
