"""What the director sees in the open scene, worked out off the GUI thread."""

from concurrent.futures import Future, ThreadPoolExecutor

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from director_gui.geometry.truth import truth_of
from director_gui.scene.model import Scene

_REST_MS = 200  # a scene that is being dragged is not worked out at each step


class SceneFacts(QObject):
    """Follows a scene; only the newest answer is told."""

    found = Signal(object, object)  # Scene, tuple[int, ...]: what the director sees
    _done = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="prompts")
        self._wanted: Scene | None = None
        self._closed = False
        self._rest = QTimer(self, interval=_REST_MS, singleShot=True)
        self._rest.timeout.connect(self._start)
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def ask(self, scene: Scene, *, at_once: bool = False) -> None:
        """Have `found` tell about `scene` once it rests."""
        # Coming back to the workspace asks again about the same scene.
        if scene == self._wanted:
            return
        self._wanted = scene
        if at_once:
            self._start()
        else:
            self._rest.start()

    def close(self) -> None:
        """End the thread; nothing is told any more."""
        self._closed = True
        self._rest.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _start(self) -> None:
        scene = self._wanted
        if scene is None or self._closed:
            return
        future = self._pool.submit(_director_sees, scene)

        def done(ended: Future[tuple[int, ...]]) -> None:
            # Called in the worker's thread: a signal is the way back.
            if not self._closed and not ended.cancelled():
                self._done.emit(scene, ended.result())

        future.add_done_callback(done)

    def _tell(self, scene: Scene, sees: tuple[int, ...]) -> None:
        # An older scene may be ready only after a newer one was asked for.
        if scene == self._wanted:
            self.found.emit(scene, sees)


def _director_sees(scene: Scene) -> tuple[int, ...]:
    return truth_of(scene).sees["director"]
