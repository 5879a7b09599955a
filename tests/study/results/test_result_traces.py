from pathlib import Path

import pytest

from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.unblinding import unblind
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.sheet import Stack
from director_gui.study.results.view import Found, Question, answer
from tests import blind_studies


@pytest.fixture
def desk(tmp_path: Path) -> blind_studies.Desk:
    study = blind_studies.make(tmp_path / "a.study")
    return blind_studies.Desk(study, tmp_path / "packets")


def found_in(desk: blind_studies.Desk) -> Found:
    found = answer(desk.study, ReplyCache(desk.study), Question())
    assert found is not None
    return found


def test_blind_traces_stay_blind(desk: blind_studies.Desk) -> None:
    assert "traces" not in found_in(desk).sheets
    desk.coded()
    assert "traces" not in found_in(desk).sheets
    desk.study.close()


def test_unblinded_readings_are_shown_by_arm_and_coder(
    desk: blind_studies.Desk,
) -> None:
    packet = desk.coded().stored.id
    unblind(desk.study, packet, "me", "done")
    sheet = found_in(desk).sheets["traces"]
    joined = joined_codes(desk.study, packet)
    assert len(sheet.rows) == sum(len(one.arms) for one in joined.passes)
    assert {row.cells[1].text for row in sheet.rows} == {"move.ask", "move.plain"}
    assert "Practice" in sheet.note
    for row in sheet.rows:
        mark = row.cells[-1].mark
        assert isinstance(mark, Stack)
        assert sum(share for _, share in mark.parts) == pytest.approx(1.0)
    desk.study.close()
