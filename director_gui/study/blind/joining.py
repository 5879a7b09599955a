"""Codes joined to their replies: readings by model and condition, once unblinded."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from coding.codebook import CHOICES
from director_gui.ids import Json
from director_gui.stats.replies import Replies
from director_gui.stats.result import Share
from director_gui.stats.shares import share
from director_gui.store.database import Row, Study
from director_gui.study.blind.keys import Opened, mended, opened
from director_gui.study.blind.passes import Pass, passes_of, refuse_while_blind
from director_gui.study.blind.settled import SETTLED, settled_codes


@dataclass(frozen=True, slots=True)
class Arm:
    """How one pass coded the replies of one model and condition.

    Attributes:
        model: The profile's name.
        condition: The condition's name.
        n: Items with a code.
        shares: Code to its share with an interval over scenes, every code named.
    """

    model: str
    condition: str
    n: int
    shares: Mapping[str, Share]


@dataclass(frozen=True, slots=True)
class JoinedPass:
    """One pass, arm by arm.

    Attributes:
        name: The pass, or that its codes come from several.
        practice: Whether a practice coder made it.
        late: Events after the lock; they count only where that was asked for.
        known_right: Known-code items as intended, and of how many; None without any.
        arms: By model and condition.
        sources: Where the codes come from, such as agreed and adjudicated, with their
            numbers; empty when the pass is their only source.
    """

    name: str
    practice: bool
    late: int
    known_right: tuple[int, int] | None
    arms: tuple[Arm, ...]
    sources: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Joined:
    """A field's codes by model and condition, for every pass of a packet.

    Attributes:
        field: The field's name.
        label: What a coder reads.
        codes: The field's codes in order.
        labels: What a coder reads for each.
        passes: The passes.
        practice: Whether practice replies are in it.
    """

    field: str
    label: str
    codes: tuple[str, ...]
    labels: Mapping[str, str]
    passes: tuple[JoinedPass, ...]
    practice: bool

    def value(self) -> Json:
        """Return the JSON value."""
        return {
            "field": self.field,
            "codes": list(self.codes),
            "practice": self.practice,
            "passes": [_pass_value(one) for one in self.passes],
        }


def joined_codes(
    study: Study,
    packet_id: str,
    field_name: str = "",
    *,
    late: bool = False,
    only: Collection[str] | None = None,
) -> Joined:
    """Return the codes of a field by model and condition.

    Args:
        study: The study.
        packet_id: The packet.
        field_name: The codebook's field; empty for its first choice.
        late: Count what was coded after the unblinding too.
        only: Ids of the calls whose traces count; all without it.

    Raises:
        UserError: The packet is not unblinded, or has no such field.
    """
    refuse_while_blind(study, packet_id)
    found = opened(study, packet_id)
    book = found.packet.codebook
    # In the paper's codebook this is the reading.
    first = next((f.name for f in book.fields if f.kind in CHOICES), "")
    with mended():
        chosen = book.field(field_name or first)
    rows = {
        row["id"]: row
        for row in study.query("SELECT * FROM calls")
        if only is None or row["id"] in only
    }
    passes = passes_of(study, found, late=late)
    codes = chosen.code_names()
    return Joined(
        field=chosen.name,
        label=chosen.label,
        codes=codes,
        labels={code.name: code.label for code in chosen.codes},
        passes=(
            *(_joined(one, chosen.name, codes, rows) for one in passes),
            *_settled(study, found, chosen.name, codes, rows),
        ),
        practice=found.practice,
    )


def _joined(
    one: Pass, field: str, codes: tuple[str, ...], rows: Mapping[str, Row]
) -> JoinedPass:
    return JoinedPass(
        name=one.name,
        practice=one.practice,
        late=one.late,
        known_right=one.known_right(field),
        arms=_arms(one.codes(field), codes, rows),
    )


def _settled(
    study: Study,
    found: Opened,
    field: str,
    codes: tuple[str, ...],
    rows: Mapping[str, Row],
) -> Iterator[JoinedPass]:
    """Yield the codes that all coders agree on and those that were adjudicated.

    The adjudicated pass alone would be a table of hard items only.
    """
    every = passes_of(study, found, adjudicated=True)
    third = next((one for one in every if one.adjudicated), None)
    if third is None:
        return
    settled = {
        call: code
        for call, code in settled_codes(study, found, third, field).items()
        if call in rows
    }
    # What stays open has no code and leaves the shares.
    given = {call: code.code for call, code in settled.items() if code.code}
    yield JoinedPass(
        name=SETTLED,
        practice=any(one.practice for one in every),
        late=third.late,
        # Known-code items are never adjudicated: their code was known before.
        known_right=None,
        arms=_arms(given, codes, rows),
        sources=Counter(code.source for code in settled.values()),
    )


def _arms(
    given: Mapping[str, str], codes: tuple[str, ...], rows: Mapping[str, Row]
) -> tuple[Arm, ...]:
    own = {call: code for call, code in given.items() if call in rows}
    # Over batches together: traces are described by condition, and not compared.
    arms = sorted({(rows[c]["profile"], rows[c]["condition"]) for c in own})
    return tuple(_arm(arm, own, codes, rows) for arm in arms)


def _arm(
    arm: tuple[str, str],
    given: Mapping[str, str],
    codes: tuple[str, ...],
    rows: Mapping[str, Row],
) -> Arm:
    model, condition = arm
    own = {
        call: code
        for call, code in given.items()
        if (rows[call]["profile"], rows[call]["condition"]) == arm
    }
    shares = {
        wanted: share(
            Replies.of(
                # By scene, as traces about one scene resemble each other.
                (rows[call]["scene"], condition, int(code == wanted))
                for call, code in own.items()
            ),
            condition,
        )
        # Every code, also one that nobody gave: a share of 0 is a finding.
        for wanted in codes
    }
    return Arm(model, condition, len(own), shares)


def _pass_value(one: JoinedPass) -> Json:
    return {
        "name": one.name,
        "practice": one.practice,
        "late": one.late,
        "known_right": list(one.known_right) if one.known_right else None,
        "sources": dict(one.sources),
        "arms": [_arm_value(arm) for arm in one.arms],
    }


def _arm_value(arm: Arm) -> Json:
    shares = {
        code: {"share": s.share, "k": s.k, "ci_low": s.ci_low, "ci_high": s.ci_high}
        for code, s in arm.shares.items()
    }
    return {
        "model": arm.model,
        "condition": arm.condition,
        "n": arm.n,
        "shares": shares,
    }
