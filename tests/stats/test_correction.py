"""Benjamini-Hochberg beside its definition and another program."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.stats.correction import PAPER_FAMILIES, adjust, adjust_families

ps_or_none = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=30)


def by_definition(ps: list[float | None]) -> list[float | None]:
    """Return adj_(i) = min over j >= i of min(1, p_(j) m / j), in input order."""
    known = sorted((p, place) for place, p in enumerate(ps) if p is not None)
    m = len(known)
    adjusted = [None] * len(ps)
    for i in range(m):
        ratios = [min(1, known[j][0] * m / (j + 1)) for j in range(i, m)]
        adjusted[known[i][1]] = min(ratios)
    return adjusted


@given(ps_or_none)
def test_definition(ps: list[float | None]) -> None:
    assert adjust(ps) == by_definition(ps)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_scipy_agrees(ps: list[float | None]) -> None:
    from scipy.stats import false_discovery_control  # a second, here alone

    assert adjust(ps) == pytest.approx(list(false_discovery_control(ps)), abs=1e-15)


@given(ps_or_none)
def test_order_is_kept_and_no_p_gets_smaller(ps: list[float | None]) -> None:
    adjusted = adjust(ps)
    for p, corrected in zip(ps, adjusted, strict=True):
        assert (p is None) == (corrected is None)
        assert p is None or p <= corrected * (1 + 1e-12) <= 1 + 1e-12
    known = sorted((p, a) for p, a in zip(ps, adjusted, strict=True) if p is not None)
    corrected = [a for _, a in known]
    assert corrected == sorted(corrected)


def test_nulls_do_not_count() -> None:
    assert adjust([0.01, None, 0.04]) == [0.02, None, 0.04]
    assert adjust([None]) == [None]
    assert adjust([]) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from("fg")), max_size=20))
def test_families_are_corrected_apart(pairs: list[tuple[float, str]]) -> None:
    ps, names = [p for p, _ in pairs], [name for _, name in pairs]
    adjusted, families = adjust_families(ps, names)
    for family in families:
        at = [place for place, name in enumerate(names) if name == family.name]
        assert [adjusted[place] for place in at] == adjust([ps[place] for place in at])


def test_a_family_says_its_size_and_what_it_leaves_out() -> None:
    _, (first, second) = adjust_families([0.1, None, 0.2, None], ["f", "f", "g", "f"])
    assert (first.name, first.declared, first.tested) == ("f", 3, 1)
    assert first.excluded == (1, 3)
    assert (second.declared, second.tested, second.excluded) == (1, 1, ())


def test_paper_families() -> None:
    assert sorted(PAPER_FAMILIES.values()) == [39, 42, 72]
