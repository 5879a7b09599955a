"""Figures as texts: rounding, signs, and what has no value."""

import pytest

from coding.agreement import Coder, compare
from director_gui.stats.result import Share
from director_gui.study.blind.overview import CoderRow, PacketRow
from director_gui.ui.coordinator import words
from director_gui.ui.coordinator.packet_list import state_of

CODES = ("own-view", "director-view")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.955, "0.95"),
        (1.0, "1.00"),
        (-0.25, "\N{MINUS SIGN}0.25"),
        (-0.001, "0.00"),
        (None, "\N{EN DASH}"),
    ],
)
def test_coefficients(value: float | None, text: str) -> None:
    assert words.decimal(value) == text


def test_a_pair_without_a_shared_item_has_words_for_figures() -> None:
    pair = compare(Coder("ann", {"1": "own-view"}), Coder("ben", {}), CODES)
    row = dict(zip(words.PAIR_COLUMNS, words.pair_row(pair), strict=True))
    assert row["κ"] == "not defined"
    assert row["Agree"] == row["95 %"] == "\N{EN DASH}"
    assert words.remarks(pair) == ["κ no item coded by both"]
    assert words.finer(pair) == ""


def test_remarks_are_sentences_and_indices_are_shown_for_two_codes() -> None:
    ann = {str(i): CODES[i % 2] for i in range(8)}
    ben = {str(i): CODES[i // 4] for i in range(8)}
    pair = compare(Coder("ann", ann), Coder("ben", ben), CODES)
    said = words.remarks(pair)
    assert said
    assert all(text[0].isupper() or text.startswith("κ") for text in said)
    assert "prevalence index" in words.finer(pair)


def test_too_few_scenes_are_said_to_be() -> None:
    codes = {str(i): CODES[i % 2] for i in range(8)}
    scenes = dict.fromkeys(codes, "one scene")
    pair = compare(Coder("ann", codes), Coder("ben", codes), CODES, scenes)
    (interval, *_) = words.remarks(pair)
    assert interval.startswith("No interval over scenes: ")
    assert words.pair_row(pair)[5] == "\N{EN DASH}"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (
            Share("c", 0.5, 5, 10, 4, 0.25, 0.75, "bootstrap", None),
            "50.0 %\n25.0 to 75.0",
        ),
        (Share("c", 1.0, 2, 2, 2, None, None, "none", "too_few_scenes"), "100.0 %\n"),
    ],
)
def test_a_share_has_its_interval_under_it(share: Share, text: str) -> None:
    assert words.share_cell(share) == text


def row(*missing: int, unblinded: str = "") -> PacketRow:
    coders = tuple(
        CoderRow(f"c{at}", 9 - left, 0, left, practice=False, late=0)
        for at, left in enumerate(missing)
    )
    return PacketRow(
        "0" * 32, "2026-01-01", "", 9, practice=False, again="", coders=coders,
        family=0, unblinded=unblinded, folder=None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("packet", "text"),
    [
        (row(), "no results yet"),
        (row(0, 3), "c0 ✓\nc1 3 left"),
        (row(0, 0, 1, 2), "2 of 4 coders done"),
        (row(0, unblinded="today"), "unblinded"),
    ],
)
def test_the_list_says_how_far_coders_are(packet: PacketRow, text: str) -> None:
    assert state_of(packet) == text
