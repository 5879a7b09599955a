"""Everything the workspace shows of one run, computed in one go."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from director_gui.stats.display import counted, points_text
from director_gui.store.database import Study
from director_gui.store.outcomes import call_count
from director_gui.store.runs import Run, run, runs
from director_gui.study.results import arms, effects
from director_gui.study.results.chosen import hidden_choices
from director_gui.study.results.columns import Columns, Outcome
from director_gui.study.results.comparing import Compared, compared
from director_gui.study.results.contrast_sheet import contrast_sheet
from director_gui.study.results.contrasts import (
    Contrasted,
    contrasted,
    contrasts_of,
)
from director_gui.study.results.facts import Told, silent
from director_gui.study.results.families import ACCURACY_PAIRS, Family, families_of
from director_gui.study.results.filters import ALL_SCENES, Filter, filters_of
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.sheet import Sheet
from director_gui.study.results.traces import trace_sheets


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be shown; empty names stand for the first there is."""

    run: str = ""
    family: str = ""
    scenes: str = ALL_SCENES.name
    outcome: Outcome = "hidden_choice"
    automatic: bool = False  # leave corrections by hand aside


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a question.

    Attributes:
        run: The run.
        families: The families to choose from.
        family: The one shown; None when no pair is there to compare.
        filters: The filters to choose from.
        shown: The filter shown.
        outcome: What counts as an event in the comparisons.
        columns: The calls that the tables rest on.
        comparisons: The family's comparisons, in the table's order.
        contrasts: The study's contrasts, in their table's order.
        sheets: Tables by name, comparisons first.
        state: One line: practice, interim, counts, exclusions.
        caveat: Of that line, whether it is practice or interim; mostly empty.
        interim: Whether calls are still open.
    """

    run: Run
    families: tuple[Family, ...]
    family: Family | None
    filters: tuple[Filter, ...]
    shown: Filter
    outcome: Outcome
    columns: Columns
    comparisons: tuple[Compared, ...]
    contrasts: tuple[Contrasted, ...]
    sheets: Mapping[str, Sheet]
    state: str
    caveat: str
    interim: bool

    def scenes_of(self, place: int) -> Sheet:
        """Return the comparison at `place` scene by scene."""
        return effects.scene_sheet(self.comparisons[place], dict(self.columns.facts))


def plan_runs(study: Study) -> tuple[Run, ...]:
    """Return the runs that hold results, plans first, each kind newest first."""
    found = list(reversed(runs(study)))
    # A probe is a trial of prompts; the newest plan is what a study is about.
    return tuple(sorted(found, key=lambda one: one.kind != "plan"))


@dataclass(frozen=True, slots=True)
class Outline:
    """What can be told before a reply is read: from the run's row and an index.

    Attributes:
        runs: The runs to choose from.
        run: The one that will be shown.
        calls: How many calls it has.
        conditions: How many conditions it was made with; 0 when it does not say.
        models: The models that it asks.
    """

    runs: tuple[Run, ...]
    run: Run
    calls: int
    conditions: int
    models: tuple[str, ...]

    @property
    def state(self) -> str:
        """One line in words."""
        asked = (
            f" under {counted(self.conditions, 'condition')}" if self.conditions else ""
        )
        told = "practice · " if self.run.practice else ""
        models = ", ".join(self.models)
        calls = counted(self.calls, "call")
        return f"{told}{calls} to {models}{asked}"


def outline(study: Study, run_id: str = "") -> Outline | None:
    """Return what is known of a run without reading its replies.

    Args:
        study: The study.
        run_id: The run; the first of `plan_runs` without it, None without any.
    """
    listed = plan_runs(study)
    if not listed:
        return None
    chosen = next((one for one in listed if one.id == run_id), listed[0])
    settings = chosen.settings
    return Outline(
        runs=listed,
        run=chosen,
        calls=call_count(study, chosen.id),
        conditions=len(settings.get("conditions", ())),
        models=tuple(profile["name"] for profile in settings.get("profiles", ())),
    )


def answer(
    study: Study, cache: ReplyCache, question: Question, tell: Told = silent
) -> Found | None:
    """Return what a question comes to; None while the study holds no run.

    Raises:
        UserError: The study is damaged or does not hold the run.
    """
    listed = plan_runs(study)
    if not question.run and not listed:
        return None
    # Asked by id, so that an unknown one is an error and not another run.
    chosen = run(study, question.run) if question.run else listed[0]
    every = cache.columns(chosen.id, tell, automatic=question.automatic)
    filters = filters_of(study)
    # A filter may have been deleted since it was chosen.
    shown = next((f for f in filters if f.name == question.scenes), ALL_SCENES)
    # Saves a copy of every column, in the common case.
    kept = every if not shown.rules else every.kept(shown.scenes(every.facts.values()))
    families = families_of(study, chosen, every.conditions)
    family = next((f for f in families if f.name == question.family), None)
    family = family or (families[0] if families else None)
    scope = _scope(every, kept, shown)
    found = compared(kept, family.pairs, question.outcome) if family else ()
    sums = contrasted(kept, contrasts_of(study), question.outcome)
    sheets = _sheets(kept, found, family, question.outcome, scope)
    sheets["contrasts"] = contrast_sheet(sums, question.outcome, scope)
    caveat = _caveat(chosen, kept)
    # Traces are few and coded by people: no filter of scenes thins them out.
    traces = trace_sheets(
        study,
        chosen.id,
        lambda calls: hidden_choices(
            study, chosen.id, calls, cache.facts, automatic=question.automatic
        ),
    )
    return Found(
        run=chosen,
        families=families,
        family=family,
        filters=filters,
        shown=shown,
        outcome=question.outcome,
        columns=kept,
        comparisons=found,
        contrasts=sums,
        sheets=sheets | traces,
        state=" · ".join(part for part in (caveat, scope) if part),
        caveat=caveat,
        # Of the whole run: a filter must not make it look finished.
        interim=bool(every.open_calls),
    )


def _sheets(
    columns: Columns,
    found: tuple[Compared, ...],
    family: Family | None,
    outcome: Outcome,
    scope: str,
) -> dict[str, Sheet]:
    made: list[Sheet] = []
    if family is not None:
        made.append(effects.comparison_sheet(found, family, outcome, scope))
    every = arms.arms_of(columns)
    made += [
        arms.rate_sheet(columns, every, scope),
        arms.choice_sheet(columns, every, scope),
        effects.margin_sheet(columns, ACCURACY_PAIRS, scope),
        arms.given_sheet(columns, every, scope),
        arms.drift_sheet(columns, every, scope),
    ]
    return {sheet.name: sheet for sheet in made}


def _scope(every: Columns, kept: Columns, shown: Filter) -> str:
    scenes = len(np.unique(kept.scene))
    left = {name: n for name, n in kept.ended().items() if n}
    answered = left.pop("answered", 0)
    out = ", ".join(f"{n:,} {name}" for name, n in left.items()) or "none"
    said = f"{shown.name}: {scenes} of {counted(len(every.scenes), 'scene')}, "
    said += f"{counted(answered, 'answered reply', 'answered replies')}; "
    said += f"left out: {out}."
    return said + _corrections(every)


def _corrections(columns: Columns) -> str:
    if not columns.corrected:
        return ""
    was = "was" if columns.corrected == 1 else "were"
    counts = (
        "the automatic score counts" if columns.automatic else "the correction counts"
    )
    told = counted(columns.corrected, "score")
    return f" {told} {was} corrected by hand, and {counts}."


def _caveat(chosen: Run, columns: Columns) -> str:
    open_calls = columns.open_calls
    parts = []
    if chosen.practice:
        parts.append("practice: no figure is about any model")
    if open_calls:
        # Said in the table's line too: interim figures invite stopping when they
        # please.
        done = points_text(1 - open_calls / max(columns.calls, 1))
        calls = counted(columns.calls, "call")
        parts.append(f"interim: {done} % of {calls} have ended")
    return " · ".join(parts)
