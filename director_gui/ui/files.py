"""New, open, save and recent: the document's life on disk."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QMessageBox, QWidget

from director_gui.errors import UserError
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import file_bytes, read_file
from director_gui.ui.document import Document
from director_gui.ui.places import ask_open, ask_save
from director_gui.ui.recovery import write_atomically
from director_gui.ui.session import Session
from director_gui.ui.settings import Settings

FILTER = "Scenes (*.json);;All files (*)"


class SceneFiles:
    """What the scene menu does; every failure is told and nothing is lost."""

    def __init__(
        self,
        document: Document,
        settings: Settings,
        session: Session,
        window: QWidget,
        tell: Callable[[UserError], None],
    ) -> None:
        self._document = document
        self._settings = settings
        self._session = session
        self._window = window
        self._tell = tell

    def new(self) -> None:
        """Start a new scene from the example, as a scene without a file."""
        if self.may_leave():
            # An empty table would show nothing that could be taken hold of.
            self._document.open(example_scene(), None)

    def ask_open(self) -> None:
        """Let the user choose a scene file and open it."""
        beside = self._document.path
        start = str(beside.parent) if beside else ""
        path = ask_open(self._window, "Open a scene", FILTER, self._session, start)
        # Asked for the file first: who cancels that need not decide about the old one.
        if path is not None and self.may_leave():
            self.open(path)

    def open(self, path: Path) -> bool:
        """Open the scene at `path`; tell when it is refused."""
        try:
            scene = read_file(path)
        except UserError as error:
            # A file that is there but refused may be mended, so it stays in the list.
            if not path.exists():
                self._settings.forget_recent(str(path))
            self._tell(error)
            return False
        self._document.open(scene, path)
        self._settings.add_recent(str(path))
        return True

    def open_recent(self, path: str) -> None:
        """Open a recent scene, unless unsaved work is to stay."""
        if self.may_leave():
            self.open(Path(path))

    def show_scene(self, scene: Scene) -> None:
        """Show a scene that came from a study, as a scene without a file."""
        if self.may_leave():
            self._document.open(scene, None)

    def save(self) -> bool:
        """Save to the scene's file, asking for one when it has none."""
        path = self._document.path
        return self.save_as() if path is None else self._write(path)

    def save_as(self) -> bool:
        """Ask for a file and save to it."""
        name = str(self._document.path or self._suggested())
        path = ask_save(self._window, "Save the scene", name, FILTER, self._session)
        return path is not None and self._write(path)

    def may_leave(self) -> bool:
        """Return whether the open scene may be replaced; ask when it is unsaved."""
        if not self._document.modified:
            return True
        buttons = QMessageBox.StandardButton
        answer = QMessageBox.question(
            self._window,
            "Unsaved scene",
            f"Save the changes to “{self._document.scene.name}”?",
            buttons.Save | buttons.Discard | buttons.Cancel,
        )
        if answer == buttons.Save:
            return self.save()
        # Closing the question is to cancel.
        return answer == buttons.Discard

    def _write(self, path: Path) -> bool:
        if not path.suffix:
            path = path.with_suffix(".json")
        try:
            # A full disk must not leave half a scene in place of the whole one.
            write_atomically(path, file_bytes(self._document.scene))
        except OSError as error:
            what = f"the scene was not saved ({error.strerror})"
            todo = "Choose another folder with Save as; the scene is still open"
            self._tell(UserError(what, where=str(path), todo=todo))
            return False
        self._document.saved_as(path)
        self._settings.add_recent(str(path))
        return True

    def _suggested(self) -> str:
        name = self._document.scene.name
        # A scene's name may hold what no file system takes.
        plain = "".join(c if c.isalnum() or c in "-_ " else "-" for c in name)
        return f"{plain.strip() or 'scene'}.json"
