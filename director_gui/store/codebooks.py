"""A study's codebooks, each version under the hash of its bytes."""

from dataclasses import dataclass, field

from director_gui.runner.records import now_utc
from director_gui.store.database import Study


@dataclass(frozen=True, slots=True)
class StoredCodebook:
    """One version of a codebook; `data` is its canonical JSON."""

    hash: str
    name: str
    version: int
    saved: str
    data: bytes = field(repr=False)


def stored_codebooks(study: Study) -> list[StoredCodebook]:
    """Return every version that the study keeps, oldest version first."""
    rows = study.query("SELECT * FROM codebooks ORDER BY name, version, rowid")
    return [StoredCodebook(**row) for row in rows]


def put_codebook(
    study: Study,
    sha256: str,
    name: str,
    version: int,
    data: bytes,
    *,
    replaces: str = "",
) -> None:
    """Keep a version; one that it `replaces` (a hash) goes in the same transaction.

    Whether that one may go is the caller's to know: packets refer to it by hash.

    Raises:
        UserError: The study cannot be written.
    """
    row = {
        "hash": sha256,
        "name": name,
        "version": version,
        "saved": now_utc(),
        "data": data,
    }
    with study.write() as db:
        # Before the new one: both may have the same number.
        if replaces:
            db.execute("DELETE FROM codebooks WHERE hash = ?", (replaces,))
        # The same bytes are the same version, however often they are kept.
        db.table("codebooks").insert(row, ignore=True)


def forget_codebook(study: Study, sha256: str) -> None:
    """Take a version out of the study; packets carry copies of their own."""
    with study.write() as db:
        db.execute("DELETE FROM codebooks WHERE hash = ?", (sha256,))
