"""Figures of agreement as texts for a table."""

from collections.abc import Sequence

from coding.agreement import Pair
from director_gui.stats.display import NOTHING, points_text
from director_gui.stats.result import Share

PAIR_COLUMNS = ("Passes", "n", "Agree", "95 %", "κ", "95 % over scenes", "AC1", "α")
PAIR_HINTS = (
    "The two passes that are compared",
    "Items coded by both",
    "Share of items with the same code",
    "Clopper-Pearson interval of the share",
    "Cohen's kappa",
    "Bootstrap interval of kappa: whole scenes are drawn, 2,000 times",
    "Gwet's AC1",
    "Krippendorff's alpha",
)


def decimal(value: float | None) -> str:
    """Return a coefficient to two decimals with a true minus, or a dash."""
    if value is None:
        return NOTHING
    # Rounded to nothing, a negative zero would read as a sign.
    text = f"{value:.2f}"
    return text.replace("-", "\N{MINUS SIGN}") if text != "-0.00" else "0.00"


def decimals(ends: Sequence[float] | None) -> str:
    """Return an interval of coefficients, or a dash."""
    return " to ".join(decimal(end) for end in ends) if ends else NOTHING


def percent(share: float | None) -> str:
    """Return a share as a percentage with one decimal, or a dash."""
    return NOTHING if share is None else f"{points_text(share)} %"


def percents(ends: Sequence[float] | None) -> str:
    """Return an interval of shares in percent, or a dash."""
    return " to ".join(points_text(end) for end in ends) if ends else NOTHING


def pair_row(pair: Pair) -> tuple[str, ...]:
    """Return a pair's figures in the order of `PAIR_COLUMNS`."""
    by_scene = pair.by_scene.ci if pair.by_scene else None
    return (
        f"{pair.a}\n{pair.b}",
        str(pair.kappa.n),
        percent(pair.percent),
        percents(pair.percent_ci),
        decimal(pair.kappa.value) if pair.kappa_undefined is None else "not defined",
        decimals(by_scene),
        decimal(pair.ac1),
        decimal(pair.alpha.value),
    )


def remarks(pair: Pair) -> list[str]:
    """Return what must be read beside a pair's figures, a sentence each."""
    said = [f"κ {pair.kappa_undefined}"] if pair.kappa_undefined else []
    if pair.by_scene and pair.by_scene.reason:
        said.append(f"No interval over scenes: {pair.by_scene.reason}")
    if pair.by_scene and pair.by_scene.undefined:
        undefined, draws = pair.by_scene.undefined, pair.by_scene.draws
        said.append(f"κ is not defined in {undefined} of {draws} resamples")
    return [*said, *(f"{note[:1].upper()}{note[1:]}" for note in pair.notes)]


def within(pair: Pair) -> str:
    """Return how often one coder gave the same code to items that came twice."""
    counts = f"{pair.kappa.agree} of {pair.kappa.n} items that came twice"
    if pair.kappa.value is None:
        return f"{pair.a}: {counts} with the same code"
    return f"{pair.a}: {counts} with the same code, κ {decimal(pair.kappa.value)}"


def finer(pair: Pair) -> str:
    """Return the rarer figures of a pair on one line."""
    kappa = pair.kappa
    parts = [
        f"{kappa.agree} of {kappa.n} agree",
        f"Fleiss–Cohen–Everitt SE {decimal(kappa.se)}, {decimals(kappa.ci)}",
        f"greatest possible κ {decimal(kappa.maximum)}",
    ]
    if pair.prevalence_index is not None and pair.bias_index is not None:
        parts.append(
            f"prevalence index {decimal(pair.prevalence_index)}, "
            f"bias index {decimal(pair.bias_index)}"
        )
    return " · ".join(parts) if kappa.n else ""


def share_cell(share: Share) -> str:
    """Return a share with its interval under it."""
    ends = None
    if share.ci_low is not None and share.ci_high is not None:
        ends = (share.ci_low, share.ci_high)
    return f"{percent(share.share)}\n{percents(ends) if ends else ''}"
