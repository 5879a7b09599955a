"""Small parts of the drawer: remarks, boxes, the form, pictures, turning by width."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QCheckBox,
    QListWidget,
    QPushButton,
)
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.runner.profiles import presets
from director_gui.ui import theme
from director_gui.ui.notice import Notice
from director_gui.ui.probe.condition_grid import ConditionGrid
from director_gui.ui.probe.profile_fields import typed_of
from director_gui.ui.probe.profile_form import ProfileForm
from director_gui.ui.probe.side_by_side import Picture
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from tests.ui.probe.desk import Desk

pytestmark = pytest.mark.gui


@pytest.fixture
def notice(qtbot: QtBot) -> Notice:
    made = Notice()
    qtbot.addWidget(made)
    return made


def press(qtbot: QtBot, notice: Notice, name: str) -> None:
    found = [b for b in notice.findChildren(QPushButton) if b.text() == name]
    qtbot.mouseClick(found[-1], Qt.MouseButton.LeftButton)


def test_a_remark_is_closed_by_its_choice(qtbot: QtBot, notice: Notice) -> None:
    chosen: list[str] = []
    notice.tell("Which?", ("One", lambda: chosen.append("one")))
    assert notice.text == "Which?"
    press(qtbot, notice, "One")
    assert chosen == ["one"]
    assert notice.text == ""


def test_a_choice_may_tell_something_new(qtbot: QtBot, notice: Notice) -> None:
    notice.tell("First", ("Go on", lambda: notice.tell("Second")))
    press(qtbot, notice, "Go on")
    assert notice.text == "Second"


def test_an_error_can_be_copied_whole(qtbot: QtBot, notice: Notice) -> None:
    error = UserError("it broke", where="x" * 900, todo="Mend it")
    notice.tell_error(error)
    assert notice.text == "it broke. Mend it"
    press(qtbot, notice, "Copy detail")
    assert QApplication.clipboard().text() == str(error)
    notice.tell_error(UserError("short", where="here", todo="Do that"))
    assert notice.text == "here: short. Do that"


def luminance(colour: QColor) -> float:
    def part(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    r, g, b = (part(c) for c in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


@pytest.mark.parametrize("tokens", [theme.LIGHT, theme.DARK], ids=["light", "dark"])
def test_the_outline_of_a_box_can_be_seen(tokens: theme.Tokens) -> None:
    a, b = sorted(luminance(QColor(c)) for c in (tokens.muted, tokens.panel))
    assert (b + 0.05) / (a + 0.05) >= 3


def edge_colours(image: QImage) -> set[str]:
    middle = image.height() // 2
    return {image.pixelColor(x, middle).name() for x in range(min(30, image.width()))}


def app() -> None:
    # The stylesheet draws the boxes.
    make_app(Settings())


def test_boxes_are_outlined(qtbot: QtBot) -> None:
    app()
    tick = QCheckBox()
    qtbot.addWidget(tick)
    tick.resize(30, 30)
    assert theme.tokens().muted in edge_colours(tick.grab().toImage())


def test_boxes_of_a_list_are_outlined(qtbot: QtBot) -> None:
    made = QListWidget()
    qtbot.addWidget(made)
    app()
    made.addItem("model")
    made.item(0).setCheckState(Qt.CheckState.Unchecked)
    made.resize(200, 60)
    image = made.viewport().grab(made.visualItemRect(made.item(0))).toImage()
    assert theme.tokens().muted in edge_colours(image)


def test_boxes_are_ticked_by_keyboard(qtbot: QtBot) -> None:
    grid = ConditionGrid()
    qtbot.addWidget(grid)
    grid.show()
    box = grid.boxes["mean.state"]
    told: list[bool] = []
    grid.changed.connect(lambda: told.append(box.isChecked()))
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert told == [True]
    assert "mean.state" in grid.chosen()


@pytest.mark.parametrize("profile", presets(), ids=lambda p: p.name)
def test_the_form_gives_back_what_it_shows(qtbot: QtBot, profile: object) -> None:
    form = ProfileForm()
    qtbot.addWidget(form)
    form.show_profile(profile)  # type: ignore[arg-type]
    assert form.typed() == typed_of(profile)  # type: ignore[arg-type]


def test_the_first_fault_gets_the_focus(qtbot: QtBot) -> None:
    form = ProfileForm()
    qtbot.addWidget(form)
    form.show()
    qtbot.waitExposed(form)
    form.show_faults({"model": "missing", "input_price": "no number"})
    assert form.focusWidget() is form.lines["model"]
    assert form.lines["model"].property("state") == "refused"
    form.show_faults({})
    assert form.lines["model"].property("state") == ""
    assert not form.faults["model"].isVisible()


def test_a_picture_keeps_its_shape(qtbot: QtBot) -> None:
    made = Picture()
    qtbot.addWidget(made)
    assert made.heightForWidth(200) == 60  # nothing to show yet
    image = QImage(40, 30, QImage.Format.Format_RGB888)
    image.fill(QColor("#ff0000"))
    made.show_image(image)
    assert made.heightForWidth(200) == 150
    made.resize(200, 100)  # wider than the picture: bars at both sides
    shown = made.grab().toImage()
    assert shown.pixelColor(100, 50) == QColor("#ff0000")
    assert shown.pixelColor(5, 50) == QColor(theme.tokens().sunken)


def test_pages_turn_with_the_width(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    drawer = desk.drawer
    ways = QBoxLayout.Direction
    for width, direction, orientation in (
        (392, ways.TopToBottom, Qt.Orientation.Vertical),
        (700, ways.LeftToRight, Qt.Orientation.Horizontal),
        (392, ways.TopToBottom, Qt.Orientation.Vertical),
    ):
        drawer.resize(width, 700)
        for page in (drawer.compose, drawer.replies):
            drawer.tabs.setCurrentWidget(page)
            QApplication.processEvents()
        assert drawer.compose._columns.direction() == direction
        assert drawer.replies._split.orientation() == orientation


def test_few_pairs_are_shown_where_there_is_little_room(desk: Desk) -> None:
    desk.open()
    desk.choose("mean.ask", "mean.plain", "mean.count", "move.ask", "move.plain")
    desk.probe()
    pairs = desk.drawer.replies.pairs
    assert pairs.rowCount() == 5
    heights = []
    for height in (400, 900):
        desk.drawer.resize(392, height)
        QApplication.processEvents()
        heights.append(pairs.height())
    assert heights[0] < heights[1]
