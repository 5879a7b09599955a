"""The replies of some runs that can be coded, and how many cannot, and why."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from director_gui.errors import UserError
from director_gui.runner.thoughts import CLOSING, OPENING, split_thoughts
from director_gui.scoring.score import Kind
from director_gui.store.database import Study
from director_gui.store.runs import Run, runs
from director_gui.study.scored import Scored, scored_replies

Became = Literal["trace", "no_reasoning", "no_choice", "no_reply"]


@dataclass(frozen=True, slots=True)
class Trace:
    """One reply whose reasoning can be coded; only `reasoning` on may be shown.

    Attributes:
        ref: The id of the call.
        model: The profile's name.
        condition: The condition's name.
        scene: The scene's hash.
        kind: What kind of block was chosen.
        practice: Whether the practice reader wrote it.
        reasoning: The reasoning text, not blank.
        reply: The reply without its reasoning.
        choice: The block that was chosen.
    """

    ref: str
    model: str
    condition: str
    scene: str
    kind: Kind | None
    practice: bool
    reasoning: str
    reply: str
    choice: int

    @property
    def stratum(self) -> tuple[str, str, str]:
        """Model, condition and kind of choice: what a stratified draw balances."""
        return self.model, self.condition, self.kind or ""


@dataclass(frozen=True, slots=True)
class Tally:
    """What the replies of some runs come to for coding.

    Attributes:
        calls: All calls.
        traces: Those that can be coded.
        without_reasoning: Replies without reasoning: they are not coded.
        without_choice: Replies with reasoning but no choice that counts.
        unanswered: Calls without a reply, failed or still open.
    """

    calls: int
    traces: int
    without_reasoning: int
    without_choice: int
    unanswered: int

    def in_words(self) -> str:
        """Return the tally as one sentence for people."""
        text = f"{self.traces} of {self.calls} replies have a trace to code"
        rest = (
            (self.without_reasoning, "without reasoning, not coded"),
            (self.without_choice, "without a choice"),
            (self.unanswered, "unanswered"),
        )
        return "; ".join([text, *(f"{n} {words}" for n, words in rest if n)])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which replies a packet may draw on; an empty filter lets all through."""

    runs: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Traces:
    """The traces of some runs.

    Attributes:
        found: Those that can be coded.
        calls: Model, condition and what it came to, of every call.
        runs: The runs they are from.
    """

    found: tuple[Trace, ...]
    calls: tuple[tuple[str, str, Became], ...]
    runs: tuple[Run, ...]

    @property
    def tally(self) -> Tally:
        """How many there are, and how many cannot be coded."""
        became = Counter(what for _, _, what in self.calls)
        return Tally(
            calls=len(self.calls),
            traces=became["trace"],
            without_reasoning=became["no_reasoning"],
            without_choice=became["no_choice"],
            unanswered=became["no_reply"],
        )

    @property
    def models(self) -> tuple[str, ...]:
        """The models that were asked, sorted."""
        return tuple(sorted({model for model, _, _ in self.calls}))

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions that were run, sorted."""
        return tuple(sorted({condition for _, condition, _ in self.calls}))

    def only(
        self, models: Collection[str] = (), conditions: Collection[str] = ()
    ) -> "Traces":
        """Return those of some models and conditions; none named lets all through.

        Raises:
            UserError: A model or condition is not among them.
        """
        # A misspelt filter must not look like an empty study.
        _check("model", models, self.models)
        _check("condition", conditions, self.conditions)

        def kept(model: str, condition: str) -> bool:
            return (not models or model in models) and (
                not conditions or condition in conditions
            )

        return Traces(
            tuple(t for t in self.found if kept(t.model, t.condition)),
            tuple(call for call in self.calls if kept(call[0], call[1])),
            self.runs,
        )


def traces_in(study: Study, wanted: Wanted) -> Traces:
    """Return what can be coded.

    Raises:
        UserError: A run, model or condition is not in the study.
    """
    chosen = _runs(study, wanted.runs)
    listed = [(r, s) for r in chosen for s in scored_replies(study, r.id)]
    every = Traces(
        found=tuple(_trace(r, s) for r, s in listed if _became(s) == "trace"),
        calls=tuple(_call(s) for _, s in listed),
        runs=tuple(chosen),
    )
    return every.only(wanted.models, wanted.conditions)


def reasoning_of(scored: Scored) -> str:
    """Return the reasoning behind the choice, empty when the reply has none.

    Of a two-turn call it is the last turn's: the first turn's would tell the condition.
    """
    apart = scored.reply.reasoning
    if apart is not None and apart.strip():
        return apart
    # Open-weight servers often leave the reasoning in the reply, between markers.
    thoughts = split_thoughts(scored.reply.text)[0]
    for mark in (*OPENING, *CLOSING):
        thoughts = thoughts.replace(mark, "")
    return thoughts if thoughts.strip() else ""


def _runs(study: Study, ids: Sequence[str]) -> list[Run]:
    listed = runs(study)
    _check("run", ids, {run.id for run in listed} | {run.label for run in listed})
    return [run for run in listed if not ids or run.id in ids or run.label in ids]


def _check(what: str, names: Iterable[str], known: Collection[str]) -> None:
    for name in names:
        if name not in known:
            raise UserError(
                f"the study has no such {what}",
                where=name,
                todo=f"It has: {', '.join(sorted(known)) or 'none'}",
            )


def _call(scored: Scored) -> tuple[str, str, Became]:
    call = scored.reply.call
    return call.profile, call.condition, _became(scored)


def _became(scored: Scored) -> Became:
    if scored.reply.status != "reply":
        return "no_reply"
    if not reasoning_of(scored):
        return "no_reasoning"
    # A reading is the rule behind a choice; without one there is nothing to code.
    if scored.score is None or scored.score.choice is None:
        return "no_choice"
    return "trace"


def _trace(run: Run, scored: Scored) -> Trace:
    call, score = scored.reply.call, scored.score
    if score is None or score.choice is None:
        raise AssertionError(call.id)  # `_became` let it pass
    return Trace(
        ref=call.id,
        model=call.profile,
        condition=call.condition,
        scene=call.scene,
        kind=scored.kind,
        practice=run.practice,
        reasoning=reasoning_of(scored),
        reply=split_thoughts(scored.reply.text)[1],
        choice=score.choice,
    )
