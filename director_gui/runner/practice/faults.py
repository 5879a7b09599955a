"""Faults on demand: refusals, breakdowns and waits, asked for by the model's name.

``practice-reader+429`` refuses some requests, ``practice-reader+429=0.5+slow`` refuses
half of them and makes all of them wait. A share is optional.
"""

import random
from dataclasses import dataclass, replace
from typing import Literal

Fault = Literal["rate_limit", "server_error", "reset", "nonsense", "quota"]
DEFAULT_SHARE = 0.3
SLOW_S = 2.0
SUFFIXES: dict[str, Fault] = {
    "429": "rate_limit",
    "500": "server_error",
    "reset": "reset",
    "nonsense": "nonsense",
    "quota": "quota",
}


@dataclass(frozen=True, slots=True)
class Faults:
    """How often a request fails before it is read; shares in 0-1 of all requests."""

    rate_limit: float = 0.0  # 429 with Retry-After
    server_error: float = 0.0  # 500
    reset: float = 0.0  # the connection is reset without a reply
    nonsense: float = 0.0  # 200 with a page that is not JSON
    quota: float = 0.0  # 429 insufficient_quota, which no wait mends
    delay_s: float = 0.0  # seconds before every reply
    retry_after_s: float = 1.0  # seconds, sent with a rate limit

    def draw(self, rng: random.Random) -> Fault | None:
        """Return the fault that meets one request, if any."""
        # One draw for all of them: the faults exclude each other.
        u = rng.random()
        for fault in SUFFIXES.values():
            share: float = getattr(self, fault)
            if u < share:
                return fault
            u -= share
        return None


def split_model(model: str, base: Faults) -> tuple[str, Faults]:
    """Take the fault suffixes off a model's name.

    Args:
        model: The name as it was asked for.
        base: The server's own faults, which the suffixes change.

    Returns:
        The name without suffixes, and the faults.

    Raises:
        ValueError: A suffix is not known or its share is not in 0-1.
    """
    name, *suffixes = model.split("+")
    for suffix in suffixes:
        base = _with(base, suffix)
    return name, base


def _with(faults: Faults, suffix: str) -> Faults:
    kind, _, value = suffix.partition("=")
    if kind == "slow":
        return replace(faults, delay_s=_number(value, SLOW_S, 60.0))
    if kind not in SUFFIXES:
        raise ValueError(f"unknown fault {kind!r}")
    field = SUFFIXES[kind]
    # A quota that is used up stays so, whatever is tried.
    share = _number(value, 1.0 if field == "quota" else DEFAULT_SHARE, 1.0)
    return replace(faults, **{field: share})


def _number(text: str, default: float, most: float) -> float:
    value = float(text) if text else default
    if not 0.0 <= value <= most:  # also refuses NaN
        raise ValueError(f"{text} is not in 0-{most:g}")
    return value
