"""Where random bytes come from: the system, or a seeded source in a test."""

import secrets
from collections.abc import Callable
from typing import TypeAlias

RandomBytes: TypeAlias = Callable[[int], bytes]
system: RandomBytes = secrets.token_bytes

ID_BYTES = 16
ID_DIGITS = 2 * ID_BYTES


def new_id(random_bytes: RandomBytes) -> str:
    """Return 128 random bits as 32 lower-case hexadecimal digits."""
    return random_bytes(ID_BYTES).hex()


def new_ids(count: int, random_bytes: RandomBytes) -> list[str]:
    """Return `count` different ids."""
    # A dict keeps the order of drawing; a repeat is all but impossible, yet fatal.
    found: dict[str, None] = {}
    while len(found) < count:
        found[new_id(random_bytes)] = None
    return list(found)
