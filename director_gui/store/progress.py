"""How far runs have come, counted without reading a reply."""

from director_gui.store.database import Study


def ended_calls(study: Study, kind: str) -> dict[str, int]:
    """Return how many calls have ended, by run id, of every run of a kind.

    A run of which none has ended is left out.

    Args:
        study: The study.
        kind: "probe" or "plan", as the runs were added.

    Raises:
        UserError: The study cannot be read.
    """
    # CROSS JOIN keeps this order: a study may hold a million attempts of other runs.
    rows = study.query(
        "SELECT calls.run AS run, count(*) AS ended FROM runs"
        " CROSS JOIN calls ON calls.run = runs.id"
        " CROSS JOIN attempts ON attempts.call = calls.id"
        " WHERE runs.kind = ? AND attempts.terminal = 1 GROUP BY calls.run",
        (kind,),
    )
    return {row["run"]: int(row["ended"]) for row in rows}
