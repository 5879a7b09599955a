"""What the page of the automatic coder says: rows, captions and states."""

from director_gui.study.blind.auto_calibration import THRESHOLD, Calibration, Right
from director_gui.study.blind.auto_standing import Standing
from director_gui.study.probing import tokens_text
from director_gui.ui.coordinator.words import percent, percents

PASS_COLUMNS = ("Pass", "State")
RIGHT_COLUMNS = ("Written to", "came back", "share", "95 % interval")
RIGHT_HINTS = (
    "The field, then the code that the items were written to",
    "Items that came back with this code, of how many",
    f"A field below {100 * THRESHOLD:.0f} % is warned of",
    "Clopper and Pearson's exact interval of the share",
)
UNCODABLE_COLUMNS = ("Item", "Why its last answer could not be used")
_INDENT = "\N{EM SPACE}"


def pass_row(now: Standing, *, running: bool) -> tuple[str, str]:
    """Return a pass in the order of `PASS_COLUMNS`; it tells counts, never codes."""
    counts = f"{now.coded} coded · {len(now.uncodable)} uncodable"
    # What was read when the sitting began says nothing about now.
    told = coder(now) if running else counts
    return f"{now.made.alias}\n{told}", _state(now, running=running)


def coder(now: Standing) -> str:
    """Return the name of the model profile that codes."""
    return str(now.made.settings["profile"]["name"])


def figures(now: Standing) -> str:
    """Return what a pass has done and taken so far, on one line."""
    parts = [
        coder(now),
        f"{now.calls} calls ended",
        f"{now.again} asked twice" if now.again else "",
        _tokens(now),
        _price(now),
    ]
    return " · ".join(part for part in parts if part)


def known_text(found: Calibration) -> str:
    """Return in a sentence what a calibration with known-code items comes to."""
    mixed = f"{found.items} known-code items were mixed in, unmarked"
    if found.doubts:
        return f"{mixed}."
    share = f"{100 * THRESHOLD:.0f}\N{NO-BREAK SPACE}%"
    return f"{mixed}; {share} or more came back as intended in every field."


def right_rows(found: Calibration) -> list[tuple[str, ...]]:
    """Return a calibration in the order of `RIGHT_COLUMNS`: a field, then its codes."""
    rows: list[tuple[str, ...]] = []
    for field in found.fields:
        rows.append(
            _right(f"{'⚠ ' * field.total.below}{field.total.label}", field.total)
        )
        rows += [_right(_INDENT + code.label, code) for code in field.codes]
    return rows


def instead_text(found: Calibration) -> str:
    """Return what came back in place of each code, a line a field; empty if nothing."""
    # Known-code items alone, whose codes the coordinator wrote: nothing blind is told.
    lines = []
    for field in found.fields:
        wrong = [f"{c.label} as {_others(c)}" for c in field.codes if c.instead]
        if wrong:
            lines.append(
                f"{field.total.label}, came back otherwise: {'; '.join(wrong)}"
            )
    return "\n".join(lines)


def accepted_text(now: Standing) -> str:
    """Return who accepted a pass, when and why; empty before it."""
    entry = now.accepted
    if entry is None:
        return ""
    reason = entry.detail.get("reason", "")
    said = f": {reason}" if reason else ""
    when = entry.time[:16].replace("T", " ")
    return (
        f"✓ Accepted {when} UTC by {entry.actor}{said}. Its codes count as a coder's."
    )


def uncodable_rows(now: Standing) -> list[tuple[str, str]]:
    """Return the uncodable items with reasons that tell no code."""
    return [
        (item[:8], f"{why[:1].upper()}{why[1:]}") for item, why in now.uncodable.items()
    ]


def _state(now: Standing, *, running: bool) -> str:
    # No count while it runs: the bar below tells it, and it would be out of date here.
    if running:
        return "coding …"
    if now.accepted is not None:
        return "✓ accepted"
    # Two lines, as its row has two: large text leaves little room beside a name.
    return "to be\naccepted" if now.done else f"{now.left} left"


def _tokens(now: Standing) -> str:
    # A server that counts nothing leaves the line short rather than wrong.
    sent, back = now.usage.input, now.usage.output
    if sent is None or back is None:
        return ""
    return f"{tokens_text(sent)} tokens in, {tokens_text(back)} out"


def _price(now: Standing) -> str:
    if now.made.practice:
        return ""
    return "unknown price" if now.cost is None else f"${now.cost:.2f}"


def _others(one: Right) -> str:
    found = one.instead.items()
    return ", ".join(f"{code or 'no code'} ({count})" for code, count in found)


def _right(name: str, one: Right) -> tuple[str, ...]:
    return name, f"{one.right} of {one.of}", percent(one.share), percents(one.interval)
