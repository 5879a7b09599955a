"""A study's own families: their files' texts, comments and all, by name."""

from director_gui.errors import UserError
from director_gui.runner.records import now_utc
from director_gui.store.database import Study


def save_family(study: Study, name: str, text: str) -> None:
    """Keep a family's text under its name, in place of what was kept there.

    Raises:
        UserError: The study cannot be written.
    """
    with study.write() as db:
        db.execute(
            "INSERT INTO own_families (name, text, saved) VALUES (?, ?, ?)"
            " ON CONFLICT (name) DO UPDATE SET text = excluded.text,"
            " saved = excluded.saved",
            (name, text, now_utc()),
        )


def forget_family(study: Study, name: str) -> None:
    """Take a family out of the study; sets made from it keep their own copy."""
    with study.write() as db:
        db.execute("DELETE FROM own_families WHERE name = ?", (name,))


def family_texts(study: Study) -> dict[str, str]:
    """Return the text of every family of the study, by name, oldest first."""
    rows = study.query("SELECT name, text FROM own_families ORDER BY rowid")
    return {row["name"]: row["text"] for row in rows}


def family_text(study: Study, name: str) -> str:
    """Return the text of one family.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT text FROM own_families WHERE name = ?", (name,))
    if not rows:
        raise UserError("the study holds no such family", where=name)
    text: str = rows[0]["text"]
    return text
