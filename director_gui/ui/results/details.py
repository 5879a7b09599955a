"""What stands behind the chosen comparison: how each number came about."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.stats.display import interval_text, p_text, points_text
from director_gui.study.results.comparing import Compared
from director_gui.study.results.sensitivity import Sensitivity
from director_gui.study.results.sheet import Sheet
from director_gui.study.results.view import Found
from director_gui.study.results.words import (
    OUTCOMES,
    estimate_words,
    flags_words,
    interval_words,
    p_words,
)
from director_gui.ui import theme
from director_gui.ui.results.scene_strip import SceneStrip
from director_gui.ui.widgets import button, label


class Details(QWidget):
    """Sentences that can be selected and copied."""

    sensitivity_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "strong", wrap=True)
        self.text = label("", wrap=True)
        flags = Qt.TextInteractionFlag
        # These sentences go into papers.
        self.text.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
        self.text.setAccessibleName("How the chosen comparison was computed")
        self.check = button(
            "Check with an exchangeable correlation", self.sensitivity_wanted.emit
        )
        self.check.setToolTip("Fits the GEE again by statsmodels; takes a second")
        self.result = label("", wrap=True)
        self.scenes = label("", "caption", wrap=True)
        self.strip = SceneStrip()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        for widget in (self.title, self.text, self.check, self.result, self.scenes):
            column.addWidget(widget)
        column.setAlignment(self.check, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.strip, 1)
        column.addStretch()

    def show_comparison(self, found: Found, one: Compared) -> None:
        """Explain a comparison."""
        family = found.family.name if found.family else ""
        # The m of the correction, which is smaller than the family with refusals in it.
        tested = sum(
            c.found is not None and c.found.p is not None for c in found.comparisons
        )
        self.title.setText(f"{one.model}: {one.name} — {one.call}")
        said = (
            estimate_words(one, OUTCOMES[found.outcome].capitalize()),
            interval_words(one.found) if one.found else "",
            p_words(one, family, tested) if one.found else "",
            flags_words(one.found) if one.found else "",
            found.state,
        )
        self.text.setText("\n".join(line for line in said if line))
        # Elsewhere a share is 0 or 100 % or nothing varies: no logit model converges.
        self.check.setVisible(one.found is not None and one.found.method == "gee_t")
        self.result.hide()

    def show_scenes(self, sheet: Sheet) -> None:
        """Draw the comparison scene by scene."""
        self.strip.show_sheet(sheet)
        self.scenes.setText(self.strip.words() if self.strip.bars else "")

    def show_sensitivity(self, found: Sensitivity) -> None:
        """Say what the exchangeable model makes of it."""
        interval = interval_text(found.ci_low, found.ci_high, signed=True)
        self.result.setText(
            "Sensitivity, exchangeable working correlation (statsmodels GEE): "
            f"{points_text(found.estimate, signed=True)} points {interval}, "
            f"p {p_text(found.p)} (uncorrected); correlation of replies of one scene "
            f"and fit {found.correlation:.2f}. The table’s estimate stays the "
            "independence one."
        )
        self.result.show()

    def clear(self) -> None:
        """Explain nothing."""
        for one in (self.title, self.text, self.scenes):
            one.clear()
        self.result.hide()
        self.strip.show_sheet(None)
        self.check.hide()
