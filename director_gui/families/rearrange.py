"""The same geometry under other digits, so that digit and size part company.

METHOD §2: the digits of a scene are permuted so that both of these flip where they
can: whether the hidden block carries the largest digit, and whether a visible block
smaller than the director-view block carries a larger digit than it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from director_gui.families.draws import Draws
from director_gui.families.tallies import hidden_has_largest, smaller_outranks
from director_gui.geometry.truth import Key, Truth
from director_gui.scene.model import Scene

# At least one shuffle in 132 fits even with twelve blocks, so this never runs out.
_MOST = 20_000


def rearrangements(scene: Scene, truth: Truth, draws: Draws) -> Iterator[Scene]:
    """Yield random permutations of a scene's digits that flip what can be flipped.

    The hidden block's digit can always be made the largest or not; a smaller visible
    block can outrank the director-view block only where there is one.
    """
    wanted = _flipped(scene, truth)
    for _ in range(_MOST):
        # Drawn and not searched in order: any fitting permutation is as likely.
        other = with_digits(scene, draws.shuffled(scene.digits))
        if _facts(other, *_carried(scene, other, truth)) == wanted:
            yield other


def with_digits(scene: Scene, digits: Sequence[int]) -> Scene:
    """Return a scene whose blocks carry other digits, in the blocks' order."""
    pairs = zip(scene.blocks, digits, strict=True)
    return replace(scene, blocks=tuple(replace(b, digit=d) for b, d in pairs))


def _flipped(scene: Scene, truth: Truth) -> tuple[bool, bool]:
    largest, outranked = _facts(scene, truth.key, truth.sees["director"])
    asked = truth.key.director_view
    smaller = asked is not None and any(
        scene.block(digit).edge < scene.block(asked).edge
        for digit in truth.sees["director"]
    )
    return not largest, outranked != smaller


def _facts(scene: Scene, key: Key, sees: tuple[int, ...]) -> tuple[bool, bool]:
    return hidden_has_largest(scene, key), smaller_outranks(scene, key, sees)


def _carried(old: Scene, new: Scene, truth: Truth) -> tuple[Key, tuple[int, ...]]:
    """Return the key and what the director sees, in the new digits."""
    # Visibility does not depend on digits, so the key is only renamed.
    names = dict(zip(old.digits, new.digits, strict=True))
    key = Key(
        hidden=None if truth.key.hidden is None else names[truth.key.hidden],
        director_view=(
            None if truth.key.director_view is None else names[truth.key.director_view]
        ),
        model_view=None,
    )
    return key, tuple(names[digit] for digit in truth.sees["director"])
