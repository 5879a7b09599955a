"""File dialogs that begin where the last one ended, and first beside the study."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from director_gui.ui.session import Session


def ask_open(
    parent: QWidget, title: str, kinds: str, session: Session, name: str = ""
) -> Path | None:
    """Let the user choose a file to read; None when it was cancelled.

    Args:
        parent: The widget that asks.
        title: The title of the dialog.
        kinds: Qt's filters, such as "Plans (*.toml);;All files (*)".
        session: Knows the folder.
        name: A file or folder to begin at instead.
    """
    start = name or str(session.folder)
    chosen, _ = QFileDialog.getOpenFileName(parent, title, start, kinds)
    return _remembered(chosen, session)


def ask_save(
    parent: QWidget, title: str, name: str, kinds: str, session: Session
) -> Path | None:
    """Let the user choose a file to write; None when it was cancelled.

    A name that was typed without an ending gets that of the chosen kind.

    Args:
        parent: The widget that asks.
        title: The title of the dialog.
        name: The suggested name; a whole path is kept.
        kinds: Qt's filters.
        session: Knows the folder.
    """
    start = str(session.folder / name)  # an absolute name wins over the folder
    chosen, kind = QFileDialog.getSaveFileName(parent, title, start, kinds)
    path = _remembered(chosen, session)
    if path is None or path.suffix:
        return path
    # The first ending of the chosen filter, as in "CSV (*.csv)".
    wanted = kind.partition("*")[2].partition(")")[0].partition(" ")[0]
    return path.with_suffix(wanted or Path(name).suffix)


def ask_folder(
    parent: QWidget, title: str, session: Session, start: Path | None = None
) -> Path | None:
    """Let the user choose a folder, beginning at `start`; None when cancelled."""
    begin = str(start or session.folder)
    chosen = QFileDialog.getExistingDirectory(parent, title, begin)
    if not chosen:
        return None
    session.folder = Path(chosen)
    return Path(chosen)


def _remembered(chosen: str, session: Session) -> Path | None:
    if not chosen:
        return None
    session.folder = Path(chosen).parent
    return Path(chosen)
