"""How coders read the traces of a run's replies, once a packet was unblinded."""

from director_gui.stats.display import points_text
from director_gui.store.database import Study
from director_gui.store.outcomes import among_calls
from director_gui.store.packets import packets
from director_gui.study.blind.joining import Arm, Joined, joined_codes
from director_gui.study.blind.keys import all_opened
from director_gui.study.blind.passes import unblinding_of
from director_gui.study.results.columns import KINDS
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Row,
    Sheet,
    Stack,
    count,
    share_cells,
    words,
)


def trace_sheet(study: Study, run_id: str) -> Sheet | None:
    """Return the readings of the newest unblinded packet with traces of a run.

    None while there is none: what is blind stays blind.
    """
    if not packets(study):
        return None
    for opened in reversed(all_opened(study)):
        own = among_calls(study, run_id, frozenset(opened.calls.values()))
        if own and unblinding_of(study, opened.stored.id) is not None:
            return _sheet(joined_codes(study, opened.stored.id))
    return None


def _sheet(joined: Joined) -> Sheet:
    # As many colours as there are kinds of choices; a longer codebook has no bars.
    drawn = len(joined.codes) <= len(KINDS)
    head = [
        Column("Model"),
        Column("Condition"),
        Column("Coder"),
        Column("Traces", number=True),
        *(Column(f"{joined.labels[code]}, %", number=True) for code in joined.codes),
    ]
    if drawn:
        head.append(Column(f"{joined.label}, %", drawing=True))
    rows = []
    for one in joined.passes:
        for arm in one.arms:
            shares = [arm.shares[code] for code in joined.codes]
            cells = [
                words(arm.model),
                words(arm.condition),
                words(one.name),
                count(arm.n),
                *(share_cells(found, found.condition)[0] for found in shares),
            ]
            rows.append(Row(tuple([*cells, _bar(joined, arm)] if drawn else cells)))
    note = (
        f"{joined.label} of coded traces, by coder. A returned trace need not be the "
        "process behind the reply."
        f"{' Practice replies are among them.' if joined.practice else ''}"
    )
    pairs = zip(KINDS, joined.codes, strict=False)
    legend = {str(kind): joined.labels[code] for kind, code in pairs} if drawn else {}
    title = f"Traces: {joined.label.lower()}"
    return Sheet("traces", title, tuple(head), tuple(rows), note, legend)


def _bar(joined: Joined, arm: Arm) -> Cell:
    known = {code: arm.shares[code].share or 0.0 for code in joined.codes}
    said = "; ".join(
        f"{joined.labels[code]} {points_text(share)} %" for code, share in known.items()
    )
    pairs = zip(KINDS, known.values(), strict=False)
    parts = tuple((str(kind), share) for kind, share in pairs if share)
    return Cell("", None, f"{said}; of {arm.n:,} traces", Stack(parts))
