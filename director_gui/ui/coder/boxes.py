"""One box for each field of the codebook: a choice, a quote, or a text."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from coding.codebook import Code, Field
from director_gui.ui import theme
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.words import breakable
from director_gui.ui.exact_text import exact_text

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SHOWN_QUOTE = 280  # characters of a quote that the box repeats
_REST = 1500  # ms without a key after which a text goes to disk


def plain_label(text: str, role: str = "", parent: QWidget | None = None) -> QLabel:
    """Return a wrapping label that shows any text as it is, never as markup."""
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setText(text)
    if role:
        label.setProperty("role", role)
    return label


class Box(QWidget):
    """A heading, and room for what answers its question."""

    def __init__(
        self, title: str, question: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.page = QVBoxLayout(self)
        self.page.setContentsMargins(0, 0, 0, 0)
        self.page.setSpacing(theme.S1)
        head = plain_label(breakable(title), "strong")
        # The question is long and soon known by heart: the codebook sheet has it.
        head.setToolTip(plain_tip(question))
        self.setAccessibleDescription(question)
        self.page.addWidget(head)


class ChoiceBox(Box):
    """One button for each code; at most one is pressed."""

    chosen = Signal(str)

    def __init__(
        self, field: Field, keys: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(field.label, field.question, parent)
        self._buttons: dict[str, KeyButton] = {}
        self._most = 1 if field.kind == "one_of" else len(field.codes)
        self._grid = QGridLayout()
        self._grid.setSpacing(theme.S1)
        for code, key in zip(field.codes, keys, strict=True):
            self._buttons[code.name] = self._button(field, code, key)
        self._place(self._most)
        self.page.addLayout(self._grid)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put short answers side by side where there is room for them."""
        super().resizeEvent(event)
        hints = [b.sizeHint().width() + theme.S1 for b in self._buttons.values()]
        fits = sum(hints) <= self.width()
        across = self._most if fits else 1
        if across != self._across:
            self._place(across)

    def _place(self, across: int) -> None:
        self._across = across
        for at, button in enumerate(self._buttons.values()):
            self._grid.addWidget(button, at // across, at % across)
            # Side by side each gets its share, so that no short word has to wrap.
            share = button.sizeHint().width() if across > 1 else 0
            self._grid.setColumnStretch(at, share)

    def show_value(self, value: str | None) -> None:
        """Press the button of this code, release the others."""
        for name, button in self._buttons.items():
            button.setChecked(name == value)

    def _button(self, field: Field, code: Code, key: str) -> KeyButton:
        # Where one code has a colour, the others keep its room: keys stand in line.
        blank = "transparent" if any(one.color for one in field.codes) else ""
        button = KeyButton(code.label, key, color=code.color or blank)
        button.setAccessibleName(f"{field.label}: {code.label}")
        button.setToolTip(plain_tip(code.definition))
        button.clicked.connect(lambda: self.chosen.emit(code.name))
        return button


class QuoteBox(Box):
    """The quoted words, and how to quote others."""

    asked = Signal()
    removed = Signal()

    def __init__(self, field: Field, key: str, parent: QWidget | None = None) -> None:
        super().__init__(field.label, field.question, parent)
        self._words = plain_label("", "caption")
        self._words.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum
        )
        self._take = KeyButton("Quote selection", key)
        self._take.setCheckable(False)
        self._take.clicked.connect(self.asked)
        self._remove = QPushButton("Remove")
        self._remove.setAccessibleName(f"Remove the quote of {field.label}")
        self._remove.setProperty("flat", True)
        self._remove.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._remove.clicked.connect(self.removed)
        row = QHBoxLayout()
        row.setSpacing(theme.S1)
        row.addWidget(self._take, 1)
        row.addWidget(self._remove)
        self.page.addWidget(self._words)
        self.page.addLayout(row)
        self.show_quote(None)

    def show_quote(self, text: str | None) -> None:
        """Repeat the quoted words, or say that there are none."""
        words = "No words quoted yet"
        if text is not None:
            cut = text if len(text) <= _SHOWN_QUOTE else text[:_SHOWN_QUOTE] + " …"
            words = f"“{cut}”"
        self._words.setText(words)
        self._remove.setEnabled(text is not None)


class TextBox(Box):
    """A text of the coder's own; it goes to disk when the keys rest."""

    written = Signal(str)
    left = Signal()  # the coder is done with it

    def __init__(
        self,
        title: str,
        question: str,
        key: str,
        parent: QWidget | None = None,
    ) -> None:
        head = f"{title}  ({key.upper()})" if key else title
        super().__init__(head, question, parent)
        self._edit = QPlainTextEdit()
        self._edit.setAccessibleName(title)
        self._edit.setTabChangesFocus(True)
        self._edit.setPlaceholderText("Enter keeps it")
        self._edit.installEventFilter(self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.commit)
        self._edit.textChanged.connect(self._touch)
        self._unkept = False
        self.page.addWidget(self._edit)
        self.restyle()

    def restyle(self) -> None:
        """Take the text size: room for two lines."""
        self._edit.setFixedHeight(2 * self._edit.fontMetrics().lineSpacing() + 20)

    def show_value(self, text: str, *, fresh: bool) -> None:
        """Show a text; words that are not kept yet stay, unless the trace is fresh."""
        differs = exact_text(self._edit.document()) != text
        if differs and (fresh or not self._unkept):
            self._edit.blockSignals(True)
            self._edit.setPlainText(text)
            self._edit.blockSignals(False)
            differs = False
        self._unkept = differs

    def open(self) -> None:
        """Put the caret at the end of the text."""
        self._edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._edit.moveCursor(self._edit.textCursor().MoveOperation.End)

    def commit(self) -> None:
        """Hand over words that are not kept yet."""
        self._rest.stop()
        if self._unkept:
            self.written.emit(exact_text(self._edit.document()))

    def _touch(self) -> None:
        self._unkept = True
        self._rest.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the text on Enter, Escape and whenever the caret leaves."""
        if isinstance(event, QFocusEvent) and event.lostFocus():
            self.commit()
        elif isinstance(event, QKeyEvent) and _ends(event):
            self.commit()
            self.left.emit()
            return True
        return super().eventFilter(watched, event)


def _ends(event: QKeyEvent) -> bool:
    if event.type() != QEvent.Type.KeyPress:
        return False
    shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Escape or (event.key() in _ENTER and not shift)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows any text as it is, wrapped, never as markup."""
    # Qt takes a tooltip for markup when it looks like it; an entity keeps it text.
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<qt>{escaped}</qt>" if text else ""
