"""The gallery of a set with 10,000 scenes, beside a bare list of the same pictures.

Frame: one wheel step with all that it brings about, until the list is painted. The
peer is a QListView that paints one pixmap pair of the same size and nothing else.
Every scene has rows of its own and shows one stored picture, which each card decodes
anew; with a study's path its first set is shown instead, as it is.
Run: python benchmarks/bench_gallery.py [SCENES or STUDY]
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import (
    QEventLoop,
    QPoint,
    QPointF,
    QSize,
    QStringListModel,
    Qt,
    QTimer,
)
from PySide6.QtGui import QPainter, QPixmap, QWheelEvent
from PySide6.QtWidgets import QApplication, QListView, QStyledItemDelegate

from director_gui.render import backend
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import StillRenderer
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS
from director_gui.scene.serialize import canonical_bytes
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study, open_study
from director_gui.study.checking import check_scene, to_json
from director_gui.study.gallery import SORTS, cards_of
from director_gui.study.stimulus_work import picture_of
from director_gui.ui import theme
from director_gui.ui.families.gallery import Gallery

SCENES, FRAMES = 10_000, 400
SIZE = (1640, 940)  # px: what a window of 1920 x 1080 leaves


def fill(study: Study, count: int) -> rows.StoredSet:
    """Keep a set whose scenes differ in name alone and share one picture a view."""
    scene = example_scene()
    with DepthWindow() as window:
        facts = to_json(check_scene(scene, lambda data: depth_fractions(data, window)))
    with StillRenderer() as renderer:
        pictures = {view: picture_of(renderer, scene, view) for view in VIEWS}
    item = rows.add_set(study, "bench", name="bench", family="", count=count, seed=0)
    with study.write():
        images = {
            view: stored.add_image(
                study,
                picture.png,
                pixels_sha256=picture.pixels_sha256,
                renderer=picture.renderer,
                view=view,
                width=picture.width,
                height=picture.height,
            )
            for view, picture in pictures.items()
        }
        for at in range(count):
            one = replace(scene, name=f"bench-{at + 1:05}")
            found = stored.add_scene(study, one.name, canonical_bytes(one))
            for view, image in images.items():
                stored.add_stimulus(study, found, view, image)
            rows.add_set_scene(
                study, rows.SetScene("bench", at, found, None, at, {}, facts)
            )
    return item


class Bare(QStyledItemDelegate):
    """Paints one pixmap pair."""

    def __init__(self, size: QSize) -> None:
        super().__init__()
        self._size = size
        self._picture = QPixmap(size.width() // 2 - 8, size.height() - 40)
        self._picture.fill(Qt.GlobalColor.darkCyan)

    def sizeHint(self, option: object, index: object) -> QSize:  # noqa: N802 - Qt's
        """Return the size of every card."""
        del option, index
        return self._size

    def paint(self, painter: QPainter, option: object, index: object) -> None:
        """Paint the pair."""
        del index
        rect = option.rect  # type: ignore[attr-defined] # a QStyleOptionViewItem
        painter.drawPixmap(rect.topLeft(), self._picture)
        painter.drawPixmap(rect.topLeft() + QPoint(rect.width() // 2, 0), self._picture)


def bare_list(count: int, size: QSize) -> tuple[QListView, Bare]:
    """Return a list of as many cards of the same size."""
    view = QListView()
    view.setModel(QStringListModel([str(i) for i in range(count)], view))
    view.setFlow(QListView.Flow.LeftToRight)
    view.setWrapping(True)
    view.setUniformItemSizes(True)
    view.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
    delegate = Bare(size)
    view.setItemDelegate(delegate)
    return view, delegate


def scroll(
    app: QApplication, view: QListView, frames: int
) -> tuple[list[float], list[float]]:
    """Return the seconds of each wheel step, painted: by the clock, and of work."""
    times, work, port = [], [], view.viewport()
    for _ in range(frames):
        event = QWheelEvent(
            QPointF(200, 200), QPointF(port.mapToGlobal(QPoint(200, 200))),
            QPoint(), QPoint(0, -360), Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003 - Qt's
        )  # fmt: skip
        begun, worked = time.perf_counter(), time.thread_time()
        QApplication.sendEvent(port, event)
        app.processEvents()
        times.append(time.perf_counter() - begun)
        work.append(time.thread_time() - worked)
        rest(0.004)  # as a hand does, which lets the decoding thread work
    return times, work


def rest(seconds: float) -> None:
    """Let events and threads run for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def in_ms(times: list[float]) -> str:
    """Return the median, the 95th percentile and the worst, in ms."""
    ordered = sorted(times)
    late = ordered[int(0.95 * len(ordered))]
    shown = [1e3 * value for value in (statistics.median(times), late, ordered[-1])]
    return "median {:.1f}, 95 % {:.1f}, worst {:.1f}".format(*shown)


def timed(what: str, act: Callable[[], object]) -> None:
    """Say how long something takes."""
    begun = time.perf_counter()
    act()
    print(f"{what:34} {1e3 * (time.perf_counter() - begun):8.0f} ms")


def resident() -> float:
    """Return the memory this process holds now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def peak() -> float:
    """Return the most memory this process held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    asked = sys.argv[1] if len(sys.argv) > 1 else str(SCENES)
    backend.prepare()
    app = QApplication([])
    theme.apply(app, "light")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as opened:
        if asked.isdigit():
            study = opened.enter_context(create_study(Path(folder) / "a.study", "a"))
            item = fill(study, int(asked))
        else:
            study = opened.enter_context(open_study(Path(asked)))
            item = rows.sets(study)[0]
        before = resident()
        begun = time.perf_counter()
        cards = cards_of(study, item)
        count = len(cards)
        print(f"{count} cards read in {time.perf_counter() - begun:.1f} s")
        gallery = Gallery(print)
        gallery.resize(*SIZE)
        gallery.show()
        timed(
            "shown", lambda: (gallery.show_set(study, item, cards), app.processEvents())
        )
        bar = gallery.filter
        timed("filtered by typing", lambda: bar.text.setText("0042"))
        timed("all again", bar.reset)
        for sort in list(SORTS)[:3]:
            timed(f"sorted by {sort}", lambda s=sort: bar.sort.setCurrentText(s))
        rest(1.0)
        ours, our_work = scroll(app, gallery.list, FRAMES)
        size = gallery.list.sizeHintForIndex(gallery.model.index(0))
        peer, _delegate = bare_list(count, size)
        peer.resize(gallery.list.size())
        peer.show()
        rest(0.3)
        bare, bare_work = scroll(app, peer, FRAMES)
        print(f"frames, the gallery: {in_ms(ours)} ms")
        print(f"  of work in this thread: {in_ms(our_work)} ms")
        print(f"frames, a bare list: {in_ms(bare)} ms")
        print(f"  of work in this thread: {in_ms(bare_work)} ms")
        print(f"memory: {before:.0f} MB before the cards, {resident():.0f} MB now")
        print(f"peak memory with the making of the set: {peak():.0f} MB")
        print(f"pictures held: {len(gallery.thumbnails)} pairs")
        gallery.close_views()


if __name__ == "__main__":
    main()
