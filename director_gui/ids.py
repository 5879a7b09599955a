"""Canonical JSON and hashes: the one place that decides what "the same" means."""

import hashlib
import json
from typing import Any

Json = Any  # a JSON value; what json.loads returns


def canonical_json(value: Json) -> bytes:
    """Return the one byte string of a JSON value.

    Keys are sorted, there is no blank, text is UTF-8, numbers are Python's shortest
    round-trip form, and a negative zero is written as 0.0.

    Raises:
        ValueError: The value holds NaN or an infinity.
    """
    text = json.dumps(
        _plain(value),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return text.encode()


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def hash_of(value: Json) -> str:
    """Return the SHA-256 of a JSON value's canonical bytes."""
    return sha256_hex(canonical_json(value))


def _plain(value: Json) -> Json:
    if isinstance(value, float):
        return value + 0.0  # turns -0.0 into 0.0
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
