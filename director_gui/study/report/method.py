"""How it was done: the paper's choices and our own, versions, seeds and hashes."""

import platform
from collections.abc import Iterable
from importlib.metadata import version

from director_gui import __version__
from director_gui.geometry.truth import CUT_FROM, SEES_FROM
from director_gui.stats import method_note
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, join, tag

SOURCE = (
    "Guo et al., “Asking What a Director Sees Can Change What Vision-Language Models "
    "Choose”, arXiv 2610.29318v1"
)
PAPER = (
    (
        "Scenes show three or four numbered cubes and an opaque partition that hides "
        "one cube from the director."
    ),
    (
        "Conditions are compared in pairs whose messages differ in the report question "
        "alone, inside one batch, with five samples a scene and condition."
    ),
    (
        "The answer is the last matching JSON object after Markdown fences are "
        "removed; only answered replies enter the rates."
    ),
    (
        "Traces are coded for their reading of the request, for whether the chosen "
        "block is taken to be seen, and for whether the director’s view is worked "
        "out; every reading carries a quote."
    ),
)
OURS = (
    (
        f"A block is seen at {SEES_FROM:.0%} visible or more and hidden at exactly 0 "
        "for both witnesses; between these it is ambiguous, and a block of which more "
        f"than {CUT_FROM:.0%} falls outside the picture is cut."
    ),
    "Geometry, sizes and the wording of every prompt.",
    "What makes a reply matching, and the statuses of those that are not.",
    "The second witness, a depth buffer that shares no code with the geometry.",
    (
        "The definitions and examples of the codebook; the packet’s form, without the "
        "report; names of models cut from the texts."
    ),
)
CAVEATS = (
    "A returned trace need not be the process behind the reply.",
    "Providers change closed models.",
    "An earlier Director Task design found the opposite sign.",
    "One scene family, one referring expression, English only.",
)
_LIBRARIES = ("numpy", "scipy", "vtk", "openai", "matplotlib", "pillow")


def section(facts: Facts) -> Markup:
    """Return the section on method and provenance."""
    return join(
        tag(
            "p",
            f"The experiment is that of {SOURCE}. What the paper leaves open is "
            "our choice, and marked so.",
        ),
        _choices("paper", (*PAPER, *method_note.PAPER)),
        _choices("ours", (*OURS, *method_note.OURS)),
        tag("h3", "To keep in mind"),
        tag("ul", [tag("li", caveat) for caveat in CAVEATS]),
        tag("h3", "Where it comes from"),
        tag("dl", [_fact(name, value) for name, value in provenance(facts)]),
    )


def provenance(facts: Facts) -> list[tuple[str, str]]:
    """Return versions, seeds and hashes as pairs of a name and a value."""
    run = facts.run
    images = [image for shown in facts.scenes for image in shown.images.values()]
    attempts = [item.reply.last for item in facts.scored if item.reply.last]
    pairs = [
        ("Study", f"{facts.name}, made {facts.created}"),
        ("Made by", f"director-gui {facts.program}"),
        ("Run", f"{run.label} ({run.id}), {run.created}"),
        ("Models", _listed(f"{p['name']}: {p['model']}, {p['wire']}, effort "
                           f"{p['effort'] or 'not sent'}"
                           for p in run.settings["profiles"])),
        ("Models returned", _listed(a.model_returned or "not said" for a in attempts)),
        ("Samples", f"{run.settings['samples']} a scene and condition"),
        ("Order seed", str(run.settings["order_seed"])),
        ("Renderer", _listed(image.renderer for image in images)),
        ("Client", _listed(attempt.sdk for attempt in attempts)),
        ("This report", f"director-gui {__version__}, Python "
         f"{platform.python_version()}, " + _listed(_library(n) for n in _LIBRARIES)),
        ("Conditions", _listed(f"{a.condition.name} {a.condition.hash[:12]}"
                               for a in facts.asked)),
    ]  # fmt: skip
    if facts.coded is not None:
        stored, packet = facts.coded.packet.stored, facts.coded.packet.packet
        book = packet.codebook
        pairs += [
            ("Packet", f"{stored.id}, {len(packet.items)} items"),
            ("Codebook", f"{book.name} {book.version}, {book.hash[:12]}"),
        ]  # fmt: skip
    return pairs


def _choices(kind: str, sentences: Iterable[str]) -> Markup:
    items = [
        tag("li", tag("span", kind, class_="tag"), sentence) for sentence in sentences
    ]
    return tag("ul", items, class_="plain")


def _fact(name: str, value: str) -> Markup:
    return join(tag("dt", name), tag("dd", value))


def _listed(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(values)) or "none"


def _library(name: str) -> str:
    return f"{name} {version(name)}"
