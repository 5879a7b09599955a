"""The method note: what the paper fixes, what we chose, and every version."""

import platform
from importlib.metadata import version

from director_gui import __version__
from director_gui.stats import method_note
from director_gui.store.database import Study
from director_gui.study.blind.coding_choices import coding_choices
from director_gui.study.blind.keys import all_opened
from director_gui.study.report.method import CAVEATS, OURS, PAPER, SOURCE

_LEAD = (
    f"The experiment is that of {SOURCE}. What the paper leaves open is our choice, "
    "and marked so."
)
_LIBRARIES = ("numpy", "scipy", "vtk", "openai", "matplotlib", "pillow")


def note(study: Study) -> str:
    """Return the method note of a study as Markdown."""
    # The supplement holds unblinded packets alone; the note tells of them all.
    coding = coding_choices(all_opened(study))
    return "\n".join(
        (
            "# Method note",
            "",
            _LEAD,
            *_listed("From the paper", (*PAPER, *coding.paper, *method_note.PAPER)),
            *_listed("Our choices", (*OURS, *coding.ours, *method_note.OURS)),
            *_listed("To keep in mind", CAVEATS),
            *_listed("Versions", _versions(study)),
            "",
        )
    )


def _listed(title: str, sentences: tuple[str, ...]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {sentence}" for sentence in sentences)]


def _versions(study: Study) -> tuple[str, ...]:
    # All that ever drew: pixels of two renderers are not the same stimuli.
    rows = study.query("SELECT DISTINCT renderer FROM images ORDER BY renderer")
    return (
        f"Study made by director-gui {study.meta('program')}, {study.meta('created')}",
        f"Exported by director-gui {__version__}, Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in _LIBRARIES),
        *(f"Renderer: {row['renderer']}" for row in rows),
    )
