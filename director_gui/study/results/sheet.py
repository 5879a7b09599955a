"""A table as a value: what the window shows and what an export writes are one thing."""

from dataclasses import dataclass, field

from director_gui.stats.display import counted, interval_text, p_text, points_text
from director_gui.stats.result import Share

Figure = float | str | None  # what a row is sorted by; None goes last


@dataclass(frozen=True, slots=True)
class Interval:
    """A mark of the forest plot, 0-1 or -1 to 1; `kind` colours it beside words."""

    low: float | None
    middle: float | None
    high: float | None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Stack:
    """A bar of shares that add up to 1: pairs of a kind and its share."""

    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from 0 to a share with the interval around its end, 0-1."""

    low: float | None
    share: float | None
    high: float | None


Mark = Interval | Stack | Bar


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows.

    Attributes:
        text: As a reader sees it.
        value: The unrounded figure, for sorting and export.
        hint: How it was computed, with the counts.
        mark: A drawing in place of the text.
    """

    text: str
    # Unrounded: an export of rounded figures could not be checked against the text.
    value: Figure = None
    hint: str = ""
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes:
        title: What stands above it.
        number: Whether it holds figures.
        hint: What it means.
        drawing: Whether it holds drawings.
        counts: Whether it says how many replies a row rests on; figures print it too.
        rules: Values at which a drawing has dashed lines, such as a margin's ends.
    """

    title: str
    number: bool = False
    hint: str = ""
    drawing: bool = False
    counts: bool = False
    rules: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `key` is what it is about, such as a scene's hash."""

    cells: tuple[Cell, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a note that states n, scenes, method and exclusions.

    Attributes:
        name: A word for files and tabs.
        title: What it shows.
        columns: Its columns.
        rows: Its rows.
        note: What a reader must know of it.
        legend: Kind to words for `Stack` marks.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    note: str
    legend: dict[str, str] = field(default_factory=dict)


_ANSWERS = ("answered reply", "answered replies")


def words(text: str, hint: str = "") -> Cell:
    """Return a cell of words."""
    return Cell(text, text, hint)


def count(value: int, hint: str = "") -> Cell:
    """Return a cell with a count."""
    # Floats alone sort with the other figures of a column.
    return Cell(f"{value:,}", float(value), hint)


def percent(value: float | None, hint: str = "") -> Cell:
    """Return a cell with a proportion in per cent, to one decimal."""
    return Cell(points_text(value), value, hint)


def part(k: int, n: int, what: str) -> Cell:
    """Return `k` of `n` in per cent; the hint names both counts."""
    said = f"{what}: {k:,} of {counted(n, 'reply', 'replies')}"
    return percent(k / n if n else None, said)


def part_of(k: int, n: int, what: str) -> Cell:
    """Return the count `k`; the hint says what part of `n` calls it is."""
    share = points_text(k / n if n else None)
    return count(k, f"{what.capitalize()}: {k:,} of {counted(n, 'call')}, {share} %")


def difference(value: float | None, hint: str = "") -> Cell:
    """Return a cell with a difference in points, signed."""
    return Cell(points_text(value, signed=True), value, hint)


def p_value(value: float | None, hint: str = "") -> Cell:
    """Return a cell with a p-value."""
    return Cell(p_text(value), value, hint)


def interval(
    low: float | None, high: float | None, hint: str = "", *, signed: bool = False
) -> Cell:
    """Return a cell with an interval in points."""
    # Sorted by the lower end: it says what can be claimed.
    return Cell(interval_text(low, high, signed=signed), low, hint)


def share_cells(
    found: Share | None,
    what: str,
    units: tuple[str, str] = _ANSWERS,
    gap: str = "not asked for, or no answer holds it",
) -> tuple[Cell, Cell]:
    """Return a share in per cent and its interval; dashes without one.

    Args:
        found: The share; None when it was not asked for.
        what: What is counted.
        units: The nouns for one and for many of what it is a share of.
        gap: Why there is none.
    """
    if found is None:
        said = f"{what}: {gap}"
        return percent(None, said), interval(None, None, said)
    said = (
        f"{what}: {found.k:,} of "
        f"{counted(found.n, *units)} in "
        f"{counted(found.scenes, 'scene')}. {_SHARE_METHOD[found.method]}"
    )
    return percent(found.share, said), interval(found.ci_low, found.ci_high, said)


_SHARE_METHOD = {
    "bootstrap": "95 % percentile interval of 2,000 resamples of scenes, seed 0.",
    "bounded": "All scenes have the same share: a bound with the scene as the unit.",
    "none": "Fewer than 3 scenes with answers: no interval.",
}
