import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import bounded
from coding.canonical import canonical_json
from coding.errors import CodingError
from tests.strategies import QUICK

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def nesting(value: object) -> int:
    """How deep a JSON value is, by walking it: the independent count."""
    if isinstance(value, dict):
        return 1 + max(map(nesting, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(nesting, value), default=0)
    return 0


@QUICK
@given(VALUES)
def test_depth_is_that_of_the_value(value: object) -> None:
    assert bounded.depth_of(json.dumps(value).encode()) == nesting(value)
    assert bounded.depth_of(json.dumps(value, ensure_ascii=False).encode()) == nesting(
        value
    )


@QUICK
@given(VALUES)
def test_canonical_json_comes_back(value: object) -> None:
    data = canonical_json(value)
    assert bounded.load_json(data, "x", max_depth=99) == value
    assert canonical_json(json.loads(data)) == data


def test_a_lone_surrogate_survives() -> None:
    assert bounded.load_json(canonical_json("a\ud800b"), "x") == "a\ud800b"


def test_deep_nesting_is_refused_before_it_is_parsed() -> None:
    for opening in (b"[", b'{"a":', b'[{"a":'):
        with pytest.raises(CodingError, match="nested"):
            bounded.load_json(opening * 20_000, "x")


@pytest.mark.parametrize(
    ("data", "depth"),
    [
        (b'"' * 2_000_001, 0),
        (b'"' + b'\\"' * 1_000_000, 0),
        (b'"' + b"\\" * 1_999_999, 0),
        (b"[" * 100_000, 100_000),
    ],
    ids=["quotes", "escaped", "backslashes", "brackets"],
)
def test_counting_depth_ends_soon_on_hostile_bytes(data: bytes, depth: int) -> None:
    # Quadratic work on these would run into the test's time limit.
    assert bounded.depth_of(data) == depth


@pytest.mark.parametrize(
    "data",
    [b'{"a":1,"a":2}', b"NaN", b"[Infinity]", b"\xff", b"", b"1 2", b"9" * 5000],
    ids=["twice", "nan", "infinity", "utf8", "empty", "two values", "huge number"],
)
def test_what_is_not_strict_json_is_refused(data: bytes) -> None:
    with pytest.raises(CodingError):
        bounded.load_json(data, "x")


def test_a_number_is_never_written_as_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


@pytest.mark.parametrize("value", ["", "A" * 32, "0" * 31, "0" * 33, "g" * 32, 5, None])
def test_only_the_right_number_of_lower_case_digits_is_hexadecimal(
    value: object,
) -> None:
    with pytest.raises(CodingError):
        bounded.hexadecimal({"k": value}, "k", "x", 32)


def test_a_file_is_read_up_to_its_limit(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("f") / "f"
    path.write_bytes(b"12345")
    assert bounded.read_file(path, 5) == b"12345"
    with pytest.raises(CodingError, match="larger"):
        bounded.read_file(path, 4)
    with pytest.raises(CodingError, match="cannot be read"):
        bounded.read_file(path.parent, 4)


def test_the_error_says_what_where_and_what_to_do() -> None:
    assert str(CodingError("broke")) == "broke"
    assert str(CodingError("broke", where="f", todo="Mend it")) == "f: broke. Mend it"
