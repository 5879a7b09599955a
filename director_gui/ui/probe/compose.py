"""Compose a probe: conditions, models, samples, and what that will send and cost."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.prompts.library import Library
from director_gui.runner.profiles import Profile
from director_gui.scene.model import Scene
from director_gui.study.probing import (
    BLOCKED_WORDS,
    Estimate,
    blocked,
    estimate,
    known_profiles,
    price_text,
    tokens_text,
)
from director_gui.study.running import DEFAULT_SAMPLES, Draft
from director_gui.ui import theme
from director_gui.ui.notice import Notice
from director_gui.ui.probe.condition_grid import ConditionGrid
from director_gui.ui.probe.pair_table import pairs_text
from director_gui.ui.widgets import button, label

_WIDE = 560  # px at 100 %: from here models stand beside conditions
_MOST_SAMPLES = 100
_PROFILE = Qt.ItemDataRole.UserRole
_ANYWAY = "Send anyway at unknown price"


class ComposePage(QWidget):
    """What is to be asked; `sent` carries the draft."""

    sent = Signal(object)  # Draft
    manage = Signal()
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grid = ConditionGrid()
        self.models = QListWidget()
        self.samples = QSpinBox()
        self.cost = label("", "strong", wrap=True)
        self.tokens = label("", "caption", wrap=True)
        self.answers = label("", "caption", wrap=True)
        self.caution = label("", "caption", wrap=True)
        self.notice = Notice()
        self.send = button("Send", self._send, primary=True)
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._held = ""
        self._asking = False  # whether the remark asks about the price
        self._scene: tuple[Scene, Truth] | None = None
        self._estimate: Estimate | None = None
        self._known: Library | None = None
        self._lay_out()
        self.grid.changed.connect(self._count)
        self.models.itemChanged.connect(lambda _item: self._count())
        self.samples.valueChanged.connect(lambda _value: self._count())
        self.load_profiles()

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """The chosen models."""
        items = [self.models.item(row) for row in range(self.models.count())]
        chosen = [i for i in items if i.checkState() is Qt.CheckState.Checked]
        return tuple(item.data(_PROFILE) for item in chosen)

    def show_scene(self, scene: Scene, truth: Truth) -> None:
        """Count for `scene`, which is the one that will be sent."""
        self._scene = (scene, truth)
        lone = truth.key.hidden is not None
        self.caution.setText("" if lone else _no_hidden(truth))
        # Sending is not forbidden: reports can be asked about any scene.
        self.caution.setVisible(not lone)
        self._count()

    def hold(self, reason: str) -> None:
        """Forbid sending and say why; an empty reason allows it again."""
        self._held = reason
        self._count()

    def load_profiles(self) -> None:
        """List the profiles anew; what was chosen stays chosen.

        The first time the first practice reader is chosen.
        """
        chosen = {profile.name for profile in self.profiles}
        try:
            known = known_profiles()
        except UserError as error:
            self.notice.tell_error(error)
            return
        if not self.models.count():
            # A first probe costs nothing and needs no key.
            chosen = {next((p.name for p in known if p.practice), "")}
        # Every new line would else be counted as a change of mind.
        self.models.blockSignals(True)
        self.models.clear()
        for profile in known:
            self.models.addItem(_line(profile, chosen=profile.name in chosen))
        self.models.blockSignals(False)
        self._count()

    def show_library(self, known: Library) -> None:
        """Offer these conditions."""
        self._known = known
        self.grid.show_library(known)

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.grid.retheme()
        self._size()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._size()

    # What will be sent --------------------------------------------------------

    def _count(self) -> None:
        if self._scene is None:
            return
        scene, truth = self._scene
        conditions, profiles = self.grid.chosen(), self.profiles
        reason = BLOCKED_WORDS[blocked(conditions, profiles)]
        # Told even when held back: what will be sent may be composed meanwhile.
        count = self.samples.value()
        try:
            made = estimate(
                scene, truth, conditions, profiles, count, known=self._known
            )
        except UserError as error:
            self._hold_back(error)
            return
        self._estimate = made
        self.cost.setText(self._held or reason or _cost(made))
        self.tokens.setText("" if reason else _tokens(made))
        self.tokens.setVisible(not reason)
        self.answers.setText("" if reason else _answers(made))
        self.send.setText(f"Send {made.calls} calls" if not reason else "Send")
        self.send.setEnabled(not reason and not self._held)
        if self._asking:
            # The question was about another choice than the one that stands now.
            self._asking = False
            self.notice.close_remark()
        self.changed.emit()

    def _hold_back(self, error: UserError) -> None:
        """Say why what is chosen cannot be asked about this scene."""
        self._estimate = None
        self.cost.setText(str(error))
        self.tokens.setText("")
        self.answers.setText("")
        self.send.setText("Send")
        self.send.setEnabled(False)
        self.changed.emit()

    def _send(self) -> None:
        made = self._estimate
        if made is None or not self.send.isEnabled():
            return
        if made.price is None:
            names = ", ".join(made.unpriced)
            self._asking = True
            self.notice.tell(
                f"The price of {names} is unknown, so this probe may cost more than"
                " you expect. Prices can be set under Manage…",
                (_ANYWAY, self._send_now),
                ("Do not send", lambda: None),
            )
            return
        self._send_now()

    def _send_now(self) -> None:
        if self._scene is None or not self.send.isEnabled():
            return
        scene, _ = self._scene
        draft = Draft(
            "probe",
            scene.name,
            (scene,),
            self.grid.chosen(),
            self.profiles,
            samples=self.samples.value(),
        )
        self.sent.emit(draft)

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.samples.setRange(1, _MOST_SAMPLES)
        self.samples.setValue(DEFAULT_SAMPLES)
        self.samples.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.samples.setAccessibleName("Samples per condition and model")
        self.models.setAccessibleName("Models to ask")
        never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.models.setHorizontalScrollBarPolicy(never)
        self.cost.setAccessibleName("What will be sent")
        self._columns.setSpacing(theme.S4)
        self._columns.addWidget(self._conditions(), 1)
        self._columns.addWidget(self._models(), 1)
        inner = QWidget()
        inner.setLayout(self._columns)
        self._columns.setContentsMargins(theme.S3, theme.S3, theme.S3, theme.S2)
        inner.setProperty("role", "panel")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        area.setHorizontalScrollBarPolicy(never)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(area, 1)
        whole.addWidget(self.notice)
        whole.addWidget(self._foot())

    def _conditions(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(label("Conditions", "section"))
        column.addWidget(self.grid)
        row = QHBoxLayout()
        words = label("Samples of each")
        words.setBuddy(self.samples)
        row.addWidget(words)
        row.addWidget(self.samples)
        row.addStretch()
        column.addLayout(row)
        column.addWidget(self.answers)
        column.addWidget(self.caution)
        column.addStretch()
        return made

    def _models(self) -> QWidget:
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        head.addWidget(label("Models", "section"))
        head.addStretch()
        head.addWidget(button("Manage…", self.manage.emit))
        column.addLayout(head)
        column.addWidget(self.models, 1)
        return made

    def _foot(self) -> QWidget:
        made = QFrame()
        made.setProperty("role", "foot")
        row = QHBoxLayout(made)
        row.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        row.setSpacing(theme.S3)
        words = QVBoxLayout()
        words.setSpacing(2)
        # The button and the price stand on one line, whatever the text wraps to.
        words.addStretch()
        words.addWidget(self.cost)
        words.addWidget(self.tokens)
        row.addLayout(words, 1)
        row.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        return made

    def _size(self) -> None:
        wide = self.width() >= theme.px(_WIDE)
        ways = QBoxLayout.Direction
        self._columns.setDirection(ways.LeftToRight if wide else ways.TopToBottom)
        # In one column the models take what the conditions leave.
        self._columns.setStretch(0, 2 if wide else 0)
        self._columns.setStretch(1, 3 if wide else 1)
        line = self.models.sizeHintForRow(0)
        # Four lines show that there is more to scroll to.
        self.models.setMinimumHeight(max(line, theme.px(20)) * 4)


def _line(profile: Profile, *, chosen: bool) -> QListWidgetItem:
    price = "unknown price" if not profile.price_known else ""
    kind = "practice" if profile.practice else price
    text = f"{profile.name} · {kind}" if kind else profile.name
    item = QListWidgetItem(text)
    item.setData(_PROFILE, profile)
    state = Qt.CheckState
    item.setCheckState(state.Checked if chosen else state.Unchecked)
    item.setToolTip(f"{profile.model} at {profile.base_url}")
    return item


def _cost(made: Estimate) -> str:
    return f"{made.calls} calls · {price_text(made.price)}"


def _tokens(made: Estimate) -> str:
    low, high = (tokens_text(tokens) for tokens in made.output_tokens)
    sent = tokens_text(made.input_tokens)
    return f"About {sent} tokens in, {low} – {high} out"


def _answers(made: Estimate) -> str:
    verb = "joins as the base" if len(made.joined) == 1 else "join as the bases"
    joined = f"{_and(made.joined)} {verb}. " if made.joined else ""
    if not made.pairs:
        return f"{joined}Answers no pair: add the other condition of one."
    count = f"{len(made.pairs)} pair{'s' * (len(made.pairs) > 1)}"
    return f"{joined}Answers {count}. {pairs_text(made.pairs)}"


def _and(names: Sequence[str]) -> str:
    return " and ".join(names)


def _no_hidden(truth: Truth) -> str:
    hidden = truth.in_state("director", "hidden")
    what = "several blocks are hidden" if hidden else "no block is hidden"
    return f"Hidden-block choices cannot be counted here: {what} from the director."
