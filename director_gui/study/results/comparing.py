"""The comparisons of a family: per model, inside one batch, or refused with why."""

from dataclasses import dataclass, replace

from director_gui.stats.contrast import compare
from director_gui.stats.correction import adjust
from director_gui.stats.replies import Replies
from director_gui.stats.result import Comparison, Share
from director_gui.stats.shares import share
from director_gui.stats.verdicts import call_in_words
from director_gui.study.results.columns import Columns, Outcome
from director_gui.study.results.families import Pair

ACROSS = (
    "not compared: a provider drifts between batches, so a comparison is made inside "
    "one batch, and these two conditions share none"
)


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison of a family, or why it cannot be made.

    Attributes:
        model: The profile's name.
        test: The first of the pair.
        reference: The second, the baseline.
        batch: The batch that holds both; empty when none does.
        found: The comparison; None when it is refused.
        shares: Of reference and test; None when it is refused.
        adjusted: p after correction in the family.
        call: What can be said, in words.
        replies: What it was computed from; None when it is refused.
    """

    model: str
    test: str
    reference: str
    batch: str
    found: Comparison | None
    shares: tuple[Share, Share] | None
    adjusted: float | None
    call: str
    replies: Replies | None

    @property
    def name(self) -> str:
        """Test minus reference, as a reader names it."""
        return f"{self.test} \N{MINUS SIGN} {self.reference}"


def compared(
    columns: Columns, pairs: tuple[Pair, ...], outcome: Outcome = "hidden_choice"
) -> tuple[Compared, ...]:
    """Return every pair for every model that has both conditions, corrected together.

    A pair that several batches hold is compared in each of them.
    """
    found = [
        one
        for place, model in enumerate(columns.models)
        for one in _of_model(columns, place, model, pairs, outcome)
    ]
    # One family over all models, as the paper counts its 72, 42 and 39.
    adjusted = adjust([one.found.p if one.found else None for one in found])
    return tuple(
        replace(one, adjusted=p, call=_call(one.found, p))
        for one, p in zip(found, adjusted, strict=True)
    )


def _call(found: Comparison | None, adjusted: float | None) -> str:
    if found is None:
        return "not compared"
    return call_in_words(found.ci_low, found.ci_high, adjusted)


def _of_model(
    columns: Columns,
    place: int,
    model: str,
    pairs: tuple[Pair, ...],
    outcome: Outcome,
) -> list[Compared]:
    where = batches_of(columns, place)
    tables: dict[str, Replies] = {}
    made = []
    for test, reference in pairs:
        # A model that was never asked one of the two has no comparison to refuse.
        if test not in where or reference not in where:
            continue
        shared = sorted(where[test] & where[reference])
        # Shown as refused and not left out: a missing row would read as never asked.
        if not shared:
            made.append(
                Compared(model, test, reference, "", None, None, None, "", None)
            )
        for batch in shared:
            # Pairs share conditions, and a table is slow to make beside a comparison.
            if batch not in tables:
                at = columns.batches.index(batch)
                tables[batch] = columns.replies(outcome, place, at)
            made.append(_one(model, (test, reference), batch, tables[batch]))
    return made


def batches_of(columns: Columns, model: int) -> dict[str, set[str]]:
    """Return the batches in which a model has calls under each condition.

    Args:
        columns: The calls.
        model: Place in `columns.models`.
    """
    calls = columns.endings()[model].sum(axis=2)
    return {
        name: {b for at, b in enumerate(columns.batches) if calls[at, place]}
        for place, name in enumerate(columns.conditions)
        if calls[:, place].any()
    }


def _one(model: str, pair: Pair, batch: str, replies: Replies) -> Compared:
    test, reference = pair
    return Compared(
        model, test, reference, batch, compare(replies, reference, test),
        (share(replies, reference), share(replies, test)), None, "", replies,
    )  # fmt: skip
