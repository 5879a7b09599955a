"""What a family's ranges mean: in space around one of its scenes, and from above."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QTabWidget, QVBoxLayout, QWidget

from director_gui.families.example import Example
from director_gui.families.model import Family
from director_gui.ui import theme
from director_gui.ui.families.examples import Examples
from director_gui.ui.families.ghost import Ghost
from director_gui.ui.families.space_view import SpaceView
from director_gui.ui.icons import icon
from director_gui.ui.widgets import action, label, tool

_NOTES = (
    "Pale: where things may be, and how large.",
    "The model is below. Dark: least size. Pale: greatest size, and places.",
)


class ExtentsView(QWidget):
    """Shows the extents of a family as ghosts; follows it as it changes."""

    failed = Signal(object)  # UserError

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._family: Family | None = None
        self._example: Example | None = None
        self._index = 0
        self.examples = Examples(self)
        self.space = SpaceView()
        self.ghost = Ghost()
        self.tabs = QTabWidget()
        self.note = label("", "caption", wrap=True)
        self.earlier = action(
            self, "Scene before", lambda: self.step(-1), icon_name="chevron-left"
        )
        self.later = action(
            self, "Next scene", lambda: self.step(1), icon_name="chevron-right"
        )
        self._lay_out()
        self.examples.found.connect(self._found)
        self.space.failed.connect(self._failed)
        self.tabs.currentChanged.connect(lambda _at: self._say())

    def open_family(self, family: Family | None) -> None:
        """Show another family, from its first scene and from the usual side."""
        self._index, self._example = 0, None
        self.examples.forget()  # else the same family would not be answered again
        self.space.refit()
        self.show_family(family)

    def show_family(self, family: Family | None) -> None:
        """Show what a family has become; its scene follows."""
        self._family = family
        self.ghost.show_family(family)
        # The new ranges at once, around the scene that is shown until it is renewed.
        self.space.show_family(family, self._example)
        if family is None:
            self.examples.forget()
        else:
            self.examples.ask(family, self._index)
        self._say()

    def step(self, by: int) -> None:
        """Show another scene of the family's set."""
        if self._family is not None:
            # Round and round: a set has no end that means anything.
            self._index = (self._index + by) % self._family.count
            self.examples.ask(self._family, self._index)

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self.earlier.setIcon(icon("chevron-left"))
        self.later.setIcon(icon("chevron-right"))
        self.ghost.update()
        self.space.refresh()

    def close_views(self) -> None:
        """Free what draws, and end the thread."""
        self.examples.close()
        self.space.close_views()

    def _found(self, example: Example) -> None:
        self._example = example
        self.space.show_family(self._family, example)
        self._say()

    def _failed(self, error: object) -> None:
        # Without GL the view from above still shows every range.
        self.tabs.setCurrentWidget(self.ghost)
        self.failed.emit(error)

    def _say(self) -> None:
        above = self.tabs.currentWidget() is self.ghost
        said = "" if above or self._family is None else self._of_example()
        self.note.setText(f"{said}{_NOTES[above]}")
        for step in (self.earlier, self.later):
            step.setEnabled(self._family is not None and not above)

    def _of_example(self) -> str:
        example = self._example
        if example is None:
            return ""
        if example.reason is None:
            return f"Solid: scene {example.index + 1} of the set. "
        reason = example.reason.replace("_", " ")
        return f"Solid: a candidate that is refused ({reason}); none fitted so soon. "

    def _lay_out(self) -> None:
        steps = QWidget()
        row = QHBoxLayout(steps)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for made in (self.earlier, self.later):
            row.addWidget(tool(made))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.space, "In space")
        self.tabs.addTab(self.ghost, "From above")
        self.tabs.setCornerWidget(steps)
        self.tabs.setAccessibleName("Extents")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.note)
