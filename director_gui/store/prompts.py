"""A study's own prompt pieces, conditions and pairs, beside those of the program.

They are a few rows that change together (a piece with the conditions that use it), so
they are read and replaced as one value. What a run sent stays in `store.conditions`.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from director_gui.ids import canonical_json
from director_gui.store.conditions import StoredCondition, condition
from director_gui.store.database import Study

_TABLES = ("own_pieces", "own_conditions", "own_pairs")


@dataclass(frozen=True, slots=True)
class OwnPiece:
    """A piece that the study adds.

    Attributes:
        name: Unlike every other piece's.
        slot: Where it stands in a message.
        key: The JSON key that it asks for, None for none.
        text: The canonical JSON of its text, as `prompts` describes it.
        origin: The piece that it was edited from; empty when it was written anew.
    """

    name: str
    slot: str
    key: str | None
    text: str
    origin: str = ""


@dataclass(frozen=True, slots=True)
class OwnCondition:
    """A condition that the study adds.

    Attributes:
        name: Unlike every other condition's.
        action: What it asks the model to do.
        turns: User messages, 1 or 2.
        pieces: The names of its pieces, in the order of the slots.
        origin: The condition that it was edited from; empty when it was made anew.
    """

    name: str
    action: str
    turns: int
    pieces: tuple[str, ...]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class OwnPair:
    """A pair that the study declares: the first condition against the second.

    Attributes:
        first: The test condition.
        second: The reference.
        family: The comparison family that it belongs to, empty for none.
    """

    first: str
    second: str
    family: str = ""


@dataclass(frozen=True, slots=True)
class OwnPrompts:
    """Everything that a study adds to the program's prompts."""

    pieces: tuple[OwnPiece, ...] = ()
    conditions: tuple[OwnCondition, ...] = ()
    pairs: tuple[OwnPair, ...] = ()


def own_prompts(study: Study) -> OwnPrompts:
    """Return what the study adds, in the order in which it was added."""
    pieces, conditions, pairs = (
        study.query(f"SELECT * FROM {table} ORDER BY position")  # noqa: S608 - one of three names
        for table in _TABLES
    )
    for row in (*pieces, *conditions, *pairs):
        # Order is the list's own; the values must not carry it twice.
        del row["position"]
    # Names hold no blank, so that one column can list them in order.
    for row in conditions:
        row["pieces"] = tuple(str(row["pieces"]).split())
    return OwnPrompts(
        tuple(OwnPiece(**row) for row in pieces),
        tuple(OwnCondition(**row) for row in conditions),
        tuple(OwnPair(**row) for row in pairs),
    )


def replace_own_prompts(study: Study, own: OwnPrompts) -> None:
    """Keep `own` in place of what the study added before, all of it or nothing."""
    conditions = [{**asdict(c), "pieces": " ".join(c.pieces)} for c in own.conditions]
    with study.write() as db:
        for table, rows in zip(
            _TABLES,
            (
                [asdict(p) for p in own.pieces],
                conditions,
                [asdict(p) for p in own.pairs],
            ),
            strict=True,
        ):
            # Rows are few and names move between them: nothing is patched in place.
            db.execute(f"DELETE FROM {table}")  # noqa: S608 - one of three names
            db.table(table).insert_all(_numbered(rows))


def used_conditions(study: Study) -> list[StoredCondition]:
    """Return the versions of conditions that a call of some run was made with."""
    # A kept version alone is no use: a run may have failed before its calls.
    rows = study.query(
        "SELECT hash FROM conditions AS kept WHERE EXISTS"
        " (SELECT 1 FROM calls WHERE calls.condition_hash = kept.hash)"
    )
    return [condition(study, row["hash"]) for row in rows]


def text_row(value: dict[str, object]) -> str:
    """Return a text's JSON value as a row holds it."""
    return canonical_json(value).decode()


def _numbered(rows: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    return [{"position": at, **row} for at, row in enumerate(rows)]
