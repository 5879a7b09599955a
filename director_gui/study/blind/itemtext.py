"""What a coder reads of a reply, written the same way for all, and what was cut."""

import re
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from director_gui.prompts.pieces import KEYS
from director_gui.scoring.clean import without_fences
from director_gui.scoring.scan import scan
from director_gui.study.blind.names import MARK

Form = Literal["without_report", "with_reply"]
FORMS: tuple[Form, ...] = ("without_report", "with_reply")
FORM_WORDS: dict[Form, str] = {
    "without_report": "reasoning and choice, the report left out",
    "with_reply": "reasoning, the whole reply and the choice",
}
CutKind = Literal["answer", "name", "phrase"]


@dataclass(frozen=True, slots=True)
class Cut:
    """Something taken out of a text; kept in the key alone.

    Attributes:
        kind: An answer in JSON (leaves no mark), a name (leaves ▇), or a phrase that
            a person resolved.
        at: Where in the item's text it stood, in code points.
        text: What stood there; empty for an answer, which the reply still holds.
        length: Its length in code points.
    """

    kind: CutKind
    at: int
    text: str
    length: int

    def value(self) -> dict[str, object]:
        """Return the JSON value that the key holds."""
        return {
            "kind": self.kind,
            "at": self.at,
            "text": storable(self.text),
            "length": self.length,
        }


def storable(text: str) -> str:
    """Return a text that UTF-8 can carry: lone surrogates become their escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class ItemText:
    """A text to be coded, with its cuts in the order of their places."""

    text: str
    cuts: tuple[Cut, ...] = ()

    def without(self, kind: CutKind, start: int, end: int, mark: str) -> "ItemText":
        """Return the text with ``[start:end]`` replaced by `mark`.

        Cuts behind it move along, so that each place stays true.
        """
        gone = self.text[start:end]
        shift = len(mark) - len(gone)
        moved = (
            replace(cut, at=cut.at + shift if cut.at >= end else min(cut.at, start))
            for cut in self.cuts
        )
        cuts = sorted((*moved, Cut(kind, start, gone, len(gone))), key=lambda c: c.at)
        return ItemText(self.text[:start] + mark + self.text[end:], tuple(cuts))


class Said(Protocol):
    """What an item's text is made of: a reply, or a trace written to a known code."""

    @property
    def reasoning(self) -> str:
        """The reasoning text."""

    @property
    def reply(self) -> str:
        """The reply without its reasoning."""

    @property
    def choice(self) -> int:
        """The block that was chosen."""


def text_of(said: Said, form: Form, names: re.Pattern[str]) -> ItemText:
    """Return an item's text: the reasoning, then the choice.

    Args:
        said: The reply.
        form: With or without the whole reply. Without it, answers in JSON are cut out
            of the reasoning too, and nothing shows that there was one.
        names: Finds the names that become ▇.
    """
    reasoning, cuts = said.reasoning, tuple[Cut, ...]()
    if form == "without_report":
        reasoning, cuts = _without_answers(reasoning)
    parts = [reasoning.strip()]
    if form == "with_reply":
        # Before the choice, so that every item ends alike in both forms.
        parts.append(f"Reply: {said.reply.strip()}")
    parts.append(f"Choice: {said.choice}")
    return without_names(ItemText("\n\n".join(parts), cuts), names)


def without_names(item: ItemText, names: re.Pattern[str]) -> ItemText:
    """Return the text with each name replaced by ▇."""
    # From the back, so that the places found before stay true.
    for found in reversed(list(names.finditer(item.text))):
        item = item.without("name", found.start(), found.end(), MARK)
    return item


def _without_answers(text: str) -> tuple[str, tuple[Cut, ...]]:
    """Return the text without its JSON answers, and where each stood."""
    kept, cuts, at = "", list[Cut](), 0
    for found in scan(text):
        # An object inside one that was cut is gone already.
        if found.start < at or not found.members.keys() & set(KEYS):
            continue
        kept += text[at : found.start]
        cuts.append(Cut("answer", len(kept), "", found.end - found.start))
        at = found.end
    # The same tidying for every text, or a gap would show where an answer stood.
    whole = without_fences(kept + text[at:])
    tidy = re.sub(r"[ \t]+\n", "\n", whole)
    return re.sub(r"\n{3,}", "\n\n", tidy), tuple(cuts)
