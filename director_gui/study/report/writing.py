"""Write a report: the page, the figures and the pictures as files of their own."""

import re
from pathlib import Path

from director_gui.scene.model import VIEWS
from director_gui.study.report.facts import Facts
from director_gui.study.report.figures import write_figures
from director_gui.study.report.page import page

REPORT = "report.html"
PICTURES = "pictures"
FIGURES = "figures"


def write_report(facts: Facts, folder: Path) -> None:
    """Write ``report.html``, ``figures/`` and ``pictures/`` into a folder."""
    # LF on Windows too, or the same study would make other bytes there.
    (folder / REPORT).write_text(page(facts), encoding="utf-8", newline="\n")
    _write_pictures(facts, folder / PICTURES)
    write_figures(facts, folder / FIGURES)


def _write_pictures(facts: Facts, folder: Path) -> None:
    folder.mkdir()
    for number, shown in enumerate(facts.scenes, start=1):
        # A scene's name may hold anything; the number keeps equal names apart.
        name = re.sub(r"[^A-Za-z0-9]+", "-", shown.scene.name).strip("-")[:40]
        for view in VIEWS:
            path = folder / f"{number:03d}-{name or 'scene'}-{view}.png"
            # Untouched: their SHA-256 is what the attempts and the keys name.
            path.write_bytes(shown.images[view].png)
