"""The mixture is a valid mixture, and its expected rates are what it plants."""

from dataclasses import fields, replace

import pytest

from director_gui import assets
from director_gui.prompts.library import library
from director_gui.runner.practice.mixture import (
    FALLBACK_GROUP,
    Group,
    Mixture,
    expected_rates,
    presets,
    read_mixtures,
)

READER = presets()["practice-reader"]


def test_the_documented_readers_ship() -> None:
    assert set(presets()) == {
        "practice-reader",
        "practice-reader-open",
        "practice-null",
    }
    assert READER.traces == 0.9
    assert presets()["practice-reader-open"].traces == 1.0


@pytest.mark.parametrize("name", [c.name for c in library().conditions])
def test_every_condition_of_the_program_has_a_group_of_its_own(name: str) -> None:
    assert READER.resolve(name) == name


@pytest.mark.parametrize("mixture", presets().values(), ids=lambda m: m.name)
def test_shares_are_shares(mixture: Mixture) -> None:
    for name in mixture.groups:
        shares = [share for _, share in mixture.group(name).shares()]
        assert sum(shares) == pytest.approx(1.0)
        assert all(0.0 <= share <= 1.0 for share in shares)
    assert sum(mixture.faults.values()) < 0.05
    assert all(weight > 0 for weight in mixture.shapes.values())


def test_reading_at_walks_through_the_stacked_shares() -> None:
    group = Group(0.2, 0.1, 0.1, 0.1, report=0.9, report_hidden=0.8, works_out=1.0)
    at = [group.reading_at(u) for u in (0.0, 0.19, 0.21, 0.31, 0.41, 0.51, 0.999)]
    assert at == [
        "own-view",
        "own-view",
        "prior-knowledge",
        "largest-digit",
        "no-rule",
        "director-view",
        "director-view",
    ]


def test_expected_rates_by_hand() -> None:
    group = Group(0.4, 0.1, 0.05, 0.05, report=0.9, report_hidden=0.6, works_out=1.0)
    planted = replace(READER, groups={"move.ask": group}, same_as={})
    rates = expected_rates(planted, "move.ask")
    assert rates.hidden_choice == pytest.approx(0.5)
    assert rates.joint == pytest.approx(0.5 * 0.6)
    assert rates.right_report == pytest.approx(0.5 * 0.6 + 0.5 * 0.9)


def test_the_question_has_an_effect_on_move_and_hardly_any_on_mean() -> None:
    def difference(action: str) -> float:
        ask = expected_rates(READER, f"{action}.ask").hidden_choice
        return ask - expected_rates(READER, f"{action}.plain").hidden_choice

    assert difference("move") == pytest.approx(0.40)
    assert abs(difference("mean")) < 0.01
    assert abs(difference("move.both")) < 0.01
    assert 0 < difference("want") < difference("move")


def test_the_null_reader_has_no_effect_of_any_question() -> None:
    null = presets()["practice-null"]
    for action in ("mean", "move", "want", "youwill", "move.both"):
        names = [n for n in null.groups if n.rpartition(".")[0] == action]
        rates = {expected_rates(null, name).hidden_choice for name in names}
        assert len(rates) == 1, action


def test_a_first_turn_report_is_right_apart_from_the_choice() -> None:
    rates = expected_rates(READER, "move.first_turn")
    assert rates.joint == pytest.approx(rates.hidden_choice * rates.right_report)


@pytest.mark.parametrize(
    ("name", "group"),
    [
        ("want.both.ask", "want.ask"),
        ("mean.both.plain", "mean.plain"),
        ("want.count", "move.count"),
        ("other.knows", "move.knows"),
        ("other.thing", FALLBACK_GROUP),
        ("", FALLBACK_GROUP),
    ],
)
def test_an_unknown_condition_falls_back(name: str, group: str) -> None:
    assert READER.resolve(name) == group
    assert READER.group(name) == READER.group(group)


def test_a_twin_lends_its_readings_and_not_its_reports() -> None:
    null = presets()["practice-null"]
    ask, plain = null.groups["move.state"], null.groups["move.plain"]
    drawn = null.group("move.state")
    assert (drawn.own_view, drawn.report) == (plain.own_view, ask.report)


def test_files_that_are_no_mixture_are_refused() -> None:
    with pytest.raises(ValueError, match="not a practice-mixture"):
        read_mixtures('format = "something else"')
    text = assets.read_text("practice/mixture.toml")
    too_much = text.replace('"move.ask"              = { own_view = 0.50', "{0}", 1)
    too_much = too_much.replace("{0}", '"move.ask" = { own_view = 0.99')
    with pytest.raises(ValueError, match=r"move\.ask"):
        read_mixtures(too_much)


def test_every_field_of_a_group_is_documented_in_the_file() -> None:
    text = assets.read_text("practice/mixture.toml")
    comments = "".join(line for line in text.splitlines() if line.startswith("#"))
    assert all(field.name in comments for field in fields(Group))
