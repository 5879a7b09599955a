"""What the codebook editor calls things."""

from coding.codebook import Code, Field, Kind
from director_gui.stats.display import counted
from director_gui.study.blind.codebooks import KeptBook
from director_gui.ui.coder import keys

KIND_WORDS: dict[Kind, str] = {
    "one_of": "One of several codes",
    "yes_no": "Yes or no",
    "yes_no_not_said": "Yes, no or not said",
    "quote": "Quote from the trace",
    "text": "Free text",
}
# The letters that the coders' pane would like to have for its own commands.
PANE_KEYS = {
    "q": "quoting",
    **{name[0]: f"“{name}”" for name in keys.COMMANDS if name != keys.UNCODED},
    keys.UNCODED[0]: "“next uncoded”",
}
# Mid tones: each stands out against light and dark panels alike.
NO_COLOR = ("", "No colour")
COLORS = (
    NO_COLOR,
    ("#2f6db3", "Blue"),
    ("#c0562f", "Rust"),
    ("#3d8a4e", "Green"),
    ("#7a5ba8", "Violet"),
    ("#b3892b", "Ochre"),
    ("#a83e6b", "Plum"),
    ("#2b8a8f", "Teal"),
    ("#6b7280", "Grey"),
)


def version_words(kept: KeptBook) -> str:
    """Return how the list of versions calls one."""
    used = f" · in {counted(kept.packets, 'packet')}" if kept.packets else ""
    shipped = " · built in" if kept.shipped else ""
    return f"{kept.label}{shipped}{used}"


def state_words(kept: KeptBook, *, usable: bool, writable: bool) -> str:
    """Return what will become of an edit, or of the one that was just made."""
    if not writable:
        return "This study is open read-only, so its codebooks cannot be edited."
    # Before all else: who edits on believes that it is kept.
    if not usable:
        return "Not saved yet: mend what stops it. Undo takes the last edit back."
    if kept.packets:
        used = counted(kept.packets, "packet")
        return f"Frozen: {used} made with it. An edit makes a new version."
    if kept.shipped:
        return "Built in, so it stays as it is. An edit makes a new version."
    return "Saved in this study. No packet was made with it yet, so edits change it."


def field_words(field: Field) -> str:
    """Return a field as the outline shows it."""
    return f"{field.label or field.name or 'Field without a name'}"


def code_words(code: Code, key: str) -> str:
    """Return a code as the outline shows it, with the key that it will have."""
    name = code.label or code.name or "Code without a name"
    return f"{name}  ({key.upper()})" if key else name


def passages_of(text: str) -> tuple[str, ...]:
    """Return the passages in a text that holds them an empty line apart."""
    parts = (part.strip("\n") for part in text.split("\n\n"))
    return tuple(part for part in parts if part.strip())


def text_of(passages: tuple[str, ...]) -> str:
    """Return passages as a text in which an empty line parts them."""
    return "\n\n".join(passages)
