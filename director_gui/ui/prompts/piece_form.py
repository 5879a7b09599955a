"""Write a piece, or another version of one."""

from dataclasses import dataclass

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLineEdit,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.prompts.pieces import KEYS, SLOTS, Piece
from director_gui.study.prompt_library import next_name
from director_gui.ui.notice import Notice
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.form_page import FormPage
from director_gui.ui.prompts.piece_texts import EXTREMES, FIXED, KINDS, PieceTexts, Slip
from director_gui.ui.prompts.slip_list import SlipList

_NO_KEY = "asks nothing"
_WINDOWS = "The pasted text had Windows line ends (CRLF). They were written as LF."


@dataclass(frozen=True, slots=True)
class WrittenPiece:
    """What the form hands over.

    Attributes:
        piece: The piece.
        origin: What it was edited from, empty for none.
        replaces: The piece that it takes the place of, empty for none.
        use_in: The condition that should use it, empty for none.
    """

    piece: Piece
    origin: str
    replaces: str
    use_in: str


class PieceForm(FormPage):
    """Name, slot, key and texts, with what is wrong with them as one types.

    `saved` carries a `WrittenPiece`.
    """

    def __init__(self, book: PromptBook, parent: QWidget | None = None) -> None:
        super().__init__(book, "Save piece", parent)
        self._condition = ""
        self._slips: list[Slip] = []
        self.name = QLineEdit()
        self.slot = QComboBox()
        self.key = QComboBox()
        self.kind = QComboBox()
        self.texts = PieceTexts()
        self.notice = Notice()
        self.slips = SlipList()
        self.use = QCheckBox()
        self._lay_out()
        self._connect()

    def write_new(self, slot: str = "report") -> None:
        """Begin with an empty piece."""
        self._begin("New piece", "", "")
        self.why.setText("It joins the study’s own pieces, beside those of the program")
        self.name.clear()
        self.slot.setCurrentText(slot)
        self.key.setCurrentText(_NO_KEY)
        # A request has to name what the scene asks for.
        self.kind.setCurrentIndex(EXTREMES if slot == "request" else FIXED)
        self.texts.show_text(None)
        self.texts.set_kind(self.kind.currentIndex())
        self._check()
        self.name.setFocus()

    def write_version(self, piece: Piece, condition: str = "") -> None:
        """Begin with an existing piece.

        Args:
            piece: The piece; one that is built in or frozen makes a new one.
            condition: The condition that it was chosen in, empty for none.
        """
        same = self._book.can_change_piece(piece.name)
        self._begin(f"Edit “{piece.name}”", piece.name, "" if same else condition)
        taken = [one.name for one in self._book.library.pieces]
        self.name.setText(piece.name if same else next_name(piece.name, taken))
        self.why.setText(self._why(piece.name))
        self.slot.setCurrentText(piece.slot)
        self.key.setCurrentText(piece.key or _NO_KEY)
        self.texts.show_text(piece.text)
        self.kind.setCurrentIndex(self.texts.kind)
        self._check()
        next(iter(self.texts.boxes.values())).setFocus()

    def draft(self) -> Piece:
        """Return the piece as it stands.

        Raises:
            UserError: It is no piece yet.
        """
        name = self.name.text()
        self._refuse_taken(name)
        key = self.key.currentText()
        return Piece(
            name or "the piece",
            self.slot.currentText(),
            self.texts.text(name),
            None if key == _NO_KEY else key,
        )

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.texts.retheme()
        self._check()

    def _begin(self, title: str, origin: str, condition: str) -> None:
        self._origin, self._condition = origin, condition
        self.title.setText(title)
        self.notice.close_remark()
        self.use.setVisible(bool(condition))
        self.use.setChecked(bool(condition))
        if condition:
            own = self._book.can_change_condition(condition)
            where = condition if own else f"a copy of {condition}"
            self.use.setText(f"Use it in {where}")
            self.use.setAccessibleName(self.use.text())

    def _why(self, name: str) -> str:
        if self._book.can_change_piece(name):
            users = self._book.users(name)
            used = f"Used in {', '.join(users)}" if users else "No condition uses it"
            return f"{used}. No run has sent it yet, so it is changed in its place."
        if self._book.is_own_piece(name):
            return "A run has sent it, so it is frozen: saving makes a new piece."
        return "It is built in and stays: saving makes a new piece."

    def _check(self) -> None:
        self._slips = self.texts.slips()
        alone = len(self.texts.boxes) == 1
        self.slips.show_slips([slip.words(alone=alone) for slip in self._slips])
        if not any(box.exact() for box in self.texts.boxes.values()):
            # Nothing is wrong yet with what was not begun.
            self._say("Write its text to save it", error=False)
            self.save.setEnabled(False)
            return
        try:
            piece = self.draft()
        except UserError as error:
            self._say(f"{error.what}. {error.todo}".strip(), error=True)
            return
        sizes = {len(data) for data in piece.text.texts()}
        shown = " or ".join(f"{size:,}" for size in sorted(sizes))
        self._say(f"{shown} bytes, the line’s end included", error=False)

    def _refuse_taken(self, name: str) -> None:
        names = [one.name for one in self._book.library.pieces]
        own = self._book.can_change_piece(name)
        if not self._may_be_named(name, names, own=own):
            raise UserError(f"the name “{name}” is taken")

    def _save(self) -> None:
        try:
            piece = self.draft()
        except UserError:
            return
        # The rest is right: only now is it worth asking for a name.
        if not self.name.text():
            self._say("A name is missing", error=True)
            self.name.setFocus()
            return
        # Under another name it is another piece, whatever it was edited from.
        same = piece.name == self._origin
        origin = self._row_origin(piece.name) if same else self._origin
        use_in = self._condition if self.use.isChecked() else ""
        replaces = piece.name if same else ""
        self.saved.emit(WrittenPiece(piece, origin, replaces, use_in))

    def _row_origin(self, name: str) -> str:
        origins = {row.name: row.origin for row in self._book.own.pieces}
        return origins.get(name, "")

    def _go_to(self, at: int) -> None:
        if 0 <= at < len(self._slips):
            slip = self._slips[at]
            self.texts.boxes[slip.field].go_to(slip.found)

    def _connect(self) -> None:
        self.name.textChanged.connect(lambda _text: self._check())
        self.slot.currentIndexChanged.connect(lambda _at: self._check())
        self.key.currentIndexChanged.connect(lambda _at: self._check())
        self.kind.currentIndexChanged.connect(self.texts.set_kind)
        self.texts.changed.connect(self._check)
        self.texts.pasted_windows_ends.connect(
            lambda: self.notice.tell(_WINDOWS, ("Dismiss", lambda: None))
        )
        self.slips.mend.connect(self.texts.mend)
        self.slips.chosen.connect(self._go_to)

    def _lay_out(self) -> None:
        self.slot.addItems(SLOTS)
        self.key.addItems([_NO_KEY, *KEYS])
        self.kind.addItems(KINDS)
        self.name.setMaxLength(60)
        fields: tuple[tuple[str, QWidget], ...] = (
            ("Name", self.name),
            ("Slot", self.slot),
            ("JSON key", self.key),
            ("Wording", self.kind),
        )
        self._lay_out_page(fields, (self.texts, self.slips, self.use, self.notice))
