"""Messages at the foot: nothing moves, nothing is covered, causes that go take them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.ui import widgets
from director_gui.ui.copying import CopyButton
from director_gui.ui.elided import ElidedLine
from director_gui.ui.remark import Remark
from director_gui.ui.widgets import Banner, Whole
from director_gui.ui.window import MainWindow

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

pytestmark = [pytest.mark.gui, pytest.mark.render]
ERROR = UserError("the block stands on another", where="block 5", todo="Move it")
LONG = UserError("a very long story " * 20, todo="Read it all")


def places(window: MainWindow) -> dict[int, "QRect"]:
    """Where every widget of the shown workspace is."""
    shown = window._stack.currentWidget()
    return {
        id(one): one.geometry()
        for one in shown.findChildren(QWidget)
        if one.isVisible()
    }


def press(qtbot: QtBot, within: QWidget, name: str) -> None:
    (found,) = [b for b in within.findChildren(QPushButton) if b.text() == name]
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize("error", [ERROR, LONG], ids=["short", "long"])
@pytest.mark.parametrize("word", ["Scenes", "Run", "Prompts", "Coding", "Results"])
def test_a_banner_moves_and_covers_nothing(
    qtbot: QtBot, window: MainWindow, word: str, error: UserError
) -> None:
    window.show_workspace(window.workspace_names().index(word))
    if word == "Prompts":
        body = window.workspace(word).body
        qtbot.waitUntil(lambda: body.currentIndex() == 1, timeout=20_000)
    qtbot.wait(50)
    banner = window.workspace(word).banner
    height, before = window.footer.height(), places(window)
    banner.tell_error(error)
    QApplication.processEvents()
    assert banner.isVisible()
    assert places(window) == before
    assert window.footer.height() == height
    top = banner.mapTo(window, banner.rect().topLeft()).y()
    assert top >= window._stack.mapTo(window, window._stack.rect().bottomLeft()).y()
    press(qtbot, banner, "Dismiss")
    QApplication.processEvents()
    assert places(window) == before
    assert window.footer.text == str(getattr(window.workspace(word), "HINT", ""))


def test_it_goes_when_its_cause_is_gone(window: MainWindow) -> None:
    scenes = window.scenes
    scenes.refuse(ERROR)
    assert window.footer.text == str(ERROR)
    moved = edits.move_to(window.document.scene, Item("block", 5), 0.1, 0.0)
    window.document.apply(moved, "Move")
    assert scenes.banner.text == ""
    assert window.footer.text == scenes.HINT


def test_only_the_latest_cause_is_watched(window: MainWindow) -> None:
    banner = window.scenes.banner
    banner.tell_error(ERROR, until=(window.document.scene_changed,))
    banner.tell_error(LONG, until=(window.session.study_changed,))
    moved = edits.move_to(window.document.scene, Item("block", 5), 0.1, 0.0)
    window.document.apply(moved, "Move")
    assert banner.text
    assert window.session.study  # opens the scratch study
    assert not banner.text


def test_each_workspace_shows_its_own_and_all_show_the_windows(
    window: MainWindow,
) -> None:
    window.scenes.refuse(ERROR)
    window.show_workspace(3)
    assert window.footer.line.banner is None
    window.tell_error(LONG)
    assert window.footer.line.banner is window.banner
    window.show_workspace(0)
    assert window.footer.line.banner is window.banner  # the newest
    window.banner.close_remark()
    assert window.footer.line.banner is window.scenes.banner


def test_the_keyboard_reaches_it_and_comes_back(
    qtbot: QtBot, window: MainWindow
) -> None:
    view = window.scenes.edit_view
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_F6)
    assert QApplication.focusWidget() is view  # there is no message
    window.scenes.refuse(ERROR)
    qtbot.keyClick(view, Qt.Key.Key_F6)
    held = QApplication.focusWidget()
    assert isinstance(held, CopyButton)
    qtbot.keyClick(held, Qt.Key.Key_Tab)
    dismiss = QApplication.focusWidget()
    assert isinstance(dismiss, QPushButton)
    assert dismiss.text() == "Dismiss"
    qtbot.keyClick(dismiss, Qt.Key.Key_Escape)
    assert window.scenes.banner.text == ""
    assert QApplication.focusWidget() is view


def test_it_is_told_to_screen_readers(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = []
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: heard.append(event.type())
    )
    window.scenes.refuse(ERROR)
    assert QAccessible.Event.Alert in heard
    assert window.scenes.banner.accessibleDescription() == str(ERROR)


# What the offscreen platform cannot do for a popup is no fault of ours.
@pytest.mark.qt_log_ignore("propagateSizeHints", r"raise\(\)", "grabbing")
def test_a_text_that_does_not_fit_is_read_in_full(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.scenes.refuse(ERROR)
    more = window.scenes.banner.findChild(QToolButton)
    assert more is not None
    assert not more.isVisible()
    window.scenes.refuse(LONG)
    QApplication.processEvents()
    assert more.isVisible()
    qtbot.mouseClick(more, Qt.MouseButton.LeftButton)
    whole = window.scenes.banner.findChild(Whole)
    assert whole is not None
    assert "Read it all" in whole.words.text()
    assert whole.geometry().bottom() < more.mapToGlobal(more.rect().topLeft()).y()
    qtbot.keyClick(whole, Qt.Key.Key_Escape)
    assert not whole.isVisible()


def test_a_confirmation_passes_by_and_a_question_stays(
    qtbot: QtBot, window: MainWindow
) -> None:
    banner = window.scenes.banner
    banner._passing.setInterval(10)
    banner.tell("Kept.")
    qtbot.waitUntil(lambda: not banner.text, timeout=2000)
    banner.tell("Keep it?", ("Keep", lambda: None))
    qtbot.wait(50)
    assert banner.text
    banner.tell_error(ERROR)
    qtbot.wait(50)
    assert banner.text


def test_a_confirmation_waits_for_who_is_in_it(
    qtbot: QtBot, window: MainWindow
) -> None:
    banner = window.scenes.banner
    banner._passing.setInterval(10)
    banner.tell("Kept.")
    banner.take_focus()
    qtbot.wait(60)
    assert banner.text == "Kept."
    window.scenes.edit_view.setFocus()
    qtbot.waitUntil(lambda: not banner.text, timeout=2000)


def test_what_was_copied_is_said_and_gives_way(
    qtbot: QtBot, window: MainWindow
) -> None:
    window.show_workspace(2)
    prompts = window.workspace("Prompts")
    qtbot.waitUntil(lambda: prompts.body.currentIndex() == 1, timeout=10_000)
    line = window.footer.line
    line._over.setInterval(30)
    prompts.banner.tell_error(ERROR)
    prompts.table.setFocus()
    qtbot.keyClick(prompts.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text().startswith("Condition\t")
    assert window.footer.text == "Copied the table"
    qtbot.waitUntil(lambda: line.banner is prompts.banner, timeout=2000)


def test_a_copy_button_says_so_in_its_place(qtbot: QtBot) -> None:
    found: list[str | None] = ["text", None]
    made = CopyButton("Copy as curl", lambda: found.pop(0))
    qtbot.addWidget(made)
    made.show()
    made._said.setInterval(20)
    width = made.width()
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == "text"
    assert made.text() == "Copied"
    assert made.minimumWidth() == width  # what stands beside it does not move
    qtbot.waitUntil(lambda: made.text() == "Copy as curl", timeout=2000)
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)  # there is nothing to copy
    assert made.text() == "Copy as curl"
    assert QApplication.clipboard().text() == "text"


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_button_of_a_message_fits_the_smallest_window(
    qtbot: QtBot, window: MainWindow, scale: float
) -> None:
    del qtbot
    window.resize(1024, 680)
    try:
        window._set_scale(scale)
        window.scenes.refuse(LONG)
        QApplication.processEvents()
        banner = window.scenes.banner
        for made in (*banner._buttons, *banner.findChildren(QToolButton)):
            right = made.mapTo(window, made.rect().bottomRight())
            assert right.x() <= window.width()
            assert made.height() <= window.footer.height()
    finally:
        window._set_scale(1.0)


def test_a_line_is_cut_only_where_its_room_ends(qtbot: QtBot) -> None:
    made = ElidedLine("one\ntwo three")
    qtbot.addWidget(made)
    made.resize(made.needed(), 20)
    made.show()
    assert made.toolTip() == ""
    made.resize(made.needed() // 2, 20)
    assert made.toolTip() == "one\ntwo three"
    made.setText("")
    assert made.toolTip() == ""


def test_a_remark_must_say_how_it_shows_its_text() -> None:
    made = Remark()
    with pytest.raises(NotImplementedError):
        made.tell("x")


Act = Callable[[Banner], None]


@pytest.mark.parametrize(
    ("tell", "names"),
    [
        (lambda b: b.tell("Kept."), ["Dismiss"]),
        (lambda b: b.tell("?", ("Open", lambda: None)), ["Open", "Dismiss"]),
        (
            lambda b: b.tell("?", ("Send", lambda: None), ("Do not", lambda: None)),
            ["Send", "Do not"],
        ),
        (lambda b: b.tell_error(ERROR), ["Copy detail", "Dismiss"]),
    ],
    ids=["word", "choice", "two choices", "error"],
)
def test_there_is_always_a_way_out(qtbot: QtBot, tell: Act, names: list[str]) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    tell(banner)
    shown = [b for b in banner.findChildren(QPushButton) if not b.isHidden()]
    assert [b.text() for b in shown] == names


def test_an_error_and_a_word_have_signs_of_their_own(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []
    real = widgets.icon
    monkeypatch.setattr(
        widgets, "icon", lambda name: (drawn.append(name), real(name))[1]
    )
    banner = Banner()
    qtbot.addWidget(banner)
    banner.tell("Kept.")
    banner.tell_error(ERROR)
    assert list(dict.fromkeys(drawn)) == ["information-outline", "alert-circle-outline"]
    labels = banner.findChildren(QLabel)
    assert all(one.textFormat() is Qt.TextFormat.PlainText for one in labels)
