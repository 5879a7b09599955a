"""A scene's truth in plain words."""

from collections.abc import Sequence

from director_gui.geometry.truth import Truth
from director_gui.scene.model import Scene, ViewName


def summary_of(scene: Scene, truth: Truth) -> str:
    """Return the line under the picture.

    For example: "The director does not see 8. Largest for the director: 5. Largest in
    the picture: 8."
    """
    asked = scene.request.extreme.capitalize()
    parts = (
        _hidden(truth),
        _unclear(truth),
        _edge(truth),
        f"{asked} for the director: {_digit(truth.key.director_view)}.",
        f"{asked} in the picture: {_digit(truth.key.model_view)}.",
    )
    return " ".join(part for part in parts if part)


def who(view: ViewName) -> str:
    """Return whose view it is."""
    return "the model" if view == "model" else "the director"


def and_list(items: Sequence[object]) -> str:
    """Return items as "3", "3 and 5", "3, 5 and 8", or "none"."""
    texts = [str(item) for item in items]
    if len(texts) < 2:
        return texts[0] if texts else "none"
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def percent(fraction: float | None) -> str:
    """Return a fraction as a percentage; a tiny one is never shown as 0 %."""
    if fraction is None:
        return "none"
    # "0 %" and "100 %" are verdicts here; near them rounding would lie.
    if 0 < fraction < 0.001:
        return "under 0.1 %"
    if 0.999 < fraction < 1:
        return "over 99.9 %"
    return f"{100 * fraction:.1f}".removesuffix(".0") + " %"


def _hidden(truth: Truth) -> str:
    hidden = truth.in_state("director", "hidden")
    if hidden:
        return f"The director does not see {and_list(hidden)}."
    every = len(truth.sees["director"]) == len(truth.states["director"])
    return "The director sees every block." if every else "No block is hidden."


def _unclear(truth: Truth) -> str:
    found = truth.in_state("director", "ambiguous")
    sights = truth.sights["director"]
    parts = [f"{percent(sights[digit].fraction)} of {digit}" for digit in found]
    return f"It is unclear: the director sees only {and_list(parts)}." if parts else ""


def _edge(truth: Truth) -> str:
    cut = truth.in_state("director", "cut")
    out = truth.in_state("director", "out_of_frame")
    parts = []
    if cut:
        parts.append(f"The edge of the director's picture cuts {and_list(cut)}.")
    if out:
        parts.append(f"Outside the director's picture: {and_list(out)}.")
    return " ".join(parts)


def _digit(digit: int | None) -> str:
    return "none" if digit is None else str(digit)
