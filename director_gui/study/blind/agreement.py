"""How far the passes of a packet agree, field by field; conditions stay hidden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coding import report
from coding.agreement import Agreement, Coder, Pair, agreement, compare
from coding.codebook import CHOICES, Field
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.study.blind.keys import mended
from director_gui.study.blind.passes import Pass, family, passes_of


@dataclass(frozen=True, slots=True)
class PassAgreement:
    """Agreement over the passes of a packet and its second passes.

    Attributes:
        fields: Field name to agreement, in the codebook's order.
        labels: Field name to what a coder reads.
        passes: The passes that are compared.
        interim: Whether a pass that is compared is unfinished.
        practice: Whether practice replies or practice coders are in it.
        within: Field name to each coder's two codes compared, over the items that are
            in one packet twice; coders without such items are left out.
    """

    fields: Mapping[str, Agreement]
    labels: Mapping[str, str]
    passes: tuple[Pass, ...]
    interim: bool
    practice: bool
    within: Mapping[str, tuple[Pair, ...]] = field(default_factory=dict)

    def known_right(self, one: Pass) -> dict[str, tuple[int, int]]:
        """Return field to (as intended, of how many) over a pass's known-code items."""
        found = {name: one.known_right(name) for name in self.fields}
        return {name: counts for name, counts in found.items() if counts}

    def value(self) -> Json:
        """Return the JSON value; each field's is the one of ``agree``."""
        return {
            "fields": {n: report.json_value(found) for n, found in self.fields.items()},
            "passes": [one.name for one in self.passes],
            "automatic": [one.name for one in self.passes if one.automatic],
            "known_right": {one.name: self.known_right(one) for one in self.passes},
            "within": {
                name: [report.pair_value(pair) for pair in pairs]
                for name, pairs in self.within.items()
                if pairs
            },
            "interim": self.interim,
            "practice": self.practice,
        }


def agreement_of(
    study: Study, packet_id: str, *, unfinished: bool = False
) -> PassAgreement:
    """Return the agreement of a packet's passes.

    Args:
        study: The study.
        packet_id: The packet, or any of its second passes.
        unfinished: Compare passes that are not done too; the result is interim.

    Raises:
        UserError: Fewer than two passes are done: no figure is shown before.
    """
    packets = family(study, packet_id)
    # Second passes belong in the same table as the first (METHOD §7).
    every = [one for found in packets for one in passes_of(study, found)]
    # A figure of a pass that goes on could move its coder.
    passes = tuple(one for one in every if one.done or unfinished)
    if len(passes) < 2:
        waiting = [f"{p.name}: {p.missing} left" for p in every if not p.done]
        raise UserError(
            "agreement needs two coders who are done",
            where="; ".join(waiting) or f"{len(every)} merged so far",
            todo="No figure is shown before, so that it cannot move a coder",
        )
    book = packets[0].packet.codebook
    scenes = _scenes(study, passes)
    choices = [field for field in book.fields if field.kind in CHOICES]
    with mended():
        fields = {
            field.name: agreement(
                _coders(passes, field.name), field.code_names(), scenes
            )
            for field in choices
        }
        within = {field.name: _within(passes, field, scenes) for field in choices}
    return PassAgreement(
        fields=fields,
        labels={field.name: field.label for field in choices},
        passes=passes,
        interim=any(not one.done for one in passes),
        practice=any(one.practice or one.opened.practice for one in passes),
        within=within,
    )


def _coders(passes: Sequence[Pass], field: str) -> list[Coder]:
    return [Coder(one.name, one.codes(field)) for one in passes]


def _within(
    passes: Sequence[Pass], field: Field, scenes: Mapping[str, str]
) -> tuple[Pair, ...]:
    pairs = (
        compare(
            Coder(one.name, one.codes(field.name)),
            Coder(f"{one.name}, second time", one.repeated(field.name)),
            field.code_names(),
            scenes,
        )
        for one in passes
    )
    return tuple(pair for pair in pairs if pair.kappa.n)


def _scenes(study: Study, passes: Sequence[Pass]) -> dict[str, str]:
    # Scenes group the bootstrap's draws; which scene is which shows nowhere.
    wanted = {call for one in passes for call in one.opened.calls.values()}
    rows = study.query("SELECT id, scene FROM calls")
    return {row["id"]: row["scene"] for row in rows if row["id"] in wanted}
