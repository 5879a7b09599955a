import numpy as np
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


def test_scores_are_those_of_the_rows_one_by_one(study: Study) -> None:
    columns = ReplyCache(study).columns(RUN)
    scored = scored_replies(study, RUN)
    assert columns.calls == len(scored)
    for at, item in enumerate(scored):
        assert item.score is not None
        assert columns.models[columns.model[at]] == item.reply.call.profile
        assert columns.scenes[columns.scene[at]] == item.reply.call.scene
        assert ENDINGS[columns.status[at]] == item.score.status
        for name, own in (
            ("hidden_choice", item.score.hidden_choice),
            ("report_correct", item.score.report_correct),
            ("joint", item.score.joint),
        ):
            value = columns.outcome(name)[at]
            assert value == (NOTHING if own is None else int(own))


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
    for name in ("status", "hidden", "correct", "leaves_out", "kind"):
        assert np.array_equal(getattr(now, name), getattr(fresh, name))


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
