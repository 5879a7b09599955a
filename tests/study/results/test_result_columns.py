from collections import Counter

import pytest

from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study
from director_gui.study.analysis import arm_counts, pair_results
from director_gui.study.results.columns import ENDINGS, NOTHING
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer
from director_gui.study.scored import scored_replies
from tests import blind_studies

RUN = "run-1"
OUTCOMES = ("hidden_choice", "report_correct", "joint")


def test_counts_are_those_of_the_rows_one_by_one(study: Study) -> None:
    columns = ReplyCache(study).columns(RUN)
    rows = zip(
        (columns.models[at] for at in columns.model),
        (columns.conditions[at] for at in columns.condition),
        (columns.scenes[at] for at in columns.scene),
        (ENDINGS[at] for at in columns.status),
        *(columns.outcome(name) for name in OUTCOMES),
        columns.n,
        strict=True,
    )
    ours = Counter[tuple[object, ...]]()
    for *row, n in rows:
        ours[tuple(row)] += n
    theirs = Counter(
        (
            item.reply.call.profile,
            item.reply.call.condition,
            item.reply.call.scene,
            item.score.status,
            *(NOTHING if (y := getattr(item.score, name)) is None else int(y)
              for name in OUTCOMES),
        )
        for item in scored_replies(study, RUN)
        if item.score is not None
    )  # fmt: skip
    assert ours == theirs
    assert columns.calls == theirs.total() == 120


def test_comparisons_are_those_of_the_report(study: Study) -> None:
    found = answer(study, ReplyCache(study), Question())
    assert found is not None
    ours = {(c.model, c.test, c.reference): c for c in found.comparisons}
    theirs = pair_results(scored_replies(study, RUN))
    assert len(ours) == len(theirs) == 10
    for one in theirs:
        mine = ours[one.model, one.test, one.reference]
        assert mine.found == one.comparison
        assert mine.adjusted == pytest.approx(one.adjusted, abs=1e-15)
        assert mine.call == one.call


def test_arms_are_those_of_the_report(study: Study) -> None:
    found = answer(study, ReplyCache(study), Question())
    assert found is not None
    rows = {(r.cells[0].text, r.cells[1].text): r for r in found.sheets["rates"].rows}
    for arm in arm_counts(scored_replies(study, RUN)):
        cells = rows[arm.model, arm.condition].cells
        assert cells[5].value == arm.hidden.share
        assert cells[6].value == arm.hidden.ci_low
        assert cells[7].value == (arm.accuracy.share if arm.accuracy else None)
        assert cells[9].value == (arm.joint.share if arm.joint else None)


def test_a_cache_reads_on_and_agrees_with_a_fresh_one(study: Study) -> None:
    planned = blind_studies.add_replies(study, 3, 2, run="run-2", answered=False)
    cache = ReplyCache(study)
    assert cache.columns("run-2").open_calls == len(planned)
    first = blind_studies.attempt(planned[0], '{"visible": [5, 8], "choice": 3}', None)
    add_attempts(study, [first])
    held = cache.columns("run-2")
    assert held.open_calls == len(planned) - 1
    add_attempts(
        study, [blind_studies.attempt(p, "no answer", None) for p in planned[1:]]
    )
    now, fresh = cache.columns("run-2"), ReplyCache(study).columns("run-2")
    assert now.open_calls == 0
    assert held.open_calls == len(planned) - 1  # what is held never changes
    assert now.ended() == fresh.ended()
    assert now.ended()["unparsed"] == len(planned) - 1


def test_reading_tells_how_far_it_is(study: Study) -> None:
    told: list[float] = []
    ReplyCache(study).columns(RUN, lambda share, _text: told.append(share))
    assert told[-1] == 1.0
    assert all(0 <= share <= 1 for share in told)


def test_a_study_without_runs_has_no_answer(study: Study) -> None:
    with study.write() as db:
        for table in ("calls", "runs"):
            db.execute("PRAGMA defer_foreign_keys = ON")
            if table == "calls":
                db.execute("DROP TRIGGER attempts_kept")
                db.execute("DELETE FROM attempts")
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - two fixed names
    assert answer(study, ReplyCache(study), Question()) is None
