"""The exact messages of a condition, beside its pair partner, with the span lit."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from director_gui.geometry.truth import Truth
from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import library
from director_gui.prompts.pairing import Span, compare
from director_gui.prompts.pieces import Part
from director_gui.scene.model import Picture, Scene
from director_gui.study.asking import prompts_for
from director_gui.ui import theme
from director_gui.ui.widgets import button, label

Kind = Literal["turn", "image", "caption", "same", "lit"]
_ALONE = "no other condition"


@dataclass(frozen=True, slots=True)
class Line:
    """One stretch of the view: a heading, a caption, or text that is sent."""

    kind: Kind
    text: str


class MessagesPage(QWidget):
    """Shows what one condition sends and where its partner differs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.condition = QComboBox()
        self.partner = QComboBox()
        self.text = QTextEdit()
        self.summary = label("", "caption", wrap=True)
        self._scene: tuple[Scene, Truth] | None = None
        self._lay_out()
        self.condition.addItems([c.name for c in library().conditions])
        self._list_partners()
        self.condition.currentIndexChanged.connect(lambda _at: self._list_partners())
        self.partner.currentIndexChanged.connect(lambda _at: self._show())

    def show_scene(self, scene: Scene, truth: Truth) -> None:
        """Show the messages about `scene`."""
        self._scene = (scene, truth)
        self._show()

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self._show()

    def copy_exact(self) -> None:
        """Put the condition's messages on the clipboard, without captions."""
        if self._scene is not None:
            prompt = self._prompts(self.condition.currentText())[0]
            QApplication.clipboard().setText("\n".join(prompt.texts))

    def _list_partners(self) -> None:
        name = self.condition.currentText()
        found = [b if a == name else a for a, b in library().pairs if name in (a, b)]
        self.partner.blockSignals(True)
        self.partner.clear()
        self.partner.addItems(list(dict.fromkeys(found)) or [_ALONE])
        self.partner.blockSignals(False)
        self._show()

    def _prompts(self, *names: str) -> list[Prompt]:
        if self._scene is None:
            return []
        scene, truth = self._scene
        return list(prompts_for(scene, truth, names).values())

    def _show(self) -> None:
        if self._scene is None:
            return
        name, partner = self.condition.currentText(), self.partner.currentText()
        names = (name,) if partner in (_ALONE, "") else (name, partner)
        prompts = self._prompts(*names)
        span = compare(prompts[0], prompts[1]) if len(prompts) == 2 else None
        lines = message_lines(prompts, span, self._scene[0].picture)
        self.summary.setText(summary(prompts, span))
        _write(self.text, lines)

    def _lay_out(self) -> None:
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("The exact messages")
        self.text.setFrameShape(QTextEdit.Shape.NoFrame)
        flags = Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
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
        row.addWidget(button("Copy exact text", self.copy_exact))
        row.addStretch()
        column.addLayout(row)


def message_lines(
    prompts: list[Prompt], span: Span | None, picture: Picture
) -> tuple[Line, ...]:
    """Return what the view shows, top to bottom.

    Args:
        prompts: The condition's prompt and its partner's, when there is one.
        span: Where the two differ.
        picture: The picture that goes along.
    """
    prompt = prompts[0]
    start = len(span.same_prefix) if span else len(prompt.all_parts)
    count = len(span.a) if span else 0
    lines: list[Line] = []
    at = 0
    for number, turn in enumerate(prompt.parts, 1):
        lines += _turn_head(number, len(prompt.parts), picture)
        for part in turn:
            if span and at == start + count:
                lines += _other(prompts[1], span.b)
            inside = start <= at < start + count
            lines += _part(part, prompt.condition if inside else "")
            at += 1
    if span and at == start + count:
        lines += _other(prompts[1], span.b)
    return tuple(lines)


def summary(prompts: list[Prompt], span: Span | None) -> str:
    """Return the sizes of the messages and what the pair differs in."""
    sizes = " · ".join(f"{prompt.condition} {_size(prompt)}" for prompt in prompts)
    if span is None:
        return f"{sizes}. It is declared in no pair."
    if span.refusal:
        return f"{sizes}. This is no pair: {span.refusal}."
    how = "one replaced piece" if span.a and span.b else "one inserted run"
    return f"{sizes}. They differ in {how} at “{span.slot}”; all other bytes are equal."


def _size(prompt: Prompt) -> str:
    data = b"".join(prompt.turns)
    return f"{len(data):,} bytes, {len(data.decode()):,} characters"


def _turn_head(number: int, turns: int, picture: Picture) -> Iterator[Line]:
    yield Line(
        "turn", f"User message {number} of {turns}" if turns > 1 else "User message"
    )
    if number == 1:
        size = f"{picture.width} × {picture.height} px"
        yield Line("image", f"▣ The picture goes here, before the text: PNG, {size}")
    else:
        yield Line("image", "The first message and the model’s reply stand before this")


def _part(part: Part, only_in: str) -> Iterator[Line]:
    where = f" · only in {only_in}" if only_in else ""
    yield Line("caption", f"{part.slot} · {len(part.data)} bytes{where}")
    yield Line("lit" if only_in else "same", part.data.decode())


def _other(partner: Prompt, parts: Iterable[Part]) -> Iterator[Line]:
    for part in parts:
        yield from _part(part, partner.condition)


def _write(view: QTextEdit, lines: Iterable[Line]) -> None:
    """Put plain text into the view; nothing in it is read as markup."""
    document = view.document()
    document.clear()
    cursor = QTextCursor(document)
    for at, line in enumerate(lines):
        block, chars = _formats(line.kind)
        if at:
            cursor.insertBlock()
        cursor.setBlockFormat(block)
        # One newline ends the piece; the next block stands for it.
        cursor.insertText(line.text.removesuffix("\n"), chars)
    view.moveCursor(QTextCursor.MoveOperation.Start)


def _formats(kind: Kind) -> tuple[QTextBlockFormat, QTextCharFormat]:
    t = theme.tokens()
    block, chars = QTextBlockFormat(), QTextCharFormat()
    small = kind in ("caption", "image", "turn")
    font = QFont(QApplication.font())
    font.setPixelSize(theme.px(theme.CAPTION if small else theme.BODY))
    font.setBold(kind == "turn")
    chars.setFont(font)
    strong = kind in ("lit", "turn")
    chars.setForeground(QColor(t.text if strong else t.muted))
    block.setTopMargin(theme.px(theme.S2 if small else 1))
    if kind == "lit":
        block.setBackground(QColor(t.lit))
    return block, chars
