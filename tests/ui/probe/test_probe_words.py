"""The words and figures that the drawer puts on screen."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.prompts.library import library
from director_gui.runner.records import Attempt, Call, Outcome, Usage
from director_gui.scoring.score import Kind, Score
from director_gui.stats.result import Comparison, Share
from director_gui.store.attempts import reply_of
from director_gui.study.analysis import PairResult
from director_gui.study.scored import Scored
from director_gui.ui.probe.detail import attempt_text, score_line
from director_gui.ui.probe.pair_table import pair_cells, pair_name, pairs_text, reasons
from director_gui.ui.probe.side_by_side import change_text, count_text

CALL = Call(
    run="r",
    batch="1",
    condition="move.ask",
    condition_hash="v",
    scene="s",
    image="i",
    profile="p",
    model="m",
    settings="h",
    sample=2,
)
ATTEMPT = Attempt(
    call=CALL.id,
    turn=1,
    turns=1,
    number=3,
    outcome=Outcome.REPLY,
    started="2026-01-02T03:04:05.000000+00:00",
    latency=1.234,
    request_hash="h",
    http_status=200,
    text='{"choice": 5}',
    model_returned="m-1",
    usage=Usage(input=1000, output=20),
    cost=0.0,
)


def scored(score: Score | None, kind: Kind | None = None) -> Scored:
    return Scored(reply_of(CALL, [ATTEMPT]), score, kind)


@pytest.mark.parametrize(
    ("test", "reference", "name"),
    [
        ("move.ask", "move.plain", "move: ask − plain"),
        ("move.ask", "mean.ask", "ask: move − mean"),
        ("move.both.ask", "move.ask", "move: both.ask − ask"),
        ("move.both.ask", "move.padding.ask", "move: both.ask − padding.ask"),
        ("want.plain", "move.plain", "plain: want − move"),
        ("want.ask", "move.plain", "want.ask − move.plain"),
        # Names of one's own may have no dot.
        ("tiny", "move.ask", "tiny − move.ask"),
        ("move", "move.ask", "move − move.ask"),
        ("tiny", "small", "tiny − small"),
    ],
)
def test_pairs_are_named_by_what_differs(test: str, reference: str, name: str) -> None:
    assert pair_name(test, reference) == name


def test_no_two_declared_pairs_share_a_name() -> None:
    names = [pair_name(*pair) for pair in library().pairs]
    assert len(set(names)) == len(names)


@given(st.lists(st.sampled_from(library().pairs), unique=True))
def test_a_list_of_pairs_names_each_of_them(pairs: list[tuple[str, str]]) -> None:
    text = pairs_text(pairs)
    found = set()
    for group in filter(None, text.split(" · ")):
        head, _, tails = group.rpartition(": ")
        found |= {f"{head}: {tail}" for tail in tails.split(", ")}
    assert found == {pair_name(*pair) for pair in pairs}


def comparison(**more: object) -> Comparison:
    values: dict[str, object] = {
        "conditions": ("move.plain", "move.ask"),
        "weights": (-1.0, 1.0),
        "cov": "robust",
        "method": "none",
        "reason": "too_few_scenes",
        "estimate": 0.6,
        "se": None,
        "df": None,
        "ci_low": None,
        "ci_high": None,
        "p": None,
        "scenes": 1,
        "paired_scenes": 1,
        "fewest_scenes": 1,
        "informative_scenes": None,
        "n": (5, 4),
        "k": (1, 3),
        "flags": (),
    }
    return Comparison(**{**values, **more})  # type: ignore[arg-type]


def pair(**more: object) -> PairResult:
    return PairResult("p", "move.plain", "move.ask", comparison(**more), None, "")


def test_a_pair_shows_test_before_reference() -> None:
    cells = pair_cells(pair(), named=False)
    assert cells == ("move: ask − plain", "+60.0", "3/4 − 1/5", "–")


def test_a_fall_has_a_true_minus_and_an_interval() -> None:
    made = pair(estimate=-0.125, ci_low=-0.25, ci_high=0.0, reason=None)
    cells = pair_cells(made, named=True)
    assert cells[0] == "p: move: ask − plain"
    assert cells[1] == "−12.5"
    assert cells[3] == "[−25.0, 0.0]"


def test_a_pair_without_replies_shows_a_dash() -> None:
    made = pair(estimate=None, n=(0, 4), k=(0, 3), reason="no_replies")
    assert pair_cells(made, named=False)[1] == "–"
    assert reasons([made]) == "no answered reply in move.plain."


def test_each_reason_is_told_once() -> None:
    silent = pair(n=(0, 4), reason="no_replies")
    text = reasons([pair(), pair(), silent])
    assert text.count("needs at least 3 scenes") == 1
    assert text.endswith(". No answered reply in move.plain.")
    assert reasons([pair(reason=None)]) == ""


def test_many_reasons_leave_room_for_the_pairs() -> None:
    silent = [
        pair(n=(0, 4), reason="no_replies"),
        pair(n=(4, 0), reason="no_replies"),
        pair(n=(0, 0), reason="no_replies"),
    ]
    assert reasons(silent) == "no answered reply in move.plain. And 2 more."


@pytest.mark.parametrize(
    ("score", "kind", "words"),
    [
        (None, None, "waiting"),
        (Score("unparsed"), None, "waiting"),
        (Score("answered", choice=5), "director_view", "chooses 5 (director view)"),
        (Score("answered", choice=7), "not_a_block", "chooses 7 (not a block)"),
        (
            Score("answered", visible=(5, 8), report_correct=True),
            None,
            "reports 5, 8 (right)",
        ),
        (
            Score("answered", visible=(), report_correct=False),
            None,
            "reports none (wrong)",
        ),
        (Score("answered", count=3), None, "counts 3"),
        (Score("answered", known=(5,)), None, "says the director knows 5"),
        (Score("answered", known=()), None, "says the director knows none"),
        (Score("answered", flags=("repeated_key",)), None, "⚑ repeated key"),
    ],
)
def test_a_score_in_words(score: Score | None, kind: Kind | None, words: str) -> None:
    line = score_line(scored(score, kind), "waiting")
    assert line.startswith("move.ask · sample 2 · waiting")
    assert words in line.split(" · ")


def test_an_attempt_says_what_is_known_and_nothing_else() -> None:
    text = attempt_text(ATTEMPT)
    assert text.splitlines()[0] == "Turn 1 of 1, attempt 3: reply"
    for words in (
        "started: 2026-01-02 03:04:05 UTC",
        "took: 1.23 s",
        "HTTP: 200",
        "model: m-1",
        "tokens in: 1000",
    ):
        assert f"  {words}" in text.splitlines()
    assert "cost $: 0.0" in text  # free is known, and not the same as unknown
    for absent in ("request id", "fingerprint", "reasoning", "error", "message"):
        assert absent not in text
    failed = replace(ATTEMPT, error_kind="timeout", error_message="too slow")
    assert "  error: timeout" in attempt_text(failed).splitlines()
    assert "  message: too slow" in attempt_text(failed).splitlines()


def test_counts_of_an_arm() -> None:
    share = Share("move.ask", 0.5, 2, 4, 1, None, None, "none", "too_few_scenes")
    assert count_text(share) == "2/4"
    assert count_text(None) == "–"
    assert change_text(()) == ""
