"""The truth in plain words."""

from dataclasses import replace

import pytest

from director_gui.geometry.truth import truth_of
from director_gui.geometry.words import and_list, percent, summary_of, who
from director_gui.scene.example import example_scene
from director_gui.scene.model import Partition, Request, Scene

EXAMPLE = example_scene()


def line(scene: Scene) -> str:
    return summary_of(scene, truth_of(scene))


def test_the_usual_line() -> None:
    assert line(EXAMPLE) == (
        "The director does not see 3. Largest for the director: 5. "
        "Largest in the picture: 3."
    )


def test_the_smallest_block() -> None:
    assert line(replace(EXAMPLE, request=Request(extreme="smallest"))) == (
        "The director does not see 3. Smallest for the director: 8. "
        "Smallest in the picture: 8."
    )


def test_nothing_hidden() -> None:
    assert line(replace(EXAMPLE, partitions=())) == (
        "The director sees every block. Largest for the director: 3. "
        "Largest in the picture: 3."
    )


def test_everything_hidden() -> None:
    wall = Partition(0.0, 0.27, 0, 1.4, 0.34, 0.02)
    assert line(replace(EXAMPLE, partitions=(wall,))) == (
        "The director does not see 3, 5 and 8. Largest for the director: none. "
        "Largest in the picture: 3."
    )


def test_an_unclear_block_is_given_its_share() -> None:
    board = replace(EXAMPLE.partitions[0], height=0.25)
    text = line(replace(EXAMPLE, partitions=(board,)))
    assert text.startswith("No block is hidden. It is unclear: the director sees only ")
    assert " % of 3. Largest for the director: 5." in text


def test_what_the_picture_cuts_or_leaves_out_is_said() -> None:
    aside = replace(EXAMPLE.director, look_at=(-0.6, 0.3, 0.05))
    text = line(replace(EXAMPLE, director=aside))
    assert "The edge of the director's picture cuts " in text
    assert "Outside the director's picture: " in text


@pytest.mark.parametrize(
    ("fraction", "text"),
    [
        (None, "none"),
        (0.0, "0 %"),
        (0.0004, "under 0.1 %"),
        (0.001, "0.1 %"),
        (0.25, "25 %"),
        (0.2549, "25.5 %"),
        (0.9996, "over 99.9 %"),
        (1.0, "100 %"),
    ],
)
def test_percentages_never_round_a_difference_away(
    fraction: float | None, text: str
) -> None:
    assert percent(fraction) == text


def test_lists_and_views_read_well() -> None:
    assert and_list([]) == "none"
    assert and_list([3]) == "3"
    assert and_list([3, 5]) == "3 and 5"
    assert and_list([3, 5, 8]) == "3, 5 and 8"
    assert [who("model"), who("director")] == ["the model", "the director"]
