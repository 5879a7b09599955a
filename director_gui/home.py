"""Where the program keeps settings and caches; ``DIRECTOR_GUI_HOME`` moves both.

A folder that cannot be made is returned all the same: whoever writes into it says
what the disk said, and whoever only reads finds nothing.
"""

import os
from contextlib import suppress
from pathlib import Path

import platformdirs

_NAME = "director-gui"


def settings_folder() -> Path:
    """Return the folder of settings, made when it is missing."""
    return _made("settings", platformdirs.user_config_path(_NAME, appauthor=False))


def cache_folder() -> Path:
    """Return the folder of things that can be made again, made when missing."""
    return _made("cache", platformdirs.user_cache_path(_NAME, appauthor=False))


def state_folder() -> Path:
    """Return the folder of recovery copies, made when it is missing."""
    return _made("state", platformdirs.user_state_path(_NAME, appauthor=False))


def data_folder() -> Path:
    """Return the folder of studies that were not put anywhere else."""
    return _made("data", platformdirs.user_data_path(_NAME, appauthor=False))


def documents() -> Path:
    """Return the user's own documents; their home where there is no such folder."""
    folder = platformdirs.user_documents_path()
    return folder if folder.is_dir() else Path.home()


def _made(part: str, default: Path) -> Path:
    moved = os.environ.get("DIRECTOR_GUI_HOME")
    folder = Path(moved) / part if moved else default
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder
