"""The page about the practice reader says what the code does."""

import re
from pathlib import Path

import pytest

from director_gui.runner.practice.faults import DEFAULT_SHARE, SLOW_S, SUFFIXES
from director_gui.runner.practice.mixture import expected_rates, presets

PAGE = (Path(__file__).parents[3] / "docs" / "practice-reader.md").read_text("utf-8")
ROWS = re.findall(r"^\| `([a-z_.]+)` \| (\d.*) \|$", PAGE, re.MULTILINE)
READER = presets()["practice-reader"]


def test_every_group_has_a_row() -> None:
    assert [name for name, _ in ROWS] == list(READER.groups)


@pytest.mark.parametrize(("name", "cells"), ROWS)
def test_planted_rates_are_the_codes(name: str, cells: str) -> None:
    rates = expected_rates(READER, name)
    null = expected_rates(presets()["practice-null"], name)
    wanted = (rates.hidden_choice, rates.right_report, rates.joint, null.hidden_choice)
    assert [float(cell) for cell in cells.split(" | ")] == pytest.approx(
        wanted, abs=0.0006
    )


def test_every_reader_and_fault_is_described() -> None:
    assert all(f"| `{name}` |" in PAGE for name in presets())
    assert all(f"| `+{suffix}`" in PAGE for suffix in (*SUFFIXES, "slow"))
    assert f"the share is {DEFAULT_SHARE}" in PAGE
    assert f"{SLOW_S:g} seconds without a number" in PAGE


def test_other_figures_in_the_text() -> None:
    assert f"correlation {READER.scene_correlation}" in PAGE
    assert f"About {100 * sum(READER.faults.values()):.1f} % cannot be scored" in PAGE
