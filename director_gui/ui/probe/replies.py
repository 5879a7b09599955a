"""The replies of a probe: differences above, the table, the selected reply below."""

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from director_gui.scene.model import Scene
from director_gui.study.scene_changes import SAME, difference_lines
from director_gui.ui import theme
from director_gui.ui.margins import NarrowEmpty, inset
from director_gui.ui.probe.detail import ReplyDetail
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.probe.pair_table import PairTable, reasons
from director_gui.ui.probe.reply_table import (
    COLUMNS,
    CONDITION,
    LONGEST,
    MODEL,
    ReplyTable,
)
from director_gui.ui.probe.sending import Sending
from director_gui.ui.session import Session
from director_gui.ui.tables import sortable
from director_gui.ui.widgets import Banner, button, label

_SUM_MS = 250  # while replies arrive, pairs are compared this often
_TALL = 560  # px at 100 %: from here the usual pairs are shown without scrolling
_ROWS, _FEW_ROWS = 6, 4
_WIDE = 560  # px at 100 %: from here the reply stands beside the table


class RepliesPage(QWidget):
    """Shows one probe, live or from the study."""

    compose_wanted = Signal()

    def __init__(
        self, session: Session, sending: Sending, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sending = sending
        self._scene: Scene | None = None
        self._told = ""  # the trouble that is on screen, lest it is told anew
        self.model = ReplyTable()
        self._later = QTimer(self, interval=_SUM_MS, singleShot=True)
        self.table = QTableView()
        self.pairs = PairTable()
        self.detail = ReplyDetail(session)
        self.banner = Banner()
        self.head = label("", "strong", wrap=True)
        self.interim = label("interim", "caption")
        self.changed = label("", "caption", wrap=True)
        self.reason = label("", "caption", wrap=True)
        self.bar = QProgressBar()
        self.cancel = button("Cancel", sending.cancel)
        self.resend = button("Send open calls", self._resend)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._stack = QStackedLayout(self)
        self._lay_out()
        sending.moved.connect(self._moved)
        sending.state_changed.connect(self._state)
        self._later.timeout.connect(self._sum_up)

    @property
    def live(self) -> LiveProbe | None:
        """The probe that is shown."""
        return self.model.live

    def show_probe(self, live: LiveProbe | None) -> None:
        """Show a probe; None shows what to do to have one."""
        self.model.show(live)
        self._stack.setCurrentIndex(1 if live else 0)
        self.detail.hide()
        if live is None:
            return
        many = len(live.probe.models) > 1
        # With one model the column would say the same in every row.
        self.table.setColumnHidden(MODEL, not many)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self._fit_columns()
        self._state()
        self._tell_change()

    def show_scene(self, scene: Scene) -> None:
        """Say how the open scene differs from the one the probe was made on."""
        self._scene = scene
        self._tell_change()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self._empty.retheme()
        self.pairs.retheme()
        self.detail.retheme()
        self.table.verticalHeader().setDefaultSectionSize(theme.px(24))
        self._fit_columns()
        self.model.touch()
        self._turn()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._turn()

    # State --------------------------------------------------------------------

    def _moved(self, live: LiveProbe, rows: set[int]) -> None:
        if live is not self.live:
            return
        self.model.touch(rows)
        if not self._later.isActive():
            self._later.start()  # comparing costs more than a frame in a long probe
        row = self.table.currentIndex().row()
        if self.model.source(row) in rows:
            self._show_row(row)

    def _state(self) -> None:
        live = self.live
        if live is None:
            return
        self.model.touch()
        self.cancel.setVisible(live.running)
        self.bar.setVisible(live.running)
        can = not live.running and live.open > 0
        self.resend.setVisible(can)
        # One probe is followed at a time.
        self.resend.setEnabled(can and not self._sending.busy)
        self._sum_up()

    def _sum_up(self) -> None:
        live = self.live
        if live is None:
            return
        total, ended = len(live.rows), len(live.rows) - live.open
        self.bar.setRange(0, total)
        self.bar.setValue(ended)
        self.head.setText(f"{ended} of {total} calls ended · {live.probe.run.label}")
        self.interim.setVisible(ended < total)
        pairs = live.pairs()
        self.pairs.setVisible(bool(pairs))
        self.pairs.show_pairs(pairs)
        why = reasons(pairs) if pairs else "These conditions are no declared pair."
        self.reason.setText(f"No interval: {why}" if why and pairs else why)
        self.reason.setVisible(bool(why))
        self._fit_words()
        self._tell_trouble(live)

    def _tell_trouble(self, live: LiveProbe) -> None:
        # The last trouble stands for all: a table of causes would hide the next step.
        error = next(reversed(live.trouble.values()), None)
        if error is None:
            self.banner.close_remark()
        # A remark that was dismissed stays so until something else happens.
        elif str(error) != self._told:
            self.banner.tell_error(error)
        self._told = str(error) if error else ""

    def _tell_change(self) -> None:
        if self.live is None or self._scene is None:
            return
        lines = difference_lines(self.live.probe.scene, self._scene)
        changed = lines != (SAME,)
        # The first change reminds; Earlier lists them all.
        more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
        self.changed.setText(f"The scene has changed since: {lines[0]}{more}.")
        self.changed.setVisible(changed)
        self._fit_words()

    def _resend(self) -> None:
        if self.live is not None:
            self._sending.resend(self.live)

    # The selected reply -------------------------------------------------------

    def _chosen(self, now: QModelIndex, before: QModelIndex) -> None:
        del before
        if now.isValid():
            self._show_row(now.row())

    def _show_row(self, row: int) -> None:
        live, item = self.live, self.model.item(row)
        if live is not None and item is not None:
            self.detail.show_reply(live, item)
            self.detail.show()

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.interim.setToolTip("Some calls have no reply yet")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Replies so far")
        self._set_up_table()
        step = ("Compose a probe", self.compose_wanted.emit)
        text = "The replies of a probe arrive here, each with its score."
        self._empty = NarrowEmpty(text, step)
        self._empty.retheme()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._scrolled(self._full()))

    def _scrolled(self, whole: QWidget) -> QWidget:
        # In a low drawer with large text the parts would else lie over each other.
        area = QScrollArea()
        area.setWidgetResizable(True)
        whole.setProperty("role", "panel")
        area.setWidget(whole)
        return area

    def _full(self) -> QWidget:
        head = QHBoxLayout()
        head.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S1)
        head.setSpacing(theme.S2)
        buttons: tuple[QPushButton, ...] = (self.cancel, self.resend)
        head.addWidget(self.head, 1)
        for widget in (self.interim, *buttons):
            head.addWidget(widget)
        # A part that is dragged away would be hard to find again.
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._figures())
        self._split.addWidget(self.detail)
        self._split.setSizes([260, 200])
        whole = _Page()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addWidget(self._split, 1)
        column.addWidget(self.banner)
        return whole

    def _figures(self) -> QWidget:
        """Return the pairs above the table: what stays when no reply is chosen."""
        words = QVBoxLayout()
        words.setContentsMargins(theme.S3, 0, theme.S3, theme.S1)
        words.setSpacing(2)
        for text in (self.reason, self.changed):
            words.addWidget(text)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(inset(self.pairs))
        column.addLayout(words)
        column.addWidget(inset(self.table), 1)
        return made

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self.model)
        sortable(table, "Replies")
        table.verticalHeader().setDefaultSectionSize(theme.px(24))
        table.horizontalHeader().setStretchLastSection(True)
        table.setMinimumHeight(theme.px(96))
        table.selectionModel().currentRowChanged.connect(self._chosen)

    def _fit_columns(self) -> None:
        """Make columns as wide as what they may come to hold, and no wider."""
        heads = self.table.horizontalHeader().fontMetrics()
        cells = self.table.fontMetrics()
        live = self.live
        if live is None:
            return
        models, conditions = live.probe.models, live.probe.conditions
        longest = {MODEL: models, CONDITION: conditions, **LONGEST}
        for at, column in enumerate(COLUMNS):
            name = heads.horizontalAdvance(column.name)
            text = max(cells.horizontalAdvance(item) for item in longest[at])
            self.table.setColumnWidth(at, max(name, text) + theme.px(16))

    def _fit_words(self) -> None:
        """Keep room for every line of the words; a splitter would not ask for it."""
        for words in (self.reason, self.changed):
            wanted = words.heightForWidth(max(1, words.width()))
            words.setMinimumHeight(max(0, wanted))

    def _turn(self) -> None:
        self._fit_words()
        self.pairs.limit(_ROWS if self.height() >= theme.px(_TALL) else _FEW_ROWS)
        wide = self.width() >= theme.px(_WIDE)
        way = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self._split.orientation() != way:
            self._split.setOrientation(way)
            self._split.setSizes([325, 275] if wide else [260, 200])


class _Page(QWidget):
    """Is scrolled only where its parts would else lie over each other."""

    def heightForWidth(self, width: int) -> int:
        # A scroll area asks; the height that its layout would like is more than needed.
        del width
        return self.minimumSizeHint().height()
