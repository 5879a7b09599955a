"""The selected scene: big pictures, its key, what is visible, its mark."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.ids import Json
from director_gui.scene.model import Scene
from director_gui.store.sets import SetScene
from director_gui.study.gallery import Card
from director_gui.ui import theme
from director_gui.ui.image_view import ImageView
from director_gui.ui.tables import Table
from director_gui.ui.widgets import button, label, restyle, tool

_COLUMNS = ("Block", "Model", "Director", "Verdict")


class SceneDetail(QScrollArea):
    """Shows one card in full, or says how many are selected."""

    marked = Signal(str, str)  # pin, drop or none; the reason
    open_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "strong", wrap=True)
        self.pictures = (_picture("The model’s picture"), _picture("Director’s view"))
        self.captions = tuple(
            label(view.accessibleName(), "caption") for view in self.pictures
        )
        self.words = label("", wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.table = Table("What both see of each block")
        self.mark_words = label("", wrap=True)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText("Reason for a pin or a drop")
        self.reason.setAccessibleName("Reason for a pin or a drop")
        self.needed = label("", "error", wrap=True)
        self.needed.setAccessibleName("What the reason lacks")
        self.needed.hide()
        self.reason.textChanged.connect(lambda _text: self._need(""))
        self.pin = button("Pin", lambda: self._mark("pin"))
        self.drop = button("Drop", lambda: self._mark("drop"))
        self.clear = button("Clear mark", lambda: self._mark("none"))
        self.open = button("Open in the editor", self.open_wanted.emit)
        self.open.setToolTip("Or double-click a scene, or press Return on it")
        self._lay_out()

    def show_selection(self, cards: Sequence[Card]) -> None:
        """Show what the cards say; facts and pictures may follow."""
        one = cards[0] if len(cards) == 1 else None
        count = f"{len(cards)} scenes are selected" if cards else ""
        self.title.setText(one.name if one else count or "Select a scene")
        for widget in (
            *self.pictures,
            *self.captions,
            self.words,
            self.table,
            self.open,
        ):
            widget.setVisible(one is not None)
        # Also for several: a reason is given once for all of them.
        self._need("")
        for box in (self.reason, self.pin, self.drop):
            box.setVisible(bool(cards))
        self.clear.setVisible(any(card.mark for card in cards))
        self.mark_words.setVisible(one is not None and one.mark is not None)
        if one is not None and one.mark is not None:
            verb = "Dropped" if one.dropped else "Pinned"
            by = f" · {one.mark.actor}, {one.mark.created[:10]}"
            self.mark_words.setText(f"{verb}: {one.mark.reason}{by}")

    def add_tool(self, made: QAction) -> None:
        """Add a small button beside those that mark."""
        self._buttons.addWidget(tool(made))

    def show_facts(self, scene: Scene, row: SetScene) -> None:
        """Show the key in words and what either view has of each block."""
        self.words.setText(verdict_words(row))
        self.table.show_rows(_COLUMNS, block_rows(scene, row.facts))

    def show_pictures(self, pair: tuple[QPixmap, QPixmap] | None) -> None:
        """Show both pictures; None shows that they are not there."""
        for view, shown in zip(self.pictures, pair or (None, None), strict=True):
            view.show_picture(shown)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give each picture the height that its width asks for."""
        room = self.viewport().width() - 2 * theme.S3
        for view in self.pictures:
            # No layout keeps the aspect of a picture.
            view.setFixedHeight(max(60, round(room / (view.aspect or 4 / 3))))

    def _mark(self, kind: str) -> None:
        reason = self.reason.text().strip()
        if not reason and kind != "none":
            # Said here and not in the footer, where it would stay when it is mended.
            self._need(f"A {kind} needs a reason: say in a few words why")
            self.reason.setFocus()
            return
        self.marked.emit(kind, reason)

    def _need(self, words: str) -> None:
        """Say what the reason lacks; empty when nothing."""
        self.needed.setText(words)
        self.needed.setVisible(bool(words))
        self.reason.setProperty("state", "refused" if words else "")
        restyle(self.reason)

    def _lay_out(self) -> None:
        inner = QWidget()
        inner.setProperty("role", "panel")
        inner.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.S3, theme.S3, theme.S3, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.title)
        # Above the pictures, or in a small window nobody would find how to drop one.
        for widget in (self.mark_words, self.reason, self.needed):
            column.addWidget(widget)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(theme.S1)
        for made in (self.pin, self.drop, self.clear):
            self._buttons.addWidget(made)
        self._buttons.addStretch()
        column.addLayout(self._buttons)
        column.addWidget(self.open)
        for view, caption in zip(self.pictures, self.captions, strict=True):
            column.addWidget(caption)
            column.addWidget(view)
        column.addWidget(self.words)
        column.addWidget(self.table)
        column.addStretch()
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Always there: coming and going it would change the pictures' width, and its
        # need.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)


def verdict_words(row: SetScene) -> str:
    """Return a scene's key and what is special about it, in sentences."""
    facts = row.facts
    key, sees = facts["key"], facts["sees"]["director"]
    said = [f"The director sees {_list(sees)}."]
    if key["hidden"] is None:
        said.append("No single block is hidden from the director.")
    else:
        said.append(f"Hidden: {key['hidden']}.")
    said.append(f"Director-view block: {_one(key['director_view'])}.")
    said.append(f"Model-view block: {_one(key['model_view'])}.")
    if facts["apparent_size"]["confound"]:
        said.append("Another block looks larger to the director (confound).")
    if row.candidate:
        said.append(f"Candidate {row.candidate + 1:,}.")
    return " ".join(said)


def block_rows(scene: Scene, facts: Json) -> list[list[str]]:
    """Return digit and edge, both views' fractions and the director's verdict."""
    analytic = facts["witnesses"]["analytic"]
    return [
        [
            f"{block.digit} · {block.edge * 100:.1f} cm",
            # One witness stands for both here: a stored scene is one on which they
            # agree.
            _percent(analytic["model"].get(str(block.digit))),
            _percent(analytic["director"].get(str(block.digit))),
            str(facts["states"]["director"].get(str(block.digit), "")).replace(
                "_", " "
            ),
        ]
        # Largest first: the order that the request is about.
        for block in sorted(scene.blocks, key=lambda b: -b.edge)
    ]


class Picture(ImageView):
    """A picture of a stored scene, decoded by others."""

    def show_picture(self, picture: QPixmap | None) -> None:
        """Show a picture, of whatever size, or none."""
        self._image = None if picture is None else picture.toImage()
        if picture is not None:
            self.aspect = picture.width() / picture.height()
        self._stale = False  # nothing is drawn here
        self.update()


def _picture(name: str) -> Picture:
    made = Picture()
    # The usual picture's, until one is there to ask.
    made.aspect = 4 / 3
    made.setAccessibleName(name)
    made.setToolTip(name)
    return made


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}".replace("%", " %")


def _one(digit: int | None) -> str:
    return "none" if digit is None else str(digit)


def _list(digits: Sequence[int]) -> str:
    if not digits:
        return "no block"
    *rest, last = map(str, digits)
    return f"{', '.join(rest)} and {last}" if rest else last
