"""Layouts for little room, bars, and the pages' lines."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from director_gui.ui.families.bar_chart import Bar, BarChart, BarGroup
from director_gui.ui.families.flow import Flow, Halves
from director_gui.ui.families.readable import READABLE, readable

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


@pytest.mark.parametrize(("width", "line"), [(1400, READABLE), (500, None)])
def test_lines_stay_short_enough_to_be_read(
    qtbot: QtBot, width: int, line: int | None
) -> None:
    area = QScrollArea()
    qtbot.addWidget(area)
    column = readable(area)
    text = QLabel("word " * 400)
    text.setWordWrap(True)
    column.addWidget(text)
    area.resize(width, 400)
    area.show()
    if line is None:
        assert 400 < text.width() < width
    else:
        assert text.width() == line


class TestBars:
    def groups(self) -> list[BarGroup]:
        return [
            BarGroup("a", (Bar(0, 0.5, "half"), Bar(2, 1.0, "all"))),
            BarGroup("b", (Bar(0, 0.0, "none"),)),
        ]

    def test_they_are_told_to_those_who_cannot_see_them(self, qtbot: QtBot) -> None:
        chart = BarChart("Shares")
        qtbot.addWidget(chart)
        chart.show_bars(("mine", "", "paper"), self.groups())
        assert chart.accessibleDescription() == "a: mine half, paper all; b: mine none"

    def test_they_grow_with_what_they_show(self, qtbot: QtBot) -> None:
        chart = BarChart("Shares")
        qtbot.addWidget(chart)
        before = chart.sizeHint().height()
        chart.show_bars(("mine", "", "paper"), self.groups())
        assert chart.sizeHint().height() > before

    def test_a_longer_share_is_a_longer_bar(self, qtbot: QtBot) -> None:
        chart = BarChart("Shares", names=100)
        qtbot.addWidget(chart)
        chart.show_bars(("mine", "", "paper"), self.groups())
        chart.resize(600, chart.sizeHint().height())
        image = chart.grab().toImage()

        def filled(y: int) -> int:
            empty = image.pixelColor(460, y)
            row = [image.pixelColor(x, y) for x in range(100, 470)]
            return sum(color != empty for color in row)

        half = filled(14 + 12 + 7)
        assert half == pytest.approx((600 - 100 - 130) / 2, abs=3)
