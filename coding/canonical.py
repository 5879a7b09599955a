"""Canonical JSON and hashes of the blind side."""

import hashlib
import json


def canonical_json(value: object) -> bytes:
    """Return the one byte string of a JSON value.

    Keys are sorted, there is no blank, text is UTF-8. A lone surrogate, which UTF-8
    cannot carry, is written as its JSON escape.

    Raises:
        ValueError: The value holds NaN or an infinity.
        TypeError: The value is not JSON.
    """
    text = json.dumps(
        value,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    # Surrogates stand only inside strings, where \udXXX is JSON's own escape.
    return text.encode("utf-8", "backslashreplace")


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of `data` as 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
