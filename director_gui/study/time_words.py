"""Expected times in words, for forecasts and footers; it imports nothing else."""


def time_text(seconds: float) -> str:
    """Return a time in words, roughly: ``40 s``, ``12 min``, ``3.5 h``."""
    if seconds < 90:
        return f"{max(1, round(seconds))}\N{NO-BREAK SPACE}s"
    if seconds < 5400:
        return f"{seconds / 60:.0f}\N{NO-BREAK SPACE}min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.0f} days"


def time_range_text(seconds: tuple[float, float]) -> str:
    """Return an expected time in words."""
    low, high = map(time_text, seconds)
    return f"about {high}" if low == high else f"about {low} – {high}"
