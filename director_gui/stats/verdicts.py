"""What an interval lets one say, and what a reader should know beside it."""

from director_gui.stats.display import counted
from director_gui.stats.result import ALPHA, Comparison, Flag, Method
from director_gui.stats.sample import LEAST_SCENES

NO_INTERVAL = "no interval"
MARGIN = 0.10  # against the changes of 30-47 points that earlier studies found

METHOD_WORDS: dict[Method, str] = {
    "gee_t": "logit GEE, scenes as clusters, delta method, t",
    "cluster_t": "cluster-based t over scenes, as a share is exactly 0 or 100 %",
    "bounded": "bound over scenes, as all scenes show the same difference",
    "none": "none",
}


def call_in_words(
    ci_low: float | None, ci_high: float | None, adjusted: float | None
) -> str:
    """Return what can be said of a difference after correction in its family.

    Unrounded values are compared; an interval that touches 0 does not exclude it.

    Args:
        ci_low: Lower end of the interval, 0-1.
        ci_high: Upper end.
        adjusted: The adjusted p-value, significant at 0.05 or less.
    """
    if ci_low is None or ci_high is None:
        return NO_INTERVAL
    # The interval speaks first: after the bound or the guard p may say otherwise.
    if ci_low <= 0 <= ci_high:
        return "no established change"
    if adjusted is None or adjusted > ALPHA:
        return "excludes zero, not significant after correction"
    return "increase" if ci_low > 0 else "decrease"


def margin_verdict(
    ci_low: float | None, ci_high: float | None, margin: float = MARGIN
) -> str:
    """Return whether the whole interval lies within ± `margin` (0-1).

    A statement apart from the test against zero: both may hold. It stands outside
    every family and is never corrected.
    """
    if ci_low is None or ci_high is None:
        return NO_INTERVAL
    if -margin < ci_low and ci_high < margin:
        return "unchanged (within margin)"
    # Touching counts as outside here and as not inside above: neither claim is free.
    if ci_low >= margin or ci_high <= -margin:
        return "changed by more than margin"
    return "inconclusive"


def flag_text(flag: Flag, comparison: Comparison) -> str:
    """Return a flag of `comparison` as a sentence."""
    lacking = comparison.scenes - comparison.paired_scenes
    lacks = "lacks" if lacking == 1 else "lack"
    texts: dict[Flag, str] = {
        "some_scenes_lack_a_condition": f"{lacking} of "
        f"{counted(comparison.scenes, 'scene')} {lacks} answers in one condition.",
        "no_paired_scene": "No scene has answers in every condition; "
        "the comparison is between different scenes.",
        "few_informative_scenes": f"{_differing(comparison)} between "
        "conditions; the interval may be too narrow.",
        "clipped": "The interval was cut at the largest possible difference.",
    }
    return texts[flag]


def _differing(comparison: Comparison) -> str:
    number = comparison.informative_scenes
    if not number:
        return "No scene differs"
    return f"Only {counted(number, 'scene')} {'differs' if number == 1 else 'differ'}"


def reason_text(comparison: Comparison) -> str:
    """Return why a comparison has no interval, as a sentence; empty if it has one."""
    if comparison.reason is None:
        return ""
    if comparison.reason == "no_replies":
        counts = zip(comparison.conditions, comparison.n, strict=True)
        silent = ", ".join(name for name, n in counts if n == 0)
        return f"No answered reply in {silent}."
    if comparison.fewest_scenes < LEAST_SCENES:
        return (
            f"Needs at least {LEAST_SCENES} scenes with answers in each condition; "
            f"found {comparison.fewest_scenes}."
        )
    least = len(comparison.conditions) + 1
    return (
        f"Needs at least {least} scenes for {least - 1} conditions; "
        f"found {comparison.scenes}."
    )
