"""One scene behind a difference: its two pictures and the replies that it got."""

from collections.abc import Mapping
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.geometry.truth import Truth
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.stats.display import counted
from director_gui.store.attempts import attempts_of, reply_of
from director_gui.store.corrections import current_corrections
from director_gui.store.database import Study
from director_gui.store.runs import CALL_COLUMNS, call_of_row
from director_gui.store.scenes import image, stimulus
from director_gui.study.correcting import counted_as, undone
from director_gui.study.results.arms import KIND_WORDS
from director_gui.study.results.comparing import Compared
from director_gui.study.results.sheet import Cell, Column, Row, Sheet, words
from director_gui.study.scored import Scored, keys_of, scored_reply
from director_gui.study.stimuli import scene_in, truths_in

SHOWN = 400  # characters of a reply in its cell; the hint holds more
HINTED = 4000
HEAD = (
    Column("Condition"),
    Column("Sample", number=True),
    Column("Ended"),
    Column("Choice", number=True),
    Column("Which block"),
    Column("Reported as seen"),
    Column("Reply"),
)


@dataclass(frozen=True, slots=True)
class Look:
    """What is shown of a scene.

    Attributes:
        name: The scene's name, or the label that a file has for it.
        scene: The scene; None when the study does not hold it.
        pictures: PNG bytes of the views that the study holds.
        replies: Its replies under the two conditions that are compared.
    """

    name: str
    scene: Scene | None
    pictures: Mapping[ViewName, bytes]
    replies: Sheet


def look_at(
    study: Study,
    run_id: str,
    scene_hash: str,
    one: Compared,
    *,
    automatic: bool = False,
) -> Look:
    """Return a scene with its pictures and its replies in a comparison.

    Args:
        study: The study.
        run_id: The run that is compared.
        scene_hash: The scene.
        one: The comparison: its model, its two conditions, its batch.
        automatic: Show the rules' scores of corrected replies too.

    Raises:
        UserError: The study does not hold the scene, or is damaged.
    """
    shown = truths_in(study, {scene_hash})[scene_hash]
    rows = study.query(
        f"SELECT {CALL_COLUMNS} FROM calls WHERE run = ? AND scene = ? AND"  # noqa: S608 - our own column names
        " profile = ? AND batch = ? AND condition IN (?, ?) ORDER BY position",
        [run_id, scene_hash, one.model, one.batch, one.test, one.reference],
    )
    calls = [call_of_row(row) for row in rows]
    keys = keys_of(study, {call.condition_hash for call in calls})
    given = {} if automatic else current_corrections(study, run_id)
    scored = [
        scored_reply(
            reply_of(call, attempts_of(study, call.id)),
            shown,
            keys[call.condition_hash],
            given.get(call.id),
        )
        for call in calls
    ]
    # The test's replies first, as everywhere.
    scored.sort(key=lambda s: (s.reply.call.condition != one.test, s.reply.call.sample))
    note = (
        f"{counted(len(scored), 'call')} to {one.model} about this scene under "
        f"{one.test} and {one.reference}."
    )
    table = Sheet(
        "replies", "Replies", HEAD, tuple(_row(item, shown) for item in scored), note
    )
    return Look(shown[0].name, shown[0], pictures_of(study, scene_hash), table)


def named_scene(study: Study, label: str) -> str | None:
    """Return the hash of the scene that a file's label means; None when none does.

    A label means a scene by its hash, or by a name that only one scene has.
    """
    rows = study.query("SELECT hash FROM scenes WHERE hash = ?", [label])
    # The hash first: a file exported here names scenes so.
    rows = rows or study.query("SELECT hash FROM scenes WHERE name = ?", [label])
    # Showing the wrong one of two namesakes would be worse than none.
    return str(rows[0]["hash"]) if len(rows) == 1 else None


def pictures_of(study: Study, scene_hash: str) -> dict[ViewName, bytes]:
    """Return the pictures that the study holds of a scene, as PNG bytes."""
    held = {view: stimulus(study, scene_hash, view) for view in VIEWS}
    return {
        view: image(study, found.image).png for view, found in held.items() if found
    }


def look_at_label(study: Study | None, label: str, replies: Sheet) -> Look:
    """Return what is known of a scene of somebody else's file.

    Args:
        study: The open study, which may hold the same scene; None without one.
        label: What the file calls it.
        replies: Its rows in the file.
    """
    found = named_scene(study, label) if study is not None else None
    if study is None or found is None:
        return Look(label, None, {}, replies)
    try:
        scene = scene_in(study, found)
    # Another's file is being read; a damaged scene of ours must not stop it.
    except UserError:
        return Look(label, None, {}, replies)
    return Look(label, scene, pictures_of(study, found), replies)


def flat_text(text: str) -> Cell:
    """Return a reply's text as one line, with more of it in the hint."""
    return Cell(" ".join(text[:SHOWN].split()), text[:SHOWN], text[:HINTED])


def _row(item: Scored, shown: tuple[Scene, Truth]) -> Row:
    by_hand = not undone(item)
    # What is counted beside it: the choice and the report that a person read.
    one = counted_as(item, shown) if by_hand else item
    call, score = one.reply.call, one.score
    status = score.status if score else "open"
    ended = f"{status}, corrected by hand" if by_hand else status
    choice = score.choice if score else None
    seen = score.visible if score else None
    kind = KIND_WORDS[one.kind] if one.kind else ""
    report = "" if seen is None else ", ".join(map(str, seen)) or "none"
    chosen = "" if choice is None else str(choice)
    return Row(
        (
            words(call.condition),
            Cell(str(call.sample), float(call.sample), f"Sample {call.sample}"),
            words(ended),
            Cell(chosen, None if choice is None else float(choice), kind),
            words(kind),
            words(report),
            flat_text(one.reply.text),
        ),
        key=call.id,
    )
