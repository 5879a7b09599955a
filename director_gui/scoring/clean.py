"""Cut from a reply's text what is reasoning, and the code fences around JSON."""

import re

from director_gui.runner.thoughts import split_thoughts

# Lines end at LF, or CR and LF: a JSON string may hold U+2028 and its like, and a fence
# behind one of those is text. Every quantifier is possessive, so that no line of
# back-ticks or blanks makes the search quadratic. A language word has no brace:
# "```{...}" is an answer on the fence's line, not a fence alone.
_FENCE = re.compile(
    r"^[ \t]*+(?:`{3,}+|~{3,}+)[ \t]*+(?:[A-Za-z0-9_+#.\-]++[ \t]*+)?+(?=\r?$)",
    re.MULTILINE,
)


def without_reasoning(text: str) -> str:
    """Return what a reply says after its reasoning.

    Text up to and including the last closing think marker is reasoning; so is
    everything after an opening marker that is never closed.
    """
    return split_thoughts(text)[1]


def without_fences(text: str) -> str:
    """Return the text without the lines that are only a code fence."""
    if "```" not in text and "~~~" not in text:
        return text  # a plain search is several times faster than the pattern
    return _FENCE.sub("", text)


def is_blank(text: str) -> bool:
    """Tell whether nothing is left to read (a byte order mark is nothing)."""
    return not text.replace("\ufeff", " ").strip()
