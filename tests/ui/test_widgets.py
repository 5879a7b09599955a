"""Shared widgets: banners that keep their detail, contrast of every theme."""

from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.ui import theme
from director_gui.ui.rail import Rail
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from director_gui.ui.widgets import Banner, EmptyState, action, button, swatch

pytestmark = pytest.mark.gui


def luminance(color: str) -> float:
    """Relative luminance of WCAG 2.2."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    c = QColor(color)
    red, green, blue = (linear(p) for p in (c.redF(), c.greenF(), c.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


ALL = (theme.LIGHT, theme.DARK, theme.HIGH_LIGHT, theme.HIGH_DARK)
HIGH = (theme.HIGH_LIGHT, theme.HIGH_DARK)


@pytest.mark.parametrize("tokens", ALL)
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ("text", "window"), ("text", "panel"), ("text", "sunken"),
        ("text", "accent_soft"), ("text", "lit"), ("text", "error_soft"),
        ("text", "warning_soft"), ("muted", "window"), ("muted", "panel"),
        ("muted", "sunken"), ("accent", "panel"), ("accent_text", "accent"),
        ("sees", "panel"), ("hidden", "panel"), ("ambiguous", "panel"),
        ("cut", "panel"), ("error", "panel"), ("practice", "panel"),
    ],
)  # fmt: skip
def test_text_has_contrast(tokens: theme.Tokens, ink: str, paper: str) -> None:
    least = 7.0 if tokens in HIGH else 4.5
    assert contrast(getattr(tokens, ink), getattr(tokens, paper)) >= least


@pytest.mark.parametrize("tokens", HIGH)
@pytest.mark.parametrize("line", ["line", "strong_line"])
def test_lines_show_in_high_contrast(tokens: theme.Tokens, line: str) -> None:
    assert contrast(getattr(tokens, line), tokens.panel) >= 4.5


@pytest.mark.parametrize("align", ["AlignLeft", "AlignRight"])
@pytest.mark.parametrize("kind", [QSpinBox, QDoubleSpinBox, QLineEdit])
@pytest.mark.parametrize("focused", [False, True])
def test_numbers_keep_the_room_that_texts_have(
    qtbot: QtBot, kind: type[QSpinBox | QDoubleSpinBox | QLineEdit], align: str, *,
    focused: bool,
) -> None:  # fmt: skip
    make_app(Settings())
    field = kind()
    qtbot.addWidget(field)
    field.setAlignment(getattr(Qt.AlignmentFlag, align))
    if isinstance(field, QLineEdit):
        field.setText("1")
    field.resize(140, 26)
    field.show()
    if focused:
        field.setFocus()
    QApplication.processEvents()
    image = field.grab().toImage()
    ink = [
        x
        for x in range(3, 137)
        if any(image.pixelColor(x, y).lightness() < 110 for y in range(8, 18))
    ]
    # A caret may stand at the left; nothing comes closer than that.
    assert ink[0] >= 7
    assert ink[-1] <= 140 - 7


def test_what_cannot_be_changed_looks_so(qtbot: QtBot) -> None:
    make_app(Settings())
    for made in (QSpinBox(), QLineEdit("1"), QComboBox(), QCheckBox("x")):
        qtbot.addWidget(made)
        made.show()
        before = made.grab().toImage()
        made.setEnabled(False)
        assert made.grab().toImage() != before


def test_all_themes_name_every_token() -> None:
    for field in fields(theme.Tokens):
        for tokens in ALL:
            assert QColor(getattr(tokens, field.name)).isValid()


def test_the_stylesheet_knows_every_name_it_uses(qtbot: QtBot) -> None:
    del qtbot
    assert "$" not in theme._stylesheet(theme.LIGHT)


def test_an_error_can_be_copied_whole(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    error = UserError("it broke", where="x" * 500, todo="Mend it")
    banner.tell_error(error)
    assert banner.text == "it broke. Mend it"
    copy = next(b for b in banner.findChildren(QPushButton) if "Copy" in b.text())
    copy.click()
    assert QApplication.clipboard().text() == str(error)
    assert copy.text() == "Copied"
    assert banner.text  # what is to be done can still be read


def test_a_banners_choice_acts_and_closes(qtbot: QtBot) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    done: list[str] = []
    banner.tell("Recovered.", ("Open it", lambda: done.append("open")))
    names = [b.text() for b in banner.findChildren(QPushButton)]
    assert names == ["Open it", "Dismiss"]
    banner.findChildren(QPushButton)[0].click()
    assert done == ["open"]


def test_a_click_hands_nothing_to_what_it_calls(qtbot: QtBot) -> None:
    heard: list[object] = []
    made = button("Go", lambda *args: heard.append(args))
    qtbot.addWidget(made)
    made.click()
    assert heard == [()]


def test_a_tooltip_names_the_shortcut(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = action(parent, "Duplicate", lambda: None, shortcut="Ctrl+D")
    assert made.toolTip() == "Duplicate (Ctrl+D)"


def test_an_empty_state_offers_one_step(qtbot: QtBot) -> None:
    done: list[int] = []
    empty = EmptyState("Nothing yet.", ("Begin", lambda: done.append(1)))
    qtbot.addWidget(empty)
    steps = empty.findChildren(QPushButton)
    assert len(steps) == 1
    steps[0].click()
    assert done == [1]


def test_the_rail_chooses_and_shows_news(qtbot: QtBot) -> None:
    rail = Rail()
    qtbot.addWidget(rail)
    rail.add("Scenes", "cube-outline")
    rail.add("Coding", "tag-multiple-outline")
    rail.show()
    with qtbot.waitSignal(rail.chosen) as told:
        rail._buttons[1].click()
    assert told.args == [1]
    rail.set_news(0, news=True)
    assert rail._buttons[0].news
    rail.choose(0)
    assert not rail._buttons[0].news
    assert rail._buttons[1].toolTip() == "Coding (Ctrl+2)"


@pytest.mark.usefixtures("qapp")
def test_a_swatch_keeps_its_colour_when_its_row_is_chosen() -> None:
    made = swatch("#c0504d")
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        assert made.pixmap(12, 12, mode).toImage().pixelColor(6, 6).name() == "#c0504d"
