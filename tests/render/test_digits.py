"""Masks of the numbers and the picture on a face."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui import assets
from director_gui.render import digits

SHEET = "8ec3f1bbf9d9a2c95c48e7c79e43b420d4e7dcfbaa8fd7aeb6cf7e9c22d6070d"


def test_sheet_is_unchanged() -> None:
    # Another sheet moves pixels in every picture: stored hashes would not hold.
    assert hashlib.sha256(assets.read_bytes(digits.SHEET)).hexdigest() == SHEET


@pytest.mark.parametrize("number", range(100))
def test_each_number_has_ink_and_a_margin(number: int) -> None:
    ink = digits.mask(number)
    rows, columns = (np.flatnonzero(ink.max(axis) > 0.5) for axis in (1, 0))
    assert ink.shape == (192, 192)
    assert 0.04 < ink.mean() < 0.45
    for span in (rows, columns):
        assert span[0] >= 12
        assert span[-1] <= 179
        assert abs((span[0] + span[-1]) / 2 - 95.5) <= 3


def test_numbers_differ() -> None:
    assert len({digits.mask(number).tobytes() for number in range(100)}) == 100


def line_of(number: int) -> bool:
    """Tell whether the lowest ink of a number is one unbroken line."""
    ink = digits.mask(number) > 0.5
    low = np.flatnonzero(ink.any(1))[-1]
    columns = np.flatnonzero(ink[low - 3])
    across = np.flatnonzero(ink.any(0))
    whole = len(columns) == columns[-1] - columns[0] + 1
    gap = not ink[low - 18 : low - 13].any()
    return bool(whole and gap and len(columns) >= len(across) - 2)


@pytest.mark.parametrize("number", [6, 9, 16, 60, 66, 68, 69, 89, 99])
def test_numbers_that_can_be_turned_are_underlined(number: int) -> None:
    assert line_of(number)


@pytest.mark.parametrize("number", [0, 1, 2, 5, 8, 10, 11, 26, 47, 88])
def test_other_numbers_are_not(number: int) -> None:
    assert not line_of(number)


@given(st.integers(0, 0xFFFFFF))
def test_ink_stands_out_on_every_color(value: int) -> None:
    face = digits.rgb(f"#{value:06x}")
    levels = [digits.luminance(face), digits.luminance(digits.ink_for(face))]
    assert (max(levels) + 0.05) / (min(levels) + 0.05) >= 3.0


def test_face_is_paper_and_ink() -> None:
    pixels = digits.face_pixels(1, "#c0504d")
    assert pixels.shape == (256, 256, 3)
    assert tuple(pixels[30, 30]) == (0xC0, 0x50, 0x4D)
    assert pixels[128, 134].min() > 240
    assert digits.face_pixels(1, "#eeeeee")[128, 134].max() < 40


def test_luminance_is_that_of_the_standard() -> None:
    assert digits.luminance(digits.rgb("#ffffff")) == pytest.approx(1.0, abs=1e-4)
    assert digits.luminance(digits.rgb("#777777")) == pytest.approx(0.1845, abs=2e-4)
