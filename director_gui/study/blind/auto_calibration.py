"""Calibration: how many known-code items came back from a pass as they were meant.

Shown before the codes of a pass may be used (CODING §9). It tells of known-code items
alone, whose codes the coordinator wrote; of the replies' codes it tells nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from coding.codebook import Field
from coding.proportions import clopper_pearson
from director_gui.ids import Json
from director_gui.study.blind.auto_work import Verdict
from director_gui.study.blind.keys import KNOWN, Opened

THRESHOLD = 0.9  # of a field's known-code items as intended; below it we warn [ours]
_NOTHING_KNOWN = (
    "This packet holds no known-code items, so nothing says how far this coder can be"
    " trusted"
)


@dataclass(frozen=True, slots=True)
class Right:
    """A share of known-code items that came back as intended.

    Attributes:
        name: The code that they were written to, or the field's name.
        label: What a coder reads for it.
        right: Items that came back as intended.
        of: Items that were written to it.
        interval: Clopper-Pearson, 95 %, 0 to 1; None without items.
        instead: What came back in place of it, with how often; "" is no code at all.
    """

    name: str
    label: str
    right: int
    of: int
    interval: tuple[float, float] | None
    instead: Mapping[str, int]

    @property
    def share(self) -> float | None:
        """The share, 0 to 1; None without items."""
        return self.right / self.of if self.of else None

    @property
    def below(self) -> bool:
        """Whether the share is below the threshold."""
        return self.share is not None and self.share < THRESHOLD

    def value(self) -> Json:
        """Return the JSON value."""
        return {
            "name": self.name,
            "right": self.right,
            "of": self.of,
            "share": self.share,
            "interval": list(self.interval) if self.interval else None,
            "instead": dict(self.instead),
        }


@dataclass(frozen=True, slots=True)
class FieldRight:
    """One field: all its known-code items together, and code by code."""

    total: Right
    codes: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Calibration:
    """How an automatic pass did on the known-code items of its packet.

    Attributes:
        items: Known-code items in the packet.
        fields: The fields that any of them was written to, in the codebook's order.
    """

    items: int
    fields: tuple[FieldRight, ...]

    @property
    def doubts(self) -> tuple[str, ...]:
        """What speaks against using the pass, a sentence each; empty when nothing."""
        if not self.fields:
            return (_NOTHING_KNOWN,)
        return tuple(
            f"{one.total.label}: {one.total.right} of {one.total.of} known-code items"
            f" came back as intended, below {100 * THRESHOLD:.0f}\N{NO-BREAK SPACE}%"
            for one in self.fields
            if one.total.below
        )

    def value(self) -> Json:
        """Return the JSON value."""
        return {
            "items": self.items,
            "threshold": THRESHOLD,
            "doubts": list(self.doubts),
            "fields": [
                {**one.total.value(), "codes": [code.value() for code in one.codes]}
                for one in self.fields
            ],
        }


def calibration(found: Opened, verdicts: Iterable[Verdict]) -> Calibration:
    """Return how many known-code items came back as intended.

    An item that came back uncodable did not.

    Args:
        found: The packet with its key.
        verdicts: What a finished pass says of each item.
    """
    # From the sealed key alone, which was committed to before anything was coded.
    meant = _meant(found)
    came = {v.item: v.answer.values if v.answer else {} for v in verdicts}
    fields = []
    for field in found.packet.codebook.fields:
        pairs = [
            (codes[field.name], came[item].get(field.name, ""))
            for item, codes in meant.items()
            if field.name in codes
        ]
        # A field that no item was written to is not calibrated, rather than perfect.
        if pairs:
            fields.append(_field(field, pairs))
    return Calibration(len(meant), tuple(fields))


def known_items(found: Opened) -> frozenset[str]:
    """Return the ids of a packet's known-code items."""
    return frozenset(_meant(found))


def _meant(found: Opened) -> dict[str, dict[str, str]]:
    items: Json = found.stored.key["items"]
    return {
        item: secret["hidden"].get("codes", {})
        for item, secret in items.items()
        if str(secret["ref"]).startswith(KNOWN)
    }


def _field(field: Field, pairs: Sequence[tuple[str, str]]) -> FieldRight:
    # Codes that no item was written to are left out: nothing was tried there.
    codes = tuple(
        _right(code.name, code.label, own)
        for code in field.codes
        if (own := [pair for pair in pairs if pair[0] == code.name])
    )
    return FieldRight(_right(field.name, field.label, pairs), codes)


def _right(name: str, label: str, pairs: Sequence[tuple[str, str]]) -> Right:
    # An empty code is no code: it never equals the one that was meant.
    right = sum(meant == came for meant, came in pairs)
    wrong = [came for meant, came in pairs if meant != came]
    instead = {came: wrong.count(came) for came in sorted(set(wrong))}
    interval = clopper_pearson(right, len(pairs))
    return Right(name, label, right, len(pairs), interval, instead)
