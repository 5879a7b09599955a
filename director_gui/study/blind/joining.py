"""Codes joined to their replies: readings by model and condition, once unblinded."""

from collections.abc import Mapping
from dataclasses import dataclass

from coding.codebook import CHOICES
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.stats.replies import Replies
from director_gui.stats.result import Share
from director_gui.stats.shares import share
from director_gui.store.database import Row, Study
from director_gui.study.blind.keys import mended, opened
from director_gui.study.blind.passes import Pass, passes_of, unblinding_of


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
    """One pass, arm by arm; `late` events were left out or not as was asked."""

    name: str
    practice: bool
    late: int
    known_right: tuple[int, int] | None
    arms: tuple[Arm, ...]


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
    study: Study, packet_id: str, field: str = "", *, late: bool = False
) -> Joined:
    """Return the codes of a field by model and condition.

    Args:
        study: The study.
        packet_id: The packet.
        field: The codebook's field; empty for its first choice.
        late: Count what was coded after the unblinding too.

    Raises:
        UserError: The packet is not unblinded, or has no such field.
    """
    # The one gate between codes and conditions.
    if unblinding_of(study, packet_id) is None:
        raise UserError(
            "this packet is still blind",
            where=packet_id,
            todo="Unblind it with a reason first",
        )
    found = opened(study, packet_id)
    book = found.packet.codebook
    # In the paper's codebook this is the reading.
    first = next((f.name for f in book.fields if f.kind in CHOICES), "")
    with mended():
        chosen = book.field(field or first)
    rows = {row["id"]: row for row in study.query("SELECT * FROM calls")}
    passes = passes_of(study, found, late=late)
    codes = chosen.code_names()
    return Joined(
        field=chosen.name,
        label=chosen.label,
        codes=codes,
        labels={code.name: code.label for code in chosen.codes},
        passes=tuple(_joined(one, chosen.name, codes, rows) for one in passes),
        practice=found.practice,
    )


def _joined(
    one: Pass, field: str, codes: tuple[str, ...], rows: Mapping[str, Row]
) -> JoinedPass:
    given = one.codes(field)
    arms = sorted({(rows[c]["profile"], rows[c]["condition"]) for c in given})
    return JoinedPass(
        name=one.name,
        practice=one.practice,
        late=one.late,
        known_right=one.known_right(field),
        arms=tuple(_arm(arm, given, codes, rows) for arm in arms),
    )


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
                (rows[call]["scene"], condition, int(code == wanted))
                for call, code in own.items()
            ),
            condition,
        )
        for wanted in codes
    }
    return Arm(model, condition, len(own), shares)


def _pass_value(one: JoinedPass) -> Json:
    return {
        "name": one.name,
        "practice": one.practice,
        "late": one.late,
        "known_right": list(one.known_right) if one.known_right else None,
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
