"""How it was done: the paper's choices and our own, versions, seeds and hashes."""

import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import version

from director_gui import __version__
from director_gui.geometry.truth import CUT_FROM, SEES_FROM
from director_gui.ids import Json
from director_gui.stats import method_note
from director_gui.study.blind.coding_choices import coding_choices
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
)
OURS = (
    (
        f"A block is seen at {100 * SEES_FROM:.0f} % visible or more and hidden at "
        "exactly 0 for both witnesses; between these it is ambiguous, and a block of "
        f"which more than {100 * CUT_FROM:.0f} % falls outside the picture is cut."
    ),
    "Geometry, sizes and the wording of every prompt.",
    "What makes a reply matching, and the statuses of those that are not.",
    (
        "A score that a person corrected counts as corrected; the automatic one is "
        "kept beside it with the reason."
    ),
    (
        "Contrasts of several conditions are corrected together and apart from the "
        "families of comparisons."
    ),
    "The second witness, a depth buffer that shares no code with the geometry.",
)
# METHOD §9: shown wherever a figure could be taken for more than it is.
CAVEATS = (
    "A returned trace need not be the process behind the reply.",
    "Providers change closed models.",
    "An earlier Director Task design found the opposite sign.",
    "One scene family, one referring expression, English only.",
)
_SHORT = 12  # digits of a hash that are shown
# Those that can move a figure, a pixel or a byte that was sent.
_LIBRARIES = ("numpy", "scipy", "vtk", "openai", "matplotlib", "pillow")


def section(facts: Facts) -> Markup:
    """Return the section on method and provenance."""
    coding = coding_choices([facts.coded.packet] if facts.coded else [])
    return join(
        tag(
            "p",
            f"The experiment is that of {SOURCE}. What the paper leaves open is "
            "our choice, and marked so.",
        ),
        tag(
            "div",
            _choices("paper", (*PAPER, *coding.paper, *method_note.PAPER)),
            _choices("ours", (*OURS, *coding.ours, *method_note.OURS)),
            class_="choices",
        ),
        tag("h3", "To keep in mind"),
        tag("ul", [tag("li", caveat) for caveat in CAVEATS]),
        tag("h3", "Where it comes from"),
        tag("dl", [_fact(name, value) for name, value in provenance(facts)]),
    )


def provenance(facts: Facts) -> list[tuple[str, str]]:
    """Return versions, seeds and hashes as pairs of a name and a value."""
    return [*_made(facts), *_sent(facts), *_sealed(facts), *_reported()]


def _made(facts: Facts) -> Iterator[tuple[str, str]]:
    run, seeds = facts.run, facts.seeds
    # Several renderers in one study would matter: pixels differ between them.
    images = [image for shown in facts.scenes for image in shown.images.values()]
    sampled = [stored for stored, _ in facts.origins.values()]
    yield "Study", f"{facts.name}, {_time(facts.created)}, director-gui {facts.program}"
    yield "Run", f"{run.label}, {_time(run.created)}, {run.id}"
    yield "Scenes", _listed(f"family {s.name}, seed {s.seed}" for s in sampled)
    yield from _dropped(run.settings.get("left_out", []))
    if seeds is not None:
        yield "Practice seeds", f"reader {seeds['reader']}, coders {seeds['coders']}"
    yield "Renderer", _listed(image.renderer for image in images)


def _dropped(out: list[Json]) -> Iterator[tuple[str, str]]:
    # All of them: a reader cannot judge a choice of which only some are told.
    if out:
        told = _listed(f"{i['scene']} of {i['set']} ({i['reason']})" for i in out)
        yield f"Scenes left out ({len(out)})", told


def _sent(facts: Facts) -> Iterator[tuple[str, str]]:
    settings = facts.run.settings
    # What came back may differ from what was asked for: providers change models.
    attempts = [item.reply.last for item in facts.scored if item.reply.last]
    yield "Models", _listed(map(_profile, settings["profiles"]))
    yield "Models returned", _listed(a.model_returned or "not said" for a in attempts)
    # The samples are to differ (METHOD §4), so a reader looks for a seed in vain.
    yield "Samples", f"{settings['samples']} a scene and condition, no seed sent"
    yield "Order seed", str(settings["order_seed"])
    yield "Client", _listed(attempt.sdk for attempt in attempts)
    conditions = [asked.condition for asked in facts.asked]
    yield "Conditions", _listed(f"{c.name} {c.hash[:_SHORT]}" for c in conditions)


def _sealed(facts: Facts) -> Iterator[tuple[str, str]]:
    if facts.coded is None:
        return
    # The sealed file's own codebook; the study's may have gone on since.
    packet = facts.coded.packet.packet
    book = packet.codebook
    yield "Packet", f"{packet.id}, {len(packet.items)} items"
    yield "Codebook", f"{book.name} {book.version}, {book.hash[:_SHORT]}"


def _reported() -> Iterator[tuple[str, str]]:
    libraries = [f"{name} {version(name)}" for name in _LIBRARIES]
    python = f"Python {platform.python_version()}"
    yield "This report", ", ".join((f"director-gui {__version__}", python, *libraries))


def _profile(profile: Json) -> str:
    # Not "default": what a provider takes when nothing is sent is its own affair.
    effort = profile["effort"] or "not sent"
    return f"{profile['name']}: {profile['model']}, {profile['wire']}, effort {effort}"


def _time(stamp: str) -> str:
    return f"{stamp[:16].replace('T', ' ')} UTC"


def _choices(kind: str, sentences: Iterable[str]) -> Markup:
    items = [
        tag("li", tag("span", kind, class_="tag"), sentence) for sentence in sentences
    ]
    return tag("ul", items, class_="plain")


def _fact(name: str, value: str) -> Markup:
    return join(tag("dt", name), tag("dd", value))


def _listed(values: Iterable[str]) -> str:
    # Each once, in order: a run of thousands of calls names few different things.
    return "; ".join(dict.fromkeys(values)) or "none"
