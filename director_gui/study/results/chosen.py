"""Which of a few replies chose the hidden block, as the tables count them."""

from collections.abc import Callable, Collection, Iterator, Mapping

from director_gui.store.attempts import Reply, attempts_of, reply_of
from director_gui.store.corrections import Correction, current_corrections
from director_gui.store.database import Study
from director_gui.store.runs import CALL_COLUMNS, call_of_row
from director_gui.study.correcting import score_given
from director_gui.study.results.columns import SceneFact
from director_gui.study.results.outcome import Keys, score_with
from director_gui.study.scored import keys_of

Facts = Callable[[set[str]], Mapping[str, SceneFact]]


def hidden_choices(
    study: Study,
    run_id: str,
    calls: Collection[str],
    facts: Facts,
    *,
    automatic: bool = False,
) -> frozenset[str]:
    """Return the ids of the calls whose replies chose the hidden block.

    Args:
        study: The study.
        run_id: The run; calls of others are left out.
        calls: Ids of calls; each is read by itself, so there should be few.
        facts: Returns what is known of scenes by hash.
        automatic: Leave corrections by hand aside.

    Raises:
        UserError: The study is damaged.
    """
    replies = list(_replies(study, run_id, calls))
    keys = keys_of(study, {reply.call.condition_hash for reply in replies})
    known = facts({reply.call.scene for reply in replies})
    given = {} if automatic else current_corrections(study, run_id)
    return frozenset(
        reply.call.id
        for reply in replies
        if _hidden(
            reply,
            known[reply.call.scene],
            keys[reply.call.condition_hash],
            given.get(reply.call.id),
        )
    )


def _replies(study: Study, run_id: str, calls: Collection[str]) -> Iterator[Reply]:
    for call_id in sorted(calls):
        rows = study.query(
            f"SELECT {CALL_COLUMNS} FROM calls WHERE id = ? AND run = ?",  # noqa: S608 - our own column names
            [call_id, run_id],
        )
        for row in rows:
            yield reply_of(call_of_row(row), attempts_of(study, call_id))


def _hidden(
    reply: Reply, fact: SceneFact, keys: Keys, given: Correction | None
) -> bool:
    # An attempt that waits to be repeated is not an answer yet, whatever it says.
    if reply.status == "open":
        return False
    if given is not None:
        found = score_given(given.score, fact.hidden, fact.sees)
    else:
        text = reply.text if reply.status == "reply" else None
        finish = reply.last.finish_reason if reply.last else None
        found = score_with(fact, keys, text, reply.turn1_text, finish)
    # None, where no single block is hidden, is not a choice of it.
    return found.hidden_choice is True
