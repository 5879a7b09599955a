"""The contact sheet: both pictures of every scene with the verdicts in words."""

import base64
import io
from collections import Counter
from collections.abc import Iterator

from PIL import Image

from director_gui.geometry.words import percent, summary_of
from director_gui.ids import Json
from director_gui.scene.model import VIEWS
from director_gui.store.scenes import StoredImage
from director_gui.study.report.facts import Facts, Shown
from director_gui.study.report.markup import Markup, join, tag

_WIDTH = 520  # px; the pictures as sent lie beside the report
_QUALITY = 88
_STATES = {
    "sees": "sees",
    "hidden": "hidden",
    "ambiguous": "ambiguous",
    "cut": "cut by the frame",
    "out_of_frame": "out of the frame",
}
_TITLES = {"model": "What the model gets", "director": "What the director sees"}


def section(facts: Facts) -> Markup:
    """Return the section on the scenes."""
    sheet = [_figure(shown) for shown in facts.scenes]
    return join(
        tag("p", _about(facts)),
        tag("p", _witnesses(facts), class_="note") if facts.origins else None,
        tag("div", sheet, class_="sheet"),
    )


def _about(facts: Facts) -> str:
    largest = sum(_hides_largest(shown) for shown in facts.scenes)
    digit = sum(
        shown.truth.key.hidden == max(shown.scene.digits) for shown in facts.scenes
    )
    confounds = sum(shown.truth.confound for shown in facts.scenes)
    return (
        f"{len(facts.scenes)} scenes. In {largest} of them the hidden block fits the "
        f"request best of all; in {digit} it carries the largest digit; in "
        f"{confounds} another block than the director-view block looks largest to the "
        "director (an apparent-size confound)."
    )


def _hides_largest(shown: Shown) -> bool:
    key = shown.truth.key
    # By the request and not by size: a study may ask for the smallest block.
    return key.hidden is not None and key.hidden == key.model_view


def _witnesses(facts: Facts) -> str:
    # Only sampled scenes were judged by both when they were made.
    rows = [row for _, row in facts.origins.values()]
    apart = [abs(a - b) for row in rows for a, b in _fractions(row.facts)]
    refused: Counter[str] = Counter()
    for row in rows:
        refused.update(row.rejected)
    quarrels = refused["witnesses_disagree"]
    return (
        "Two witnesses that share no code, analytic geometry and a depth buffer, saw "
        f"{len(rows)} scenes and gave {len(apart)} visible fractions, one a block "
        f"and view; they differ by at most {max(apart, default=0.0):.4f} (0.0020 is "
        f"allowed). The sampler refused {refused.total():,} candidates, {quarrels} of "
        "them because the witnesses disagreed."
    )


def _fractions(facts: Json) -> Iterator[tuple[float, float]]:
    first, second = facts["witnesses"]["analytic"], facts["witnesses"]["depth"]
    for view, fractions in first.items():
        for digit, fraction in fractions.items():
            # Out of the frame there is no area, so no share of it that could differ.
            if fraction is not None and second[view][digit] is not None:
                yield fraction, second[view][digit]


def _figure(shown: Shown) -> Markup:
    views = [
        tag("div", tag("span", _TITLES[view]), _picture(shown, shown.images[view]))
        for view in VIEWS
    ]
    caption = tag(
        "figcaption",
        tag("strong", shown.scene.name),
        " \N{EM DASH} ",
        summary_of(shown.scene, shown.truth),
        tag("ul", [_verdict(shown, d) for d in shown.scene.digits], class_="verdicts"),
    )
    return tag("figure", tag("div", views, class_="views"), caption)


def _picture(shown: Shown, image: StoredImage) -> Markup:
    source = f"data:image/jpeg;base64,{_small(image.png)}"
    what = f"Scene {shown.scene.name} from the {image.view}’s viewpoint"
    size = {"width": _WIDTH, "height": round(_WIDTH * image.height / image.width)}
    return tag("img", src=source, alt=what, loading="lazy", **size)


def _small(png: bytes) -> str:
    # Two dozen full pictures would make a page of ten megabytes.
    with Image.open(io.BytesIO(png)) as picture:
        # JPEG knows no transparency.
        small = picture.convert("RGB")
        small.thumbnail((_WIDTH, 4 * _WIDTH), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "JPEG", quality=_QUALITY, optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def _verdict(shown: Shown, digit: int) -> Markup:
    edge = shown.scene.block(digit).edge
    cells = [
        tag("strong", str(digit), class_="mono"),
        tag("span", f"{100 * edge:.1f} cm"),
    ]
    for view in VIEWS:
        # The word and the number, never the colour alone.
        state = shown.truth.states[view][digit]
        share = percent(shown.truth.sights[view][digit].fraction)
        words = f"{view}: {_STATES[state]}, {share}"
        cells.append(tag("span", words, class_=f"v-{state}"))
    return tag("li", cells)
