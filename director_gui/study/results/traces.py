"""How coders read the traces of a run's replies, once a packet was unblinded."""

from collections.abc import Callable, Collection
from dataclasses import replace

from director_gui.stats.display import counted
from director_gui.stats.result import Share
from director_gui.store.database import Study
from director_gui.store.outcomes import among_calls
from director_gui.store.packets import packets
from director_gui.study.blind.joining import Arm, Joined, JoinedPass, joined_codes
from director_gui.study.blind.keys import Opened, all_opened
from director_gui.study.blind.passes import unblinding_of
from director_gui.study.results.sheet import (
    Bar,
    Cell,
    Column,
    Row,
    Sheet,
    count,
    share_cells,
    words,
)

HIDDEN = "hidden-"  # before the name of a sheet of hidden-block choices alone
NAME = "traces"  # of the first field's sheet; others add their field's name
_CAVEAT = (
    "No filter of scenes applies. A returned trace need not be the process behind the "
    "reply."
)
_TRACES = ("coded trace", "coded traces")


def trace_sheets(
    study: Study, run_id: str, chosen: Callable[[Collection[str]], Collection[str]]
) -> dict[str, Sheet]:
    """Return the codes of the newest unblinded packet with traces of a run.

    One sheet for each field that has codes, by name, the codebook's first one first;
    then one for each over hidden-block choices alone, where there are any. None while
    there is no such packet: what is blind stays blind.

    Args:
        study: The study.
        run_id: The run.
        chosen: Returns those of some calls whose replies chose the hidden block.
    """
    if not packets(study):
        return {}
    for opened in reversed(all_opened(study)):
        own = among_calls(study, run_id, frozenset(opened.calls.values()))
        # Asked for each packet: one may be open while another is still being coded.
        if own and unblinding_of(study, opened.stored.id) is not None:
            calls = frozenset(opened.calls.values())
            every = _sheets(study, opened, None)
            return every | _sheets(study, opened, chosen(calls))
    return {}


def _sheets(
    study: Study, opened: Opened, only: Collection[str] | None
) -> dict[str, Sheet]:
    coded = [one.name for one in opened.packet.codebook.fields if one.codes]
    # The first is the reading, which most want to see; it keeps the plain name.
    names = [NAME, *(f"{NAME}-{one}" for one in coded[1:])]
    packet = opened.stored.id
    joined = [joined_codes(study, packet, one, only=only) for one in coded]
    sheets = dict(zip(names, map(_sheet, joined), strict=False))
    if only is None:
        return {name: replace(sheet, name=name) for name, sheet in sheets.items()}
    return {
        f"{HIDDEN}{name}": _of_hidden(f"{HIDDEN}{name}", sheet)
        for name, sheet in sheets.items()
        if sheet.rows
    }


def _of_hidden(name: str, sheet: Sheet) -> Sheet:
    title = f"{sheet.title}, of hidden-block choices"
    note = f"Traces of replies that chose the hidden block, and no others. {sheet.note}"
    return replace(sheet, name=name, title=title, note=note)


def _sheet(joined: Joined) -> Sheet:
    head = (
        Column("Model"),
        Column("Condition"),
        Column("Coder"),
        Column("Traces", number=True, counts=True),
        *(column for code in joined.codes for column in _columns(joined.labels[code])),
        *(Column(f"{joined.labels[code]}, %", drawing=True) for code in joined.codes),
    )
    rows = tuple(
        Row(_cells(joined, one, arm)) for one in joined.passes for arm in one.arms
    )
    title = f"Traces: {joined.label.lower()}"
    return Sheet(NAME, title, head, rows, _note(joined))


def _columns(label: str) -> tuple[Column, Column]:
    return Column(f"{label}, %", number=True), Column("95 % interval", number=True)


def _cells(joined: Joined, one: JoinedPass, arm: Arm) -> tuple[Cell, ...]:
    what = {code: f"{joined.labels[code]} by {one.name}" for code in joined.codes}
    shares = {code: arm.shares[code] for code in joined.codes}
    return (
        words(arm.model),
        words(arm.condition),
        words(one.name),
        count(arm.n, f"Traces of {arm.condition} that {one.name} coded: {arm.n:,}"),
        *(
            cell
            for code, found in shares.items()
            for cell in share_cells(found, what[code], _TRACES)
        ),
        *(_bar(found, what[code]) for code, found in shares.items()),
    )


def _bar(found: Share, what: str) -> Cell:
    hint = share_cells(found, what, _TRACES)[0].hint
    mark = Bar(found.ci_low, found.share, found.ci_high)
    return Cell("", found.share, hint, mark)


def _note(joined: Joined) -> str:
    arms = [arm for one in joined.passes for arm in one.arms]
    scenes = max((s.scenes for arm in arms for s in arm.shares.values()), default=0)
    # Codes given with the results in view are not blind, so they are only counted.
    late = sum(one.late for one in joined.passes)
    said = (
        f"{joined.label} of coded traces, joined to their replies after the packet was "
        "unblinded: shares by condition and coder; intervals resample scenes. "
        f"{counted(sum(arm.n for arm in arms), 'code')} by "
        f"{counted(len(joined.passes), 'coder')}, up to {counted(scenes, 'scene')} a "
        "condition; left out: known-code items, "
        f"{counted(late, 'code')} given after the results were locked."
    )
    told = [said, *(_sources(one) for one in joined.passes if one.sources), _CAVEAT]
    # Practice models have made-up traces; such a share is about no model.
    if joined.practice:
        told.append("Practice replies are among them.")
    return " ".join(told)


def _sources(one: JoinedPass) -> str:
    told = ", ".join(f"{number} {source}" for source, number in one.sources.items())
    return f"{one.name.capitalize()}: {told}."
