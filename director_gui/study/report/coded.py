"""The blind coding of a run as the report needs it: agreement, readings, quotes."""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.log import entries
from director_gui.study.blind.agreement import PassAgreement, agreement_of
from director_gui.study.blind.joining import Joined, joined_codes
from director_gui.study.blind.keys import Opened, all_opened
from director_gui.study.blind.passes import passes_of, unblinding_of

GIVES_AWAY = "packet gives away"  # the log's action


@dataclass(frozen=True, slots=True)
class CodedTrace:
    """One item of the packet with what every coder said of it.

    Attributes:
        call: The call that it came from.
        text: What the coders read.
        codes: Coder to field to code.
        quotes: Coder to quote.
    """

    call: str
    text: str
    codes: dict[str, dict[str, str]]
    quotes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Coded:
    """What came of the last packet that was made of a run.

    Attributes:
        packet: The packet with its key.
        agreement: Over all its passes; None while fewer than two are done.
        readings: The first field's codes by condition; None while it is blind.
        gives_away: What the text itself gives away, in words; empty when the log
            does not say.
        traces: The items; none while it is blind.
    """

    packet: Opened
    agreement: PassAgreement | None
    readings: Joined | None
    gives_away: str
    traces: tuple[CodedTrace, ...]

    @property
    def practice(self) -> bool:
        """Whether practice replies or practice coders are in it."""
        return self.packet.practice or bool(self.agreement and self.agreement.practice)

    def fields(self) -> Json:
        """Return field name to its agreement as ``agree`` prints it."""
        return self.agreement.value()["fields"] if self.agreement else {}


def coded_in(study: Study, calls: AbstractSet[str]) -> Coded | None:
    """Return the newest packet whose items come from `calls`, None without one."""
    # By the items and not by a name: only they tie a packet to a run.
    # The newest: packets before it were most often rehearsals of it.
    for opened in reversed(all_opened(study)):
        if set(opened.calls.values()) & calls:
            return _coded(study, opened)
    return None


def _gives_away(study: Study, packet_id: str) -> str:
    told = [e.detail for e in entries(study, GIVES_AWAY)]
    # As it was told when the packet was sealed; the scanner may have changed since.
    return next((d["words"] for d in told if d["packet"] == packet_id), "")


def _coded(study: Study, opened: Opened) -> Coded:
    packet_id = opened.stored.id
    passes = passes_of(study, opened)
    blind = unblinding_of(study, packet_id) is None
    # Before two are done no figure exists anywhere, so that none can move a coder.
    done = sum(one.done for one in passes)
    return Coded(
        packet=opened,
        agreement=agreement_of(study, packet_id) if done > 1 else None,
        readings=None if blind else joined_codes(study, packet_id),
        gives_away=_gives_away(study, packet_id),
        traces=tuple(
            CodedTrace(
                call=opened.calls[item.id],
                text=item.text,
                # By alias: a report is made to be passed on.
                codes={one.alias: dict(one.states[item.id].values) for one in passes},
                quotes={
                    one.alias: quote.text
                    for one in passes
                    for quote in one.states[item.id].quotes.values()
                },
            )
            for item in opened.packet.items
            # Known-code items have no call; a blind packet keeps all its secrets.
            if item.id in opened.calls and not blind
        ),
    )
