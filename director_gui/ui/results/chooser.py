"""What is shown: run, family, scenes and outcome, in one row above the table."""

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QWidget

from director_gui.stats.display import counted
from director_gui.store.runs import Run
from director_gui.study.results.columns import Outcome
from director_gui.study.results.families import Family
from director_gui.study.results.filters import Filter
from director_gui.study.results.view import Found, Question
from director_gui.ui import theme
from director_gui.ui.results.combo import Combo
from director_gui.ui.widgets import label

NEW_FILTER = "New filter…"
OUTCOMES: dict[Outcome, str] = {
    "hidden_choice": "Hidden-block choices",
    "report_correct": "Visibility accuracy",
    "joint": "Joint rate",
}


class Chooser(QWidget):
    """Tells when another question is asked."""

    changed = Signal()
    filter_wanted = Signal()
    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.runs = Combo("Run")
        self.families = Combo("Family of comparisons")
        self.scenes = Combo("Scenes that count")
        self.outcomes = Combo("Outcome")
        for name, words in OUTCOMES.items():
            self.outcomes.addItem(words, name)
        # Beside the line that says how many scores were corrected; the workspace
        # lays it there, and it is out of sight while none was.
        self.automatic = QCheckBox("Automatic scores alone")
        self.automatic.setToolTip("Leaves aside what people corrected by hand")
        self.automatic.hide()
        self.typing = QLineEdit()
        self.typing.setPlaceholderText("Filter rows")
        self.typing.setAccessibleName("Filter the rows by typing")
        self.typing.setClearButtonEnabled(True)
        self.typing.setFixedWidth(theme.px(112))
        self._lay_out()
        self.runs.currentIndexChanged.connect(self._run_changed)
        for combo in (self.families, self.outcomes):
            combo.currentIndexChanged.connect(lambda _at: self.changed.emit())
        self.scenes.currentIndexChanged.connect(self._scenes_changed)
        self.automatic.toggled.connect(lambda _on: self.changed.emit())
        self.typing.textChanged.connect(self.typed)
        self._last_scenes = ""

    def question(self) -> Question:
        """Return what is asked now."""
        outcome: Outcome = self.outcomes.currentData() or "hidden_choice"
        return Question(
            run=self.runs.currentData() or "",
            family=self.families.currentData() or "",
            scenes=self.scenes.currentData() or "",
            outcome=outcome,
            automatic=self.automatic.isChecked(),
        )

    def show_runs(self, runs: Iterable[Run], chosen: str) -> None:
        """Offer runs."""
        items = [(_run_words(run), run.id) for run in runs]
        _fill(self.runs, items, chosen)

    def show_found(self, found: Found) -> None:
        """Offer what the run has, and show what was answered."""
        families = [(_family_words(one), one.name) for one in found.families]
        _fill(self.families, families, found.family.name if found.family else "")
        scenes = [(one.name, one.name) for one in found.filters]
        _fill(self.scenes, [*scenes, (NEW_FILTER, NEW_FILTER)], found.shown.name)
        self._last_scenes = found.shown.name
        self.automatic.setVisible(found.columns.corrected > 0)

    def choose_scenes(self, kept: Filter) -> None:
        """Offer a filter that was made just now, and choose it."""
        # Before the last entry, which makes new ones.
        self.scenes.insertItem(self.scenes.count() - 1, kept.name, kept.name)
        self.scenes.setCurrentIndex(self.scenes.findData(kept.name))

    def _run_changed(self) -> None:
        # Another run has other families; its first one is shown.
        with QSignalBlocker(self.families), QSignalBlocker(self.automatic):
            self.families.clear()
            self.automatic.setChecked(False)
        self.changed.emit()

    def _scenes_changed(self) -> None:
        if self.scenes.currentData() != NEW_FILTER:
            self._last_scenes = self.scenes.currentData() or ""
            self.changed.emit()
            return
        with QSignalBlocker(self.scenes):
            # "New filter…" is an act and no choice; behind it nothing could be shown.
            self.scenes.setCurrentIndex(self.scenes.findData(self._last_scenes))
        self.filter_wanted.emit()

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.S2)
        named = {
            "Run": self.runs,
            "Family": self.families,
            "Scenes": self.scenes,
            "Outcome": self.outcomes,
        }
        for text, combo in named.items():
            title = label(text, "caption")
            title.setBuddy(combo)
            row.addWidget(title)
            row.addWidget(combo, 1)
        row.addWidget(self.typing)


def _fill(combo: QComboBox, items: Iterable[tuple[str, str]], chosen: str) -> None:
    # Filling shows what was answered; it must not ask again.
    with QSignalBlocker(combo):
        combo.clear()
        for text, data in items:
            combo.addItem(text, data)
        combo.setCurrentIndex(max(combo.findData(chosen), 0))
    # The blocked signal would have set it.
    combo.setToolTip(combo.currentText())


def _run_words(run: Run) -> str:
    kind = "practice, " if run.practice else ""
    name = run.label or run.id
    return f"{name} ({kind}{run.kind}, {run.created[:16].replace('T', ' ')})"


def _family_words(family: Family) -> str:
    # Said in the choice itself: a family found afterwards is a weaker claim.
    when = "declared" if family.declared else "not declared in the run"
    return f"{family.name} ({counted(len(family.pairs), 'pair')}, {when})"
