"""One reply in full: its score, text, reasoning, raw body and attempts."""

from PySide6.QtWidgets import (
    QHBoxLayout,
    QPlainTextEdit,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.runner.records import Attempt
from director_gui.store.attempts import attempts_of
from director_gui.study.probed import BODY_SHOWN, Form, body_text, copied, shown_text
from director_gui.study.running import profiles_of
from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.copying import CopyButton
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, label

_NO_REASONING = "No reasoning returned"


class ReplyDetail(QWidget):
    """Shows the selected reply; everything in it is plain text."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: tuple[LiveProbe, Scored] | None = None
        self.score = label("", "strong", wrap=True)
        self.score.setAccessibleName("Score of the reply")
        self.banner = Banner()
        self.note = label("", "caption", wrap=True)
        self.reply, self.reasoning = _text("Reply"), _text("Reasoning")
        self.raw, self.attempts = _text("Raw"), _text("Attempts")
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        for view in (self.reply, self.reasoning, self.raw):
            self.tabs.addTab(view, view.accessibleName())
        self.tabs.addTab(self.attempts, "Tries")
        self.tabs.setTabToolTip(3, "Every attempt at this call, with its error")
        self.tabs.currentChanged.connect(lambda _at: self._show_bodies())
        self._lay_out()

    def show_reply(self, live: LiveProbe, item: Scored) -> None:
        """Show a reply of a probe."""
        self._shown = (live, item)
        self.score.setText(score_line(item, live.sending(item)))
        _put(self.reply, _reply_text(item))
        # Of two turns each may have reasoned; the first is not dropped.
        thoughts = [text for text in item.reply.reasonings if text]
        _put(self.reasoning, "\n\n".join(thoughts) or _NO_REASONING)
        self._show_bodies()

    def call_text(self, form: Form) -> str | None:
        """Return the call to copy, without its key; None when there is none."""
        if self._shown is None:
            return None
        live, item = self._shown
        study = self._session.opened
        try:
            # As planned, not as the profile is now: the copy repeats the call.
            profiles = profiles_of(live.probe.run, self._session.practice)
            if study is not None:
                profile = profiles[item.reply.call.profile]
                return copied(study, item, profile, form)
        except UserError as error:
            self.banner.tell_error(error)
        return None

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        for view in (self.raw, self.attempts):
            view.setFont(theme.mono(theme.CAPTION))

    def _show_bodies(self) -> None:
        """Read bodies only for who looks at them: they can be long."""
        self._note("")
        wanted = self.tabs.currentWidget()
        study = self._session.opened
        if isinstance(wanted, QPlainTextEdit) and wanted in (
            self.reply,
            self.reasoning,
        ):
            cut = len(wanted.toPlainText()) >= BODY_SHOWN
            self._note("The first 200,000 characters" if cut else "")
            return
        # Nothing was chosen, or the study was closed meanwhile.
        if self._shown is None or study is None:
            return
        try:
            made = attempts_of(study, self._shown[1].reply.call.id)
        except UserError as error:
            self.banner.tell_error(error)
            return
        if wanted is self.attempts:
            _put(
                self.attempts,
                "\n\n".join(map(attempt_text, made)) or "Nothing sent yet",
            )
            return
        text, note = body_text(made[-1].body) if made else ("", "Nothing sent yet")
        _put(self.raw, text)
        self._note(note)

    def _note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _lay_out(self) -> None:
        self.retheme()
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        row.addWidget(CopyButton("Copy as curl", lambda: self.call_text("curl")))
        row.addWidget(CopyButton("Copy as Python", lambda: self.call_text("python")))
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S2, theme.S2, theme.S2, theme.S2)
        column.setSpacing(theme.S1)
        column.addWidget(self.score)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.note)
        column.addLayout(row)
        column.addWidget(self.banner)


def score_line(item: Scored, status: str) -> str:
    """Return a reply's score in words: what it is, what it says, what is odd."""
    call, score = item.reply.call, item.score
    parts = [f"{call.condition} · sample {call.sample}", status]
    if score is not None:
        if score.choice is not None:
            parts.append(f"chooses {score.choice}{_kind(item)}")
        if score.visible is not None:
            right = "right" if score.report_correct else "wrong"
            digits = ", ".join(map(str, score.visible)) or "none"
            parts.append(f"reports {digits} ({right})")
        if score.count is not None:
            parts.append(f"counts {score.count}")
        if score.known is not None:
            digits = ", ".join(map(str, score.known)) or "none"
            parts.append(f"says the director knows {digits}")
        parts += [f"⚑ {flag.replace('_', ' ')}" for flag in score.flags]
    return " · ".join(parts)


def attempt_text(made: Attempt) -> str:
    """Return one attempt as lines: when, how long, what came, what went wrong."""
    tokens = made.usage
    facts = {
        "started": f"{made.started[:19].replace('T', ' ')} UTC",
        "took": f"{made.latency:.2f} s",
        "HTTP": made.http_status,
        "finish": made.finish_reason,
        "model": made.model_returned,
        "request id": made.request_id,
        "fingerprint": made.fingerprint,
        "tokens in": tokens.input,
        "tokens out": tokens.output,
        "of them reasoning": tokens.reasoning,
        "of them cached": tokens.cached,
        # Free is a known cost; only what the server left out is dropped.
        "cost $": made.cost,
        "client": made.sdk,
        "error": made.error_kind,
        "message": made.error_message,
    }
    head = f"Turn {made.turn} of {made.turns}, attempt {made.number}: {made.outcome}"
    lines = [
        f"  {name}: {value}" for name, value in facts.items() if value not in (None, "")
    ]
    return "\n".join([head, *lines])


def _kind(item: Scored) -> str:
    return f" ({item.kind.replace('_', ' ')})" if item.kind else ""


def _reply_text(item: Scored) -> str:
    texts = item.reply.texts
    if not texts:
        last = item.reply.last
        return last.error_message if last and last.error_message else "No reply yet"
    if len(texts) == 1:
        return texts[0]
    return "\n\n".join(f"Turn {at}\n{text}" for at, text in enumerate(texts, 1))


def _text(name: str) -> QPlainTextEdit:
    made = QPlainTextEdit()
    made.setReadOnly(True)
    # The keyboard must find its way out again.
    made.setTabChangesFocus(True)
    made.setAccessibleName(name)
    made.setFrameShape(QPlainTextEdit.Shape.NoFrame)
    # The undo stack would hold every long body that was ever shown.
    made.setUndoRedoEnabled(False)
    return made


def _put(view: QPlainTextEdit, text: str) -> None:
    shown = shown_text(text)
    if view.toPlainText() != shown:  # keeps the place and the selection
        view.setPlainText(shown)
