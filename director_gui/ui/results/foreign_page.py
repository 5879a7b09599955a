"""Other people's replies: choose a file, say which column means what, compare."""

from dataclasses import asdict
from pathlib import Path

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QSignalBlocker,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.study.foreign.loading import (
    Analysed,
    Preview,
    analysed,
    load,
    preview,
)
from director_gui.study.foreign.mapping import ColumnMap, remember, suggested
from director_gui.study.foreign.scene_rows import scene_rows
from director_gui.study.results.columns import Columns
from director_gui.study.results.scene_look import look_at_label
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.places import ask_open
from director_gui.ui.results.combo import Combo
from director_gui.ui.results.scenes_page import ScenesPage
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, EmptyState, button, label, panel

FILES = "Replies (*.csv *.tsv *.jsonl *.xlsx *.parquet *.eval);;All files (*)"
_EMPTY = (
    "Replies of any benchmark with paired conditions get the same analysis: a file "
    "with a scene, a condition, and a 0 or 1 or the reply’s text in each row."
)
PARTS = {
    "scene": "Scene or item",
    "condition": "Condition",
    "y": "0 or 1",
    "reply": "or reply text",
    "target": "with the number whose choice counts",
    "model": "Model, if any",
    "batch": "Batch, if any",
    "sample": "Sample, if any",
}
_NONE = "(none)"
Index = QModelIndex | QPersistentModelIndex


class _Names(QStringListModel):
    """The columns of a file after a choice of none; its data is the bare name."""

    def __init__(self, columns: tuple[str, ...], parent: QWidget) -> None:
        super().__init__([_NONE, *columns], parent)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role != Qt.ItemDataRole.UserRole:
            return super().data(index, role)
        text = super().data(index, Qt.ItemDataRole.DisplayRole)
        # By place: a column may itself be called "(none)".
        return text if index.row() else ""


class ForeignPage(QWidget):
    """A wizard on one page: file, columns with a preview, then the results."""

    show_scene = Signal(object)  # Scene

    def __init__(self, session: Session, jobs: Jobs, banner: Banner) -> None:
        super().__init__()
        self._session = session
        self._jobs, self._banner = jobs, banner
        self._path: Path | None = None
        self._columns: tuple[str, ...] = ()
        self._names: _Names | None = None
        self._mapping = ColumnMap()
        self._loaded: Columns | None = None
        self._found: Analysed | None = None
        self.file = label("", "strong")
        self.combos = {part: Combo(words, 10) for part, words in PARTS.items()}
        self.analyse = button("Analyse", self._load, primary=True)
        self.reference = Combo("Reference condition")
        self.rows = SheetPage("Preview of the file")
        self.main = SheetPage("Comparisons of the file")
        self.rates = SheetPage("Rates of the file")
        self.scenes = ScenesPage("Scenes of the file")
        self.tabs = QTabWidget()
        self._stack = QStackedWidget()
        self._lay_out()
        self.reference.currentIndexChanged.connect(self._compare)
        self.main.table.chosen.connect(self._choose)
        self.scenes.wanted.connect(self._look)
        self.scenes.look.edit_wanted.connect(self.show_scene)
        self.tabs.currentChanged.connect(lambda _at: self.scenes.ask_again())

    def open(self, path: Path) -> None:
        """Read the head of a file and guess its columns."""
        self._path = path
        self._jobs.start(
            f"Reading {path.name}",
            lambda _: preview(path),
            self._show_preview,
            self._banner.tell_error,
        )

    # Steps ------------------------------------------------------------------------

    def _ask(self) -> None:
        path = ask_open(self, "Open replies", FILES, self._session)
        if path is not None:
            self.open(path)

    def _show_preview(self, found: Preview) -> None:
        self._columns = found.columns
        guess = asdict(suggested(found.columns))
        # One list for all: there may be thousands of columns.
        names = _Names(found.columns, self)
        places = {name: at for at, name in enumerate(found.columns, start=1)}
        for part, combo in self.combos.items():
            combo.setModel(names)
            # Empty where nothing was guessed, which is the first entry.
            combo.setCurrentIndex(places.get(guess[part], 0))
        if self._names is not None:
            # Only now: combos would fall back to an empty model in between.
            self._names.deleteLater()
        self._names = names
        self.file.setText(found.sheet.title)
        self.rows.show_sheet(found.sheet)
        self._lower.setCurrentWidget(self.rows)
        self.reference.hide()
        self._stack.setCurrentIndex(1)

    def _load(self) -> None:
        path, columns = self._path, self._columns
        chosen = {part: str(c.currentData() or "") for part, c in self.combos.items()}
        # Kept as it was analysed: the boxes may be changed before a scene is looked at.
        mapping = self._mapping = ColumnMap(**chosen)
        try:
            mapping.check(columns)
            # Before the file is read: a fault in a row is no fault of the mapping.
            remember(mapping, columns)
        except UserError as error:
            self._banner.tell_error(error)
            return
        if path is not None:
            self._jobs.start(
                f"Reading {path.name}",
                lambda progress: load(path, mapping, progress.report),
                self._show_loaded,
                self._banner.tell_error,
            )

    def _show_loaded(self, loaded: Columns) -> None:
        self._loaded = loaded
        with QSignalBlocker(self.reference):
            self.reference.clear()
            for name in loaded.conditions:
                self.reference.addItem(f"against {name}", name)
        self.reference.show()
        self._compare()

    def _compare(self) -> None:
        loaded, reference = self._loaded, self.reference.currentData()
        if loaded is None or reference is None:
            return
        # Read here: a job's thread must not touch a widget.
        about = self.file.text()
        self._jobs.start(
            "Comparing the conditions",
            lambda _: analysed(loaded, reference, about),
            self._show_found,
            self._banner.tell_error,
        )

    def _show_found(self, found: Analysed) -> None:
        self._found = found
        self.main.show_sheet(found.sheets[0])
        self.rates.show_sheet(found.sheets[1])
        self._lower.setCurrentWidget(self._results)
        self._choose(max(self.main.table.chosen_row(), 0))

    def _choose(self, place: int) -> None:
        if self._found is None or place >= len(self._found.comparisons):
            return
        self.scenes.show_sheet(self._found.scenes_of(place))
        self.scenes.ask_again()

    def _look(self, label: str) -> None:
        path, mapping, study = self._path, self._mapping, self._session.opened
        if path is None:
            return
        self._jobs.start(
            "Reading the scene’s replies",
            lambda progress: look_at_label(
                study, label, scene_rows(path, mapping, label, progress.report)
            ),
            lambda look: self.scenes.show_look(label, look),
            self._banner.tell_error,
        )

    # Layout -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setSpacing(theme.S2)
        for at, (part, words) in enumerate(PARTS.items()):
            title = label(words, "caption")
            title.setBuddy(self.combos[part])
            grid.addWidget(title, 2 * (at // 4), at % 4)
            grid.addWidget(self.combos[part], 2 * (at // 4) + 1, at % 4)
        held = QWidget()
        held.setLayout(grid)
        grid.setContentsMargins(0, 0, 0, 0)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        for widget in (self.file, button("Another file…", self._ask)):
            top.addWidget(widget)
        top.addStretch()
        top.addWidget(self.reference)
        top.addWidget(self.analyse)
        line = QWidget()
        line.setLayout(top)
        self._results = QSplitter(Qt.Orientation.Vertical)
        self._results.addWidget(self.main)
        self.tabs.addTab(self.rates, "Rates")
        self.tabs.addTab(self.scenes, "By scene")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self._results.addWidget(self.tabs)
        self._lower = QStackedWidget()
        self._lower.addWidget(self.rows)
        self._lower.addWidget(self._results)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        column.addWidget(panel(line, held, margin=theme.S3))
        column.addWidget(self._lower, 1)
        self._stack.addWidget(EmptyState(_EMPTY, ("Choose a file…", self._ask)))
        self._stack.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    def retheme(self) -> None:
        """Take the colours and the text size of the theme that is shown now."""
        for page in (self.rows, self.main, self.rates, self.scenes):
            page.retheme()
