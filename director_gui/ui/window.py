"""The main window: rail, header, the workspaces, footer."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QKeySequence,
    QStatusTipEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store.runs import runs
from director_gui.study.preview import Preview, PreviewRenderer
from director_gui.ui import recovery, theme
from director_gui.ui.document import Document
from director_gui.ui.files import SceneFiles
from director_gui.ui.footer import Footer
from director_gui.ui.icons import icon
from director_gui.ui.jobs import Jobs
from director_gui.ui.leaving import Leaving
from director_gui.ui.places import ask_open, ask_save
from director_gui.ui.probe.drawer import ProbeDrawer
from director_gui.ui.rail import Rail
from director_gui.ui.recovery import Recovered, Recovery
from director_gui.ui.scenes.workspace import ScenesWorkspace
from director_gui.ui.session import Session
from director_gui.ui.settings import Settings
from director_gui.ui.widgets import Banner, action, label

_HEADER = 40  # px
_RETRY_MS, _TRIES = 100, 20  # a short job is waited for
_MOST_LISTED = 40  # scenes in a menu; more belong into a gallery
STUDIES = "Studies (*.study);;All files (*)"
_THEMES = (
    ("Light", "light"),
    ("Dark", "dark"),
    ("High contrast", "contrast"),
    ("System", "system"),
)
_SIZES = (0.9, 1.0, 1.15, 1.3, 1.5, 2.0)

_RAIL = (
    ("Scenes", "cube-outline"),
    ("Sets", "view-grid-outline"),
    ("Prompts", "text-box-outline"),
    ("Run", "play-circle-outline"),
    ("Coding", "tag-multiple-outline"),
    ("Results", "chart-box-outline"),
)
# word -> module, class, and what it is given
_LATER = {
    "Sets": (
        "families.workspace",
        "SetsWorkspace",
        ("document", "session", "jobs", "refuse"),
    ),
    "Prompts": (
        "prompts.workspace",
        "PromptsWorkspace",
        ("document", "session", "refuse"),
    ),
    "Run": ("run.workspace", "RunWorkspace", ("session", "jobs", "refuse")),
    "Coding": (
        "coordinator.workspace",
        "CodingWorkspace",
        ("session", "jobs", "refuse"),
    ),
    "Results": ("results.workspace", "ResultsWorkspace", ("session", "jobs", "refuse")),
}


class Workspace(Protocol):
    """What the window asks of every workspace."""

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""

    def close_views(self) -> None:
        """Free windows, threads and processes, and keep the layout."""


class MainWindow(QMainWindow):
    """One window, one scene, one study."""

    def __init__(self, settings: Settings, preview: Preview) -> None:
        super().__init__()
        self.settings = settings
        self.jobs = Jobs(self)
        self.document = Document(example_scene(), self)
        self.session = Session(self, apart=True)
        self.session.draws = PreviewRenderer(preview)
        self.files = SceneFiles(
            self.document, settings, self.session, self, self.tell_error
        )
        self.recovery = Recovery(self.document, self)
        self._discarded: list[Recovered] = []
        self.banner = Banner()
        self.leaving = Leaving(self, self.session, self.banner)
        self.footer = Footer()
        self.rail = Rail()
        self.probe = ProbeDrawer(
            self.document, self.session, self.jobs, self.tell_error
        )
        self.scenes = ScenesWorkspace(self.document, settings, preview, self.probe)
        self._built: dict[str, Workspace] = {"Scenes": self.scenes}
        self._outdated: set[str] = set()  # workspaces that show an older theme
        self._stack = QStackedWidget()
        self._study_name = label("")
        self._name = label("", "strong")
        self._saved = label("")
        self._practice = label("practice")
        self._lay_out()
        self._connect()
        self._show_file()
        self._show_study()
        self._offer_recovered(recovery.left_behind())

    def tell_error(self, error: UserError) -> None:
        """Show an error at the foot, until another file or study is open."""
        until = (self.document.file_changed, self.session.study_changed)
        self.banner.tell_error(error, until=until)

    def show_workspace(self, at: int) -> None:
        """Show workspace `at` in the rail's order."""
        word = self.workspace_names()[at]
        self.workspace(word)
        self._take_theme(word)
        self._stack.setCurrentIndex(at)
        self.rail.choose(at)
        shown = self._stack.widget(at)
        self.footer.line.turn_to(shown, str(getattr(shown, "HINT", "")))

    def workspace_names(self) -> tuple[str, ...]:
        """Return the workspaces' words in the rail's order."""
        return tuple(word for word, _ in _RAIL)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.StatusTip and isinstance(event, QStatusTipEvent):
            # Menus send empty ones; there is nothing to say then.
            if event.tip():
                self.footer.line.say(event.tip())
            return True
        return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not (self.leaving.may_close() and self.files.may_leave()):
            event.ignore()
            return
        for workspace in self._built.values():
            workspace.close_views()
        self.jobs.close()
        self.session.close()
        self.recovery.close()
        for work in self._discarded:
            recovery.forget(work)
        self.settings.set_layout("window", self.saveGeometry())
        super().closeEvent(event)

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.setWindowTitle("director-gui")
        self.setMinimumSize(1024, 680)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self._header(), self._stack, self.footer):
            column.addWidget(widget, 1 if widget is self._stack else 0)
        whole = QWidget()
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(right, 1)
        self.setCentralWidget(whole)
        for word, icon_name in _RAIL:
            self.rail.add(word, icon_name)
            self._stack.addWidget(self.scenes if word == "Scenes" else QWidget())
        self.rail.add_foot("Settings", "cog-outline", self._open_settings)
        self.footer.line.host(self.banner)
        self._host_banners(self.scenes)
        action(self, "Go to the message", self._to_message, shortcut="F6")
        self.resize(1280, 800)
        self.restoreGeometry(self.settings.layout("window"))
        self.show_workspace(0)
        self.scenes.edit_view.setFocus()

    def workspace(self, word: str) -> Any:  # noqa: ANN401 - each has a type of its own
        """Return a workspace by its word on the rail, made when first asked for.

        All of them at once would double the time from start to a usable window.
        """
        if word not in self._built:
            module, name, parts = _LATER[word]
            make = getattr(import_module(f"director_gui.ui.{module}"), name)
            given = {
                "document": self.document,
                "session": self.session,
                "jobs": self.jobs,
                "refuse": self.tell_error,
            }
            made = self._built[word] = make(*(given[part] for part in parts))
            self._put(word, made)
        return self._built[word]

    def _put(self, word: str, made: Any) -> None:  # noqa: ANN401 - see `workspace`
        at = self.workspace_names().index(word)
        empty = self._stack.widget(at)
        self._stack.insertWidget(at, made)
        if empty is not None:
            self._stack.removeWidget(empty)
            empty.deleteLater()
        self._host_banners(made)
        if hasattr(made, "show_scene"):
            made.show_scene.connect(self._edit_scene)
        if hasattr(made, "probe_wanted"):
            made.probe_wanted.connect(self._begin_probe)

    def _host_banners(self, workspace: Any) -> None:  # noqa: ANN401 - see `workspace`
        for banner in getattr(workspace, "banners", (workspace.banner,)):
            self.footer.line.host(banner, workspace)

    def _to_message(self) -> None:
        if self.footer.line.banner is not None:
            self.footer.line.banner.take_focus()

    def _header(self) -> QWidget:
        header = self._header_bar = QFrame()
        header.setObjectName("header")
        header.setFixedHeight(theme.px(_HEADER))
        row = QHBoxLayout(header)
        row.setContentsMargins(theme.S2, 0, theme.S4, 0)
        self._menu_button = QToolButton()
        self._menu_button.setProperty("flat", True)
        self._menu_button.setIcon(icon("menu"))
        self._menu_button.setToolTip("Scene menu (Alt+M)")
        self._menu_button.setAccessibleName("Scene menu")
        self._menu_button.setShortcut("Alt+M")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu_button.setMenu(self._scene_menu())
        self._study_name.setObjectName("studyName")
        self._saved.setObjectName("saveState")
        self._practice.setObjectName("practiceBadge")
        self._practice.setToolTip("This study holds replies of the practice reader")
        self._practice.hide()
        between = label("›", "caption")
        for widget in (self._menu_button, self._study_name, between, self._name):
            row.addWidget(widget)
        row.addWidget(self._saved)
        row.addStretch()
        row.addWidget(self._practice)
        return header

    def _scene_menu(self) -> QMenu:
        menu = QMenu(self)
        keys = QKeySequence.StandardKey
        files = self.files
        self._entry(menu, "New scene", files.new, keys.New)
        self._entry(menu, "Open scene…", files.ask_open, keys.Open)
        recent = menu.addMenu("Recent scenes")
        recent.aboutToShow.connect(lambda: self._fill_recent(recent))
        menu.addSeparator()
        self._entry(menu, "Save scene", files.save, keys.Save)
        self._entry(menu, "Save scene as…", files.save_as, keys.SaveAs)
        menu.addSeparator()
        self._entry(menu, "New study…", self._new_study)
        self._entry(menu, "Open study…", self._ask_study)
        self._from_study = menu.addMenu("Scenes of this study")
        self._from_study.aboutToShow.connect(self._fill_from_study)
        menu.addSeparator()
        self._entry(menu, "Quit", self.close, keys.Quit)
        return menu

    def _entry(
        self,
        menu: QMenu,
        text: str,
        act: Callable[[], object],
        key: QKeySequence.StandardKey | None = None,
    ) -> QAction:
        entry = menu.addAction(text)
        if key is not None:
            entry.setShortcut(QKeySequence(key))
        entry.triggered.connect(lambda _checked: act())
        self.addAction(entry)
        return entry

    def _fill_recent(self, menu: QMenu) -> None:
        menu.clear()
        paths = self.settings.recent()
        for path in paths:
            entry = menu.addAction(path)
            entry.triggered.connect(
                lambda _checked, path=path: self.files.open_recent(path)
            )
        if not paths:
            menu.addAction("No scene was opened yet").setEnabled(False)

    def _edit_scene(self, scene: Scene) -> None:
        self.files.show_scene(scene)
        self.show_workspace(0)

    def _begin_probe(self) -> None:
        self.show_workspace(0)
        self.probe.open()

    # Study --------------------------------------------------------------------

    def open_study(self, path: Path) -> None:
        """Open the study at `path` on its first scene; tell when it is refused."""
        self._study_action(lambda: self._opened(path))

    def _opened(self, path: Path) -> None:
        self.session.open(path)
        document = self.document
        kept = stored.scenes(self.session.study)
        if kept and document.path is None and not document.modified:
            document.open(read_scene(kept[0].json), None)

    def _new_study(self) -> None:
        path = ask_save(self, "New study", "", STUDIES, self.session)
        if path is not None:
            self._study_action(lambda: self.session.create(path))

    def _ask_study(self) -> None:
        path = ask_open(self, "Open a study", STUDIES, self.session)
        if path is not None:
            self.open_study(path)

    def _study_action(self, act: Callable[[], None], tries: int = _TRIES) -> None:
        # A job may be reading the study that would be closed.
        if self.jobs.busy and tries:
            QTimer.singleShot(_RETRY_MS, lambda: self._study_action(act, tries - 1))
            return
        try:
            self._require_idle()
            act()
        except UserError as error:
            self.tell_error(error)

    def _require_idle(self) -> None:
        if self.jobs.busy:
            raise UserError(
                "work on the open study is still going on",
                todo="Wait for it, or cancel it at the foot of the window",
            )

    def _fill_from_study(self) -> None:
        menu = self._from_study
        menu.clear()
        try:
            listed = stored.scenes(self.session.study)
        except UserError as error:
            self.tell_error(error)
            return
        for one in listed[:_MOST_LISTED]:
            entry = menu.addAction(one.name)
            entry.triggered.connect(
                lambda _checked, data=one.json: self.files.show_scene(read_scene(data))
            )
        if not listed:
            menu.addAction("No scene is kept yet: a probe keeps its own").setEnabled(
                False
            )

    def _show_study(self) -> None:
        study = self.session.opened
        name = (study.meta("name") if study else None) or "scratch"
        locked = " (read-only)" if study is not None and study.read_only else ""
        self._study_name.setText(name + locked)
        self._show_practice()

    def _show_practice(self) -> None:
        study = self.session.opened
        practice = study is not None and any(run.practice for run in runs(study))
        self._practice.setVisible(practice)

    def _open_settings(self) -> None:
        menu = QMenu(self)
        menu.addSection("Theme")
        self._choices(
            menu,
            list(_THEMES),
            self.settings.theme,
            self._set_theme,
        )
        menu.addSection("Text size")
        self._choices(
            menu,
            [(f"{round(100 * size)} %", size) for size in _SIZES],
            self.settings.text_scale,
            self._set_scale,
        )
        menu.popup(self.rail.mapToGlobal(self.rail.rect().bottomRight()))

    def _choices(
        self,
        menu: QMenu,
        entries: list[tuple[str, str]] | list[tuple[str, float]],
        now: object,
        choose: Callable[[object], None],
    ) -> None:
        group = QActionGroup(menu)
        for text, value in entries:
            entry = menu.addAction(text)
            entry.setCheckable(True)
            entry.setChecked(value == now)
            group.addAction(entry)
            entry.triggered.connect(lambda _checked, value=value: choose(value))

    def _set_theme(self, mode: object) -> None:
        if mode in ("light", "dark", "contrast", "system"):
            self.settings.theme = mode
            self.retheme()

    def _set_scale(self, scale: object) -> None:
        self.settings.text_scale = float(str(scale))
        self.retheme()

    def retheme(self) -> None:
        """Show the theme and the text size that the settings hold."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, self.settings.theme, self.settings.text_scale)
        self._menu_button.setIcon(icon("menu"))
        self.rail.retheme()
        self.footer.retheme()
        self._header_bar.setFixedHeight(theme.px(_HEADER))
        # What nobody looks at waits, so that the change is seen at once.
        self._outdated = set(self._built)
        self._take_theme(self.workspace_names()[self._stack.currentIndex()])

    def _take_theme(self, word: str) -> None:
        if word in self._outdated:
            self._outdated.remove(word)
            self._built[word].retheme()

    # State --------------------------------------------------------------------

    def _connect(self) -> None:
        self.rail.chosen.connect(self.show_workspace)
        self.jobs.job_started.connect(self.footer.show_job)
        self.document.file_changed.connect(self._show_file)
        self.document.scene_changed.connect(self._show_file)
        self.recovery.failed.connect(self._recovery_failed)
        self.session.study_changed.connect(self._show_study)
        self.session.run_ended.connect(lambda _run, _end: self._show_practice())
        self.probe.show_scene.connect(self.files.show_scene)

    def _show_file(self) -> None:
        document = self.document
        name = document.path.name if document.path else document.scene.name
        self._name.setText(name)
        if document.modified:
            state = "· edited, a copy is kept"
        else:
            state = "· saved" if document.path else "· not saved yet"
        self._saved.setText(state)

    def _recovery_failed(self, reason: str) -> None:
        what = f"the recovery copy could not be written ({reason})"
        error = UserError(what, todo="Save the scene to another disk")
        self.banner.tell_error(error, until=(self.recovery.stored,))

    def _offer_recovered(self, found: list[Recovered]) -> None:
        if not found:
            return
        work = found[0]
        name = work.path.name if work.path else work.scene.name
        self.banner.tell(
            f"director-gui ended before “{name}” was saved. Its last state is kept.",
            ("Open it", lambda: self._recover(work)),
            ("Discard it", lambda: self._discard(work)),
            ("Dismiss", lambda: None),
            until=(self.document.replaced,),
        )

    def _discard(self, work: Recovered) -> None:
        """Forget a copy when the program ends; until then it can be had back."""
        self._discarded.append(work)
        self.banner.tell(
            "The kept state goes when you quit.",
            ("Open it after all", lambda: self._recover(work)),
            until=(self.document.replaced,),
        )

    def _recover(self, work: Recovered) -> None:
        if work in self._discarded:
            self._discarded.remove(work)
        self.document.open(work.scene, work.path, saved=False)
        # The copy goes only once this program keeps one of its own.
        self.recovery.stored.connect(lambda: recovery.forget(work))
