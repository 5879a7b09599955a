"""The known mixture: which readings a condition draws, and what must come out."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypedDict, cast

from director_gui import assets

# The paper's readings, by the codes of resources/codebooks/reading.toml
Reading = Literal[
    "director-view",
    "own-view",
    "prior-knowledge",
    "largest-digit",
    "no-rule",
]
HIDDEN_READINGS: tuple[Reading, ...] = ("own-view", "prior-knowledge")
FALLBACK_GROUP = "move.plain"
FIRST_TURN_GROUP = "first_turn.ask"  # a first turn does not say which action follows


@dataclass(frozen=True, slots=True)
class Group:
    """What one condition draws: shares in 0-1, of replies that can be scored."""

    own_view: float
    prior_knowledge: float
    largest_digit: float
    no_rule: float
    report: float  # right reports, among readings that stay with the director
    report_hidden: float  # right reports, among own-view and prior-knowledge
    works_out: float  # same, of readings other than director-view, which always do

    def shares(self) -> tuple[tuple[Reading, float], ...]:
        """Return each reading with its share, the hardest scene's first."""
        given = self.own_view + self.prior_knowledge + self.largest_digit + self.no_rule
        return (
            ("own-view", self.own_view),
            ("prior-knowledge", self.prior_knowledge),
            ("largest-digit", self.largest_digit),
            ("no-rule", self.no_rule),
            ("director-view", 1.0 - given),
        )

    def reading_at(self, u: float) -> Reading:
        """Return the reading at `u` in (0, 1) of the stacked shares."""
        for reading, share in self.shares():
            if u < share:
                return reading
            u -= share
        return "director-view"

    def report_share(self, reading: Reading) -> float:
        """Return the share of right reports that goes with `reading`."""
        return self.report_hidden if reading in HIDDEN_READINGS else self.report


@dataclass(frozen=True, slots=True)
class Mixture:
    """One reader's whole behaviour, as its model name selects it."""

    name: str
    traces: float  # share of replies that carry reasoning text
    scene_correlation: float
    wrong_report_adds_hidden: float
    shapes: Mapping[str, float]  # relative weights
    faults: Mapping[str, float]  # shares of all replies
    groups: Mapping[str, Group]
    same_as: Mapping[str, str]

    def group(self, name: str) -> Group:
        """Return the group that answers condition `name`.

        A condition of the user's own falls back to the nearest group: without its
        constraint, then the same question under MOVE, then `FALLBACK_GROUP`.
        """
        name = self.resolve(name)
        own = self.groups[name]
        # A twin lends its readings alone: a null reader still reports as well or as
        # badly as the condition makes it report.
        twin = self.groups[self.same_as.get(name, name)]
        return Group(
            own_view=twin.own_view,
            prior_knowledge=twin.prior_knowledge,
            largest_digit=twin.largest_digit,
            no_rule=twin.no_rule,
            report=own.report,
            report_hidden=own.report_hidden,
            works_out=own.works_out,
        )

    def resolve(self, name: str) -> str:
        """Return the name of the group that stands for condition `name`."""
        parts = name.split(".")
        action, question = parts[0], parts[-1]
        candidates = (name, f"{action}.{question}", f"move.{question}")
        return next((c for c in candidates if c in self.groups), FALLBACK_GROUP)


@dataclass(frozen=True, slots=True)
class ExpectedRates:
    """What a study must find on average over scenes, as shares of answered replies.

    They hold for scenes like the main set's, whose hidden block is the one that fits
    the request in the picture; elsewhere no reading picks the hidden block.
    """

    hidden_choice: float
    right_report: float
    joint: float


def expected_rates(mixture: Mixture, group: str) -> ExpectedRates:
    """Return the planted rates of one condition, the truth a test recovers.

    Args:
        mixture: The reader.
        group: A condition's name, such as ``move.ask``.
    """
    drawn = mixture.group(group)
    hidden = drawn.own_view + drawn.prior_knowledge
    if group.startswith("move.first_turn"):
        # The report was given a turn earlier, before any reading was drawn.
        report = mixture.group(FIRST_TURN_GROUP).report
        return ExpectedRates(hidden, report, hidden * report)
    joint = hidden * drawn.report_hidden
    return ExpectedRates(hidden, joint + (1.0 - hidden) * drawn.report, joint)


class _ReaderTable(TypedDict, total=False):
    traces: float
    same_as: dict[str, str]


class _MixtureTable(TypedDict):
    format: str
    scene_correlation: float
    wrong_report_adds_hidden: float
    shapes: dict[str, float]
    faults: dict[str, float]
    groups: dict[str, dict[str, float]]
    readers: dict[str, _ReaderTable]


@cache
def presets() -> Mapping[str, Mixture]:
    """Return the readers that ship with the program, by model name."""
    return read_mixtures(assets.read_text("practice/mixture.toml"))


def read_mixtures(text: str) -> dict[str, Mixture]:
    """Read a mixture file.

    Raises:
        ValueError: It is not a mixture file, or the shares of a group exceed 1.
    """
    table = cast("_MixtureTable", tomllib.loads(text))
    if table.get("format") != "practice-mixture/1":
        raise ValueError("not a practice-mixture/1 file")
    groups = {name: Group(**row) for name, row in table["groups"].items()}
    for name, group in groups.items():
        if any(not 0.0 <= share <= 1.0 for _, share in group.shares()):
            raise ValueError(f"{name}: shares must lie in 0-1 and add up to at most 1")
    return {
        name: Mixture(
            name=name,
            traces=reader.get("traces", 1.0),
            scene_correlation=table["scene_correlation"],
            wrong_report_adds_hidden=table["wrong_report_adds_hidden"],
            shapes=table["shapes"],
            faults=table["faults"],
            groups=groups,
            same_as=reader.get("same_as", {}),
        )
        for name, reader in table["readers"].items()
    }
