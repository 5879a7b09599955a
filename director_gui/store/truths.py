"""What was measured of scenes: derived from them, and kept to spare measuring again."""

import json
from collections.abc import Iterable, Mapping

from director_gui.store.database import Study


def kept_truths(study: Study, scenes: Iterable[str], version: str) -> dict[str, str]:
    """Return the kept texts of some scenes that were measured by `version`."""
    rows = study.query(
        "SELECT scene, truth FROM truths WHERE version = ?"
        " AND scene IN (SELECT value FROM json_each(?))",
        [version, json.dumps(sorted(scenes))],
    )
    return {row["scene"]: row["truth"] for row in rows}


def keep_truths(study: Study, version: str, truths: Mapping[str, str]) -> None:
    """Keep texts by scene hash; what another version left is replaced.

    Raises:
        UserError: The study cannot be written.
    """
    with study.write() as db:
        db.conn.executemany(
            # Old versions' rows are useless, as nothing measures by an old rule.
            "INSERT OR REPLACE INTO truths (scene, version, truth) VALUES (?, ?, ?)",
            [(scene, version, text) for scene, text in truths.items()],
        )
