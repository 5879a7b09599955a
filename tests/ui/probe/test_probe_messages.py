"""The exact messages: every byte is there, the one difference is lit."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from director_gui.geometry.truth import truth_of
from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import library
from director_gui.prompts.pairing import Span, compare
from director_gui.scene.example import example_scene
from director_gui.study.asking import prompts_for
from director_gui.ui import theme
from director_gui.ui.copying import CopyButton
from director_gui.ui.message_view import Line, message_lines, summary
from director_gui.ui.probe.messages import MessagesPage

pytestmark = pytest.mark.gui
SCENE = example_scene()
TRUTH = truth_of(SCENE)


def pair_lines(first: str, second: str) -> tuple[list[Prompt], Span, tuple[Line, ...]]:
    prompts = list(prompts_for(SCENE, TRUTH, (first, second)).values())
    span = compare(*prompts)
    return prompts, span, message_lines(prompts, span, SCENE.picture)


@pytest.mark.parametrize("pair", library().pairs, ids="/".join)
def test_both_prompts_can_be_read_back(pair: tuple[str, str]) -> None:
    prompts, span, lines = pair_lines(*pair)
    same = [line for line in lines if line.kind == "same"]
    lit = [line for line in lines if line.kind == "lit"]
    assert lit
    assert len(lit) == len(span.a) + len(span.b)
    cut = len(span.same_prefix)
    before, after = same[:cut], same[cut:]
    for prompt, at, count in (
        (prompts[0], 0, len(span.a)),
        (prompts[1], len(span.a), len(span.b)),
    ):
        own = [*before, *lit[at : at + count], *after]
        assert "".join(line.text for line in own).encode() == b"".join(prompt.turns)


def test_captions_name_slots_and_sizes() -> None:
    _, _, lines = pair_lines("move.ask", "move.plain")
    captions = [line.text for line in lines if line.kind == "caption"]
    assert [text.split(" · ")[0] for text in captions] == [
        "setting",
        "report",
        "request",
        "action",
        "reply_format",
    ]
    assert captions[1].endswith("only in move.ask")
    sizes = [len(line.text.encode()) for line in lines if line.kind in ("same", "lit")]
    assert [int(text.split(" · ")[1].split()[0]) for text in captions] == sizes


def test_the_picture_stands_in_the_first_message_alone() -> None:
    _, _, lines = pair_lines("move.first_turn", "move.plain")
    heads = [line.text for line in lines if line.kind == "turn"]
    assert heads == ["User message 1 of 2", "User message 2 of 2"]
    images = [line.text for line in lines if line.kind == "image"]
    assert "1024 × 768" in images[0]
    assert "reply" in images[1]


def test_a_replaced_piece_shows_both_texts() -> None:
    _, _, lines = pair_lines("move.ask", "mean.ask")
    captions = [line.text for line in lines if "only in" in line.text]
    assert [text.split("only in ")[1] for text in captions] == ["move.ask", "mean.ask"]


def test_the_summary_counts_bytes_and_characters() -> None:
    prompts, span, _ = pair_lines("move.ask", "move.plain")
    text = summary(prompts, span)
    for prompt in prompts:
        data = b"".join(prompt.turns)
        assert f"{prompt.condition} {len(data):,} bytes" in text
        assert f"{len(data.decode()):,} characters" in text
    assert "one inserted run" in text
    assert "one replaced piece" in summary(*pair_lines("move.ask", "mean.ask")[:2])


def test_no_pair_is_said_to_be_none() -> None:
    prompts, span, _ = pair_lines("move.ask", "want.plain")
    assert "This is no pair" in summary(prompts, span)
    assert "declared in no pair" in summary(prompts[:1], None)


@pytest.fixture
def page(qtbot: QtBot) -> MessagesPage:
    made = MessagesPage()
    qtbot.addWidget(made)
    made.show_scene(SCENE, TRUTH)
    return made


def blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def test_the_view_lights_the_span_and_dims_the_rest(page: MessagesPage) -> None:
    page.condition.setCurrentText("move.ask")
    page.partner.setCurrentText("move.plain")
    lit = [
        block.text()
        for block in blocks(page.text.document())
        if block.blockFormat().background().color().name() == theme.tokens().lit
        and block.blockFormat().hasProperty(
            block.blockFormat().Property.BackgroundBrush
        )
    ]
    assert len(lit) == 1
    assert lit[0].startswith("Which blocks can the director see?")


def test_partners_are_those_of_the_declared_pairs(page: MessagesPage) -> None:
    page.condition.setCurrentText("mean.plain")
    listed = {page.partner.itemText(at) for at in range(page.partner.count())}
    declared = {
        (set(pair) - {"mean.plain"}).pop()
        for pair in library().pairs
        if "mean.plain" in pair
    }
    assert listed == declared


def test_the_text_is_plain_and_can_be_selected(page: MessagesPage) -> None:
    page.condition.setCurrentText("move.state")
    assert page.text.isReadOnly()
    assert "The director can see these blocks: 5, 8." in page.text.toPlainText()
    page.text.selectAll()
    assert "numbered blocks" in page.text.textCursor().selectedText()


def test_copying_gives_the_exact_bytes(page: MessagesPage) -> None:
    page.condition.setCurrentText("move.ask")
    copy = page.findChild(CopyButton)
    assert copy is not None
    copy.click()
    assert copy.text() == "Copied"
    exact = prompts_for(SCENE, TRUTH, ("move.ask",))["move.ask"].texts[0]
    assert QApplication.clipboard().text() == exact


def test_a_new_theme_keeps_the_text(page: MessagesPage) -> None:
    before = page.text.toPlainText()
    page.retheme()
    assert page.text.toPlainText() == before
