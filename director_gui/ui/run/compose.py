"""Compose a plan: its fields, what they add up to, and the step to a stored run."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.prompts.library import Library
from director_gui.store.database import Study
from director_gui.study.plan_draft import (
    MISSING_WORDS,
    PlanEstimate,
    latencies_in,
    missing,
    plan_estimate,
    promoted,
    scene_offers,
)
from director_gui.study.plan_file import Plan
from director_gui.study.probed import Probe, probes_of
from director_gui.study.probing import price_text, tokens_text
from director_gui.study.prompt_library import study_library
from director_gui.study.time_words import time_range_text
from director_gui.ui import theme
from director_gui.ui.notice import Notice
from director_gui.ui.probe.pair_table import pairs_text
from director_gui.ui.run.outlook import Outlook
from director_gui.ui.run.plan_form import PlanForm
from director_gui.ui.session import READ_ONLY, Session
from director_gui.ui.widgets import button, label

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_PROBES = 20  # in the menu


class ComposePlan(QWidget):
    """What a run is to be; `wanted` carries the plan."""

    wanted = Signal(object)  # Plan
    load_wanted = Signal()
    save_wanted = Signal(object)  # Plan
    manage = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.form = PlanForm()
        self.outlook = Outlook()  # stands where the run's arms will be
        self.cost = label("", "strong", wrap=True)
        self.amount = label("", "caption", wrap=True)
        self.answers = label("", "caption", wrap=True)
        self.notice = Notice()
        self.prepare = button("Prepare run", self._prepare, primary=True)
        self.probes = QPushButton("From a probe")
        self._held = ""
        self._locked = ""
        self._known = Library()
        self._latencies: Mapping[str, tuple[float, float]] = {}
        self._lay_out()
        self.form.changed.connect(self._count)
        self.form.manage.connect(self.manage)

    def show_study(self, study: Study) -> None:
        """Offer what a study holds.

        Raises:
            UserError: The study cannot be read.
        """
        self._known = study_library(study)
        self._latencies = latencies_in(study)
        self.form.show_study(scene_offers(study), self._known)
        # Apart from what `hold` says, which passes.
        self._locked = READ_ONLY if study.read_only else ""
        self._count()

    def show_plan(self, plan: Plan) -> None:
        """Show a plan to go on from."""
        known = {condition.name for condition in self._known.conditions}
        asked = {name for batch in plan.batches for name in batch.conditions}
        strange = sorted(asked - known)
        # Dropping them silently would make another plan under the same name.
        if strange:
            self.notice.tell_error(
                UserError(
                    f"this study knows no condition called {', '.join(strange)}",
                    where=plan.name,
                    todo="Import it in the prompts workspace, then load the plan",
                )
            )
            return
        self.form.show_plan(plan)

    def hold(self, reason: str) -> None:
        """Forbid preparing and say why; an empty reason allows it again."""
        self._held = reason
        self._count()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.form.retheme()
        self.outlook.retheme()

    # What it adds up to ---------------------------------------------------------

    def _count(self) -> None:
        plan = self.form.plan()
        lacks = missing(plan, self.form.scene_count)
        # The passing reason first: it says what is going on now.
        reason = self._held or self._locked or MISSING_WORDS[lacks]
        self.prepare.setEnabled(not reason)
        made = self._estimate(plan)
        # Before the plan is shown: which pairs are offered changes what it declares.
        self.form.families.show_pairs(self._offered(plan, made) if made else ())
        if made and not lacks:
            scenes = self.form.scene_count
            self.outlook.show_plan(self.form.plan(), scenes, made)
        else:
            self.outlook.show_missing(MISSING_WORDS[lacks])
        self.cost.setText(reason or (cost_line(made) if made else ""))
        self.amount.setText(size_line(made) if made and not lacks else "")
        self.answers.setText(
            answer_line(made, self.form.plan()) if made and not lacks else ""
        )
        for words in (self.amount, self.answers):
            words.setVisible(bool(words.text()))

    def _offered(self, plan: Plan, made: PlanEstimate) -> tuple[tuple[str, str], ...]:
        """Return the pairs that can be declared, a plan's own among them."""
        held = [{*b.conditions, *made.joined[b.name]} for b in plan.batches]
        # A plan of a file may declare pairs that no library knows.
        own = self.form.families.own
        fit = [pair for pair in own if any(set(pair) <= both for both in held)]
        return tuple(dict.fromkeys((*made.pairs, *fit)))

    def _estimate(self, plan: Plan) -> PlanEstimate | None:
        if not plan.batches or not self._known.conditions:
            return None  # nothing chosen, or the study's prompts are not read yet
        scenes = self.form.scene_count
        return plan_estimate(plan, scenes, self._known, self._latencies)

    def _prepare(self) -> None:
        self.notice.close_remark()
        self.wanted.emit(self.form.plan())

    def _fill_probes(self, menu: QMenu) -> None:
        menu.clear()
        study = self._session.opened
        probes = probes_of(study) if study is not None else ()
        for probe in probes[:_MOST_PROBES]:
            when = probe.run.created[:16].replace("T", " ")
            entry = menu.addAction(f"{probe.run.label} · {when} UTC")
            entry.triggered.connect(lambda _on, probe=probe: self._promote(probe))
        if not probes:
            menu.addAction("No probe was sent yet").setEnabled(False)

    def _promote(self, probe: Probe) -> None:
        self.show_plan(promoted(probe.run, self.form.plan()))
        # What a probe asked is what its author wants to know.
        self.form.families.declare_all()

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        menu = QMenu(self)
        # Filled when it opens, as probes are sent all the time.
        menu.aboutToShow.connect(lambda: self._fill_probes(menu))
        self.probes.setMenu(menu)
        self.probes.setToolTip("Take over the conditions and models of a probe")
        self.cost.setAccessibleName("What the plan adds up to")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self.form)
        self.form.setProperty("role", "panel")
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        row = QHBoxLayout()
        row.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S1)
        row.setSpacing(theme.S2)
        for control in (
            button("Load…", self.load_wanted.emit),
            button("Save…", lambda: self.save_wanted.emit(self.form.plan())),
            self.probes,
        ):
            row.addWidget(control)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(area, 1)
        column.addWidget(self.notice)
        column.addWidget(self._foot())

    def _foot(self) -> QWidget:
        made = QFrame()
        made.setProperty("role", "foot")
        column = QVBoxLayout(made)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S1)
        for widget in (self.cost, self.amount, self.answers, self.prepare):
            column.addWidget(widget)
        self.prepare.setToolTip("Draw the pictures, prove the pairs; nothing is sent")
        return made


def cost_line(made: PlanEstimate) -> str:
    """Return how many calls a plan makes and what they cost."""
    return f"{made.calls:,} calls · {price_text(made.price)}"


def size_line(made: PlanEstimate) -> str:
    """Return the tokens and the time of a plan."""
    sent = tokens_text(made.input_tokens)
    low, high = map(tokens_text, made.output_tokens)
    time = time_range_text(made.seconds)
    return f"About {sent} tokens in, {low} – {high} out · {time}"


def answer_line(made: PlanEstimate, plan: Plan) -> str:
    """Return what a plan can answer."""
    if not made.pairs:
        return "Answers no declared pair: add the other condition of one."
    declared = sum(len(family.pairs) for family in plan.families)
    pairs = f"{len(made.pairs)} pair{'s' * (len(made.pairs) > 1)}"
    families = f"{len(plan.families)} famil{'ies' if len(plan.families) != 1 else 'y'}"
    what = f"Answers {pairs} ({declared} declared in {families})."
    return f"{what} {pairs_text(made.pairs)}"
