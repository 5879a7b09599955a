"""The planner's sentence and curve, against STATISTICS' formula worked out here."""

import math

import pytest
from scipy.stats import t as student

from director_gui.errors import UserError
from director_gui.stats.contrast import compare
from director_gui.stats.planning import Design
from director_gui.stats.replies import Replies
from director_gui.stats.replies import Reply as Row
from director_gui.study.results.comparing import Compared
from director_gui.study.results.planner import from_pilot, from_rates
from director_gui.study.results.words import estimate_words, interval_words


def factor(scenes: float) -> float:
    return float(student.ppf(0.975, scenes - 2) + student.ppf(0.8, scenes - 2))


def error(design: Design, pb: float, scenes: int) -> float:
    """The standard error of a difference, written out from the specification."""
    pa, m, rho = design.pa, design.samples, design.icc
    gamma = design.overlap * rho * (min(pa, pb) - pa * pb)
    spread = (pa * (1 - pa) + pb * (1 - pb)) * (1 + (m - 1) * rho) / m
    return math.sqrt((spread - 2 * gamma) / scenes)


@pytest.mark.parametrize(
    "design",
    [Design(0.2), Design(0.5, icc=0.0, samples=1), Design(0.1, 0.6, 3, overlap=0.5)],
)
def test_each_point_of_the_curve_is_just_detectable(design: Design) -> None:
    found = from_rates(design, 0.1, 160)
    assert found.curve
    for scenes, least in found.curve:
        reached = factor(scenes) * error(design, design.pa + least, scenes)
        assert least == pytest.approx(reached, abs=1e-6)
    assert [n for n, _ in found.curve] == sorted(n for n, _ in found.curve)


def test_the_chosen_number_is_the_smallest_that_serves() -> None:
    design = Design(0.2)
    found = from_rates(design, 0.1, 160)
    assert found.chosen is not None
    scenes, difference = found.chosen
    assert difference == 0.1
    for count, serves in ((scenes, True), (scenes - 1, False)):
        reached = factor(count) * error(design, 0.3, count)
        assert (reached <= 0.1) is serves
    assert found.text.startswith(f"10.0 points need {scenes:,} scenes.\n160 scenes")


def test_what_cannot_be_leaves_the_other_half() -> None:
    found = from_rates(Design(0.95), 0.1, 160)
    assert found.chosen is None
    assert found.text.startswith("No number of scenes serves: ")
    assert "160 scenes with 5 samples can show:" in found.text
    none = from_rates(Design(1.0), -0.1, 160).text
    assert "can show: none, not even a rise to 100 %" in none
    for text in (found.text, none):
        assert "nan" not in text
        assert "inf" not in text


def test_too_few_scenes_stop_everything() -> None:
    with pytest.raises(UserError):
        from_rates(Design(0.2), 0.1, 2)


def pilot(counts: dict[str, list[int]]) -> Compared:
    rows = [
        Row(f"s{at}", name, int(sample < k), "1")
        for name, each in counts.items()
        for at, k in enumerate(each)
        for sample in range(4)
    ]
    made = Replies.of(rows)
    found = compare(made, "a", "b")
    return Compared("m", "b", "a", "1", found, None, None, "", made)


def test_a_pilots_own_error_says_how_many() -> None:
    one = pilot({"a": [0, 1, 2, 1, 0, 3, 1, 2], "b": [2, 1, 4, 2, 3, 3, 2, 4]}).found
    assert one is not None
    assert one.se is not None
    spread = one.se * math.sqrt(8)
    wanted = next(
        n for n in range(3, 10_000) if factor(n) * spread / math.sqrt(n) <= 0.1
    )
    assert from_pilot(one, 0.1) == (
        "by the chosen comparison’s standard error over 8 scenes, 10.0 points need "
        f"{wanted:,} scenes."
    )


def test_a_pilot_without_an_error_is_refused() -> None:
    one = pilot({"a": [0] * 5, "b": [0] * 5}).found
    assert one is not None
    with pytest.raises(UserError):
        from_pilot(one, 0.1)


def test_how_an_interval_was_made_is_told_with_its_figures() -> None:
    one = pilot({"a": [0, 1, 2, 1, 0, 3, 1, 2], "b": [2, 1, 4, 2, 3, 3, 2, 4]})
    assert one.found is not None
    told = interval_words(one.found)
    assert told.startswith("Logit GEE, scenes as clusters")
    assert f"df {8 - 2}, " in told
    said = "Events under b: 21 of 32 answered replies = 65.6 %; under a: 10 of 32"
    assert estimate_words(one, "Events").startswith(said)
