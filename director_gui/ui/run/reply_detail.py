"""One reply of a run in full: as in the probe, and what was sent, and its score."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.store.corrections import corrections_of
from director_gui.study.correcting import correction_text, undone
from director_gui.study.run_view import RunView
from director_gui.study.scored import Scored
from director_gui.ui.probe.detail import ReplyDetail
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.run.correction_form import CorrectionForm
from director_gui.ui.run.sent_view import SentView
from director_gui.ui.session import Session
from director_gui.ui.widgets import label


class RunReplyDetail(ReplyDetail):
    """Adds the picture with the messages, and the correction by hand."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        # Before `super`, whose tabs may turn and ask `_show_bodies` about these.
        self.sent = SentView()
        self.correction = CorrectionForm()
        self.stands = label("", "caption", wrap=True)
        self._view: RunView | None = None
        super().__init__(session, parent)
        self.tabs.addTab(self.sent, "Sent")
        self.tabs.addTab(self.correction, "Correct")
        # Two more tabs than the probe has, in a narrower column.
        self.tabs.setProperty("compact", "true")
        column = self.layout()
        if isinstance(column, QVBoxLayout):
            column.insertWidget(1, self.stands)

    def show_run_reply(self, view: RunView, live: LiveProbe, item: Scored) -> None:
        """Show a reply of a run."""
        self._view = view
        self.show_reply(live, item)
        # One that was taken back does not stand, though it is kept.
        given = None if undone(item) else item.correction
        self.stands.setText(correction_text(given) if given else "")
        self.stands.setVisible(given is not None)

    def _show_bodies(self) -> None:
        """Read pictures and corrections only for who looks at them."""
        wanted = self.tabs.currentWidget()
        if wanted not in (self.sent, self.correction):
            super()._show_bodies()
            return
        self._note("")
        study = self._session.opened
        if self._shown is None or study is None or self._view is None:
            return
        item = self._shown[1]
        try:
            if wanted is self.sent:
                self.sent.show_call(study, self._view, item)
            else:
                given = corrections_of(study, item.reply.call.id)
                self.correction.show_reply(study, self._view, item, given)
        except UserError as error:
            self.banner.tell_error(error)
