"""Correct a score by hand: what a person read, beside what the rules found."""

from collections.abc import Collection
from dataclasses import replace

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.ids import Json
from director_gui.scene.model import Scene
from director_gui.scoring.score import Score, choice_kind
from director_gui.store.corrections import Correction
from director_gui.study.scored import Scored


def corrected(
    shown: tuple[Scene, Truth],
    choice: int | None,
    visible: tuple[int, ...] | None,
    *,
    report_asked: bool = True,
) -> Json:
    """Return the score of a reply that a person read, as JSON.

    Args:
        shown: The scene and its truth.
        choice: The block that the reply chooses; None when it chooses none.
        visible: The blocks that it reports as seen; None when it reports none.
        report_asked: Whether the condition asked which blocks the director sees.

    Raises:
        UserError: There is a report that nobody asked for.
    """
    if visible is not None and not report_asked:
        # The rules flag such a report and score none; a person's must not either.
        raise UserError(
            "this condition asks for no report", todo="Leave the report empty"
        )
    scene, truth = shown
    hidden = truth.key.hidden
    if choice is None:
        # A person who finds no choice says what the rules say of such a reply.
        return Score("unparsed").value()
    report = None if visible is None else tuple(sorted(set(visible)))
    # The flags of METHOD §5.8, as the rules set them.
    flags = [] if choice in scene.digits else ["not_a_block"]
    if set(report or ()) - set(scene.digits):
        flags.append("report_not_a_block")
    return Score(
        "answered",
        visible=report,
        choice=choice,
        report_correct=(
            None if report is None else set(report) == set(truth.sees["director"])
        ),
        hidden_choice=None if hidden is None else choice == hidden,
        flags=tuple(flags),
    ).value()


def score_given(value: Json, hidden: int | None, sees: Collection[int]) -> Score:
    """Return the score that a correction stands for.

    What follows from the answer key is worked out again, as for automatic scores.

    Args:
        value: A correction's score.
        hidden: The digit of the hidden block, None when there is no single one.
        sees: The digits that the director sees.
    """
    choice, visible = value.get("choice"), value.get("visible")
    report = None if visible is None else tuple(sorted(set(visible)))
    status = value.get("status", "unparsed" if choice is None else "answered")
    return Score(
        status,
        visible=report,
        choice=choice,
        report_correct=None if report is None else set(report) == set(sees),
        hidden_choice=None if None in (choice, hidden) else choice == hidden,
        flags=tuple(value.get("flags", ())),
    )


def counted_as(item: Scored, shown: tuple[Scene, Truth]) -> Scored:
    """Return a reply with the score that counts: a person's where there is one.

    Args:
        item: The reply with its automatic score and its correction.
        shown: The scene and its truth.
    """
    # A correction may stand before the reply it is about has come in.
    if item.correction is None or item.score is None:
        return item
    scene, truth = shown
    sees, hidden = truth.sees["director"], truth.key.hidden
    # Not as it was stored: the key may have been computed otherwise then.
    score = score_given(item.correction.score, hidden, sees)
    kind = None
    if score.choice is not None:
        kind = choice_kind(
            score.choice,
            digits=scene.digits,
            hidden=hidden,
            sees=sees,
            director_view=truth.key.director_view,
        )
    return replace(item, score=score, kind=kind)


def automatic(item: Scored) -> Json:
    """Return the score that the rules found, as a correction that undoes another.

    Raises:
        UserError: The call has no end yet.
    """
    if item.score is None:
        raise UserError("this call has no reply yet", where=item.reply.call.id)
    return item.score.value()


def undone(item: Scored) -> bool:
    """Return whether no correction stands: none was made, or it was taken back."""
    given = item.correction
    # Taking back is a correction to the rules' own score: none is ever deleted.
    return given is None or (item.score is not None and given.score == automatic(item))


def correction_text(given: Correction) -> str:
    """Return a correction in words."""
    score = given.score
    choice, visible = score.get("choice"), score.get("visible")
    what = "no answer" if choice is None else f"chooses {choice}"
    if visible is not None:
        what += f", reports {', '.join(map(str, visible)) or 'none'}"
    when = given.created[:16].replace("T", " ")
    return f"Corrected by hand: {what}. “{given.reason}” ({given.actor}, {when} UTC)"


def digits_in(text: str) -> tuple[int, ...] | None:
    """Return the digits that a person typed, such as ``1, 5``; None when empty.

    Raises:
        UserError: It is no list of whole numbers.
    """
    words = text.replace(",", " ").split()
    # Other scripts have digits that int() would read too.
    if not all(word.isascii() and word.isdigit() for word in words):
        raise UserError("write the reported digits like 1, 5", where=text)
    return tuple(int(word) for word in words) if words else None
