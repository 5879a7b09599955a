"""Compare the arms of a run: the declared pairs, per model, inside one batch."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from director_gui.prompts.library import Library, library
from director_gui.scoring.score import STATUSES, Kind
from director_gui.stats.contrast import compare
from director_gui.stats.correction import adjust
from director_gui.stats.replies import Replies
from director_gui.stats.replies import Reply as Row
from director_gui.stats.result import Comparison, Share
from director_gui.stats.shares import share
from director_gui.stats.verdicts import call_in_words
from director_gui.study.scored import Scored


@dataclass(frozen=True, slots=True)
class PairResult:
    """One declared pair of conditions of one model.

    Attributes:
        model: The profile's name.
        reference: The second of the declared pair, the baseline.
        test: The first of the declared pair.
        comparison: Hidden-block choice rate of `test` minus that of `reference`.
        adjusted: p after Benjamini-Hochberg over all results of the call.
        call: What can be said, in words.
        batch: The batch of both; empty where the run has one alone.
    """

    model: str
    reference: str
    test: str
    comparison: Comparison
    adjusted: float | None
    call: str
    batch: str = ""


@dataclass(frozen=True, slots=True)
class ArmCount:
    """How the replies of one model and condition in one batch ended.

    Attributes:
        model: The profile's name.
        condition: The condition's name.
        statuses: Count by status, every status named; ``open`` calls beside them.
        kinds: Count of choices by kind of block.
        hidden: Share of hidden-block choices with its interval.
        accuracy: Share of exactly right reports; None when none was asked for.
        joint: Share with a right report and a hidden choice; None likewise.
        batch: The batch; empty where the replies come from one alone.
    """

    model: str
    condition: str
    statuses: Mapping[str, int]
    kinds: Mapping[Kind, int]
    hidden: Share
    accuracy: Share | None
    joint: Share | None
    batch: str = ""

    @property
    def answered(self) -> int:
        """Replies that enter the rates."""
        return self.statuses["answered"]


def pair_results(
    scored: Sequence[Scored], known: Library | None = None
) -> tuple[PairResult, ...]:
    """Return every declared pair whose two conditions the replies hold, per model.

    The correction runs over all of them as one family.
    """
    found: list[tuple[str, str, str, Comparison]] = []
    for model, own in _by_model(scored).items():
        replies = _replies(own, "hidden_choice")
        conditions = set(replies.conditions)
        for test, reference in (known or library()).pairs:
            # A pair that was not asked is no comparison, and must not swell the family.
            if {test, reference} <= conditions:
                result = compare(replies, reference, test)
                found.append((model, reference, test, result))
    # Over all models at once, as the paper counts its families.
    adjusted = adjust([result.p for *_, result in found])
    return tuple(
        PairResult(
            model=model,
            reference=reference,
            test=test,
            comparison=result,
            adjusted=p,
            call=call_in_words(result.ci_low, result.ci_high, p),
        )
        for (model, reference, test, result), p in zip(found, adjusted, strict=True)
    )


def arm_counts(
    scored: Sequence[Scored], known: Library | None = None
) -> tuple[ArmCount, ...]:
    """Return one count per model, condition and batch, in the library's order.

    A base is in every batch; merged, its rate would hide the drift between them and
    be no side of any difference.
    """
    order = {c.name: i for i, c in enumerate((known or library()).conditions)}
    several = len({item.reply.call.batch for item in scored}) > 1
    counts = []
    for model, own in _by_model(scored).items():
        arms: dict[tuple[str, str], list[Scored]] = {}
        for item in own:
            call = item.reply.call
            batch = call.batch if several else ""
            arms.setdefault((call.condition, batch), []).append(item)
        for name, batch in sorted(
            # A condition that was deleted since goes last.
            arms,
            key=lambda at: (order.get(at[0], len(order)), *at),
        ):
            counts.append(_count(model, name, batch, arms[name, batch]))
    return tuple(counts)


def _count(model: str, condition: str, batch: str, arm: Sequence[Scored]) -> ArmCount:
    ended = Counter(item.score.status if item.score else "open" for item in arm)
    kinds = Counter(item.kind for item in arm if item.kind is not None)
    # Told by the scores: a stored condition may ask otherwise than today's of its name.
    asked = any(i.score and i.score.report_correct is not None for i in arm)
    return ArmCount(
        model=model,
        condition=condition,
        # Every status by name, also those of 0: METHOD §5 has each of them shown.
        statuses={name: ended[name] for name in (*STATUSES, "open")},
        kinds=kinds,
        hidden=share(_replies(arm, "hidden_choice"), condition),
        accuracy=share(_replies(arm, "report_correct"), condition) if asked else None,
        joint=share(_replies(arm, "joint"), condition) if asked else None,
        batch=batch,
    )


def _by_model(scored: Iterable[Scored]) -> dict[str, list[Scored]]:
    models: dict[str, list[Scored]] = {}
    for item in scored:
        # By profile and not model: one model at two efforts is two subjects.
        models.setdefault(item.reply.call.profile, []).append(item)
    return models


def _replies(scored: Iterable[Scored], outcome: str) -> Replies:
    return Replies.of(_row(item, outcome) for item in scored)


def _row(item: Scored, outcome: str) -> Row:
    call = item.reply.call
    value = None
    # Else y stays empty: what is not answered leaves the rates.
    if item.score is not None and item.score.status == "answered":
        value = getattr(item.score, outcome)
    y = None if value is None else int(value)
    return Row(call.scene, call.condition, y, call.batch)
