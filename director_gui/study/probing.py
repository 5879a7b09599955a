"""Probes before they are sent: what one holds, what it costs, why it cannot go."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from director_gui.geometry.truth import Truth
from director_gui.prompts.library import Library, library
from director_gui.runner.plan import with_bases
from director_gui.runner.profiles import Profile, load_profiles, presets
from director_gui.scene.model import Scene
from director_gui.study.asking import arms, prompts_for

BYTES_PER_TOKEN = 4  # English prose, the usual rule of thumb
# For 1024 x 768, providers count 765 (tiles of 512 px) or 768 (patches of 32 px).
IMAGE_TOKENS = 800
# Output of one request: a bare JSON answer; one after reasoning at effort `medium`.
REPLY_TOKENS = (40, 2500)

Blocked = Literal["", "conditions", "profiles", "mixed"]
BLOCKED_WORDS: dict[Blocked, str] = {
    "": "",
    "conditions": "Choose at least one condition",
    "profiles": "Choose at least one model",
    "mixed": "Practice and real models cannot share a probe: choose one kind",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a probe will send, as far as it can be told before.

    Attributes:
        conditions: All conditions that are sent, joined bases included.
        joined: The bases that nobody chose and that join the batch.
        pairs: The declared pairs that it can answer, test first.
        calls: Replies that are asked for.
        requests: Requests that are sent; a two-turn call sends two.
        input_tokens: Tokens sent, about.
        output_tokens: Tokens that come back, least and most, about.
        price: US dollars, least and most; None when a price is unknown.
        unpriced: Names of the real models without a price.
    """

    conditions: tuple[str, ...]
    joined: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    calls: int
    requests: int
    input_tokens: int
    output_tokens: tuple[int, int]
    price: tuple[float, float] | None
    unpriced: tuple[str, ...]


def blocked(conditions: Sequence[str], profiles: Sequence[Profile]) -> Blocked:
    """Return why a probe cannot be sent, empty when it can."""
    if not conditions:
        return "conditions"
    if not profiles:
        return "profiles"
    return "mixed" if len({p.practice for p in profiles}) > 1 else ""


def estimate(
    scene: Scene,
    truth: Truth,
    conditions: Iterable[str],
    profiles: Sequence[Profile],
    samples: int,
    *,
    known: Library | None = None,
) -> Estimate:
    """Return what a probe of `scene` will send and cost, about.

    Args:
        scene: What is shown.
        truth: Of the scene; the statement of `state` depends on it.
        conditions: The chosen ones, by name.
        profiles: The chosen models.
        samples: Replies per condition and model.
        known: The conditions and pairs; the program's own by default.

    Raises:
        UserError: A condition is unknown, or has no text for the scene's request.
    """
    chosen = tuple(dict.fromkeys(conditions))
    names = with_bases(chosen, arms(known))
    prompts = prompts_for(scene, truth, names, known)
    turns = [prompt.turns for prompt in prompts.values()]
    # Nothing is known of tokenisers here; the figure is for orders of magnitude.
    each = samples * sum(map(input_tokens, turns))
    requests = samples * sum(map(len, turns))
    low, high = (requests * tokens for tokens in REPLY_TOKENS)
    return Estimate(
        conditions=names,
        joined=names[len(chosen) :],
        pairs=tuple(p for p in (known or library()).pairs if set(p) <= set(names)),
        calls=samples * len(names) * len(profiles),
        requests=requests * len(profiles),
        input_tokens=each * len(profiles),
        output_tokens=(low * len(profiles), high * len(profiles)),
        price=_price(profiles, each, (low, high)),
        unpriced=tuple(p.name for p in profiles if not p.price_known),
    )


def known_profiles() -> tuple[Profile, ...]:
    """Return every profile by the name it is found under: own ones hide presets.

    Raises:
        UserError: The user's profiles cannot be read.
    """
    found = {profile.name: profile for profile in presets()}
    found |= {profile.name: profile for profile in load_profiles()}
    return tuple(found.values())


def price_text(price: tuple[float, float] | None) -> str:
    """Return a price range in words: ``about $0.02 – 0.31``, ``free``, or unknown."""
    if price is None:
        return "unknown price"
    low, high = price
    if high <= 0:
        return "free"
    if high < 0.01:
        return "under $0.01"
    return f"about ${low:.2f} – {high:.2f}"


def tokens_text(tokens: int) -> str:
    """Return a number of tokens to two digits or so: ``840``, ``5.3 k``, ``1.2 M``."""
    if tokens < 1000:
        return str(tokens)
    value, unit = (tokens / 1e3, "k") if tokens < 999_500 else (tokens / 1e6, "M")
    return f"{value:.0f} {unit}" if value >= 9.95 else f"{value:.1f} {unit}"


def input_tokens(turns: Sequence[bytes]) -> int:
    """Return about how many tokens one call sends, its pictures included.

    Args:
        turns: The bytes of each user message.
    """
    # Turn 2 carries the picture and turn 1 again.
    sent = [turns[: number + 1] for number in range(len(turns))]
    texts = sum(len(text) for one in sent for text in one)
    return len(turns) * IMAGE_TOKENS + texts // BYTES_PER_TOKEN


def _price(
    profiles: Sequence[Profile], sent: int, output: tuple[int, int]
) -> tuple[float, float] | None:
    ends = [0.0, 0.0]
    # A sum with an unknown part is unknown: no lower bound is offered as a price.
    for profile in profiles:
        if profile.input_price is None or profile.output_price is None:
            return None
        for at, tokens in enumerate(output):
            cost = sent * profile.input_price + tokens * profile.output_price
            ends[at] += cost / 1e6
    return ends[0], ends[1]
