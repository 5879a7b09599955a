"""The picture on a block's faces: its colour, its digit, a soft line at the edges."""

import io
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from director_gui import assets
from director_gui.render.mesh import Floats

SHEET = "glyphs/digits.png"  # made by the script beside it
FACE_PX = 256
_CELL = 192  # px of one mask on the sheet
_LIGHT = np.array([0.985, 0.98, 0.965], np.float32)
_DARK = np.array([0.09, 0.10, 0.12], np.float32)
_EDGE = 0.022  # of the face: the width of the worn edge


def rgb(color: str) -> Floats:
    """Return a colour such as ``#c0504d`` as three numbers from 0 to 1."""
    channels = bytes.fromhex(color.removeprefix("#"))
    return np.frombuffer(channels, np.uint8).astype(np.float32) / 255.0


def mask(number: int) -> Floats:
    """Return the ink of a number from 0 to 99, (192, 192), from 0 to 1."""
    row, column = divmod(number, 10)
    cell = _sheet()[
        row * _CELL : (row + 1) * _CELL, column * _CELL : (column + 1) * _CELL
    ]
    return cell.astype(np.float32) / 255.0


def ink_for(face: Floats) -> Floats:
    """Return the ink, light or dark, that stands out more on a colour."""
    paper = luminance(face)
    on_light = (luminance(_LIGHT) + 0.05) / (paper + 0.05)
    on_dark = (paper + 0.05) / (luminance(_DARK) + 0.05)
    return _LIGHT if on_light * 1.6 >= on_dark else _DARK


def luminance(color: Floats) -> float:
    """Return WCAG's relative luminance of an sRGB colour."""
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    return float(linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722)


@lru_cache(maxsize=64)
def face_pixels(number: int, color: str) -> NDArray[np.uint8]:
    """Return the picture of a face, (256, 256, 3) bytes, the top row first."""
    ink = Image.fromarray(np.asarray(mask(number) * 255, np.uint8))
    resized = ink.resize((FACE_PX, FACE_PX), Image.Resampling.BICUBIC)
    share = (np.asarray(resized, np.float32) / 255.0)[..., None]
    paper = rgb(color)
    face = paper + _edge_line()[..., None] * (1.0 - paper)
    pixels: Floats = face * (1 - share) + ink_for(paper) * share
    return (np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)


@cache
def _edge_line() -> Floats:
    """Return how much lighter a face is towards its edges, as if slightly rounded."""
    at = (np.arange(FACE_PX, dtype=np.float32) + 0.5) / FACE_PX
    inward = np.minimum(at, 1 - at)
    distance = np.minimum(inward[:, None], inward[None, :])
    return 0.22 * np.clip(1 - distance / _EDGE, 0, 1) ** 1.5


@cache
def _sheet() -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(assets.read_bytes(SHEET))) as image:
        return np.asarray(image.convert("L"))
