"""Figures for print: complete, the same every time, and nothing global left behind."""

import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from director_gui.study.report.facts import Facts
from director_gui.study.report.figures import DPI, write_figures

pytestmark = pytest.mark.render
NAMES = {"rates", "differences", "choices", "agreement", "readings"}


@pytest.fixture(scope="module")
def folder(facts: Facts, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("figures") / "figures"
    write_figures(facts, made)
    return made


def test_each_figure_is_there_twice(folder: Path) -> None:
    assert {p.name for p in folder.iterdir()} == {
        f"{name}.{end}" for name in NAMES for end in ("svg", "png")
    }


def test_equal_figures_are_equal_bytes(
    folder: Path, facts: Facts, tmp_path: Path
) -> None:
    write_figures(facts, tmp_path / "again")
    for path in folder.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()


def test_a_vector_figure_brings_its_letters_along(folder: Path) -> None:
    for path in folder.glob("*.svg"):
        source = path.read_text("utf-8")
        root = ET.fromstring(source)  # noqa: S314 - we wrote it a moment ago
        kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
        assert "text" not in kinds
        assert {"path", "use"} <= kinds
        assert "font-family" not in source
        assert not {"image", "script"} & kinds


def test_a_pixel_figure_is_fit_to_print(folder: Path) -> None:
    for path in folder.glob("*.png"):
        with Image.open(io.BytesIO(path.read_bytes())) as picture:
            assert picture.width == round(6.8 * DPI)
            assert "Software" not in picture.info


def test_without_coding_there_is_no_figure_of_agreement(
    facts: Facts, tmp_path: Path
) -> None:
    write_figures(replace(facts, coded=None), tmp_path / "f")
    assert {p.stem for p in (tmp_path / "f").iterdir()} == NAMES - {
        "agreement",
        "readings",
    }


def test_a_name_with_dollar_signs_is_not_taken_for_mathematics(
    facts: Facts, tmp_path: Path
) -> None:
    arms = tuple(replace(arm, condition=r"$\frac{$ $x$") for arm in facts.arms)
    write_figures(replace(facts, arms=arms, name="$$ $"), tmp_path / "f")
    assert (tmp_path / "f" / "rates.svg").stat().st_size > 1000


def test_no_number_is_drawn_where_there_is_none(facts: Facts, tmp_path: Path) -> None:
    nothing = [
        replace(r, comparison=replace(r.comparison, estimate=None, ci_low=None))
        for r in facts.results
    ]
    write_figures(replace(facts, results=tuple(nothing)), tmp_path / "f")
    assert (tmp_path / "f" / "differences.png").exists()


def test_matplotlib_waits_until_it_is_needed() -> None:
    code = (
        "import sys, director_gui.study.report.writing as w; "
        "sys.exit('matplotlib' in sys.modules or 'pandas' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
