"""Correct a score by hand: the choice, the report, and why."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.store.corrections import (
    Correction,
    add_correction,
    corrections_of,
)
from director_gui.store.database import Study
from director_gui.study.blind.actor import user_name
from director_gui.study.correcting import (
    automatic,
    corrected,
    correction_text,
    digits_in,
    undone,
)
from director_gui.study.run_view import RunView
from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.notice import Notice
from director_gui.ui.widgets import button, label

_NONE = -1  # of the choice: the reply chooses no block
# Also what is no block: a reply may choose a number that is not in the scene.
_MOST = 99
_REPORT = "1, 5 · empty: no report"
_NO_REPORT = "this condition asks for no report"


class CorrectionForm(QWidget):
    """What a person reads in a reply; `kept` when it is on disk."""

    kept = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on: tuple[Study, RunView, Scored] | None = None
        self.choice = QSpinBox()
        self.report = QLineEdit()
        self.reason = QLineEdit()
        self.history = label("", "caption", wrap=True)
        self.notice = Notice()
        self.keep = button("Keep correction", self._keep)
        self.undo = button("Back to the automatic score", self._undo)
        self._lay_out()

    def show_reply(
        self, study: Study, view: RunView, item: Scored, given: list[Correction]
    ) -> None:
        """Show a reply's corrections, and its values to begin from."""
        self._on = (study, view, item)
        self.notice.close_remark()
        # From what counts now, so that a slip can be mended by one change.
        now = given[-1].score if given else automatic(item) if item.score else {}
        choice, visible = now.get("choice"), now.get("visible")
        self.choice.setValue(_NONE if choice is None else choice)
        self.report.setText("" if visible is None else ", ".join(map(str, visible)))
        asked = view.asks_report(item)
        self.report.setPlaceholderText(_REPORT if asked else _NO_REPORT)
        self.reason.clear()
        told = [correction_text(one) for one in given]
        self.history.setText("\n".join(told) or "The automatic score stands.")
        # A call without an end has nothing to correct.
        can = item.score is not None and not study.read_only
        for widget in (self.choice, self.report, self.reason, self.keep):
            widget.setEnabled(can)
        # An older correction's report can still be emptied.
        self.report.setEnabled(can and (asked or visible is not None))
        self.undo.setVisible(not undone(item))
        self.undo.setEnabled(can)

    def _keep(self) -> None:
        if self._on is None:
            return
        _, view, item = self._on
        choice = self.choice.value()
        try:
            score = corrected(
                view.shown[item.reply.call.scene],
                None if choice == _NONE else choice,
                digits_in(self.report.text()),
                report_asked=view.asks_report(item),
            )
            self._add(score, self.reason.text())
        except UserError as error:
            self.notice.tell_error(error)

    def _undo(self) -> None:
        if self._on is None:
            return
        # Undone by a correction of its own, so that both can still be told.
        why = self.reason.text().strip() or "taken back"
        try:
            self._add(automatic(self._on[2]), why)
        except UserError as error:
            self.notice.tell_error(error)

    def _add(self, score: dict[str, object], reason: str) -> None:
        if self._on is None:
            return
        study, view, item = self._on
        call = item.reply.call.id
        # Read back below, with the id and the time that the study gave it.
        add_correction(study, call, score, actor=user_name(), reason=reason)
        view.correct(item, corrections_of(study, call)[-1])
        self.kept.emit()

    def _lay_out(self) -> None:
        self.choice.setRange(_NONE, _MOST)
        self.choice.setSpecialValueText("no answer")
        self.choice.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.reason.setPlaceholderText("Why the automatic score is wrong")
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for name, widget in (
            ("Chooses", self.choice),
            ("Reports", self.report),
            ("Reason", self.reason),
        ):
            widget.setAccessibleName(name)
            form.addRow(name, widget)
        note = "Kept beside the automatic score, which never changes."
        row = QHBoxLayout()
        row.addWidget(self.keep)
        row.addWidget(self.undo)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.S2, 0, 0)
        column.setSpacing(theme.S2)
        column.addWidget(label(note, "caption", wrap=True))
        column.addLayout(form)
        column.addWidget(self.notice)
        column.addLayout(row)
        column.addWidget(self.history)
        column.addStretch()
