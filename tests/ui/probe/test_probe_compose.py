"""Composing a probe: what is chosen, what it costs, what forbids it."""

import pytest
from PySide6.QtWidgets import QPushButton

from director_gui.home import settings_folder
from director_gui.prompts.library import library
from director_gui.runner.profiles import FILE_NAME
from director_gui.store.database import create_study, open_study
from director_gui.store.runs import runs
from director_gui.study.asking import BASICS
from tests.ui.probe.desk import Desk, MakeProfile

pytestmark = pytest.mark.gui


def test_the_first_look_is_ready_to_send(desk: Desk) -> None:
    desk.open()
    compose = desk.drawer.compose
    assert compose.grid.chosen() == tuple(
        c.name for c in library().conditions if c.name in BASICS
    )
    assert [profile.practice for profile in compose.profiles] == [True]
    assert compose.send.text() == "Send 30 calls"
    assert compose.send.property("primary")
    assert compose.cost.text() == "30 calls · free"
    assert "tokens in" in compose.tokens.text()
    assert compose.answers.text().startswith("Answers 6 pairs.")


def test_one_button_is_primary(desk: Desk) -> None:
    desk.open()
    buttons = desk.drawer.findChildren(QPushButton)
    assert [b for b in buttons if b.property("primary")] == [desk.drawer.compose.send]


def test_every_condition_has_a_box(desk: Desk) -> None:
    grid = desk.drawer.compose.grid
    assert set(grid.boxes) == {c.name for c in library().conditions}
    desk.open()
    shown = [name for name, box in grid.boxes.items() if box.isVisible()]
    assert {*BASICS, "mean.state", "move.state"} == set(shown)
    desk.click(grid._more)
    assert all(box.isVisible() for box in grid.boxes.values())
    desk.click(grid.boxes["move.after"])
    desk.click(grid._more)
    assert grid._more.text() == "More conditions · 1 chosen"


def test_bases_that_join_are_named_and_counted(desk: Desk) -> None:
    desk.open()
    desk.choose("move.plain", samples=4)
    compose = desk.drawer.compose
    assert compose.send.text() == "Send 8 calls"
    assert "move.ask joins as the base" in compose.answers.text()
    assert "move: ask − plain" in compose.answers.text()


@pytest.mark.parametrize(
    ("conditions", "models", "words"),
    [
        ((), ("Practice reader",), "Choose at least one condition"),
        (("move.ask",), (), "Choose at least one model"),
        (("move.ask",), ("Practice reader", "OpenAI gpt-6-sol"), "cannot share"),
    ],
)
def test_what_cannot_be_sent_says_why(
    desk: Desk, conditions: tuple[str, ...], models: tuple[str, ...], words: str
) -> None:
    desk.open()
    desk.choose(*conditions)
    desk.choose_models(*models)
    assert words in desk.drawer.compose.cost.text()
    assert not desk.drawer.compose.send.isEnabled()


def test_an_unknown_price_needs_a_second_click(desk: Desk, real: MakeProfile) -> None:
    desk.open()
    desk.ask(real(input_price=None, output_price=None))
    desk.choose("move.ask", "move.plain")
    compose = desk.drawer.compose
    assert compose.cost.text() == "2 calls · unknown price"
    sent = []
    compose.sent.disconnect()
    compose.sent.connect(sent.append)
    desk.click(compose.send)
    assert sent == []
    assert "The price of real is unknown" in compose.notice.text
    desk.press(compose.notice, "Do not send")
    assert sent == []
    desk.click(compose.send)
    desk.press(compose.notice, "Send anyway at unknown price")
    assert [draft.profiles[0].name for draft in sent] == ["real"]
    assert sent[0].conditions == ("move.ask", "move.plain")


def test_a_changed_choice_takes_the_question_back(
    desk: Desk, real: MakeProfile
) -> None:
    desk.open()
    desk.ask(real(input_price=None, output_price=None))
    desk.click(desk.drawer.compose.send)
    assert desk.drawer.compose.notice.text
    desk.choose("move.ask", samples=9)
    assert desk.drawer.compose.notice.text == ""


def test_a_known_price_is_told_and_sent_at_once(desk: Desk, real: MakeProfile) -> None:
    desk.open()
    desk.ask(real())
    desk.choose("move.ask", "move.plain", samples=50)
    compose = desk.drawer.compose
    assert compose.cost.text().startswith("100 calls · about $0.")
    sent = []
    compose.sent.disconnect()
    compose.sent.connect(sent.append)
    desk.click(compose.send)
    assert len(sent) == 1


def test_a_read_only_study_says_so_and_sends_nothing(desk: Desk) -> None:
    path = desk.folder / "held.study"
    with create_study(path, "held"):  # another program holds it
        desk.session.open(path)
        desk.open()
        compose = desk.drawer.compose
        assert "read-only" in compose.cost.text()
        assert not compose.send.isEnabled()
        desk.click(compose.send)
    assert not desk.drawer.sending.busy
    with open_study(path, read_only=True) as study:
        assert runs(study) == []


def test_broken_saved_profiles_are_told(desk: Desk) -> None:
    settings_folder().mkdir(parents=True, exist_ok=True)
    (settings_folder() / FILE_NAME).write_text("{")
    desk.drawer.compose.load_profiles()
    desk.open()
    desk.choose("move.ask")  # a changed choice does not take an error away
    assert "cannot be read" in desk.drawer.compose.notice.text
    assert desk.drawer.compose.models.count() > 0
