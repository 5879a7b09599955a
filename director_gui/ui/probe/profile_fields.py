"""What a person types into the profile form, and whether it makes a profile."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from director_gui.runner.profiles import Profile, Wire

Source = Literal["none", "env", "keyring", "memory"]
SOURCES: dict[Source, str] = {
    "none": "No key is needed",
    "env": "Environment variable",
    "keyring": "System keyring",
    "memory": "Memory, until the program ends",
}
WIRES: dict[Wire, str] = {"chat": "Chat Completions", "responses": "Responses"}
EFFORTS = ("", "minimal", "low", "medium", "high")  # empty leaves it out
PRICES = ("input_price", "cached_price", "output_price")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The form's texts as they stand; the key is not among them.

    Attributes:
        name: Of the profile.
        base_url: Of the API.
        model: On that server.
        wire: Chat Completions or Responses.
        effort: Empty leaves the parameter out.
        source: Where the key is found.
        variable: Name of the environment variable, for ``env``.
        input_price: US dollars per million tokens; empty when unknown.
        cached_price: The same for cached input.
        output_price: The same for output.
        concurrency: Requests at a time.
        timeout: Seconds.
    """

    name: str
    base_url: str
    model: str
    wire: Wire
    effort: str
    source: Source
    variable: str
    input_price: str
    cached_price: str
    output_price: str
    concurrency: int
    timeout: float


def typed_of(profile: Profile) -> Typed:
    """Return a profile as the form shows it."""
    source = profile.key_source
    variable = source.removeprefix("env:") if source.startswith("env:") else ""
    return Typed(
        name=profile.name,
        base_url=profile.base_url,
        model=profile.model,
        wire=profile.wire,
        effort=profile.effort or "",
        source=_source(source),
        variable=variable,
        input_price=_price_text(profile.input_price),
        cached_price=_price_text(profile.cached_price),
        output_price=_price_text(profile.output_price),
        concurrency=profile.concurrency,
        timeout=profile.timeout,
    )


def faults_in(typed: Typed, taken: Collection[str]) -> dict[str, str]:
    """Return what is wrong, by the name of the field; empty when all is well.

    Args:
        typed: The form's texts.
        taken: Names of the other profiles.
    """
    url = typed.base_url.strip()
    checks = {
        "name": _name_fault(typed.name.strip(), taken),
        "base_url": ""
        if url.startswith(("http://", "https://")) and len(url.split("://")[1]) > 0
        else "Begins with http:// or https://",
        "model": "" if typed.model.strip() else "The server needs a model’s name",
        "variable": _variable_fault(typed),
        **{name: _price_fault(getattr(typed, name)) for name in PRICES},
    }
    # With one of the two a cost would be told that is too low.
    one_sided = bool(typed.input_price.strip()) != bool(typed.output_price.strip())
    if one_sided and not (checks["input_price"] or checks["output_price"]):
        empty = "output_price" if typed.input_price.strip() else "input_price"
        checks[empty] = "Give both prices, or neither"
    return {name: text for name, text in checks.items() if text}


def profile_from(typed: Typed, before: Profile) -> Profile:
    """Return `before` with what was typed; the faults are checked before."""
    source: str = typed.source
    if typed.source == "env":
        source = f"env:{typed.variable.strip()}"
    return replace(
        # What the form does not show, such as a token limit, stays as it was.
        before,
        name=typed.name.strip(),
        base_url=typed.base_url.strip(),
        model=typed.model.strip(),
        wire=typed.wire,
        effort=typed.effort.strip() or None,
        key_source=source,
        input_price=_price(typed.input_price),
        cached_price=_price(typed.cached_price),
        output_price=_price(typed.output_price),
        concurrency=typed.concurrency,
        timeout=typed.timeout,
    )


def _source(text: str) -> Source:
    if text.startswith("env:"):
        return "env"
    return next((source for source in SOURCES if source == text), "none")


def _name_fault(name: str, taken: Collection[str]) -> str:
    if not name:
        return "A profile needs a name"
    return "Another profile has this name" if name in taken else ""


def _variable_fault(typed: Typed) -> str:
    name = typed.variable.strip()
    if typed.source != "env" or name.isidentifier():
        return ""
    # A key pasted here would be saved in the open.
    return "The variable’s name, such as OPENAI_API_KEY; never the key itself"


def _price_fault(text: str) -> str:
    try:
        price = _price(text)
    except ValueError:
        return "A number in dollars per million tokens, or nothing"
    return "" if price is None or 0 <= price < float("inf") else "Not below 0"


def _price(text: str) -> float | None:
    # A comma is how half of the world writes a price.
    stripped = text.strip().replace(",", ".")
    return float(stripped) if stripped else None


def _price_text(price: float | None) -> str:
    return "" if price is None else f"{price:g}"
