"""One code for each reply: the coders' where they agree, else the adjudicated one."""

from dataclasses import dataclass
from typing import Literal

from director_gui.store.database import Study
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.passes import Pass, family, passes_of

SETTLED = "agreed or adjudicated"
Source = Literal["agreed", "adjudicated", "open", "one coder"]


@dataclass(frozen=True, slots=True)
class Settled:
    """The code of one reply, and which pass it comes from.

    Attributes:
        code: The code; empty where the coders differ and nobody settled it, and where
            only one of them coded the reply: one word is no agreement.
        source: Who it comes from, or why there is none.
    """

    code: str
    source: Source


def settled_codes(
    study: Study, found: Opened, third: Pass, field: str
) -> dict[str, Settled]:
    """Return call id to its code, of the replies that any coder coded.

    Args:
        study: The study.
        found: The packet that was adjudicated.
        third: Its adjudicated pass.
        field: The codebook's field.
    """
    packets = family(study, found.stored.id)
    passes = [one for p in packets for one in passes_of(study, p) if one.done]
    given = [one.codes(field) for one in passes]
    final = third.codes(field)
    calls = {call for codes in given for call in codes}
    return {
        call: _settled([codes[call] for codes in given if call in codes], call, final)
        for call in sorted(calls)
    }


def _settled(said: list[str], call: str, final: dict[str, str]) -> Settled:
    # Where all agree their code stands, also when the adjudicator wrote another.
    if len(said) == 1:
        return Settled("", "one coder")
    if len(set(said)) == 1:
        return Settled(said[0], "agreed")
    return Settled(final[call], "adjudicated") if call in final else Settled("", "open")
