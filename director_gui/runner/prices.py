"""List prices by model, for profiles that name none of their own."""

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from director_gui import assets
from director_gui.errors import UserError

if TYPE_CHECKING:
    from director_gui.runner.profiles import Profile


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens; `cached` is None where none is published."""

    input: float
    output: float
    cached: float | None = None


@cache
def prices() -> dict[str, Price]:
    """Return the prices in ``resources/prices.toml`` by model name.

    Raises:
        UserError: The resource is broken.
    """
    table = tomllib.loads(assets.read_text("prices.toml"))
    try:
        return {
            name: Price(**row) for name, row in table.items() if isinstance(row, dict)
        }
    except TypeError as error:
        raise UserError(
            f"the price list is broken ({error})", where="prices.toml"
        ) from error


def priced(profile: "Profile") -> "Profile":
    """Return the profile with list prices where it names neither of its own."""
    price = prices().get(profile.model)
    # One price of the user's own shows that the list is not theirs.
    own = (profile.input_price, profile.output_price)
    if price is None or own != (None, None):
        return profile
    return replace(
        profile,
        input_price=price.input,
        cached_price=price.cached,
        output_price=price.output,
    )
