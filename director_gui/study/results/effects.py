"""Tables of differences: a family's comparisons, the accuracy margin, single scenes."""

from collections.abc import Mapping

from director_gui.stats.display import counted
from director_gui.stats.replies import Tally
from director_gui.stats.result import Share
from director_gui.stats.verdicts import MARGIN, call_in_words, margin_verdict
from director_gui.study.results.columns import Columns, Outcome, SceneFact
from director_gui.study.results.comparing import Compared, compared
from director_gui.study.results.families import Family, Pair
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Interval,
    Row,
    Sheet,
    count,
    difference,
    interval,
    p_value,
    percent,
    share_cells,
    words,
)
from director_gui.study.results.words import (
    OUTCOMES,
    estimate_words,
    flags_words,
    interval_words,
    method_words,
    p_words,
)

_KINDS = {"increase": "up", "decrease": "down"}
_HEAD = (
    Column("Model"),
    Column("Comparison", hint="Test minus reference"),
    Column("Points", number=True, hint="Test minus reference, in points"),
    Column("95 % interval", number=True),
)
# After what can be said: on a narrow screen the call must still be in sight.
_ARMS = (
    Column("p", number=True, hint="Two-sided, not corrected"),
    Column("Test, %", number=True),
    Column("n", number=True, hint="Answered replies, test condition", counts=True),
    Column("Reference, %", number=True),
    Column("n", number=True, hint="Answered replies, reference", counts=True),
    Column("Batch"),
)

_SCENE = (
    Column("Scene"),
    Column("Test, %", number=True),
    Column("n", number=True, hint="Answered replies under the test condition"),
    Column("Reference, %", number=True),
    Column("n", number=True, hint="Answered replies under the reference"),
    Column("Points", number=True),
)
_MARKS = (Column("Blocks", number=True), Column("Hidden block"), Column("Marks"))


def comparison_sheet(
    found: tuple[Compared, ...], family: Family, outcome: Outcome, scope: str
) -> Sheet:
    """Return the family's table with its forest plot.

    Args:
        found: The comparisons.
        family: The family they are corrected in.
        outcome: What counts as an event.
        scope: Scenes, filter and exclusions in words.
    """
    tested = sum(one.found is not None and one.found.p is not None for one in found)
    head = (
        *_HEAD,
        Column("Adjusted p", number=True, hint="Benjamini-Hochberg in the family"),
        Column("What can be said"),
        *_ARMS,
        Column("Notes"),
        Column("Difference, points", drawing=True),
    )
    what = OUTCOMES[outcome].capitalize()
    rows = tuple(
        Row(
            (
                *_effect_cells(one, what),
                p_value(one.adjusted, p_words(one, family.name, tested)),
                words(one.call, flags_words(one.found)),
                *_arm_cells(one, what),
                words(flags_words(one.found)),
                _mark(one),
            ),
            key=str(at),
        )
        for at, one in enumerate(found)
    )
    # Said in the note, as m is smaller than the declared size then (STATISTICS §7).
    excluded = len(found) - tested
    note = (
        f"{what}, test minus reference. {method_words(c.found for c in found)} "
        f"Family “{family.name}”: {counted(len(found), 'comparison')}, "
        f"{tested} with a p-value"
        f"{f', {excluded} without' if excluded else ''}; "
        f"{'declared before the run' if family.declared else 'not declared in the run'}"
        f". {scope}"
    )
    return Sheet("comparisons", f"Differences in {OUTCOMES[outcome]}", head, rows, note)


def margin_sheet(columns: Columns, pairs: tuple[Pair, ...], scope: str) -> Sheet:
    """Return how visibility accuracy differs, judged by the margin."""
    what = OUTCOMES["report_correct"].capitalize()
    found = [
        one
        for one in compared(columns, pairs, "report_correct")
        # A condition without a report has no accuracy; its row would only hold dashes.
        if one.found is None or min(one.found.n) > 0
    ]
    head = (
        *_HEAD,
        Column(f"Margin ±{100 * MARGIN:.0f} points"),
        Column("Against zero", hint="Not corrected: outside every family"),
        *_ARMS,
        Column(
            "Difference, points",
            hint=f"Dashed: the margin of ±{100 * MARGIN:.0f} points",
            drawing=True,
            rules=(-MARGIN, MARGIN),
        ),
    )
    rows = tuple(
        Row(
            (
                *_effect_cells(one, what),
                words(_verdict(one), interval_words(one.found)),
                words(_against_zero(one)),
                *_arm_cells(one, what),
                _mark(one),
            )
        )
        for one in found
    )
    note = (
        "Visibility accuracy, outside every family and without correction. "
        f"{method_words(one.found for one in found)} "
        "“Unchanged” needs the whole interval inside the margin; the margin and the "
        f"test against zero are two statements and may both hold. {scope}"
    )
    return Sheet("accuracy", "Visibility accuracy", head, rows, note)


def scene_sheet(one: Compared, facts: Mapping[str, SceneFact]) -> Sheet:
    """Return a comparison scene by scene, the largest differences first.

    Args:
        one: The comparison.
        facts: What is known of the scenes by label; none of somebody else's file.
    """
    rows = []
    if one.replies is not None:
        test, ref = one.replies.tally(one.test), one.replies.tally(one.reference)
        for at, scene in enumerate(one.replies.scenes):
            if test.present[at] or ref.present[at]:
                pair = _counts(test, at), _counts(ref, at)
                rows.append(_scene_row(scene, facts.get(scene), *pair))
    rows.sort(key=_by_size)
    # Somebody else's file names scenes of which nothing is known.
    head = (*_SCENE, *(_MARKS if facts else ()))
    note = (
        f"{one.model}, {one.name}: each scene’s own shares in "
        f"{counted(len(rows), 'scene')}. The chosen scene stands beside them with its "
        "pictures and replies; single scenes carry no interval."
    )
    return Sheet("scenes", "Difference by scene", head, tuple(rows), note)


def _by_size(row: Row) -> tuple[float, str]:
    # The points; scenes without a pair have none and go last.
    value = row.cells[5].value
    return (-abs(value) if isinstance(value, float) else 1.0, row.cells[0].text)


def _counts(tally: Tally, at: int) -> tuple[int, int]:
    events, answered = tally.events, tally.answered
    return int(events[at]), int(answered[at])


def _scene_row(
    label: str, fact: SceneFact | None, test: tuple[int, int], ref: tuple[int, int]
) -> Row:
    a, b = (k / n if n else None for k, n in (test, ref))
    made = None if a is None or b is None else a - b
    said = [
        f"{k} of {counted(n, 'answered reply', 'answered replies')}"
        for k, n in (test, ref)
    ]
    cells = (
        words(fact.name if fact else label),
        percent(a, said[0]),
        count(test[1], said[0]),
        percent(b, said[1]),
        count(ref[1], said[1]),
        difference(made, f"{said[0]} less {said[1]}"),
    )
    return Row((*cells, *(_mark_cells(fact) if fact else ())), key=label)


def _mark_cells(fact: SceneFact) -> tuple[Cell, ...]:
    features = fact.features
    marks = {
        "apparent-size confound": features.confound,
        "hidden has the largest digit": features.hidden_has_largest,
    }
    return (
        count(features.blocks, f"{features.blocks} blocks in this scene"),
        words(features.hidden_rank or "none or several"),
        words(", ".join(name for name, holds in marks.items() if holds)),
    )


def _effect_cells(one: Compared, what: str) -> tuple[Cell, ...]:
    names = (words(one.model), words(one.name))
    found = one.found
    if found is None:
        hint = flags_words(None)
        return (*names, difference(None, hint), interval(None, None, hint))
    hint = interval_words(found)
    return (
        *names,
        difference(found.estimate, estimate_words(one, what)),
        interval(found.ci_low, found.ci_high, hint, signed=True),
    )


def _arm_cells(one: Compared, what: str) -> tuple[Cell, ...]:
    if one.found is None or one.shares is None:
        gap = percent(None, flags_words(None))
        return (gap, gap, gap, gap, gap, words("none in common"))
    reference, test = one.shares
    return (
        p_value(one.found.p, interval_words(one.found)),
        share_cells(test, f"{what} under {one.test}")[0],
        count(test.n, _answers(test)),
        share_cells(reference, f"{what} under {one.reference}")[0],
        count(reference.n, _answers(reference)),
        words(one.batch),
    )


def _answers(found: Share) -> str:
    answers = counted(found.n, "answered reply", "answered replies")
    return f"{answers} under {found.condition}, in {counted(found.scenes, 'scene')}"


def _mark(one: Compared) -> Cell:
    if one.found is None:
        return Cell("", None, flags_words(None))
    found = one.found
    mark = Interval(
        found.ci_low, found.estimate, found.ci_high, _KINDS.get(one.call, "")
    )
    # The value beside the drawing lets the column be sorted by it.
    return Cell("", found.estimate, interval_words(found), mark)


def _verdict(one: Compared) -> str:
    if one.found is None:
        return "not compared"
    return margin_verdict(one.found.ci_low, one.found.ci_high)


def _against_zero(one: Compared) -> str:
    if one.found is None:
        return "not compared"
    # The plain p: no correction reaches this table.
    return call_in_words(one.found.ci_low, one.found.ci_high, one.found.p)
