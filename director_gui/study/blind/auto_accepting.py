"""Accept an automatic pass: only then do its codes become a coder's."""

from director_gui.errors import UserError
from director_gui.store.auto_passes import AutoPass, passes_in
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.study.blind.auto_results import results_log
from director_gui.study.blind.auto_standing import ACCEPTED, Standing, standing
from director_gui.study.blind.auto_work import verdicts
from director_gui.study.blind.keys import opened
from director_gui.study.blind.merging import MergedFile, take_in


def accept(study: Study, made: AutoPass, actor: str, reason: str = "") -> MergedFile:
    """Accept a pass's calibration and merge its codes, in one transaction.

    Before this no table, agreement or join can see them: they are not in the results.

    Args:
        study: Open for writing.
        made: A finished pass.
        actor: Who accepts, for the log.
        reason: Why, needed when something speaks against it.

    Raises:
        UserError: The pass is unfinished or was accepted before, something speaks
            against it and no reason is given, or the results are refused.
    """
    # Read again here: what the window showed may be from before another sitting.
    now = standing(study, made)
    _refuse(now, reason)
    found = opened(study, made.packet)
    data = results_log(found.packet, made.alias, verdicts(study, made, found))
    detail = {
        "packet": made.packet,
        "alias": made.alias,
        "pass": made.id,
        "reason": reason.strip(),
        "calibration": now.calibration.value() if now.calibration else None,
    }
    # Together or not at all: no codes without a word for them, no word without codes.
    with study.write():
        add_entry(study, actor, ACCEPTED, detail)
        return take_in(study, data, f"results of {made.alias}", actor)


def pass_named(study: Study, packet_id: str, alias: str) -> AutoPass:
    """Return the pass of a packet by its alias.

    Raises:
        UserError: There is none; those there are are listed.
    """
    known = {one.alias: one for one in passes_in(study, packet_id)}
    if alias in known:
        return known[alias]
    raise UserError(
        "this packet has no such automatic pass",
        where=alias,
        todo=f"There are {', '.join(known)}" if known else "Begin one first",
    )


def _refuse(now: Standing, reason: str) -> None:
    if now.accepted is not None:
        raise UserError("this pass was accepted already", where=now.made.alias)
    if now.calibration is None:
        raise UserError(
            "this pass is not finished",
            where=f"{now.made.alias}: {now.left} of {now.items} items left",
            todo="Go on with it first",
        )
    # Not a lock: the coordinator may know why a field is hard; the log keeps the why.
    doubts = now.calibration.doubts
    if doubts and not reason.strip():
        raise UserError(
            "something speaks against this pass",
            where="; ".join(doubts),
            todo="Say why its codes may be used all the same, or leave it out",
        )
