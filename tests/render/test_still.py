"""Stills: the same pixels and the same bytes, wherever and whenever they are drawn."""

import gc
import hashlib
import io
import json
import subprocess
import sys
import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from director_gui.errors import UserError
from director_gui.render import still
from director_gui.render.still import Still, StillRenderer, encode, fitted
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS, Block, Picture, ViewName, Viewpoint
from director_gui.scene.serialize import file_bytes, read_scene

EXAMPLE = example_scene()
SMALL = replace(EXAMPLE, picture=Picture(320, 240))
QUALITIES: tuple[still.Quality, still.Quality] = ("print", "plain")
DRAW = """
import json, sys
from director_gui.render.still import StillRenderer
from director_gui.scene.serialize import read_scene
scene = read_scene(sys.stdin.buffer.read())
with StillRenderer() as renderer:
    stills = [renderer.draw(scene, view) for view in ("director", "model")]
json.dump([[s.sha256, s.pixels_sha256, s.renderer] for s in stills], sys.stdout)
"""


@pytest.mark.render
def test_same_bytes_in_another_process_after_saving(stills: StillRenderer) -> None:
    here = [stills.draw(SMALL, view) for view in ("director", "model")]
    done = subprocess.run(
        [sys.executable, "-c", DRAW],
        input=file_bytes(SMALL),
        capture_output=True,
        check=True,
    )
    there = json.loads(done.stdout)
    assert there == [[s.sha256, s.pixels_sha256, s.renderer] for s in here]


@pytest.mark.render
def test_pictures_before_do_not_matter(stills: StillRenderer) -> None:
    first = stills.draw(SMALL, "model").pixels
    other = replace(SMALL, blocks=(Block(77, 0.3, 0, 0, 10, "#222222"),))
    stills.draw(other, "model", size=(640, 480))
    stills.draw(other, "director", quality="plain")
    np.testing.assert_array_equal(stills.draw(SMALL, "model").pixels, first)
    reopened = read_scene(file_bytes(SMALL))
    np.testing.assert_array_equal(stills.draw(reopened, "model").pixels, first)


@pytest.mark.render
def test_digits_that_change_and_change_back_leave_no_trace(
    stills: StillRenderer,
) -> None:
    digits = {3: 5, 5: 8, 8: 3}
    blocks = tuple(replace(b, digit=digits[b.digit]) for b in SMALL.blocks)
    for view in VIEWS:
        first = stills.draw(SMALL, view).pixels_sha256
        between = stills.draw(replace(SMALL, blocks=blocks), view).pixels_sha256
        assert between != first
        assert stills.draw(SMALL, view).pixels_sha256 == first


@pytest.mark.render
def test_one_call_draws_what_a_renderer_draws(stills: StillRenderer) -> None:
    alone = still.draw(SMALL, "director", size=(160, 120))
    kept = stills.draw(SMALL, "director", size=(160, 120))
    assert alone.sha256 == kept.sha256
    assert alone.size == (160, 120)


@pytest.mark.render
def test_edges_are_smooth_in_print_and_not_in_plain(stills: StillRenderer) -> None:
    black = Block(1, 0.4, 0, 0, 12, "#000000")
    scene = replace(SMALL, blocks=(black,), partitions=())
    steps = {}
    for quality in QUALITIES:
        row = stills.draw(scene, "model", quality=quality).pixels[140].astype(int)
        edge = np.flatnonzero(row.sum(1) < 120)[0]  # first dark pixel of the block
        steps[quality] = np.abs(np.diff(row[edge - 3 : edge + 1].sum(1))).max()
    # A pixel that the edge crosses lies between both sides, so no step is whole.
    assert steps["print"] < 0.9 * steps["plain"]


@pytest.mark.render
def test_director_does_not_see_the_own_figure(stills: StillRenderer) -> None:
    behind = Viewpoint((0.0, 2.5, 0.6), (0.0, 0.0, 0.3), 40)
    facing = replace(SMALL, camera=behind, director=EXAMPLE.director)
    seen = stills.draw(facing, "model").pixels.astype(int)
    swapped = replace(SMALL, camera=EXAMPLE.camera, director=behind)
    unseen = stills.draw(swapped, "director").pixels.astype(int)
    assert (np.abs(seen - unseen).max(2) > 30).mean() > 0.02


@pytest.mark.render
@pytest.mark.parametrize("view", VIEWS)
def test_digits_are_bright_from_both_sides(
    stills: StillRenderer, view: ViewName
) -> None:
    # White ink on a block turned squarely to both eyes, in the table's middle.
    block = Block(8, 0.3, 0.0, 0.0, 0.0, "#4f81bd")
    scene = replace(SMALL, blocks=(block,), partitions=())
    scene = replace(
        scene,
        camera=Viewpoint((0, -1.2, 0.3), (0, 0, 0.15), 40),
        director=Viewpoint((0, 1.2, 0.3), (0, 0, 0.15), 40),
    )
    pixels = stills.draw(scene, view).pixels
    face = pixels[90:150, 130:190].astype(float)
    ink = face.min(2) > 190
    assert ink.mean() > 0.05
    blue = face[..., 2] - face[..., 0] > 60
    assert face[blue].mean() > 0.85 * np.mean([0x4F, 0x81, 0xBD])


@pytest.mark.render
@pytest.mark.parametrize(
    ("eye", "look_at"),
    [
        ((-0.32, 0.06, 0.1), (0.0, 0.0, 0.1)),  # inside a block
        ((-0.32, -0.05, 0.1), (-0.32, 1.0, 0.1)),  # a centimetre before a face
        ((0.0, 0.3, -0.4), (0.0, 0.0, 0.0)),  # under the table
        ((9.9, 9.9, 9.9), (0.0, 0.0, 0.0)),  # far away
        ((0.2, 0.2, 0.01), (0.0, 0.0, 0.0)),  # on the table
    ],
)
def test_strange_eyes_give_a_picture(
    stills: StillRenderer,
    eye: tuple[float, float, float],
    look_at: tuple[float, float, float],
) -> None:
    view = Viewpoint(eye, look_at, 60)
    scene = replace(SMALL, camera=view, director=view)
    for name in VIEWS:
        assert stills.draw(scene, name).pixels.shape == (240, 320, 3)


@pytest.mark.render
def test_png_is_the_pixels_and_nothing_else(stills: StillRenderer) -> None:
    drawn = stills.draw(SMALL, "model", quality="plain")
    with Image.open(io.BytesIO(drawn.png)) as image:
        np.testing.assert_array_equal(np.asarray(image), drawn.pixels)
        assert image.mode == "RGB"
        assert image.info == {}
    assert drawn.sha256 == hashlib.sha256(drawn.png).hexdigest()
    rows = b"".join(row.tobytes() for row in drawn.pixels)
    assert drawn.pixels_sha256 == hashlib.sha256(rows).hexdigest()


@pytest.mark.render
def test_top_of_the_picture_is_the_first_row(stills: StillRenderer) -> None:
    pixels = stills.draw(SMALL, "model").pixels.astype(int)
    sky, table = pixels[:20].mean((0, 1)), pixels[-60:-40, 100:200].mean((0, 1))
    assert sky.min() > 200
    assert table[0] > table[2] + 40  # wood


@pytest.mark.render
def test_closed_renderer_frees_its_window() -> None:
    renderer = StillRenderer()
    renderer.draw(SMALL, "model", size=(64, 48))
    gone = weakref.ref(renderer._window)
    renderer.close()
    del renderer
    gc.collect()
    assert gone() is None


def test_encoding_is_repeatable() -> None:
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    assert encode(pixels) == encode(pixels.copy())
    assert Still(pixels, "nobody").size == (4, 4)


@given(st.integers(64, 8192), st.integers(64, 8192), st.integers(16, 2000))
def test_scaled_size_with_the_rounded_shape_is_taken(
    width: int, height: int, new: int
) -> None:
    picture = Picture(width, height)
    scaled = max(1, round(new * picture.aspect))
    if 16 <= scaled <= 8192:
        assert fitted(picture, (scaled, new)) == (scaled, new)


def test_size_of_another_shape_is_refused_with_two_that_fit() -> None:
    with pytest.raises(UserError) as caught:
        fitted(Picture(1024, 768), (800, 800))
    assert caught.value.where == "size"
    assert "1067x800" in caught.value.todo
    assert "800x600" in caught.value.todo


@pytest.mark.parametrize("size", [(0, 0), (15, 20), (9000, 6750), (-4, -3)])
def test_size_out_of_range_is_refused(size: tuple[int, int]) -> None:
    with pytest.raises(UserError, match="8192"):
        fitted(Picture(1024, 768), size)


def test_own_size_needs_no_asking() -> None:
    assert fitted(Picture(333, 77), None) == (333, 77)


@pytest.mark.render
def test_what_was_drawn_before_moves_no_pixel(stills: StillRenderer) -> None:
    # Blocks that come and go change the order of what ties in depth on the table.
    base = example_scene()
    first = stills.draw(base, "model").pixels_sha256
    fewer = replace(base, blocks=base.blocks[1:])
    stills.draw(fewer, "model")
    renamed = tuple(replace(b, digit=b.digit + 1) for b in reversed(base.blocks))
    stills.draw(replace(base, blocks=renamed), "model")
    assert stills.draw(base, "model").pixels_sha256 == first
