from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import tables
from coding.errors import CodingError
from tests.strategies import QUICK

CODES = ("a", "b", "c")
CODER = st.dictionaries(st.sampled_from("0123456789"), st.sampled_from(CODES))


@QUICK
@given(CODER, CODER)
def test_the_cross_table_counts_pairs(a: dict[str, str], b: dict[str, str]) -> None:
    items = tables.shared_items(a, b)
    assert items == sorted(set(a) & set(b))
    places = (tables.indices(coder, items, CODES) for coder in (a, b))
    table = tables.cross_table(*places, len(CODES))
    wanted = Counter((a[item], b[item]) for item in items)
    for i, row in enumerate(CODES):
        for j, column in enumerate(CODES):
            assert table[i, j] == wanted[row, column]


@QUICK
@given(st.lists(CODER, min_size=1, max_size=4))
def test_the_tally_counts_coders(coders: list[dict[str, str]]) -> None:
    items = sorted({item for coder in coders for item in coder})
    tally = tables.tally(coders, CODES)
    assert tally.shape == (len(items), len(CODES))
    for row, item in zip(tally, items, strict=True):
        given_codes = [coder[item] for coder in coders if item in coder]
        assert row.tolist() == [given_codes.count(code) for code in CODES]
        assert row.sum() > 0


def test_no_shared_item_is_an_empty_table() -> None:
    nobody = tables.indices({}, [], CODES)
    table = tables.cross_table(nobody, nobody, 3)
    assert (table == np.zeros((3, 3))).all()
    assert tables.tally([{}, {}], CODES).shape == (0, 3)


def test_used_codes_are_sorted_and_verbatim() -> None:
    used = tables.used_codes([{"1": "nan", "2": "None"}, {"1": " ", "2": "NA"}])
    assert used == (" ", "NA", "None", "nan")


def test_an_unknown_code_is_named_with_its_item() -> None:
    tables.check_codes({"1": "a", "2": "c"}, CODES, "ann")
    with pytest.raises(CodingError) as caught:
        tables.check_codes({"1": "a", "2": "A"}, CODES, "ann")
    assert str(caught.value) == (
        'ann: "A" (item "2") is no code of the codebook. The codes are a, b, c'
    )
