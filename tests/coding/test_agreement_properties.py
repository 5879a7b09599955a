"""What must hold for any codes, and figures by other programs on the same codes."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from coding.ac1 import ac1_of
from coding.agreement import Coder, Pair, agreement, compare
from coding.errors import CodingError
from coding.kappa import kappa_of
from coding.proportions import clopper_pearson
from coding.tables import tally
from tests.strategies import QUICK

CODES = ("a", "b", "c")
CODE = st.sampled_from(CODES)
ROWS = st.lists(st.tuples(CODE, CODE), min_size=1, max_size=25)
GAPS = st.lists(
    st.tuples(st.none() | CODE, st.none() | CODE, st.none() | CODE),
    min_size=1,
    max_size=20,
)


def pair(rows: list[tuple[str, str]], codes: tuple[str, ...] = CODES) -> Pair:
    sides = zip(*rows, strict=True)
    a, b = ({str(i): c for i, c in enumerate(side)} for side in sides)
    scenes = {str(i): str(i % 7) for i in range(len(rows))}
    return compare(Coder("a", a), Coder("b", b), codes, scenes)


def coders(rows: list[tuple[str | None, ...]]) -> list[Coder]:
    return [
        Coder(str(n), {str(i): c for i, c in enumerate(side) if c is not None})
        for n, side in enumerate(zip(*rows, strict=True))
    ]


def close(a: float | None, b: float | None) -> bool:
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)


def same_figures(one: Pair, two: Pair) -> bool:
    return (
        close(one.kappa.value, two.kappa.value)
        and close(one.kappa.se, two.kappa.se)
        and close(one.kappa.maximum, two.kappa.maximum)
        and close(one.percent, two.percent)
        and close(one.alpha.value, two.alpha.value)
        and close(one.ac1, two.ac1)
    )


@QUICK
@given(ROWS)
def test_swapping_coders_changes_nothing(rows: list[tuple[str, str]]) -> None:
    one, two = pair(rows), pair([(b, a) for a, b in rows])
    assert same_figures(one, two)
    assert (one.table == two.table.T).all()
    assert one.by_scene == two.by_scene


@QUICK
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_items_changes_nothing(
    rows: list[tuple[str, str]], rng: object
) -> None:
    shuffled = list(enumerate(rows))
    rng.shuffle(shuffled)
    a, b = ({str(i): row[k] for i, row in shuffled} for k in (0, 1))
    scenes = {str(i): str(i % 7) for i, _ in shuffled}
    one, two = pair(rows), compare(Coder("a", a), Coder("b", b), CODES, scenes)
    assert same_figures(one, two)
    assert one.by_scene == two.by_scene


@QUICK
@given(ROWS, st.permutations(CODES))
def test_names_and_order_of_codes_change_nothing(
    rows: list[tuple[str, str]], order: list[str]
) -> None:
    other = dict(zip(CODES, ("nan", "None", " "), strict=True))
    renamed = [(other[a], other[b]) for a, b in rows]
    one = pair(rows)
    assert same_figures(one, pair(renamed, tuple(other[code] for code in order)))
    assert one.by_scene == pair(rows, tuple(order)).by_scene


@QUICK
@given(ROWS)
def test_an_unused_code_changes_ac1_alone(rows: list[tuple[str, str]]) -> None:
    one, two = pair(rows), pair(rows, (*CODES, "unused"))
    assert close(one.kappa.value, two.kappa.value)
    assert close(one.kappa.se, two.kappa.se)
    assert close(one.alpha.value, two.alpha.value)
    assert one.by_scene == two.by_scene
    if one.percent == 1:
        assert one.ac1 == two.ac1 == 1
    else:
        assert two.ac1 is not None
        assert one.ac1 is not None
        assert two.ac1 > one.ac1
    unused = two.per_code[-1]
    assert (unused.kappa, unused.n_a, unused.n_b) == (None, 0, 0)


@QUICK
@given(ROWS, CODE)
def test_an_item_of_one_coder_leaves_kappa(
    rows: list[tuple[str, str]], code: str
) -> None:
    one = pair(rows)
    a, b = ({str(i): row[k] for i, row in enumerate(rows)} for k in (0, 1))
    two = compare(Coder("a", {**a, "new": code}), Coder("b", b), CODES)
    assert (one.kappa, one.percent, one.percent_ci) == (
        two.kappa,
        two.percent,
        two.percent_ci,
    )
    assert close(one.alpha.value, two.alpha.value)


@QUICK
@given(ROWS, st.integers(2, 5))
def test_repeating_items(rows: list[tuple[str, str]], k: int) -> None:
    one, two = pair(rows), pair(rows * k)
    assert close(one.kappa.value, two.kappa.value)
    assert close(one.percent, two.percent)
    assert close(one.ac1, two.ac1)
    if one.kappa.se is not None:
        assert two.kappa.se is not None
        assert close(one.kappa.se / math.sqrt(k), two.kappa.se)
    if one.alpha.value not in (None, 1.0):
        assert not close(one.alpha.value, two.alpha.value)


@QUICK
@given(ROWS)
def test_bounds_and_no_interval_of_width_zero(rows: list[tuple[str, str]]) -> None:
    found = pair(rows)
    kappa = found.kappa
    for ci in (kappa.ci, found.percent_ci, found.by_scene and found.by_scene.ci):
        assert ci is None or ci[1] - ci[0] > 1e-12
    if kappa.value is None:
        assert len({code for row in rows for code in row}) == 1
        assert found.kappa_undefined
        assert found.by_scene is None
    else:
        assert -1 <= kappa.value <= 1
        assert kappa.maximum is not None
        assert kappa.value <= kappa.maximum <= 1
    if kappa.constant:
        assert (kappa.value, kappa.se, kappa.ci) == (0, 0, None)
        assert found.by_scene is not None
        assert found.by_scene.ci is None


def statsmodels_kappa(table: np.ndarray) -> object:
    from statsmodels.stats.inter_rater import cohens_kappa

    return cohens_kappa(table)


@QUICK
@given(ROWS)
def test_kappa_and_its_error_equal_statsmodels(rows: list[tuple[str, str]]) -> None:
    found = pair(rows)
    # statsmodels gives nonsense for constant coders and warns without kappa.
    assume(found.kappa.value is not None and not found.kappa.constant)
    other = statsmodels_kappa(found.table.astype(float))
    assert found.kappa.value == pytest.approx(other.kappa, abs=1e-12)
    variance = other.var_kappa
    assert found.kappa.se == pytest.approx(math.sqrt(max(variance, 0)), abs=1e-7)
    assert found.kappa.maximum == pytest.approx(other.kappa_max, abs=1e-12)


@QUICK
@given(ROWS)
def test_per_code_is_kappa_of_the_two_by_two_table(
    rows: list[tuple[str, str]],
) -> None:
    for code, one in zip(CODES, pair(rows).per_code, strict=True):
        yes_no = [(str(a == code), str(b == code)) for a, b in rows]
        assert close(one.kappa, pair(yes_no, ("True", "False")).kappa.value)


def plain_alpha(rows: list[tuple[str | None, ...]]) -> float | None:
    """Alpha by walking over all ordered pairs of values, as the definition says."""
    units = [[c for c in row if c is not None] for row in rows]
    units = [unit for unit in units if len(unit) > 1]
    values = [c for unit in units for c in unit]
    n = len(values)
    observed = sum(
        (unit[i] != unit[j]) / (len(unit) - 1)
        for unit in units
        for i, j in product(range(len(unit)), repeat=2)
        if i != j
    )
    expected = sum(
        values[i] != values[j] for i, j in product(range(n), repeat=2) if i != j
    )
    return 1 - (n - 1) * observed / expected if expected else None


def plain_ac1(rows: list[tuple[str | None, ...]]) -> float | None:
    """AC1 by Gwet's formulas, unit by unit."""
    units = [[c for c in row if c is not None] for row in rows]
    shared = [u for u in units if len(u) > 1]
    if not shared:
        return None
    agree = sum(
        sum(u.count(c) * (u.count(c) - 1) for c in CODES) / (len(u) * (len(u) - 1))
        for u in shared
    ) / len(shared)
    coded = [u for u in units if u]
    share = [sum(u.count(c) / len(u) for u in coded) / len(coded) for c in CODES]
    chance = sum(p * (1 - p) for p in share) / (len(CODES) - 1)
    return (agree - chance) / (1 - chance)


@QUICK
@given(GAPS)
def test_many_coders_with_gaps(rows: list[tuple[str | None, ...]]) -> None:
    assume(any(code for row in rows for code in row))
    found = agreement(coders(rows), CODES)
    assert close(found.ac1, plain_ac1(rows))
    wanted = plain_alpha(rows)
    if wanted is None or found.alpha.value is None:
        assert found.alpha.value is wanted
        assert found.alpha.undefined
    else:
        assert found.alpha.value == pytest.approx(wanted, abs=1e-12)
    assert len(found.pairs) == 3


@QUICK
@given(st.integers(1, 400), st.data())
def test_clopper_pearson_inverts_the_binomial(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    found = clopper_pearson(k, n)
    assert found is not None
    low, high = found
    assert 0 <= low <= k / n <= high <= 1
    # At each end the tail beyond k holds 2.5 %: summed up, term by term.
    if k > 0:
        assert tail(n, range(k, n + 1), low) == pytest.approx(0.025, rel=1e-7)
    if k < n:
        assert tail(n, range(k + 1), high) == pytest.approx(0.025, rel=1e-7)


def tail(n: int, counts: range, p: float) -> float:
    return math.fsum(
        math.exp(
            math.lgamma(n + 1)
            - math.lgamma(i + 1)
            - math.lgamma(n - i + 1)
            + (i * math.log(p) if i else 0.0)
            + ((n - i) * math.log1p(-p) if n > i else 0.0)
        )
        for i in counts
    )


def test_no_items_and_one_code() -> None:
    assert clopper_pearson(0, 0) is None
    assert kappa_of(np.zeros((2, 2), dtype=np.int64)).undefined == "no_shared_item"
    assert ac1_of(tally([{"1": "x"}, {"1": "x"}], ["x"])) is None
    nobody = agreement([Coder("a", {}), Coder("b", {})])
    assert (nobody.alpha.value, nobody.ac1) == (None, None)
    assert nobody.pairs[0].kappa_undefined == "no item coded by both"


def test_a_code_outside_the_codebook_is_refused_with_its_coder() -> None:
    with pytest.raises(CodingError, match=r'bob: "z" \(item "7"\)'):
        agreement([Coder("ann", {"7": "a"}), Coder("bob", {"7": "z"})], CODES)


def test_a_column_of_free_text_is_no_column_of_codes() -> None:
    texts = {str(i): f"text {i}" for i in range(501)}
    with pytest.raises(CodingError, match="501 different codes"):
        agreement([Coder("ann", texts), Coder("bob", texts)])


def test_huge_counts_do_not_overflow() -> None:
    table = np.array([[4, 1], [2, 5]], dtype=np.int64)
    small, large = kappa_of(table), kappa_of(table * 10**9)
    assert close(small.value, large.value)
    assert close(small.maximum, large.maximum)
