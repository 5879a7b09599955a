"""The user guide's commands are commands, and its files and links exist."""

import argparse
import importlib
import re
import shlex
from pathlib import Path

import pytest

from director_gui.cli.dispatch import COMMANDS
from director_gui.study.demo import CODING, STUDY
from director_gui.study.report.writing import FIGURES, PICTURES, REPORT

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "user-guide.md").read_text("utf-8")
BLOCKS = re.findall(r"^ *```\n(.*?)^ *```$", GUIDE, re.MULTILINE | re.DOTALL)
LINES = re.findall(r"^ *director-gui (.+)$", "".join(BLOCKS), re.MULTILINE)


@pytest.mark.parametrize("line", LINES)
def test_every_command_of_the_guide_is_right(line: str) -> None:
    name, *rest = shlex.split(line)
    module = importlib.import_module(f"director_gui.cli.{COMMANDS[name][0]}")
    parser = argparse.ArgumentParser()
    module.configure(parser)
    parser.parse_args(rest)


def test_the_guide_shows_commands() -> None:
    assert len(LINES) > 10


def test_the_demos_files_are_the_ones_it_makes() -> None:
    for name in (REPORT, f"{FIGURES}/", f"{PICTURES}/", f"{CODING}/", STUDY):
        assert f"`{name}`" in GUIDE


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        path, _, anchor = target.partition("#")
        assert (DOCS / path).exists()
        if anchor:
            heads = re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE)
            assert anchor in {head.lower().replace(" ", "-") for head in heads}
