"""Figures as people say them."""

from coding.results import Progress

_LONG_WORD = 16  # signs; a longer one may be broken where a line ends
_BREAK = "\N{ZERO WIDTH SPACE}"


def time_left(progress: Progress) -> str:
    """Return the time that the open traces will take, '' while it is unknown."""
    if progress.seconds_left is None or not progress.open:
        return ""
    minutes = round(progress.seconds_left / 60)
    if minutes < 1:
        return "less than a minute left"
    if minutes < 60:
        return f"about {minutes} min left"
    hours, rest = divmod(5 * round(minutes / 5), 60)
    return f"about {hours} h {rest} min left" if rest else f"about {hours} h left"


def counted(number: int, one: str) -> str:
    """Return a number with its noun, such as ``1 trace`` or ``36 traces``."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def breakable(text: str) -> str:
    """Return a text whose long words can be broken, for what must fit a column."""
    words = text.split(" ")
    return " ".join(_BREAK.join(w) if len(w) > _LONG_WORD else w for w in words)
