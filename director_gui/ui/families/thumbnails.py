"""Small pictures of scenes, decoded off the GUI thread, those in sight first."""

import threading
from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage, QPixmap

from director_gui.errors import UserError
from director_gui.scene.model import VIEWS
from director_gui.store.database import Study, open_study
from director_gui.study.gallery import Pixels, pixels_of
from director_gui.ui.image_view import image_of

WIDTH, WIDEST = 192, 640  # px decoded, for one view
KEPT = 320  # pairs; about 50 MB of the usual size
_WAITING = 80  # wanted at most


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the thread hands over; no pixels where the pictures cannot be read."""

    study: Study
    scene: str
    width: int
    pixels: tuple[Pixels, Pixels] | None


class Thumbnails(QObject):
    """Pairs of pictures (model, director) by scene hash."""

    ready = Signal(str)  # scene hash
    _decoded = Signal(object)  # _Pair

    def __init__(
        self, parent: QObject | None = None, *, most: int | None = None
    ) -> None:
        super().__init__(parent)
        self._most = most  # pairs that are kept; the usual number without it
        self._study: Study | None = None
        self._kept: OrderedDict[str, tuple[QPixmap, QPixmap]] = OrderedDict()
        self._failed: set[str] = set()
        self._wanted: dict[str, int] = {}  # scene -> the look it was wanted in
        self._look = 0
        self._width = WIDTH
        self._more = threading.Condition()
        self._thread: threading.Thread | None = None
        self._decoded.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def __len__(self) -> int:
        return len(self._kept)

    def show_study(self, study: Study | None) -> None:
        """Take pictures from another study; the old one's are forgotten."""
        if study is not self._study:
            with self._more:
                self._study = study
            self._forget()

    def pair(self, scene: str) -> tuple[QPixmap, QPixmap] | None:
        """Return both pictures; None while they are decoded, `ready` follows."""
        found = self._kept.get(scene)
        if found is not None:
            self._kept.move_to_end(scene)
        elif scene not in self._failed:
            self._want(scene)
        return found

    def look_elsewhere(self) -> None:
        """Decode what is asked for from now on first: it has come into sight."""
        self._look += 1

    def fit(self, width: int) -> None:
        """Decode pictures `width` px wide from now on, so that none is scaled."""
        width = min(width, WIDEST)
        if width != self._width:
            self._width = width
            self._forget()

    def failed(self, scene: str) -> bool:
        """Tell whether a scene's pictures cannot be read."""
        return scene in self._failed

    def close(self) -> None:
        """End the thread."""
        self.show_study(None)
        thread, self._thread = self._thread, None
        with self._more:
            self._more.notify()
        if thread is not None:
            thread.join()

    def _forget(self) -> None:
        with self._more:
            self._wanted.clear()
        self._kept.clear()
        self._failed.clear()

    def _want(self, scene: str) -> None:
        with self._more:
            if scene not in self._wanted and len(self._wanted) >= _WAITING:
                del self._wanted[next(iter(self._wanted))]
            self._wanted[scene] = self._look
            self._more.notify()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._decode, name="thumbnails")
            self._thread.daemon = True
            self._thread.start()

    def _decode(self) -> None:
        me = threading.current_thread()
        reader = _Reader()
        while True:
            with self._more:
                while not self._wanted and self._thread is me:
                    self._more.wait()
                if self._thread is not me or self._study is None:
                    reader.close()
                    return
                study, scene, width = self._study, self._next(), self._width
            pixels = reader.pixels(study, scene, width)
            with self._more:
                self._wanted.pop(scene, None)
            self._decoded.emit(_Pair(study, scene, width, pixels))

    def _next(self) -> str:
        """Return what was first wanted in the latest look."""
        latest = max(self._wanted.values())
        return next(scene for scene, look in self._wanted.items() if look == latest)

    def _take(self, pair: _Pair) -> None:
        if pair.study is not self._study or pair.width != self._width:
            return
        if pair.pixels is None:
            self._failed.add(pair.scene)
        else:
            model, director = (_pixmap(image_of(p)) for p in pair.pixels)
            self._kept[pair.scene] = (model, director)
            if len(self._kept) > (self._most or KEPT):
                self._kept.popitem(last=False)
        self.ready.emit(pair.scene)


class _Reader:
    """Reads pictures through a study of its own.

    A study closes every thread's connection; one that is closed while its thread
    reads can stop both for good.
    """

    def __init__(self) -> None:
        self._of: Study | None = None
        self._own: Study | None = None

    def pixels(
        self, study: Study, scene: str, width: int
    ) -> tuple[Pixels, Pixels] | None:
        """Return both pictures, None when they cannot be read."""
        try:
            own = self._open(study)
            model, director = (pixels_of(own, scene, view, width) for view in VIEWS)
        except UserError:
            return None
        except Exception:  # noqa: BLE001 - a worker's top handler: a picture at most
            return None
        return model, director

    def close(self) -> None:
        """Close the study that was opened here."""
        if self._own is not None:
            self._own.close()
        self._own = self._of = None

    def _open(self, study: Study) -> Study:
        if self._own is None or self._of is not study:
            self.close()
            self._own, self._of = open_study(study.path, read_only=True), study
        return self._own


def _pixmap(image: QImage) -> QPixmap:
    return QPixmap.fromImage(image)
