"""The window's own settings: theme, text size, recent files, sizes of panels."""

from typing import cast

from PySide6.QtCore import QByteArray, QSettings

from director_gui import home
from director_gui.ui.theme import Mode

_MODES = ("light", "dark", "contrast", "system")
_RECENT_LIMIT = 8


class Settings:
    """Typed access to one INI file; broken values fall back to defaults."""

    def __init__(self) -> None:
        path = home.settings_folder() / "window.ini"
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    @property
    def theme(self) -> Mode:
        """``light``, ``dark``, ``contrast`` or ``system``."""
        value = str(self._store.value("theme", "system"))
        return cast("Mode", value) if value in _MODES else "system"

    @theme.setter
    def theme(self, mode: Mode) -> None:
        self._store.setValue("theme", mode)

    @property
    def text_scale(self) -> float:
        """Text size, 1.0 = 100 %, from 0.8 to 2.0."""
        try:
            scale = float(str(self._store.value("text_scale", "1.0")))
        except ValueError:
            return 1.0
        return min(2.0, max(0.8, scale))

    @text_scale.setter
    def text_scale(self, scale: float) -> None:
        self._store.setValue("text_scale", str(scale))

    def recent(self) -> list[str]:
        """Return the paths of scenes opened lately, newest first."""
        value = self._store.value("recent", [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list):
            return []
        return [str(path) for path in listed][:_RECENT_LIMIT]

    def add_recent(self, path: str) -> None:
        """Put `path` at the head of the recent scenes."""
        rest = [old for old in self.recent() if old != path]
        self._store.setValue("recent", [path, *rest][:_RECENT_LIMIT])

    def forget_recent(self, path: str) -> None:
        """Take `path` out of the recent scenes, since it is gone."""
        self._store.setValue("recent", [old for old in self.recent() if old != path])

    def layout(self, name: str) -> QByteArray:
        """Return the stored state of a splitter or header; empty when none is."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def set_layout(self, name: str, state: QByteArray) -> None:
        """Keep the state of a splitter or header."""
        self._store.setValue(f"layout/{name}", state)
