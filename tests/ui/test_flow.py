"""Widgets that wrap, and halves that stand or lie."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from director_gui.ui.flow import Flow, Halves

pytestmark = pytest.mark.gui


def boxes(count: int, width: int = 100) -> list[QLabel]:
    made = [QLabel(str(i)) for i in range(count)]
    for box in made:
        box.setFixedSize(width, 20)
    return made


class TestFlow:
    @pytest.mark.parametrize(
        ("width", "lines"),
        [(1000, 1), (412, 1), (411, 2), (208, 2), (204, 2), (110, 4)],
    )
    def test_it_takes_as_many_lines_as_it_needs(
        self, qtbot: QtBot, width: int, lines: int
    ) -> None:
        page = QWidget()
        qtbot.addWidget(page)
        flow = Flow(spacing=4)
        page.setLayout(flow)
        made = boxes(4)
        for box in made:
            flow.addWidget(box)
        page.resize(width, 200)
        page.show()
        assert len({box.y() for box in made}) == lines
        assert flow.heightForWidth(width) == 20 * lines + 4 * (lines - 1)
        assert all(box.geometry().right() < width for box in made)

    def test_it_asks_for_no_more_than_its_widest(self, qtbot: QtBot) -> None:
        page = QWidget()
        qtbot.addWidget(page)
        flow = Flow()
        page.setLayout(flow)
        for box in (*boxes(3, 50), *boxes(1, 120)):
            flow.addWidget(box)
        assert flow.minimumSize().width() == 120
        assert flow.count() == 4
        assert flow.itemAt(9) is None
        assert flow.takeAt(9) is None
        assert flow.takeAt(0) is not None
        assert flow.count() == 3


class TestHalves:
    def test_they_stand_beside_another_where_there_is_room(self, qtbot: QtBot) -> None:
        halves = Halves(QWidget(), QWidget(), 300, 400)
        qtbot.addWidget(halves)
        halves.resize(1000, 600)
        halves.show()
        assert halves.orientation() == Qt.Orientation.Horizontal
        assert halves.sizes()[1] == pytest.approx(300, abs=4)

    def test_they_stack_where_it_is_short(self, qtbot: QtBot) -> None:
        halves = Halves(QWidget(), QWidget(), 300, 400)
        qtbot.addWidget(halves)
        halves.resize(1000, 600)
        halves.show()
        halves.resize(600, 600)
        assert halves.orientation() == Qt.Orientation.Vertical
        assert halves.sizes()[1] == pytest.approx(300, abs=8)
        halves.resize(1000, 600)
        assert halves.orientation() == Qt.Orientation.Horizontal

    def test_what_the_user_moved_stays(self, qtbot: QtBot) -> None:
        halves = Halves(QWidget(), QWidget(), 300, 400)
        qtbot.addWidget(halves)
        halves.resize(1000, 600)
        halves.show()
        halves.setSizes([500, 500])
        halves.resize(1100, 600)
        assert halves.sizes()[1] == pytest.approx(500, abs=4)
