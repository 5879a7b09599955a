"""The form of a new packet: which replies, how many, drawn how, showing what."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.store.runs import Run
from director_gui.study.blind.itemtext import FORM_WORDS, FORMS, Form
from director_gui.study.blind.overview import PacketRow
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.traces import Traces, Wanted
from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_box import BookBox
from director_gui.ui.coordinator.known_row import KnownRow
from director_gui.ui.widgets import label

_MOST = 100_000
_MOST_RUNS = 5  # that are shown at once
_REST = 250  # ms without an edit before the texts are looked at again
_ID = Qt.ItemDataRole.UserRole
_STRATIFIED = (
    "Evenly over model, condition and kind of choice; shares of the packet are then "
    "not shares of the replies."
)
_MIXED_IN = (
    "Both are unmarked for the coder: traces that come twice tell how steady each "
    "coder is, known-code items how many come back as intended."
)
_GIVES_AWAY: dict[Form, str] = {
    "without_report": "Nothing shows whether there was a report.",
    "with_reply": "The reply shows whether the visibility question was asked.",
}


class MakeForm(QWidget):
    """Everything that makes a `Request`; `edited` comes once the user rests."""

    edited = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.edited)
        self.source = self._box("Which items")
        self.runs = QListWidget()
        self.runs.setAccessibleName("Runs to draw from")
        # A long name shows its end in its tooltip, not behind a bar to be dragged.
        self.runs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.runs.itemChanged.connect(lambda _item: self._rest.start())
        self.model, self.condition = self._box("Model"), self._box("Condition")
        self.count = QSpinBox()
        self.count.setRange(0, _MOST)
        # Zero traces would be no packet, so the zero can mean all.
        self.count.setSpecialValueText("all")
        self.count.setAccessibleName("How many traces")
        self.count.setValue(36)
        self.count.valueChanged.connect(lambda _n: self._rest.start())
        self.draw = self._box("How to draw")
        self.draw.addItem("At random", False)
        self.draw.addItem("Stratified", True)
        self._draw_note = label(_STRATIFIED, "caption", wrap=True)
        self.draw.currentIndexChanged.connect(self._note_draw)
        self.repeats = QSpinBox()
        self.repeats.setRange(0, _MOST)
        self.repeats.setSpecialValueText("none")
        self.repeats.setAccessibleName("How many traces come twice")
        self.repeats.valueChanged.connect(lambda _n: self._rest.start())
        self.book = BookBox()
        self.book.currentIndexChanged.connect(lambda _at: self._rest.start())
        self.known = KnownRow()
        self.known.changed.connect(self._rest.start)
        self.form = self._box("What an item shows")
        for form in FORMS:
            words = FORM_WORDS[form].split(",")[0]
            self.form.addItem(words[:1].upper() + words[1:], form)
        self._form_note = label(_GIVES_AWAY["without_report"], "caption", wrap=True)
        self.source.currentIndexChanged.connect(self._enable)
        self.form.currentIndexChanged.connect(self._note_form)
        self._lay_out()

    def request(self) -> Request:
        """Return what the form asks for; the seed stays secret."""
        again = self.source.currentData() or ""
        wanted = Wanted(
            runs=self.chosen_runs(),
            models=self._filter(self.model),
            conditions=self._filter(self.condition),
        )
        return Request(
            wanted=Wanted() if again else wanted,
            form=self.form.currentData(),
            size=self.count.value() or None,
            stratified=bool(self.draw.currentData()),
            again=again,
            repeats=0 if again else self.repeats.value(),
        )

    def stop(self) -> None:
        """Forget an edit that was not told yet."""
        self._rest.stop()

    def chosen_runs(self) -> tuple[str, ...]:
        """Return the ids of the runs that are ticked."""
        items = [self.runs.item(at) for at in range(self.runs.count())]
        ticked = Qt.CheckState.Checked
        return tuple(i.data(_ID) for i in items if i.checkState() == ticked)

    def show_runs(self, runs: Sequence[Run], packets: Sequence[PacketRow]) -> None:
        """List the runs, the newest ticked, and the packets to be coded again."""
        before = set(self.chosen_runs())
        self.runs.blockSignals(True)
        self.runs.clear()
        for at, run in enumerate(reversed(runs)):
            practice = " · practice" if run.practice else ""
            item = QListWidgetItem(f"{run.label or run.id}{practice}")
            item.setToolTip(f"{item.text()}\n{run.created[:16]} UTC")
            ticked = run.id in before if before else at == 0
            item.setCheckState(
                Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
            )
            item.setData(_ID, run.id)
            self.runs.addItem(item)
        self.runs.blockSignals(False)
        self._fit_runs()
        entries = [
            (f"Packet {p.short} once more", p.id) for p in packets if not p.again
        ]
        self._refill(self.source, [("A new draw", ""), *entries])
        self._enable()

    def _fit_runs(self) -> None:
        # Room for the runs there are: one run needs no box of five.
        rows = min(max(self.runs.count(), 1), _MOST_RUNS)
        high = max(self.runs.sizeHintForRow(0), self.runs.fontMetrics().height())
        self.runs.setFixedHeight(rows * high + 2 * self.runs.frameWidth() + theme.S1)

    def show_labels(self, traces: Traces) -> None:
        """Offer the models and conditions that there are traces of."""
        for box, what, names in (
            (self.model, "All models", traces.models),
            (self.condition, "All conditions", traces.conditions),
        ):
            self._refill(box, [(what, ""), *((n, n) for n in names)])

    def _lay_out(self) -> None:
        form = self._rows = QFormLayout()
        form.setHorizontalSpacing(theme.S3)
        form.setVerticalSpacing(theme.S2)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows: tuple[tuple[str, QWidget], ...] = (
            ("Items", self.source),
            ("From", self.runs),
            ("Model", self.model),
            ("Condition", self.condition),
            ("Traces", self.count),
            ("Drawn", self.draw),
            ("", self._draw_note),
            ("Repeats", self.repeats),
            ("Known", self.known),
            ("", label(_MIXED_IN, "caption", wrap=True)),
            ("Codebook", self.book),
            ("Shows", self.form),
            ("", self._form_note),
        )
        for text, widget in rows:
            form.addRow(label(text), widget)
        self._note_draw()
        note = "The draw's seed is secret and kept in the packet's key alone."
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S3)
        column.addLayout(form)
        column.addWidget(label(note, "caption", wrap=True))
        column.addStretch(1)

    def _box(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setMinimumContentsLength(12)
        box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        box.currentIndexChanged.connect(lambda _at: self._rest.start())
        return box

    def _refill(self, box: QComboBox, entries: list[tuple[str, str]]) -> None:
        # The user's choice stays while there is still such an entry.
        now = box.currentData()
        box.blockSignals(True)
        box.clear()
        for text, value in entries:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(now)))
        box.blockSignals(False)

    def _filter(self, box: QComboBox) -> tuple[str, ...]:
        value = box.currentData()
        return (value,) if value else ()

    def _enable(self) -> None:
        again = bool(self.source.currentData())
        drawn = (self.runs, self.model, self.condition, self.count, self.draw)
        # A second pass is coded by the first one's codebook.
        for widget in (*drawn, self.repeats, self.book):
            widget.setEnabled(not again)

    def _note_draw(self) -> None:
        self._rows.setRowVisible(self._draw_note, bool(self.draw.currentData()))

    def _note_form(self) -> None:
        self._form_note.setText(_GIVES_AWAY[self.form.currentData()])
