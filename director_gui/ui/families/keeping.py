"""Keeps the study's own families: an edit that is a family is stored at rest."""

from PySide6.QtCore import QObject, QTimer, Signal

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.geometry.truth import truth_of
from director_gui.scene.model import Scene
from director_gui.store import own_families
from director_gui.study.family_around import family_around
from director_gui.study.family_text import free_name, with_value
from director_gui.ui.families.draft import Draft
from director_gui.ui.session import Session

# Longer than the draft's own rest, so that it is mostly read by then.
_REST_MS = 600


class Keeping(QObject):
    """Follows the draft and writes it; the file's own name is the key."""

    kept = Signal()
    renamed = Signal(str)
    refused = Signal(object)  # UserError

    def __init__(
        self, draft: Draft, session: Session, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._draft, self._session = draft, session
        self._stored = ""
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.save_now)
        draft.changed.connect(self._changed)

    def text(self, name: str) -> str:
        """Return a family's stored text.

        Raises:
            UserError: The study does not hold it.
        """
        self._stored = own_families.family_text(self._session.study, name)
        return self._stored

    def add(self, text: str, name: str) -> str:
        """Keep a new family under a free name; return the name.

        Raises:
            UserError: The study cannot be written.
        """
        study = self._session.study
        taken = {*own_families.family_texts(study), *library.names()}
        # Built-in names count as taken: a set says by name what it was made from.
        free = free_name(name, taken)
        own_families.save_family(study, free, with_value(text, "name", free))
        return free

    def around(self, scene: Scene) -> tuple[str, str]:
        """Return the text of a family around a scene, and a name for it."""
        # A family's name may hold no other sign (`families.reading`).
        plain = "".join(c if c.isalnum() or c in "-_." else "-" for c in scene.name)
        name = f"like-{plain.strip('-.') or 'scene'}"[:50]
        return family_around(scene, truth_of(scene), name), name

    def forget(self, name: str) -> None:
        """Take a family out of the study.

        Raises:
            UserError: The study cannot be written.
        """
        # Or the timer would bring it back a moment later.
        self._rest.stop()
        self._draft.editable = False
        own_families.forget_family(self._session.study, name)

    @property
    def unkept(self) -> tuple[str, str] | None:
        """Name and text of a draft that is no family, so that it cannot be kept."""
        draft = self._draft
        if not draft.editable or draft.error is None or draft.text == self._stored:
            return None
        return draft.name, draft.text

    def let_go(self) -> None:
        """Keep nothing more of the draft: its study is closed."""
        self._rest.stop()
        self._draft.editable = False

    def save_now(self) -> None:
        """Store what is a family and not stored yet."""
        self._rest.stop()
        # What was typed last may not have been read yet.
        self._draft.read()
        family, text = self._draft.family, self._draft.text
        if not self._draft.editable or family is None or text == self._stored:
            return
        try:
            self._save(family.name, text)
        except UserError as error:
            self.refused.emit(error)

    def _save(self, name: str, text: str) -> None:
        study, old = self._session.study, self._draft.name
        # Saving would silently replace the other one.
        if name != old and name in own_families.family_texts(study):
            raise UserError(
                "the study holds another family of this name",
                where=name,
                todo="Choose another name; until then this one is not kept",
            )
        # Renaming is two writes; a kill between them would leave the family twice.
        with study.write():
            own_families.save_family(study, name, text)
            if name != old:
                own_families.forget_family(study, old)
        self._stored, self._draft.name = text, name
        self.kept.emit()
        if name != old:
            self.renamed.emit(name)

    def _changed(self) -> None:
        if self._draft.editable and self._draft.text != self._stored:
            self._rest.start()
