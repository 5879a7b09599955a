"""Draw the traces to code: at random, or evenly over model, condition and choice."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from director_gui.errors import UserError
from director_gui.study.blind.traces import Trace

Draw = Literal["simple", "stratified"]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How to draw.

    Attributes:
        size: How many traces; None for all.
        draw: Simple random, or stratified by model, condition and kind of choice.
        seed: Decides the draw; it is kept in the packet's key alone.
    """

    size: int | None
    draw: Draw = "simple"
    seed: int = 0

    def value(self) -> dict[str, object]:
        """Return the JSON value that the key holds."""
        # As text: a seed of 64 bits is more than JSON readers keep of a number.
        return {"size": self.size, "draw": self.draw, "seed": str(self.seed)}


def drawn(traces: Sequence[Trace], sampling: Sampling) -> tuple[Trace, ...]:
    """Return the drawn traces.

    Each trace has a place in line that the seed and its own text decide, so neither
    the order of `traces` nor any label moves a simple draw. A stratified one takes
    from each stratum in turn until there are enough, so that small strata are seen
    at all; shares over the whole packet are then not shares of the replies.

    Raises:
        UserError: The size is below 1.
    """
    if sampling.size is not None and sampling.size < 1:
        raise UserError("a packet needs at least one item", where="size")
    line = sorted(traces, key=lambda trace: _place(trace, sampling.seed))
    if sampling.draw == "stratified":
        line = _in_turns(line)
    return tuple(line[: sampling.size])


def _place(trace: Trace, seed: int) -> tuple[bytes, str]:
    text = f"{seed}\0{trace.choice}\0{trace.reasoning}\0{trace.reply}"
    # A hash instead of a shuffle: adding a reply then moves no other in the line.
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
    return digest, trace.ref


def _in_turns(line: Sequence[Trace]) -> list[Trace]:
    strata: dict[tuple[str, str, str], list[Trace]] = {}
    for trace in line:
        strata.setdefault(trace.stratum, []).append(trace)
    # In the order of their first members, which the seed decides.
    rounds = zip_longest(*strata.values())
    return [trace for one in rounds for trace in one if trace is not None]
