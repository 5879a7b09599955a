"""The scanner's hits: one row a phrase, and what a person decides about it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.blind.scanner import Decision, Finding
from director_gui.ui import theme
from director_gui.ui.widgets import label

_CHOICES: tuple[tuple[str, Decision | None], ...] = (
    ("Decide…", None),
    ("Keep it", "keep"),
    ("Cut it", "cut"),
    ("Leave the items out", "leave_out"),
)
_ROW, _HIGHEST = 64, 260  # px
_KINDS = {
    "name": "a name",
    "prompt": "words of the prompt",
    "key": "a key of the reply",
}


class Hits(QScrollArea):
    """Findings with their context; `decisions` holds those that are decided."""

    decided = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("What the scanner found")
        self.choices: dict[str, QComboBox] = {}
        self._kept: dict[str, Decision] = {}

    @property
    def decisions(self) -> dict[str, Decision]:
        """Return `Finding.name` to decision, of those that are decided."""
        found = {name: box.currentData() for name, box in self.choices.items()}
        return {name: choice for name, choice in found.items() if choice is not None}

    @property
    def open(self) -> int:
        """How many findings wait for a decision."""
        return len(self.choices) - len(self.decisions)

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show `findings`; what was decided about a phrase before stays decided."""
        # Another draw brings the same phrases back; nobody decides twice.
        self._kept |= self.decisions
        self.choices = {}
        inside = QWidget()
        inside.setProperty("role", "panel")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, theme.S2, 0)
        grid.setHorizontalSpacing(theme.S3)
        grid.setVerticalSpacing(theme.S2)
        grid.setColumnStretch(0, 1)
        for row, finding in enumerate(findings):
            grid.addWidget(_shown(finding), row, 0)
            box = self._choice(finding)
            grid.addWidget(box, row, 1, Qt.AlignmentFlag.AlignTop)
        grid.setRowStretch(len(findings), 1)
        self.setWidget(inside)
        # As high as it needs, up to a limit: the text below is worth the room.
        self.setFixedHeight(min(theme.px(_HIGHEST), theme.px(_ROW) * len(findings)))
        self.setVisible(bool(findings))

    def decide_all(self, decision: Decision) -> None:
        """Decide the same about every finding."""
        for box in self.choices.values():
            box.setCurrentIndex(box.findData(decision))

    def _choice(self, finding: Finding) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(f"Decision about {finding.phrase}")
        for text, decision in _CHOICES:
            box.addItem(text, decision)
        known = self._kept.get(finding.name)
        box.setCurrentIndex(max(0, box.findData(known)) if known else 0)
        box.currentIndexChanged.connect(lambda _at: self.decided.emit())
        self.choices[finding.name] = box
        return box


def _shown(finding: Finding) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    items = len({hit.item for hit in finding.hits})
    count = f"{items} item{'' if items == 1 else 's'}"
    column.addWidget(label(f"“{finding.phrase}”", "strong", wrap=True))
    context = " ".join(finding.hits[0].context.split())
    said = f"{_KINDS[finding.kind]}, in {count}: … {context} …"
    column.addWidget(label(said, "caption", wrap=True))
    return made
