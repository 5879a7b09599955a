"""Balance: planted associations are found, balanced and tiny sets are left alone."""

import random
from dataclasses import replace

import pytest

from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Scene
from director_gui.study.balance import Pair, associations, warnings_of

NAMES = [
    "Digits against size",
    "Hidden block’s digit",
    "Position from left to right",
    "Position from near to far",
    "Colour of the hidden block",
]


def block(digit: int, rng: random.Random) -> Block:
    color = rng.choice(["#c0504d", "#4f81bd", "#7fa14a"])
    return Block(digit, rng.uniform(0.1, 0.2), rng.random(), rng.random(), 0.0, color)


def scenes(count: int = 160, seed: int = 3) -> list[Pair]:
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        digits = rng.sample(range(1, 10), 3)
        blocks = tuple(block(d, rng) for d in digits)
        made.append((with_blocks(blocks), rng.choice(digits)))
    return made


def with_blocks(blocks: tuple[Block, ...]) -> Scene:
    return replace(example_scene(), blocks=blocks)


def found(pairs: list[Pair]) -> list[str]:
    return [item.name for item in warnings_of(associations(pairs))]


def test_a_balanced_set_is_left_alone() -> None:
    pairs = scenes()
    assert [item.name for item in associations(pairs)] == NAMES
    assert found(pairs) == []
    for item in associations(pairs):
        assert item.p is not None
        assert "No sign" in item.words


def test_digits_that_follow_size_are_found() -> None:
    def by_size(scene: Scene) -> Scene:
        order = sorted(scene.blocks, key=lambda b: b.edge)
        digits = sorted(b.digit for b in scene.blocks)
        return with_blocks(
            tuple(replace(b, digit=d) for b, d in zip(order, digits, strict=True))
        )

    pairs = [(by_size(scene), hidden) for scene, hidden in scenes()]
    item = associations(pairs)[0]
    assert item.warns
    assert "larger digits" in item.words
    assert item.statistic > 0.5


@pytest.mark.parametrize(
    ("name", "pick", "words"),
    [
        (NAMES[1], lambda b: -b.digit, "rank by digit 3 in 160 of 160"),
        (NAMES[2], lambda b: b.x, "place from the left 1 in 160 of 160"),
        (NAMES[3], lambda b: -b.y, "place from the front 3 in 160 of 160"),
    ],
)
def test_a_hidden_block_that_is_told_apart_is_found(
    name: str, pick: object, words: str
) -> None:
    assert callable(pick)
    pairs = [(s, min(s.blocks, key=pick).digit) for s, _ in scenes()]
    assert found(pairs) == [name]
    (item,) = warnings_of(associations(pairs))
    assert words in item.words
    assert item.words.endswith("by chance it would in 53.")


def test_a_colour_that_gives_it_away_is_found() -> None:
    def red(scene: Scene, hidden: int) -> Scene:
        return with_blocks(
            tuple(
                replace(b, color="#c0504d" if b.digit == hidden else "#4f81bd")
                for b in scene.blocks
            )
        )

    assert found([(red(s, h), h) for s, h in scenes()]) == [NAMES[4]]


def test_chi_square_is_the_textbook_one() -> None:
    pairs = scenes()
    item = associations(pairs)[2]
    by_hand = sum((n - e) ** 2 / e for _, n, e in item.counts)
    assert item.statistic == pytest.approx(by_hand)
    assert sum(n for _, n, _ in item.counts) == 160
    assert sum(e for _, _, e in item.counts) == pytest.approx(160)


@pytest.mark.parametrize("count", [0, 4, 11])
def test_too_few_scenes_say_nothing(count: int) -> None:
    for item in associations(scenes(count)):
        assert item.p is None
        assert not item.warns
        assert "Too few" in item.words
