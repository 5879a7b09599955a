"""The exact messages of a condition, beside its pair partner, with the span lit."""

from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import Library, library
from director_gui.prompts.pairing import compare
from director_gui.scene.model import Scene
from director_gui.study.asking import prompts_for
from director_gui.ui import theme
from director_gui.ui.copying import CopyButton
from director_gui.ui.message_view import MessageView, message_lines, summary
from director_gui.ui.widgets import label

_ALONE = "no other condition"


class MessagesPage(QWidget):
    """Shows what one condition sends and where its partner differs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.condition = QComboBox()
        self.partner = QComboBox()
        self.text = MessageView()
        self.summary = label("", "caption", wrap=True)
        self._scene: tuple[Scene, Truth] | None = None
        self._known = library()
        self._lay_out()
        self.condition.addItems([c.name for c in self._known.conditions])
        self._list_partners()
        self.condition.currentIndexChanged.connect(lambda _at: self._list_partners())
        self.partner.currentIndexChanged.connect(lambda _at: self._show())

    def show_scene(self, scene: Scene, truth: Truth) -> None:
        """Show the messages about `scene`."""
        self._scene = (scene, truth)
        self._show()

    def show_library(self, known: Library) -> None:
        """Offer these conditions; the one that is shown stays when it can."""
        if known == self._known:
            return
        name, self._known = self.condition.currentText(), known
        self.condition.blockSignals(True)
        self.condition.clear()
        self.condition.addItems([c.name for c in known.conditions])
        self.condition.setCurrentIndex(max(0, self.condition.findText(name)))
        self.condition.blockSignals(False)
        self._list_partners()

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self._show()

    def exact_text(self) -> str | None:
        """Return the condition's messages to copy; None while there are none."""
        if self._scene is None:
            return None
        try:
            prompt = self._prompts(self.condition.currentText())[0]
        except UserError:
            return None  # the page says why it has no text
        # Captions are ours and never sent, so they are not copied either.
        return "\n".join(prompt.texts)

    def _list_partners(self) -> None:
        name = self.condition.currentText()
        # Either side of a pair can be read against the other.
        found = [b if a == name else a for a, b in self._known.pairs if name in (a, b)]
        # One drawing for the new condition, not one for each partner listed.
        self.partner.blockSignals(True)
        self.partner.clear()
        self.partner.addItems(list(dict.fromkeys(found)) or [_ALONE])
        self.partner.blockSignals(False)
        self._show()

    def _prompts(self, *names: str) -> list[Prompt]:
        if self._scene is None:
            return []
        scene, truth = self._scene
        return list(prompts_for(scene, truth, names, self._known).values())

    def _show(self) -> None:
        if self._scene is None:
            return
        name, partner = self.condition.currentText(), self.partner.currentText()
        names = (name,) if partner in (_ALONE, "") else (name, partner)
        try:
            prompts = self._prompts(*names)
        except UserError as error:
            # An own request may have no words for what this scene asks for.
            self.summary.setText(str(error))
            self.text.show_lines(())
            return
        span = compare(prompts[0], prompts[1]) if len(prompts) == 2 else None
        lines = message_lines(prompts, span, self._scene[0].picture)
        self.summary.setText(summary(prompts, span))
        self.text.show_lines(lines)

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setSpacing(theme.S2)
        choices = (("Condition", self.condition), ("against", self.partner))
        for at, (word, box) in enumerate(choices):
            box.setAccessibleName(f"{word} condition" if at else word)
            fit = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            box.setSizeAdjustPolicy(fit)
            box.setMinimumContentsLength(8)
            grid.addWidget(label(word, "caption"), 0, at)
            grid.addWidget(box, 1, at)
            grid.setColumnStretch(at, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S2)
        column.addLayout(grid)
        column.addWidget(self.summary)
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(CopyButton("Copy exact text", self.exact_text))
        row.addStretch()
        column.addLayout(row)
