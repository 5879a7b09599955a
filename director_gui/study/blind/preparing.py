"""Prepare a packet: draw the traces, write the items, cut names, scan the rest."""

import secrets
from dataclasses import dataclass, field, replace

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.study.blind.gives_away import GivesAway, gives_away
from director_gui.study.blind.itemtext import (
    Form,
    ItemText,
    text_of,
)
from director_gui.study.blind.keys import KNOWN, REPEAT, opened
from director_gui.study.blind.known import KnownItem
from director_gui.study.blind.names import names_of, pattern_of
from director_gui.study.blind.sampling import Draw, Sampling, drawn
from director_gui.study.blind.scanner import Finding, Scanner, prompt_texts
from director_gui.study.blind.traces import Tally, Trace, Traces, Wanted, traces_in


@dataclass(frozen=True, slots=True)
class Request:
    """What a packet is to hold.

    Attributes:
        wanted: Which replies it may draw on.
        form: With or without the whole reply.
        size: How many traces; None for all.
        stratified: Draw evenly over model, condition and kind of choice.
        seed: Of the draw; a fresh secret one when None.
        again: Id of a packet whose items are all to be coded once more under new
            ids (a second pass); then nothing is drawn.
        known: Known-code items to mix in.
        repeats: How many of the traces are in the packet twice, unmarked, so that each
            coder's two codes can be compared; none in a second pass, which is that.
    """

    wanted: Wanted = field(default_factory=Wanted)
    form: Form = "without_report"
    size: int | None = None
    stratified: bool = False
    seed: int | None = None
    again: str = ""
    known: tuple[KnownItem, ...] = ()
    repeats: int = 0

    @property
    def sampling(self) -> Sampling:
        """How the traces are drawn."""
        draw: Draw = "stratified" if self.stratified else "simple"
        return Sampling(self.size, draw, self.seed or 0)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A packet before its hits are resolved and it is sealed.

    Attributes:
        traces: The drawn traces, in the order of the first `items`.
        repeats: Those of them that are there twice, in the order of the next `items`.
        known: The known-code items, in the order of the other `items`.
        items: What a coder would read.
        tally: How many replies there were and how many cannot be coded.
        findings: What a person must resolve.
        leak: What the texts give away of the condition.
        request: What was asked for, with the seed that was drawn.
        practice: Whether the practice reader wrote any of it.
    """

    traces: tuple[Trace, ...]
    repeats: tuple[Trace, ...]
    known: tuple[KnownItem, ...]
    items: tuple[ItemText, ...]
    tally: Tally
    findings: tuple[Finding, ...]
    leak: GivesAway
    request: Request
    practice: bool

    @property
    def refs(self) -> tuple[str, ...]:
        """What the key calls each item."""
        again = (f"{REPEAT}{trace.ref}" for trace in self.repeats)
        known = (f"{KNOWN}{item.name}" for item in self.known)
        return (*(trace.ref for trace in self.traces), *again, *known)


def prepare(study: Study, request: Request, found: Traces | None = None) -> Prepared:
    """Return a packet ready to be looked at; nothing is written.

    Args:
        study: The study.
        request: What the packet is to hold.
        found: All traces of the runs that are wanted (for a second pass: of all
            runs), when they were read before; they take the longest.

    Raises:
        UserError: A filter names what is not there, or there is nothing to code.
    """
    # From the system: whoever could guess the seed could guess the draw.
    seed = secrets.randbits(64) if request.seed is None else request.seed
    request = replace(request, seed=seed)
    found = _found(study, request, found)
    chosen = _chosen(study, found, request)
    if not chosen:
        raise UserError(
            "there is no trace to code",
            where=found.tally.in_words(),
            todo="Run a model whose server returns its reasoning",
        )
    # All runs that were looked at, drawn from or not: cuts must not tell which.
    names = names_of(found.runs)
    pattern = pattern_of(names)
    texts = [text_of(trace, request.form, pattern) for trace in chosen]
    again = _repeated(chosen, request)
    doubles = [text_of(trace, request.form, pattern) for trace in again]
    mixed_in = [text_of(item, request.form, pattern) for item in _known(request)]
    items = (*texts, *doubles, *mixed_in)
    # The whole reply names its keys on purpose; then they are no finding.
    hidden = request.form == "without_report"
    scanner = Scanner.of(names, _prompts(study, found), keys=hidden)
    return Prepared(
        traces=chosen,
        repeats=again,
        known=request.known,
        items=items,
        tally=found.tally,
        findings=scanner.findings(items),
        leak=_leak(chosen, texts),
        request=request,
        practice=any(trace.practice for trace in chosen),
    )


def _repeated(chosen: tuple[Trace, ...], request: Request) -> tuple[Trace, ...]:
    if not request.repeats:
        return ()
    if request.again or not 0 <= request.repeats <= len(chosen):
        raise UserError(
            "a second pass holds no repeats"
            if request.again
            else f"{request.repeats} of {len(chosen)} traces cannot be repeated",
            where="repeats",
        )
    # Their own texts and the seed decide, as in the draw: no label moves them.
    seed = (request.seed or 0) + 1
    return drawn(chosen, Sampling(request.repeats, seed=seed))


def _known(request: Request) -> tuple[KnownItem, ...]:
    for item in request.known:
        if request.form == "with_reply" and not item.reply.strip():
            raise UserError(
                "a known-code item without a reply would stand out",
                where=f"known-code item {item.name}",
                todo="Give it a reply, or leave the replies out of the packet",
            )
    return request.known


def _found(study: Study, request: Request, known: Traces | None) -> Traces:
    # A second pass is about the first one's items, whatever the filters say now.
    wanted = Wanted() if request.again else request.wanted
    every = known or traces_in(study, Wanted(runs=wanted.runs))
    return every.only(wanted.models, wanted.conditions)


def _chosen(study: Study, found: Traces, request: Request) -> tuple[Trace, ...]:
    if request.again:
        # Known-code items are not repeated: a coder could remember them.
        refs = set(opened(study, request.again).calls.values())
        return tuple(trace for trace in found.found if trace.ref in refs)
    return drawn(found.found, request.sampling)


def _prompts(study: Study, found: Traces) -> tuple[str, ...]:
    rows = study.query("SELECT DISTINCT condition_hash AS version, run FROM calls")
    ids = {run.id for run in found.runs}
    return prompt_texts(study, {row["version"] for row in rows if row["run"] in ids})


def _leak(traces: tuple[Trace, ...], texts: list[ItemText]) -> GivesAway:
    return gives_away(
        [item.text for item in texts],
        [trace.condition for trace in traces],
        [trace.scene for trace in traces],
    )
