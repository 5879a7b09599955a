"""Codes as integer tables: cross-tables of two coders, tallies of many."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from coding.errors import CodingError

Counts = NDArray[np.int64]
Codes = Mapping[str, str]  # item -> code; an item that is missing is not in it


def used_codes(coders: Iterable[Codes]) -> tuple[str, ...]:
    """Return every code that occurs, sorted."""
    return tuple(sorted({code for codes in coders for code in codes.values()}))


def shared_items(a: Codes, b: Codes) -> list[str]:
    """Return the items that both coded, sorted."""
    return sorted(a.keys() & b.keys())


def check_codes(coder: Codes, codes: Sequence[str], where: str) -> None:
    """Refuse a code that is not one of `codes`.

    Raises:
        CodingError: With the code and its item; `where` is the coder's name.
    """
    known = frozenset(codes)
    for item, code in coder.items():
        if code not in known:
            raise CodingError(
                f'"{code[:40]}" (item "{item[:40]}") is no code of the codebook',
                where=where,
                todo=f"The codes are {', '.join(codes)}",
            )


def indices(coder: Codes, items: Sequence[str], codes: Sequence[str]) -> Counts:
    """Return each item's code as its place in `codes`, shape (len(items),)."""
    place = {code: i for i, code in enumerate(codes)}
    return np.array([place[coder[item]] for item in items], dtype=np.int64)


def cross_table(a: Counts, b: Counts, q: int) -> Counts:
    """Return how often each pair of codes occurs, shape (q, q); rows are coder a."""
    flat: Counts = np.bincount(a * q + b, minlength=q * q)
    return flat.reshape(q, q)


def tally(coders: Sequence[Codes], codes: Sequence[str]) -> Counts:
    """Return how many coders gave each item each code, shape (items, len(codes)).

    Items that nobody coded are left out.
    """
    # Sorted, so that sums of floats later do not depend on the order of files.
    items = sorted({item for coder in coders for item in coder})
    row = {item: i for i, item in enumerate(items)}
    counts = np.zeros((len(items), len(codes)), dtype=np.int64)
    for coder in coders:
        rows = [row[item] for item in coder]
        counts[rows, indices(coder, list(coder), codes)] += 1
    return counts
