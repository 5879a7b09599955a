"""The drawer as a whole: opening, width, themes, names, empty states."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.jobs import Jobs
from director_gui.ui.probe.drawer import ProbeDrawer
from director_gui.ui.probe.profile_dialog import ProfileDialog
from director_gui.ui.session import Session
from director_gui.ui.widgets import EmptyState
from tests.ui.probe.desk import Desk

pytestmark = pytest.mark.gui


@pytest.fixture
def _theme_restored(qapp: QApplication) -> Iterator[None]:
    yield
    theme.apply(qapp, "light", 1.0)
    qapp.setStyleSheet("")


def test_the_row_opens_and_closes_the_pages(desk: Desk) -> None:
    drawer = desk.drawer
    told: list[bool] = []
    drawer.opened.connect(told.append)
    assert not drawer.is_open
    assert not drawer.tabs.isVisible()
    assert drawer.sizeHint().height() < 60
    desk.open()
    assert drawer.tabs.isVisible()
    desk.qtbot.keyClick(drawer, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: told == [True, False])
    assert not drawer.tabs.isVisible()


def test_opening_makes_no_study(desk: Desk) -> None:
    desk.open()
    assert desk.session.opened is None


@pytest.mark.usefixtures("_theme_restored")
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_fits_the_column_in_both_themes(
    desk: Desk, qapp: QApplication, mode: theme.Mode
) -> None:
    desk.open()
    theme.apply(qapp, mode, 1.0)
    desk.drawer.retheme()
    QApplication.processEvents()
    assert desk.drawer.minimumSizeHint().width() <= 392
    theme.apply(qapp, mode, 2.0)
    desk.drawer.retheme()
    QApplication.processEvents()
    assert desk.drawer.minimumSizeHint().width() <= 2 * 392


@pytest.mark.usefixtures("_theme_restored")
def test_a_smaller_text_gives_room_back(qtbot: QtBot, qapp: QApplication) -> None:
    theme.apply(qapp, "light", 2.0)
    session, jobs = Session(), Jobs()
    made = ProbeDrawer(Document(example_scene()), session, jobs, print)
    qtbot.addWidget(made)
    made.show()
    made.open()
    QApplication.processEvents()
    theme.apply(qapp, "light", 1.0)
    made.retheme()
    QApplication.processEvents()
    assert made.minimumSizeHint().width() <= 392
    made.hide()
    jobs.close()
    session.close()


class Shows(QObject):
    """Notes every window that is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[QObject] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt
        shown = event.type() == QEvent.Type.Show and isinstance(watched, QWidget)
        if shown and watched.isWindow():
            self.seen.append(watched)
        return False


def test_no_part_flashes_as_a_window_of_its_own(qapp: QApplication) -> None:
    shows = Shows()
    qapp.installEventFilter(shows)
    session, jobs = Session(), Jobs()
    made = ProbeDrawer(Document(example_scene()), session, jobs, print)
    made.open()
    made._warmer.stop()
    dialog = ProfileDialog(session.keys, jobs, made)
    qapp.removeEventFilter(shows)
    assert shows.seen == []
    for widget in (dialog, made):
        widget.deleteLater()
    jobs.close()
    session.close()


def test_everything_that_takes_the_focus_has_a_name(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    desk.drawer.replies.table.selectRow(0)
    kinds = (QAbstractItemView, QAbstractSpinBox, QComboBox, QPlainTextEdit, QTextEdit)
    for widget in desk.drawer.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        if isinstance(widget, kinds):
            assert widget.accessibleName() or _inner(widget), widget
        elif isinstance(widget, QAbstractButton) and widget.isVisibleTo(desk.drawer):
            named = widget.accessibleName() or widget.text()
            assert named or "Scroll" in widget.objectName(), widget


def _inner(widget: QWidget) -> bool:
    """Whether Qt made the widget itself, such as the list inside a combo box."""
    parent = widget.parentWidget()
    return parent is not None and parent.metaObject().className() in (
        "QComboBoxPrivateContainer",
        "QTableView",
        "QTableWidget",
        "PairTable",
    )


def test_the_keyboard_reaches_the_primary_button(desk: Desk) -> None:
    desk.open()
    compose = desk.drawer.compose
    reached = set()
    desk.drawer.toggle.setFocus()
    for _ in range(60):
        desk.qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.add(QApplication.focusWidget())
    wanted = {compose.send, compose.samples, compose.models, desk.drawer.tabs.tabBar()}
    assert wanted <= reached
    assert {compose.grid.boxes[n] for n in ("mean.ask", "move.count")} <= reached


def test_empty_pages_offer_the_one_next_step(desk: Desk) -> None:
    desk.open()
    for page in (desk.drawer.replies, desk.drawer.earlier):
        desk.drawer.tabs.setCurrentWidget(page)
        empty = page.findChild(EmptyState)
        assert empty.isVisible()
        assert empty.findChild(QLabel).text()
        steps = empty.findChildren(QPushButton)
        assert len(steps) == 1
        desk.click(steps[0])
        assert desk.drawer.tabs.currentWidget() is desk.drawer.compose


def test_the_scene_is_counted_anew_when_it_rests(desk: Desk) -> None:
    desk.open()
    scene = edits.delete(desk.document.scene, Item("partition", 0))
    desk.document.apply(scene, "Delete partition")
    caution = desk.drawer.compose.caution
    desk.wait(lambda: "no block is hidden" in caution.text())
    desk.document.undo_stack.undo()
    desk.wait(lambda: caution.text() == "")


def test_another_study_clears_what_is_shown(desk: Desk) -> None:
    desk.open()
    desk.choose("move.ask", "move.plain")
    desk.probe()
    assert desk.drawer.replies.live is not None
    desk.session.create(desk.folder / "other.study")
    assert desk.drawer.replies.live is None
    assert desk.drawer.earlier.probes == ()
    assert not desk.drawer.practice.isVisible()


def test_a_window_that_closes_at_once_begins_nothing(desk: Desk) -> None:
    desk.open()
    assert desk.drawer._warmer.isActive()
    desk.drawer.hide()
    assert not desk.drawer._warmer.isActive()
    desk.jobs.close()
    desk.qtbot.wait(500)  # longer than the timer
