"""Keeps what is known of the open scene fresh: quickly while it moves, fully at rest.

A glance at most every 100 ms gives a coarse truth. After 150 ms without a change the
preview process draws both pictures and asks both witnesses; only its answer to the
scene that is open now is shown.
"""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures.process import BrokenProcessPool

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from director_gui.errors import UserError
from director_gui.render.still import Size
from director_gui.scene.model import Scene, ViewName
from director_gui.study.preview import Glance, Preview, Studied
from director_gui.ui.document import Document

READOUT_MS, REST_MS = 100, 150


class Studio(QObject):
    """Tells what is true of the document's scene."""

    glanced = Signal(object)  # Glance: coarse, while moving
    studied = Signal(object)  # Studied: both witnesses, at rest
    failed = Signal(object)  # UserError
    _arrived = Signal(object)  # Future[Studied], from the executor's thread
    _looked = Signal(object)  # Future[Glance], likewise

    def __init__(
        self,
        document: Document,
        sizes: Callable[[], dict[ViewName, Size]],
        preview: Preview,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._sizes = sizes
        self._preview = preview
        self._running: Future[Studied] | None = None
        self._again = False
        self._glancing: Future[Glance] | None = None
        self._readout = QTimer(self, singleShot=True)
        self._readout.timeout.connect(self._glance)
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._study)
        self._arrived.connect(self._done, Qt.ConnectionType.QueuedConnection)
        self._looked.connect(self._glanced, Qt.ConnectionType.QueuedConnection)
        document.scene_changed.connect(self._changed)

    @property
    def settled(self) -> bool:
        """Whether nothing is being computed or about to be."""
        idle = self._running is None and self._glancing is None and not self._again
        return idle and not (self._rest.isActive() or self._readout.isActive())

    def refresh(self) -> None:
        """Study the scene anew, with a quick look at once."""
        self._readout.start(0)
        self._rest.start()

    def close(self) -> None:
        """End the preview process."""
        self._readout.stop()
        self._rest.stop()
        self._running = self._glancing = None
        self._preview.close()

    def _changed(self, scene: Scene) -> None:
        del scene
        if not self._readout.isActive():
            self._readout.start(READOUT_MS)
        self._rest.start()

    def _glance(self) -> None:
        if self._glancing is None:
            self._glancing = self._preview.glance(self._document.scene)
            self._glancing.add_done_callback(self._looked.emit)

    def _glanced(self, future: "Future[Glance]") -> None:
        if future is not self._glancing:
            return
        self._glancing = None
        try:
            glance = future.result()
        except (BrokenProcessPool, CancelledError):
            return  # the full study at rest says what is wrong
        same = glance.scene == self._document.scene
        if same and self._running is None and not self._rest.isActive():
            return  # the full study of this very scene is shown already
        if glance.scene.digits == self._document.scene.digits:
            self.glanced.emit(glance)
        if not same and not self._readout.isActive():
            self._readout.start(READOUT_MS)

    def _study(self) -> None:
        if self._running is not None:
            self._again = True
            return
        self._again = False
        self._running = self._preview.study(self._document.scene, self._sizes())
        self._running.add_done_callback(self._arrived.emit)

    def _done(self, future: "Future[Studied]") -> None:
        if future is not self._running:
            return
        self._running = None
        try:
            studied = future.result()
        except UserError as error:
            self.failed.emit(error)
        except (BrokenProcessPool, CancelledError):
            what = "drawing the pictures ended unexpectedly"
            todo = "Change the scene to try again; nothing is lost"
            self.failed.emit(UserError(what, todo=todo))
        else:
            self._show(studied)
        if self._again:
            self._study()

    def _show(self, studied: Studied) -> None:
        if studied.scene == self._document.scene:
            self.studied.emit(studied)
        else:
            self._rest.start()
