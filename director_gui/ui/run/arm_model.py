"""The arms of a run as a table that is filled in place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from director_gui.study.run_arms import ArmView
from director_gui.ui import theme
from director_gui.ui.column_model import ColumnModel, Index, SortKey, sort_key
from director_gui.ui.run.words import DASH, cost_text, rate_text, unanswered_text
from director_gui.ui.tables import LEFT, RIGHT

ARM = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its hint, a cell's text, and what it is sorted by."""

    name: str
    hint: str
    text: Callable[[ArmView], str]
    order: Callable[[ArmView], float | str]
    numeric: bool = False


def _named(arm: ArmView) -> str:
    return f"{arm.condition} (base)" if arm.base else arm.condition


def _missing(arm: ArmView) -> str:
    told = unanswered_text(arm)
    # Losses that differ between the two of a pair can themselves make a difference.
    return f"⚠ {told}" if arm.imbalance else told or DASH


def _share(arm: ArmView) -> float:
    k, n = arm.hidden
    # Below every rate: an arm without an answer is no arm of 0 %.
    return k / n if n else -1.0


MODEL, CONDITION, BATCH, BAR, ENDED, MISSING, ANSWERED, HIDDEN, COST = range(9)
COLUMNS = (
    Column("Model", "The model profile", lambda a: a.model, lambda a: a.model),
    Column("Condition", "The prompt variant", _named, lambda a: a.condition),
    Column("Batch", "Sampled together", lambda a: a.batch, lambda a: a.batch),
    Column(
        "Progress",
        "Answered, then without an answer, then open",
        lambda _a: "",
        lambda a: a.ended / max(1, a.calls),
    ),
    Column(
        "Ended",
        "Calls that have an end",
        lambda a: f"{a.ended:,}/{a.calls:,}",
        lambda a: a.ended,
        numeric=True,
    ),
    Column(
        "No answer",
        "Ended without an answer that can be read; ⚠: unlike its pair partner",
        _missing,
        lambda a: a.unanswered,
    ),
    Column(
        "Answered",
        "Replies that enter the rates",
        lambda a: f"{a.statuses['answered']:,}",
        lambda a: a.statuses["answered"],
        numeric=True,
    ),
    Column(
        "Hidden",
        "Hidden-block choices of answered replies; interim while calls are open",
        lambda a: rate_text(*a.hidden),
        _share,
        numeric=True,
    ),
    Column(
        "Cost",
        "US dollars",
        lambda a: DASH if a.cost is None else cost_text(a.cost),
        lambda a: a.cost or 0.0,
        numeric=True,
    ),
)


class ArmModel(ColumnModel):
    """Shows the arms of a run."""

    def __init__(self) -> None:
        super().__init__(COLUMNS)
        self._arms: list[ArmView] = []

    def show_arms(self, arms: Sequence[ArmView]) -> None:
        """Show the arms as they stand; the same arms keep their places."""
        if [arm.key for arm in arms] == [arm.key for arm in self._arms]:
            # Only what moved is painted anew.
            pairs = enumerate(zip(self._arms, arms, strict=True))
            moved = [at for at, (was, now) in pairs if was != now]
            self._arms = list(arms)
            self.touch(moved)
            return
        # Only for other arms: a reset would lose selection and place.
        self.beginResetModel()
        self._arms = list(arms)
        self.put_in_order(list(range(len(arms))))
        self.endResetModel()

    def arm(self, row: int) -> ArmView | None:
        """Return the arm in a row."""
        at = self.source(row)
        return self._arms[at] if at >= 0 else None

    def row_of(self, key: tuple[str, str, str]) -> int:
        """Return the row of an arm, -1 when it is not there."""
        keys = [arm.key for arm in self._arms]
        return self.place(keys.index(key)) if key in keys else -1

    def key(self, source: int, column: int) -> SortKey:
        return sort_key(COLUMNS[column].order(self._arms[source]))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        arm, at = self.arm(index.row()), index.column()
        shown = _SHOWN.get(role)
        return shown(arm, at) if arm is not None and shown is not None else None


def arm_hint(arm: ArmView) -> str:
    """Return all counts of an arm in words."""
    counts = ", ".join(f"{n:,} {name}" for name, n in arm.statuses.items())
    uneven = f"\nUnlike its pair partner: {arm.imbalance}" if arm.imbalance else ""
    return f"{arm.model} · {arm.condition} · batch {arm.batch}\n{counts}{uneven}"


def _color(arm: ArmView, at: int) -> QColor | None:
    t = theme.tokens()
    if at == MISSING:
        return QColor(t.error if arm.unanswered else t.muted)
    # Names and money recede, so that the outcomes are what is read.
    if at in (MODEL, BATCH, COST) or not arm.ended:
        return QColor(t.muted)
    return QColor(t.hidden) if at == HIDDEN and arm.hidden[0] else None


def _text(arm: ArmView, at: int) -> str:
    return COLUMNS[at].text(arm)


def _said(arm: ArmView, at: int) -> str:
    # A bar cannot be read aloud; what it shows can.
    return arm_hint(arm) if at == BAR else _text(arm, at)


_SHOWN: dict[int, Callable[[ArmView, int], object]] = {
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.TextAlignmentRole: lambda _arm, at: (
        RIGHT if COLUMNS[at].numeric else LEFT
    ),
    Qt.ItemDataRole.ToolTipRole: lambda arm, _at: arm_hint(arm),
    Qt.ItemDataRole.AccessibleTextRole: _said,
    Qt.ItemDataRole.ForegroundRole: _color,
    ARM: lambda arm, _at: arm,
}
