"""Watches the folder of the packet that is shown: results appear without asking."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

_REST = 500  # ms; a coder's file grows with every decision


class FolderWatch(QObject):
    """Tells, once it is quiet, that something in the folder or in its files changed."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._rest = QTimer(self, singleShot=True, interval=_REST)
        self._rest.timeout.connect(self.changed)
        self._watcher.directoryChanged.connect(lambda _path: self._rest.start())
        self._watcher.fileChanged.connect(lambda _path: self._rest.start())

    def stop(self) -> None:
        """Watch nothing, and forget a change that was not told yet."""
        self.watch(None, "")
        self._rest.stop()

    def watch(self, folder: Path | None, pattern: str) -> None:
        """Watch a folder and the files in it that match `pattern`, nothing else."""
        # Files too: a folder does not tell that one in it grew.
        wanted: set[str] = set()
        if folder is not None and folder.is_dir():
            wanted = {str(folder), *(str(path) for path in folder.glob(pattern))}
        there = {*self._watcher.directories(), *self._watcher.files()}
        if there - wanted:
            self._watcher.removePaths(sorted(there - wanted))
        if wanted - there:
            self._watcher.addPaths(sorted(wanted - there))
