"""What the run workspace says of arms, errors and bases."""

from collections import Counter
from collections.abc import Sequence

from director_gui.stats.display import points_text
from director_gui.study.mishaps import words_of
from director_gui.study.probing import tokens_text
from director_gui.study.run_arms import ArmView, Drift, ErrorCount
from director_gui.study.run_view import RunView
from director_gui.study.time_words import time_text

PAPERS_DRIFT = 8.1  # points between batches, the paper's largest (METHOD §4)
DASH = "\N{EN DASH}"


def unanswered_text(arm: ArmView) -> str:
    """Return how an arm's calls ended that have no answer: ``2 unparsed, 1 failed``."""
    told = [
        f"{n} {name}"
        for name, n in arm.statuses.items()
        # Open is not lost yet.
        if n and name not in ("answered", "open")
    ]
    return ", ".join(told)


def rate_text(k: int, n: int) -> str:
    """Return a share with its counts: ``41.7 %  5/12``."""
    # With its counts: early in a run a rate alone would say far too much.
    return f"{100 * k / n:.1f} %  {k}/{n}" if n else DASH


def cost_text(cost: float | None) -> str:
    """Return a cost in dollars; a price nobody knows is said to be unknown."""
    if cost is None:
        return "unknown cost"
    # The practice reader; "$0.00" would look like a price that was rounded.
    if cost <= 0:
        return "free"
    return f"${cost:.2f}" if cost >= 0.01 else "under $0.01"


def figures_text(view: RunView, rate: float | None, left: float | None) -> str:
    """Return the figures of a run in one line."""
    sent, got = map(tokens_text, view.tokens)
    parts = [f"{view.calls - view.open:,} of {view.calls:,} calls ended"]
    if rate is not None:
        parts.append(f"{rate:.1f} a second" if rate else "none lately")
    if left is not None:
        parts.append(f"{time_text(left)} left")
    parts += [f"{sent} tokens in, {got} out", cost_text(view.cost)]
    return " · ".join([*parts, *batch_texts(view)])


def batch_texts(view: RunView) -> list[str]:
    """Return where the batches at providers are: ``2 batches in progress``."""
    found = Counter(moved.status.replace("_", " ") for moved in view.batches.values())
    return [f"{n} batch{'es' * (n > 1)} {status}" for status, n in found.items()]


def error_text(error: ErrorCount, *, named: bool) -> str:
    """Return how often something went wrong: ``12 × the server asks to wait``."""
    model = f"{error.model}: " if named else ""
    return f"{model}{error.count:,} × {words_of(error.kind)}"


def drift_text(drift: Drift, *, named: bool) -> str:
    """Return a base's rate in every batch, and how far they lie apart."""
    model = f"{drift.model}: " if named else ""
    rates = [f"batch {batch} {rate_text(k, n)}" for batch, k, n in drift.rates]
    text = f"{model}{drift.condition} · {' · '.join(rates)}"
    if drift.points is None:
        return text
    apart = points_text(drift.points / 100)
    return f"{text} · {apart} points apart (the paper’s largest: {PAPERS_DRIFT})"


def and_text(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
