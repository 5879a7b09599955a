from collections import Counter
from pathlib import Path

import pytest

from director_gui.stats.display import interval_text
from director_gui.store.corrections import add_correction
from director_gui.store.database import Study
from director_gui.store.runs import calls_of
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.passes import passes_of
from director_gui.study.blind.unblinding import unblind
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.sheet import Bar
from director_gui.study.results.view import Found, Question, answer
from director_gui.study.scored import scored_replies
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
    drawn = [at for at, column in enumerate(sheet.columns) if column.drawing]
    assert len(drawn) == len(joined.codes)
    arms = [arm for one in joined.passes for arm in one.arms]
    for row, arm in zip(sheet.rows, arms, strict=True):
        for at, code in zip(drawn, joined.codes, strict=True):
            found = arm.shares[code]
            assert row.cells[at].mark == Bar(found.ci_low, found.share, found.ci_high)
            assert f"{found.k} of {found.n} coded trace" in row.cells[at].hint
        shares = [row.cells[at].value or 0.0 for at in drawn]
        assert sum(map(float, shares)) == pytest.approx(1.0)
    desk.study.close()


def test_each_share_has_its_interval_beside_it(desk: blind_studies.Desk) -> None:
    packet = desk.coded().stored.id
    unblind(desk.study, packet, "me", "done")
    sheet = found_in(desk).sheets["traces"]
    joined = joined_codes(desk.study, packet)
    first = joined.passes[0].arms[0]
    for at, code in enumerate(joined.codes):
        share, around = sheet.rows[0].cells[4 + 2 * at : 6 + 2 * at]
        found = first.shares[code]
        assert share.value == found.share
        assert around.text == interval_text(found.ci_low, found.ci_high)
    codes = sum(arm.n for one in joined.passes for arm in one.arms)
    assert f"{codes} codes by 2 coders, up to 4 scenes a condition" in sheet.note
    assert "0 codes given after the results were locked" in sheet.note
    desk.study.close()


def test_every_field_with_codes_has_its_sheet(desk: blind_studies.Desk) -> None:
    packet = desk.coded()
    unblind(desk.study, packet.stored.id, "me", "done")
    sheets = found_in(desk).sheets
    names = [name for name in sheets if name.startswith("traces")]
    fields = [one for one in packet.packet.codebook.fields if one.codes]
    assert len(names) == len(fields) > 1
    assert names[0] == "traces"
    for name, one in zip(names, fields, strict=True):
        sheet = sheets[name]
        assert sheet.name == name
        assert one.label.lower() in sheet.title
        titles = {column.title for column in sheet.columns if column.drawing}
        assert titles == {f"{code.label}, %" for code in one.codes}
        # A field that is not required may be left open on some traces.
        total = sum(float(row.cells[3].value or 0) for row in sheet.rows)
        assert 0 < total <= 2 * len(packet.calls)
    assert len({len(name) <= 31 for name in names}) == 1  # a workbook's limit
    desk.study.close()


def hidden_of(study: Study) -> set[str]:
    """Score each reply by itself, as no table does."""
    return {
        one.reply.call.id
        for one in scored_replies(study, "run-1")
        if one.score is not None and one.score.hidden_choice is True
    }


def test_traces_of_hidden_choices_are_counted_one_by_one(
    desk: blind_studies.Desk,
) -> None:
    packet = desk.coded()
    unblind(desk.study, packet.stored.id, "me", "done")
    sheets = found_in(desk).sheets
    hidden = hidden_of(desk.study)
    calls = {call.id: call for call in calls_of(desk.study, "run-1")}
    passes = {one.name: one for one in passes_of(desk.study, packet)}
    every = [one for one in packet.packet.codebook.fields if one.codes]
    seen = 0
    for name, one in zip(("traces", *(f"traces-{f.name}" for f in every[1:])), every,
                         strict=True):  # fmt: skip
        sheet = sheets[f"hidden-{name}"]
        assert sheet.name == f"hidden-{name}"
        assert sheet.note.startswith("Traces of replies that chose the hidden block")
        for row in sheet.rows:
            model, condition, coder = (cell.text for cell in row.cells[:3])
            codes = Counter(
                code
                for call, code in passes[coder].codes(one.name).items()
                if call in hidden
                and (calls[call].profile, calls[call].condition) == (model, condition)
            )
            assert row.cells[3].value == codes.total() > 0
            for at, code in enumerate(one.codes):
                share = row.cells[4 + 2 * at].value
                assert share == pytest.approx(codes[code.name] / codes.total())
            seen += codes.total()
    whole = sum(float(r.cells[3].value or 0) for r in sheets["traces"].rows)
    restricted = sum(float(r.cells[3].value or 0) for r in sheets["hidden-traces"].rows)
    assert 0 < restricted < whole
    assert seen
    desk.study.close()


def test_a_corrected_choice_moves_its_trace(desk: blind_studies.Desk) -> None:
    packet = desk.coded()
    unblind(desk.study, packet.stored.id, "me", "done")
    coded = set(packet.calls.values())
    chosen = sorted(hidden_of(desk.study) & coded)
    for call in chosen:
        value = {"status": "answered", "choice": 5}
        add_correction(desk.study, call, value, actor="me", reason="it names 5")
    # Without a hidden-block choice there is nothing to restrict to.
    assert not [n for n in found_in(desk).sheets if n.startswith("hidden-")]
    again = answer(desk.study, ReplyCache(desk.study), Question(automatic=True))
    assert again is not None
    assert "hidden-traces" in again.sheets
    desk.study.close()
