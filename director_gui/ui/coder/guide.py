"""How to code with one codebook, in steps made from it and from its keys."""

from coding.codebook import Codebook, Field
from director_gui.ui.coder import keys
from director_gui.ui.coder.keys import KeyPlan
from director_gui.ui.coder.words import counted

TRAINING_KEY = "F2"


def steps(book: Codebook, plan: KeyPlan) -> list[str]:
    """Return what a coder does with each trace, a step each."""
    asked = [f"{field.label}{_extra(field)}" for field in book.fields]
    things = counted(len(asked), "thing")
    said = [f"Read the trace, then decide {things}: {'; '.join(asked)}."]
    # Only what this codebook has: a step about nothing would be puzzled over.
    if any(field.codes for field in book.fields):
        said.append(
            "Each code has a key, which its button shows. The same key again takes "
            "the code away."
        )
    said += [_by_hand(field, plan) for field in book.fields if not field.codes]
    said.append(_aside(plan))
    said.append(
        "Enter goes to the next trace, ← goes back, Ctrl+Z undoes. ? opens the "
        f"codebook beside the trace, {TRAINING_KEY} opens this page."
    )
    return said


def _extra(field: Field) -> str:
    return "" if field.required else " (if there is something to say)"


def _by_hand(field: Field, plan: KeyPlan) -> str:
    key = plan.field(field.name).upper()
    if field.kind == "quote":
        press = f"press {key}" if key else "press its button"
        return f"{field.label}: select the words in the trace, then {press}."
    opens = f"{key} opens its field; " if key else ""
    return f"{field.label}: {opens}Enter keeps what you write."


def _aside(plan: KeyPlan) -> str:
    # Asked of the plan: the codebook may have taken the usual letters.
    note, flag, skip = (
        plan.command(name).upper() for name in (keys.NOTE, keys.FLAG, keys.SKIP)
    )
    return (
        f"{note} writes a note, {flag} flags a trace that somebody should look at. "
        f"{skip} skips one that cannot be coded: it then counts as missing, never as "
        "a code."
    )
