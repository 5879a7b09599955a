"""The exact messages of a condition, with the span lit that its partner lacks."""

from collections.abc import Iterable, Iterator, Sequence
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
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from director_gui.prompts.compose import Prompt
from director_gui.prompts.pairing import Span
from director_gui.prompts.pieces import Part
from director_gui.scene.model import Picture
from director_gui.study.probing import input_tokens, tokens_text
from director_gui.ui import theme

Kind = Literal["turn", "image", "caption", "same", "lit"]


@dataclass(frozen=True, slots=True)
class Line:
    """One stretch of the view: a heading, a caption, or text that is sent."""

    kind: Kind
    text: str


class MessageView(QTextEdit):
    """Shows messages as plain text that can be selected, never as markup."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        # Nothing is typed here, so Tab is free to leave.
        self.setTabChangesFocus(True)
        self.setAccessibleName("The exact messages")
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Show these stretches from the top."""
        document = self.document()
        document.clear()
        cursor = QTextCursor(document)
        for at, line in enumerate(lines):
            block, chars = _formats(line.kind)
            if at:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            # One newline ends the piece; the next block stands for it.
            cursor.insertText(line.text.removesuffix("\n"), chars)
        self.moveCursor(QTextCursor.MoveOperation.Start)


def message_lines(
    prompts: Sequence[Prompt], span: Span | None, picture: Picture
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
    # An insertion may stand behind the last piece.
    if span and at == start + count:
        lines += _other(prompts[1], span.b)
    return tuple(lines)


def summary(prompts: Sequence[Prompt], span: Span | None) -> str:
    """Return the sizes of the messages and what the pair differs in."""
    sizes = " · ".join(
        f"{prompt.condition} {size_in_words(prompt)}" for prompt in prompts
    )
    return f"{sizes}. {proof_in_words(span)}"


def proof_in_words(span: Span | None) -> str:
    """Return what the proof of a pair found; None stands for no partner."""
    if span is None:
        return "It is declared in no pair."
    if span.refusal:
        return f"This is no pair: {span.refusal}."
    how = "one replaced piece" if span.a and span.b else "one inserted run"
    return f"They differ in {how} at “{span.slot}”; all other bytes are equal."


def size_in_words(prompt: Prompt) -> str:
    """Return the bytes, characters and tokens that one call sends."""
    data = b"".join(prompt.turns)
    tokens = tokens_text(input_tokens(prompt.turns))
    return (
        f"{len(data):,} bytes, {len(data.decode()):,} characters, "
        f"about {tokens} tokens with the picture"
    )


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
