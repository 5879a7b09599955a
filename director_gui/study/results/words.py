"""How a comparison was computed, in words with its counts."""

from collections import Counter
from collections.abc import Iterable

from director_gui.stats.display import counted, interval_text, p_text, points_text
from director_gui.stats.result import Comparison
from director_gui.stats.verdicts import METHOD_WORDS, flag_text, reason_text
from director_gui.study.results.comparing import ACROSS, Compared

OUTCOMES = {
    "hidden_choice": "hidden-block choices",
    "report_correct": "exactly right visibility reports",
    "joint": "right reports with a hidden choice",
}

_ANSWER, _ANSWERS = "answered reply", "answered replies"
_NO_ANSWER = "no answered reply"


def _sentence(text: str) -> str:
    # `capitalize` would write GEE small.
    return f"{text[:1].upper()}{text[1:]}"


def estimate_words(one: Compared, what: str) -> str:
    """Return how the difference of a comparison was computed."""
    found = one.found
    if found is None:
        return ACROSS
    # Reference first, as `compare` weighs them.
    (k0, k1), (n0, n1) = found.k, found.n
    made = "There is no difference without answers under both."
    if found.estimate is not None:
        points = points_text(found.estimate, signed=True)
        made = f"Their difference, of the unrounded shares, is {points} points."
    test = f"{k1:,} of {counted(n1, _ANSWER, _ANSWERS)} = {_share(k1, n1)} %"
    reference = f"{k0:,} of {n0:,} = {_share(k0, n0)} %"
    return (
        f"{what} under {one.test}: {test if n1 else _NO_ANSWER}; "
        f"under {one.reference}: {reference if n0 else _NO_ANSWER}. {made}"
    )


def interval_words(found: Comparison | None) -> str:
    """Return how a comparison's interval was computed."""
    if found is None:
        return ACROSS
    if found.method == "none":
        return reason_text(found)
    spread = "" if found.se is None else f"SE {points_text(found.se)} points, "
    degrees = "" if found.df is None else f"df {found.df}, "
    interval = interval_text(found.ci_low, found.ci_high, signed=True)
    return (
        f"{_sentence(METHOD_WORDS[found.method])}: {spread}{degrees}95 % interval "
        f"{interval}; {counted(found.scenes, 'scene')} with answers, "
        f"{found.paired_scenes} of them in both conditions."
    )


def method_words(found: Iterable[Comparison | None]) -> str:
    """Return which methods gave a table's intervals, and how many each, in words."""
    used = Counter(one.method for one in found if one and one.method != "none")
    told = "; ".join(f"{METHOD_WORDS[name]} ({n})" for name, n in used.most_common())
    return f"Intervals: {told}." if told else "No interval can be given."


def p_words(one: Compared, family: str, tested: int) -> str:
    """Return where the p-value and its correction come from."""
    if one.found is None or one.found.p is None:
        return "No p-value: it takes no part in the correction."
    return (
        f"Two-sided p {p_text(one.found.p)}; Benjamini and Hochberg over the "
        f"{counted(tested, 'comparison')} of “{family}” with a p-value: "
        f"{p_text(one.adjusted)}."
    )


def flags_words(found: Comparison | None) -> str:
    """Return the flags of a comparison as sentences."""
    if found is None:
        return ACROSS
    return " ".join(
        [reason_text(found), *(flag_text(flag, found) for flag in found.flags)]
    ).strip()


def _share(k: int, n: int) -> str:
    return points_text(k / n if n else None)
