"""What the sets workspace reads off the GUI thread, as values to show."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from director_gui.store import own_families
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.store.sets import StoredSet
from director_gui.study.gallery import Card, cards_of
from director_gui.study.set_tallies import refusals
from director_gui.ui.families.listing import SetRow
from director_gui.ui.jobs import Progress

# What draws or writes files is imported by the act that needs it: the window starts
# with this module.
if TYPE_CHECKING:
    from director_gui.study.verifying import Verification


@dataclass(frozen=True, slots=True)
class SetShown:
    """A set with all that its page shows."""

    row: SetRow
    cards: list[Card]
    rejected: Counter[str]
    others: list[StoredSet]


def set_rows(study: Study) -> list[SetRow]:
    """Return every set of a study with how far it is."""
    return [SetRow(item, rows.scene_count(study, item.id)) for item in rows.sets(study)]


def family_names(study: Study) -> list[str]:
    """Return the names of the study's own families."""
    return list(own_families.family_texts(study))


def read_set(study: Study, row: SetRow, progress: Progress) -> SetShown:
    """Read a set's cards and what was refused for it."""
    item, total = row.item, max(1, row.kept)
    cards = cards_of(study, item, lambda n: progress.report(min(1.0, n / total)))
    return SetShown(row, cards, refusals(study, item.id), rows.sets(study))


def read_cards(study: Study, set_id: str) -> tuple[str, list[Card]] | None:
    """Return another set's name and cards, None when it is gone."""
    item = rows.find_set(study, set_id)
    return None if item is None else (item.name, cards_of(study, item))


def verify(study: Study, progress: Progress) -> "Verification":
    """Verify every set of a study again."""
    from director_gui.study.verifying import verify_study  # noqa: PLC0415 - see above

    return verify_study(
        study,
        progress=lambda done, total: progress.report(
            done / max(1, total), f"Verifying: {done} of {total} scenes"
        ),
    )


def export(study: Study, folder: Path) -> tuple[str, list[dict[str, str]]]:
    """Write every set of a study into a folder."""
    from director_gui.study.set_export import export_sets  # noqa: PLC0415 - see above

    return str(folder), export_sets(study, folder)


def take_in(study: Study, folder: Path, progress: Progress) -> StoredSet:
    """Take a folder of scenes into a study."""
    from director_gui.study.set_import import import_set  # noqa: PLC0415 - see above

    return import_set(
        study,
        folder,
        progress=lambda done, total: progress.report(
            done / max(1, total), f"Taking in: {done} of {total} scenes"
        ),
    )
