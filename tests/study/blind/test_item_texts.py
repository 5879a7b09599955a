"""Names, answers and hits: what is cut from a text, and what a person must look at."""

import time
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.profiles import Profile
from director_gui.store.runs import Run
from director_gui.study.blind.itemtext import Form, ItemText, text_of, without_names
from director_gui.study.blind.names import MARK, names_of, pattern_of
from director_gui.study.blind.scanner import Decision, Scanner, resolved
from director_gui.study.blind.traces import Trace
from tests.blind_studies import OPEN

NAMES = pattern_of(names_of(()))
PROMPT = "Which blocks can the director see? Give their numbers as a list."


def trace(reasoning: str, reply: str = "{}", choice: int = 5) -> Trace:
    labels = {"ref": "r", "model": "m", "condition": "move.ask", "scene": "s"}
    return Trace(
        **labels,
        kind="hidden",
        practice=False,
        reasoning=reasoning,
        reply=reply,
        choice=choice,
    )


def text(reasoning: str, form: Form = "without_report") -> str:
    return text_of(trace(reasoning), form, NAMES).text


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I am Qwen3.8-27B by Alibaba.", "I am ▇ by ▇."),
        ("GPT-4o and gpt-6-sol and ChatGPT", "▇ and ▇ and ▇"),
        ("OPENAI, open-ai and Open AI", "▇, ▇ and ▇"),
        ("Claude 3.5 Sonnet", "▇ Sonnet"),
        ("the metal and the gemination", "the metal and the gemination"),
        ("Grok_4_fast/Grok-4.6", "▇/▇"),
        ("Qwen. 5 is largest", "▇. 5 is largest"),
        ("no names, 3 (20 cm)", "no names, 3 (20 cm)"),
    ],
)
def test_names_become_a_block(said: str, left: str) -> None:
    assert without_names(ItemText(said), NAMES).text == left


def test_many_names_of_one_text_are_found_fast() -> None:
    started = time.perf_counter()
    without_names(ItemText("GPT" + "-a_b" * 2000 + " Qwen_" * 200), NAMES)
    assert time.perf_counter() - started < 2  # a backtracking pattern takes minutes


@pytest.mark.parametrize(
    "answer",
    [
        '{"choice": 5}',
        '{"visible": [5, 8], "choice": 5}',
        '```json\n{"visible": [5, 8], "choice": 5}\n```',
        '{"count": 3, "choice": 5}',
    ],
)
def test_an_answer_leaves_no_trace_of_itself(answer: str) -> None:
    """Whatever a condition asked for, the same words remain."""
    assert text(f"I look.\n\n{answer}\n\nSo it is 5.") == (
        "I look.\n\nSo it is 5.\n\nChoice: 5"
    )


def test_json_that_is_no_answer_stays() -> None:
    assert text('I note {"a": 1}.') == 'I note {"a": 1}.\n\nChoice: 5'


def test_with_the_reply_everything_stays() -> None:
    made = text_of(
        trace("I look.", '{"visible": [8], "choice": 5}'), "with_reply", NAMES
    )
    assert made.text == 'I look.\n\nReply: {"visible": [8], "choice": 5}\n\nChoice: 5'
    assert made.cuts == ()


@given(
    st.lists(
        st.sampled_from(["GPT", " sees ", "Qwen3", ", ", "\U0001f600", "no", "\r\n"]),
        max_size=12,
    )
)
def test_each_cut_names_its_place(parts: list[str]) -> None:
    """Putting every cut back, last first, gives the text as it was."""
    said = "".join(parts)
    made = without_names(ItemText(said), NAMES)
    whole = made.text
    for cut in reversed(made.cuts):
        assert whole[cut.at] == MARK
        assert cut.length == len(cut.text)
        whole = whole[: cut.at] + cut.text + whole[cut.at + 1 :]
    assert whole == said


SCANNER = Scanner.of(names_of(()), [PROMPT])


def found(*texts: str) -> list[str]:
    return [f.name for f in SCANNER.findings([ItemText(t) for t in texts])]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("myQwenlike model: xQwen3", ""),  # four letters are too common inside words
        ("I am \uff27\uff4f\uff4f\uff47\uff4c\uff45’s", "name"),  # full width
        ("Q\u200bwen", "name"),
        ("these GPTs are", "name"),
        ("by Deep\u200bMind and", "name"),
        ("a Claudelike voice", "name"),
        ("asked which blocks can the director see, so", "prompt"),
        ("WHICH  BLOCKS\ncan the director see", "prompt"),
        ('under the key "visible" I put', "key"),
        ("visible: [5, 8]", "key"),
        ("what is visible to him", ""),
        ("which blocks can the man see", ""),
    ],
)
def test_the_scanner_finds(said: str, kind: str) -> None:
    hits = found(said)
    assert [name.split(":")[0] for name in hits] == ([kind] if kind else [])


def test_a_hit_shows_the_very_text() -> None:
    said = "I was asked: Which blocks can the director see? Give their numbers."
    (finding,) = SCANNER.findings([ItemText(said)])
    (hit,) = finding.hits
    assert said[hit.start : hit.end] == (
        "Which blocks can the director see? Give their numbers"
    )
    assert hit.context in said


def test_equal_phrases_are_one_finding() -> None:
    texts = [ItemText(f"{i}: Which blocks can the director see") for i in range(3)]
    (finding,) = SCANNER.findings(texts)
    assert [hit.item for hit in finding.hits] == [0, 1, 2]


@pytest.mark.parametrize(
    ("decision", "left"),
    [
        ("keep", "So: which blocks can the director see, by Claudelike."),
        ("cut", "So: , by ▇like."),
        ("leave_out", None),
    ],
)
def test_a_person_decides(decision: Decision, left: str | None) -> None:
    items = [ItemText("So: which blocks can the director see, by Claudelike.")]
    findings = SCANNER.findings(items)
    decisions = {f.name: decision for f in findings}
    (made,) = resolved(items, findings, decisions)
    assert (made.text if made else None) == left


@given(
    st.lists(
        st.sampled_from(
            ["which blocks can the director see ", "Claudelike ", '"visible" ', "and "]
        ),
        max_size=8,
    )
)
def test_nothing_is_found_again_once_all_is_cut(parts: list[str]) -> None:
    items = [ItemText("".join(parts))]
    findings = SCANNER.findings(items)
    (made,) = resolved(items, findings, {f.name: "cut" for f in findings})
    assert made is not None
    assert SCANNER.findings([made]) == ()


def run_of(*profiles: Profile) -> Run:
    listed = [asdict(profile) for profile in profiles]
    return Run("r", "plan", "", "", practice=False, settings={"profiles": listed})


@pytest.mark.parametrize(
    ("profile", "model", "cut"),
    [
        ("vLLM Qwen3.8-27B", "Qwen/Qwen3.8-27B", ("vLLM", "Qwen3.8", "Qwen3.8-27B")),
        ("OpenAI gpt-6-sol", "gpt-6-sol", ("sol", "gpt-6-sol", "GPT")),
        ("mine", "house/Zephyrus_7b", ("zephyrus", "house", "Zephyrus 7b")),
    ],
)
def test_a_run_s_own_names_are_cut(
    profile: str, model: str, cut: tuple[str, ...]
) -> None:
    pattern = pattern_of(names_of([run_of(replace(OPEN, name=profile, model=model))]))
    for name in cut:
        assert without_names(ItemText(f"I, {name}, say"), pattern).text == "I, ▇, say"


def test_ordinary_words_of_a_profile_stay() -> None:
    pattern = pattern_of(names_of([run_of(OPEN)]))
    said = "With practice and reasoning the reader finds the large, open model."
    assert without_names(ItemText(said), pattern).text == said


def test_names_do_not_depend_on_the_order_of_runs() -> None:
    runs = [run_of(replace(OPEN, name=n, model=n)) for n in ("Aurora", "Borealis")]
    assert names_of(runs) == names_of(runs[::-1])
