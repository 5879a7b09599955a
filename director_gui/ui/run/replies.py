"""The right of the run workspace: the replies of one arm, and one of them in full."""

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.run_arms import Key
from director_gui.study.run_view import arm_replies
from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.margins import inset
from director_gui.ui.probe.reply_table import COLUMNS, CONDITION, LONGEST, MODEL, STATUS
from director_gui.ui.run.arm_replies import ArmReplies, ArmReplyTable
from director_gui.ui.run.reply_detail import RunReplyDetail
from director_gui.ui.run.sending import TELL_MS, RunSending
from director_gui.ui.session import Session
from director_gui.ui.tables import sortable
from director_gui.ui.widgets import label

_LONGEST = LONGEST | {STATUS: ("answered · corrected",)}


class ArmPane(QWidget):
    """Reads the replies of the chosen arm and follows them while they arrive."""

    refused = Signal(object)  # UserError
    corrected = Signal()

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        sending: RunSending,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._sending = session, jobs, sending
        self._asked = 0
        self._waiting: list[Scored] = []
        # Between two paintings of the arms, so that no turn has to paint both.
        self._later = QTimer(self, interval=TELL_MS // 2, singleShot=True)
        self._later.timeout.connect(self._take)
        self.head = label("", "strong", wrap=True)
        self.model = ArmReplyTable()
        self.table = QTableView()
        self.detail = RunReplyDetail(session)
        self._lay_out()
        self.detail.correction.kept.connect(self._corrected)
        sending.moved.connect(self._moved)
        sending.state_changed.connect(self._state)

    @property
    def replies(self) -> ArmReplies | None:
        """The arm that is shown."""
        live = self.model.live
        return live if isinstance(live, ArmReplies) else None

    def show_arm(self, key: Key) -> None:
        """Read the replies of an arm and show them."""
        study, view = self._session.opened, self._sending.view
        if study is None or view is None:
            return
        self._asked += 1
        asked = self._asked

        def work(_progress: object) -> tuple[Scored, ...]:
            return arm_replies(study, view, key)

        self._jobs.start(
            "Reading replies",
            work,
            lambda found: self._show(asked, key, found),
            self.refused.emit,
        )

    def clear(self) -> None:
        """Show nothing."""
        self._asked += 1
        self._later.stop()
        self._waiting = []
        self.model.show(None)
        self.detail.hide()
        self.head.setText("")

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.table.verticalHeader().setDefaultSectionSize(theme.px(24))
        self.detail.retheme()
        self._fit()
        self.model.touch()

    # What is shown ------------------------------------------------------------

    def _show(self, asked: int, key: Key, found: tuple[Scored, ...]) -> None:
        view = self._sending.view
        # Another arm was chosen while this one was read.
        if asked != self._asked or view is None or not found:
            return
        # Read anew after a correction: the reply that was corrected stays chosen.
        same = self.replies is not None and self.replies.key == key
        row = self.table.currentIndex().row() if same else -1
        live = ArmReplies(view, key, found)
        live.running = self._sending.running
        self.model.show(live)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self._fit()
        self._tell()
        # The first reply says more than an empty pane.
        self.table.selectRow(max(row, 0))

    def _moved(self, moved: list[Scored]) -> None:
        if self.replies is not None and moved:
            # Gathered: replies come faster than a table can be painted.
            self._waiting += moved
            self._later.start()

    def _take(self) -> None:
        live, moved = self.replies, self._waiting
        self._waiting = []
        rows = live.put(moved) if live is not None else set()
        if not rows:
            return
        self.model.touch(rows)
        self._tell()
        row = self.table.currentIndex().row()
        # Only then: showing a reply anew would scroll the text that is being read.
        if self.model.source(row) in rows:
            self._show_row(row)

    def _state(self) -> None:
        live = self.replies
        if live is None:
            return
        if self._sending.view is None:
            self.clear()
        elif live.running != self._sending.running:
            live.running = self._sending.running
            self.model.touch()

    def _tell(self) -> None:
        live = self.replies
        if live is not None:
            model, condition, batch = live.key
            ended = len(live.rows) - live.open
            self.head.setText(
                f"{condition} · {model} · batch {batch} · "
                f"{ended:,} of {len(live.rows):,} ended"
            )

    def _corrected(self) -> None:
        self.corrected.emit()
        live = self.replies
        if live is not None:
            self.show_arm(live.key)

    def _chosen(self, now: QModelIndex, before: QModelIndex) -> None:
        del before
        if now.isValid():
            self._show_row(now.row())

    def _show_row(self, row: int) -> None:
        live, item, view = self.replies, self.model.item(row), self._sending.view
        if live is not None and item is not None and view is not None:
            self.detail.show_run_reply(view, live, item)
            self.detail.show()

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self._set_up_table()
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(inset(self.table))
        split.addWidget(self.detail)
        split.setSizes([240, 360])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.S2, 0, 0)
        column.setSpacing(theme.S1)
        head = QVBoxLayout()
        head.setContentsMargins(theme.S3, 0, theme.S3, 0)
        head.addWidget(self.head)
        column.addLayout(head)
        column.addWidget(split, 1)
        self.detail.hide()

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        sortable(table, "Replies of the arm")
        # The same in every row of an arm.
        table.setColumnHidden(MODEL, True)
        table.verticalHeader().setDefaultSectionSize(theme.px(24))
        table.horizontalHeader().setStretchLastSection(True)
        table.setMinimumHeight(theme.px(96))
        table.selectionModel().currentRowChanged.connect(self._chosen)

    def _fit(self) -> None:
        heads = self.table.horizontalHeader().fontMetrics()
        cells = self.table.fontMetrics()
        live = self.replies
        names = {live.scene_name(item) for item in live.rows} if live else set()
        longest = {CONDITION: tuple(names) or ("scene",), MODEL: ("",), **_LONGEST}
        for at, column in enumerate(COLUMNS):
            name = heads.horizontalAdvance(column.name)
            text = max(cells.horizontalAdvance(item) for item in longest[at])
            self.table.setColumnWidth(at, max(name, text) + theme.px(16))
