"""Lines that can be read, and bars."""

import pytest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from director_gui.ui.families.bar_chart import Bar, BarChart, BarGroup
from director_gui.ui.families.readable import READABLE, readable

pytestmark = pytest.mark.gui


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
