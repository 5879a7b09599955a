"""The proof of a pair: two prompts that differ in one piece, or one inserted run."""

from collections.abc import Sequence
from dataclasses import dataclass

from director_gui.errors import CheckFailedError
from director_gui.prompts.compose import Prompt, join
from director_gui.prompts.pieces import Part


class PairRefusedError(CheckFailedError):
    """Two prompts are no pair; `what` says why."""


@dataclass(frozen=True, slots=True)
class Span:
    """Two prompts cut where they differ, at piece boundaries.

    Args:
        slot: The slot of the first differing piece; None when nothing differs.
        same_prefix: The parts before the span, the same in both.
        a: The parts of the first prompt in the span; empty for an insertion into it.
        b: The parts of the second prompt in the span.
        same_suffix: The parts after the span, the same in both.
        refusal: Why this is no pair; empty when the proof holds.
    """

    slot: str | None
    same_prefix: tuple[Part, ...]
    a: tuple[Part, ...]
    b: tuple[Part, ...]
    same_suffix: tuple[Part, ...]
    refusal: str = ""

    def texts(self) -> dict[str, str]:
        """Return the four stretches as text; joined they are the two prompts."""
        names = ("same_prefix", "a", "b", "same_suffix")
        return {name: join(getattr(self, name)).decode() for name in names}


def prove(a: Prompt, b: Prompt) -> Span:
    """Return the one span in which two prompts differ.

    The pieces of all user messages are taken in order, so that a prompt of two turns
    can be held against one of a single turn.

    Raises:
        PairRefusedError: More than one piece was replaced or more than one run
            inserted, or the bytes outside the span are not the same.
    """
    span = compare(a, b)
    if span.refusal:
        raise PairRefusedError(span.refusal, where=f"{a.condition} / {b.condition}")
    return span


def compare(a: Prompt, b: Prompt) -> Span:
    """Return the smallest cut that holds every difference, and whether it is a pair."""
    parts_a, parts_b = a.all_parts, b.all_parts
    # The end is looked for behind the beginning, so that a piece that occurs twice
    # (two turns have two reply formats) is not counted for both.
    start = _common(parts_a, parts_b)
    end = _common(parts_a[start:][::-1], parts_b[start:][::-1])
    only_a, only_b = _inside(parts_a, start, end), _inside(parts_b, start, end)
    first = (*only_a, *only_b)[:1]
    span = Span(
        slot=first[0].slot if first else None,
        same_prefix=parts_a[:start],
        a=only_a,
        b=only_b,
        same_suffix=parts_a[len(parts_a) - end :],
        refusal=_why_no_pair(only_a, only_b),
    )
    _check_bytes(span, a, b)
    return span


def _common(a: Sequence[Part], b: Sequence[Part]) -> int:
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))


def _inside(parts: tuple[Part, ...], start: int, end: int) -> tuple[Part, ...]:
    return parts[start : len(parts) - end]


def _why_no_pair(a: tuple[Part, ...], b: tuple[Part, ...]) -> str:
    if not a and not b:
        return "the two prompts are the same"
    # A run against a run confounds two changes, whatever the texts say.
    if a and b and (len(a), len(b)) != (1, 1):
        names = " against ".join(
            ", ".join(part.name for part in side) for side in (a, b)
        )
        return f"they differ in more than one piece: {names}"
    # A pair of equal texts would measure nothing, whatever its pieces are called.
    if join(a) == join(b):
        return f"they differ in a name alone, not in text: {a[0].name}, {b[0].name}"
    # Then place and wording differ at once.
    if a and b and a[0].slot != b[0].slot:
        return f"the differing pieces fill two slots: {a[0].slot}, {b[0].slot}"
    return ""


def _check_bytes(span: Span, a: Prompt, b: Prompt) -> None:
    """Hold the cut against the bytes that will be sent, not the pieces again."""
    for only, prompt in ((span.a, a), (span.b, b)):
        cut = join((*span.same_prefix, *only, *span.same_suffix))
        if cut != b"".join(prompt.turns):
            raise PairRefusedError(
                "the messages are not the bytes of their pieces", where=prompt.condition
            )
