"""Counts say what the replies one by one say, and are never believed when stale."""

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.runner.records import PlannedCall
from director_gui.scoring import score
from director_gui.store.attempts import add_attempts
from director_gui.store.counts import Counts, forget_counts
from director_gui.store.database import Study, open_study
from director_gui.store.faults import StorageFullError
from director_gui.store.outcomes import EndRow, last_attempt
from director_gui.study.results import counting, outcome
from director_gui.study.results.columns import Columns
from director_gui.study.results.counting import Counting
from director_gui.study.results.facts import SceneFacts, Told, silent
from director_gui.study.results.filters import Filter, filters_of, keep_filter
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Found, Question, answer
from director_gui.study.scored import scored_replies
from tests.strategies import FEW
from tests.study.results import random_studies
from tests.study.results.random_studies import RUN, columns_by_rows

Planned = tuple[Path, list[PlannedCall]]


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Planned:
    path = tmp_path_factory.mktemp("planned") / "a.study"
    study, calls = random_studies.planned(path)
    keep_filter(study, Filter("own", {"hidden_has_largest": "yes", "blocks": "3"}))
    study.close()
    return path, calls


@pytest.fixture
def study(planned: Planned, tmp_path: Path) -> Iterator[Study]:
    """A drawn study, whole."""
    with open_study(Path(shutil.copy(planned[0], tmp_path / "a.study"))) as opened:
        fill(opened, planned[1], random.Random(1))
        yield opened


@pytest.fixture
def scored(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many replies were scored, by condition version; equal ones each time."""
    seen: Counter[str] = Counter()
    plain = counting._Scorer.code

    def code(self: object, row: EndRow) -> int:
        seen[row[3]] += 1
        return plain(self, row)

    monkeypatch.setattr(counting._Scorer, "code", code)
    return seen


def fill(study: Study, calls: list[PlannedCall], rng: random.Random) -> None:
    for found in random_studies.ends(calls, rng):
        add_attempts(study, found)


class ByRows:
    """Stands for a `ReplyCache`, and counts nothing."""

    def __init__(self, study: Study) -> None:
        self._study = study

    def columns(
        self, run_id: str, _tell: Told = silent, *, automatic: bool = False
    ) -> Columns:
        assert not automatic  # it counts what people read
        return columns_by_rows(self._study, run_id)


def told(found: Found | None) -> object:
    assert found is not None
    comparisons = [(c.name, c.model, c.batch, c.found, c.shares, c.adjusted, c.call)
                   for c in found.comparisons]  # fmt: skip
    scenes = [found.scenes_of(at) for at in range(len(found.comparisons))]
    return found.sheets, found.state, found.interim, comparisons, scenes


def agrees(study: Study, question: Question, cache: ReplyCache | None = None) -> None:
    ours = answer(study, cache or ReplyCache(study), question)
    theirs = answer(study, ByRows(study), question)  # type: ignore[arg-type]
    assert told(ours) == told(theirs)


def questions(study: Study) -> list[Question]:
    """Every family, filter and outcome, not every combination of them."""
    asked = Question(run=RUN)
    families = ("Question and controls", "Rewordings")
    return [
        *(replace(asked, family=name) for name in families),
        *(replace(asked, scenes=one.name) for one in filters_of(study)),
        *(replace(asked, outcome=name) for name in ("report_correct", "joint")),
    ]


@settings(FEW, max_examples=4)  # each makes some twenty answers
@given(seed=st.integers(0, 2**32))
def test_counts_give_the_tables_that_the_replies_give(
    planned: Planned, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng = random.Random(seed)
    path = tmp_path_factory.mktemp("drawn") / "a.study"
    with open_study(Path(shutil.copy(planned[0], path))) as study:
        cache = ReplyCache(study)
        every = random_studies.ends(planned[1], rng)
        cuts = sorted(rng.sample(range(len(every)), 2))
        for start, end in zip([0, *cuts], [*cuts, len(every)], strict=True):
            add_attempts(study, [a for found in every[start:end] for a in found])
            random_studies.correct_some(study, planned[1], rng)
            # Read on by one that has counted before, and from the file by another.
            agrees(study, Question(run=RUN), cache)
        for question in questions(study):
            agrees(study, question)


def test_a_chunk_more_or_less_changes_nothing(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ReplyCache(study).columns(RUN).endings()
    for size in (1, 7, last_attempt(study)):
        monkeypatch.setattr(counting, "CHUNK", size)
        forget_counts(study)
        assert (ReplyCache(study).columns(RUN).endings() == whole).all()


def test_a_reply_is_scored_once(study: Study, scored: Counter[str]) -> None:
    answer(study, ReplyCache(study), Question())
    first = scored.total()
    assert first > 100
    answer(study, ReplyCache(study), Question())
    path = study.path
    study.close()
    with open_study(path) as again:
        answer(again, ReplyCache(again), Question())
    assert scored.total() == first


def test_another_version_of_the_scorer_scores_anew(
    study: Study, scored: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ReplyCache(study)
    before = cache.columns(RUN)
    first = scored.total()
    monkeypatch.setattr(score, "SCORER_VERSION", score.SCORER_VERSION + 1)
    monkeypatch.setattr(outcome, "choice_kind", lambda *_, **__: "not_a_block")
    now = cache.columns(RUN)
    assert scored.total() == 2 * first
    assert set(now.kind) == {-1, 5}
    assert now.ended() == before.ended()


def test_another_answer_key_scores_anew(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = ReplyCache(study).columns(RUN)
    plain = SceneFacts.of
    chosen = before.scenes[0]

    def edited(self: SceneFacts, hashes: set[str], tell: Told = silent) -> object:
        facts = plain(self, hashes, tell)
        return {h: replace(f, hidden=None) if h == chosen else f
                for h, f in facts.items()}  # fmt: skip

    monkeypatch.setattr(SceneFacts, "of", edited)
    now = ReplyCache(study).columns(RUN)
    there = now.scene == 0
    assert set(now.hidden[there]) == {-1}
    assert (now.hidden[~there] >= 0).any()
    monkeypatch.undo()
    assert (ReplyCache(study).columns(RUN).endings() == before.endings()).all()


def test_other_keys_of_a_condition_score_anew(study: Study) -> None:
    cache = ReplyCache(study)
    before = cache.columns(RUN).ended()
    with study.write() as db:
        # By hand: the program freezes a version.
        db.execute(
            "UPDATE conditions SET pieces = replace(pieces, '\"choice\"', '\"count\"')"
        )
    after = cache.columns(RUN).ended()
    assert after != before
    assert after == ReplyCache(study).columns(RUN).ended()
    agrees(study, Question(run=RUN), cache)


def test_a_replaced_reply_is_counted_as_it_is_now(study: Study) -> None:
    cache = ReplyCache(study)
    before = cache.columns(RUN).ended()
    with study.write() as db:
        db.conn.execute("PRAGMA recursive_triggers = OFF")
        db.conn.execute("DROP TRIGGER attempts_kept")
        row = study.query(
            "SELECT * FROM attempts WHERE terminal = 1 AND text LIKE '%choice%'"
            " AND turns = 1 AND finish_reason = 'stop' ORDER BY id LIMIT 1"
        )[0]
        row |= {"text": " "}
        db.conn.execute(
            f"INSERT OR REPLACE INTO attempts VALUES ({', '.join('?' * len(row))})",  # noqa: S608 - question marks
            list(row.values()),
        )
    now = cache.columns(RUN).ended()
    assert now["empty"] == before["empty"] + 1
    agrees(study, Question(run=RUN), cache)


def test_a_correction_counts_at_once_and_scores_nothing_anew(
    study: Study, scored: Counter[str]
) -> None:
    cache = ReplyCache(study)
    before = cache.columns(RUN)
    first = scored.total()
    chosen = next(
        item
        for item in scored_replies(study, RUN)
        if item.score is not None and item.score.status == "unparsed"
    )
    random_studies.add_correction(
        study, chosen.reply.call.id, {"choice": 5}, actor="me", reason="misread"
    )
    now = cache.columns(RUN)
    assert (before.corrected, now.corrected) == (0, 1)
    assert now.ended()["answered"] == before.ended()["answered"] + 1
    assert (cache.columns(RUN, automatic=True).endings() == before.endings()).all()
    assert scored.total() == first
    agrees(study, Question(run=RUN), cache)


def test_the_same_plan_in_another_study_is_its_own(
    study: Study, planned: Planned, tmp_path: Path
) -> None:
    ours = ReplyCache(study).columns(RUN)
    with open_study(Path(shutil.copy(planned[0], tmp_path / "b.study"))) as other:
        assert ReplyCache(other).columns(RUN).open_calls == len(planned[1])
        fill(other, planned[1], random.Random(2))
        theirs = ReplyCache(other).columns(RUN)
        agrees(other, Question(run=RUN))
    assert theirs.ended() != ours.ended()
    assert ReplyCache(study).columns(RUN).ended() == ours.ended()


def test_counts_of_calls_that_are_no_more_are_not_believed(
    study: Study, planned: Planned
) -> None:
    counts, calls = Counts(study), len(planned[1])
    place = ("m", "1", "move.ask", "v", "no such scene")
    counts.begin(RUN, "whatever", 0, {place: calls + 1})
    assert ReplyCache(study).columns(RUN).calls == calls
    counts.begin(RUN, "another basis", 0, {place: calls})
    assert "no such scene" not in ReplyCache(study).columns(RUN).scenes
    counts.begin(RUN, "read too far", last_attempt(study) + 1, {place: calls})
    agrees(study, Question(run=RUN))


def test_a_run_with_a_call_taken_out_is_counted_all_the_same(study: Study) -> None:
    gone = study.query(
        "SELECT id FROM calls WHERE id NOT IN (SELECT call FROM attempts) LIMIT 1"
    )[0]["id"]
    with study.write() as db:
        db.execute("DELETE FROM calls WHERE id = ?", [gone])  # by hand: a gap
    cache = ReplyCache(study)
    for _ in range(2):
        assert cache.columns(RUN).calls == 192 - 1
    agrees(study, Question(run=RUN), cache)


@pytest.mark.parametrize("change", ["n + 100", "-n"])
def test_counts_that_cannot_be_are_not_believed(study: Study, change: str) -> None:
    before = ReplyCache(study).columns(RUN).endings()
    with study.write() as db:
        db.execute(f"UPDATE cell_counts SET n = {change}")  # noqa: S608 - two fixed texts
    assert (ReplyCache(study).columns(RUN).endings() == before).all()


def test_what_was_counted_stays_when_the_user_stops(
    study: Study, scored: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CHUNK", 20)
    whole = ByRows(study).columns(RUN).ended()

    class StoppedError(Exception):
        """What a cancelled job raises."""

    def stop(share: float, text: str) -> None:
        if "scored" in text and share > 0.4:
            raise StoppedError

    with pytest.raises(StoppedError):
        ReplyCache(study).columns(RUN, stop)
    half = scored.total()
    assert 0 < half < sum(whole.values())
    assert ReplyCache(study).columns(RUN).ended() == whole
    assert scored.total() == sum(whole.values()) - whole["open"]


def test_progress_is_a_share_of_the_calls(study: Study) -> None:
    shares: list[float] = []
    ReplyCache(study).columns(RUN, lambda share, _text: shares.append(share))
    assert shares
    assert all(0 < share <= 1 for share in shares)


def test_a_read_only_study_gives_the_same_and_stays_as_it_is(study: Study) -> None:
    path, theirs = study.path, told(answer(study, ByRows(study), Question(run=RUN)))  # type: ignore[arg-type]
    study.close()
    before = path.read_bytes()
    with open_study(path, read_only=True) as opened:
        cache = ReplyCache(opened)
        for _ in range(2):
            assert told(answer(opened, cache, Question(run=RUN))) == theirs
    assert path.read_bytes() == before


def test_a_read_only_study_reads_on_from_what_is_counted(
    study: Study, planned: Planned, scored: Counter[str]
) -> None:
    ReplyCache(study).columns(RUN)
    counted = scored.total()
    with open_study(study.path, read_only=True) as beside:
        cache = ReplyCache(beside)
        cache.columns(RUN)
        assert scored.total() == counted
        fill_open(study, planned[1])
        agrees(beside, Question(run=RUN), cache)


def fill_open(study: Study, calls: list[PlannedCall]) -> None:
    """End a call that was never tried."""
    tried = {row["call"] for row in study.query("SELECT call FROM attempts")}
    fresh = next(c for c in calls if c.call.id not in tried and len(c.turns) == 1)
    add_attempts(
        study, [random_studies.blind_studies.attempt(fresh, '{"choice": 3}', None)]
    )


def test_a_full_disk_costs_the_counts_and_no_table(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise StorageFullError("the disk is full")

    monkeypatch.setattr(study, "write", full)
    cache = ReplyCache(study)
    ours = told(answer(study, cache, Question(run=RUN)))
    monkeypatch.undo()
    assert ours == told(answer(study, ByRows(study), Question(run=RUN)))  # type: ignore[arg-type]
    assert Counts(study).of_run(RUN) is None


def test_a_run_that_is_not_there_has_no_calls(study: Study) -> None:
    assert ReplyCache(study).columns("no such run").calls == 0
    with pytest.raises(UserError, match="no such scene"):
        ReplyCache(study).facts({"no such hash"})


def test_keeping_up_counts_what_came_in(
    study: Study, planned: Planned, scored: Counter[str]
) -> None:
    keep_up = Counting(study).keeping_up(RUN)
    keep_up()
    first = scored.total()
    assert first == sum(r.n for r in Counting(study).cells(RUN))
    fill_open(study, planned[1])
    keep_up()
    keep_up()
    assert scored.total() == first + 1
    agrees(study, Question(run=RUN))
    assert scored.total() == first + 1


def test_keeping_up_leaves_a_long_backlog_to_somebody_with_progress(
    study: Study,
    planned: Planned,
    scored: Counter[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "MOST_BESIDE", 10)
    keep_up = Counting(study).keeping_up(RUN)
    keep_up()
    assert not scored
    ReplyCache(study).columns(RUN)
    first = scored.total()
    fill_open(study, planned[1])
    keep_up()
    assert scored.total() == first + 1


def test_two_that_count_at_once_count_once(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CHUNK", 15)
    other = Counting(study)
    meddled: list[int] = []

    def meddle(_share: float, text: str) -> None:
        if "scored" in text and len(meddled) < 3:
            meddled.append(len(other.cells(RUN)))

    ours = Counting(study).cells(RUN, meddle)
    assert meddled
    assert ours == other.cells(RUN)
    agrees(study, Question(run=RUN))


def test_a_run_forgotten_while_it_is_counted_is_counted_whole(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "CHUNK", 15)
    forgotten: list[str] = []

    def forget(_share: float, text: str) -> None:
        if "scored" in text and not forgotten:
            forgotten.append(text)
            forget_counts(study)

    cells = Counting(study).cells(RUN, forget)
    assert forgotten
    assert cells == Counting(study).cells(RUN)
    agrees(study, Question(run=RUN))
