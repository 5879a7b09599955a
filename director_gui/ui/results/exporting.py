"""The export menu: the table, the figure, a report, the whole supplement."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu, QPushButton

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.study.export import figures, tables
from director_gui.study.export.supplement import export_supplement
from director_gui.study.results.sheet import Sheet
from director_gui.study.results.view import Found
from director_gui.ui.jobs import Jobs, Progress
from director_gui.ui.places import ask_save
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner

TABLES = (
    "CSV (*.csv);;Markdown (*.md);;LaTeX, booktabs (*.tex);;Excel workbook (*.xlsx)"
)
FIGURES = "PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"
PAGES = "HTML page (*.html)"


class ExportButton(QPushButton):
    """Asks where to, and writes off the GUI thread."""

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        banner: Banner,
        sheets: Callable[[], list[Sheet]],
    ) -> None:
        super().__init__()
        self._session = session
        self._jobs, self._banner, self._sheets = jobs, banner, sheets
        self._study: Study | None = None
        self._found: Found | None = None
        self.setText("Export")
        self.setProperty("primary", True)
        self.setToolTip("Export tables, figures, a report or the supplement")
        self.setAccessibleName("Export")
        menu = QMenu(self)
        # Filled when it opens: what is on the screen then is what is meant.
        menu.aboutToShow.connect(self.fill)
        self.setMenu(menu)

    def offer(self, study: Study, found: Found) -> None:
        """Export from now on what was found in a study."""
        # Both together: a study that was opened since must not get this one's name.
        self._study, self._found = study, found

    def fill(self) -> None:
        """Offer what is on the screen now, and what covers all of it."""
        menu = self.menu()
        menu.clear()
        for sheet in self._sheets():
            self._add(f"{sheet.title}: table…", partial(self._ask_table, sheet))
            if figures.has_figure(sheet):
                self._add(f"{sheet.title}: figure…", partial(self._ask_figure, sheet))
        menu.addSeparator()
        self._add("All tables as a workbook…", self._ask_book)
        self._add("HTML report…", self._ask_report)
        self._add("Supplement…", self._ask_supplement)

    def _add(self, text: str, act: Callable[[], None]) -> None:
        # An ampersand in a title would be taken for a shortcut.
        entry = self.menu().addAction(text.replace("&", "&&"))
        entry.triggered.connect(lambda _checked: act())

    # What is asked ----------------------------------------------------------------

    def _ask_table(self, sheet: Sheet) -> None:
        path = self._asked("Export the table", f"{sheet.name}.csv", TABLES)
        if path:
            self._write("the table", path, lambda _: tables.write_table(sheet, path))

    def _ask_book(self) -> None:
        found = self._found
        if found is None:
            return
        path = self._asked("Export all tables", "results.xlsx", "Workbook (*.xlsx)")
        if path:
            every = list(found.sheets.values())
            self._write("the workbook", path, lambda _: _put(path, tables.xlsx(every)))

    def _ask_figure(self, sheet: Sheet) -> None:
        foot = self._found.caveat if self._found else ""
        path = self._asked("Export the figure", f"{sheet.name}.pdf", FIGURES)
        if path:
            self._write(
                "the figure",
                path,
                lambda _: figures.write_figure(sheet, path, foot),
            )

    def _ask_report(self) -> None:
        study, found = self._study, self._found
        if study is None or found is None:
            return
        path = self._asked("Export a report", "report.html", PAGES)
        if path:
            run = found.run.id
            self._write("the report", path, lambda _: _report(study, run, path))

    def _ask_supplement(self) -> None:
        study = self._study
        if study is None:
            return
        path = self._asked("Export the supplement", "supplement.zip", "Zip (*.zip)")
        if path:
            self._write(
                "the supplement",
                path,
                lambda progress: export_supplement(study, path, progress.report),
            )

    def _write(self, what: str, path: Path, work: Callable[[Progress], object]) -> None:
        self._jobs.start(
            f"Exporting {what}",
            work,
            lambda _: self._banner.tell(f"Exported {what}: {path}"),
            self._banner.tell_error,
        )

    def _asked(self, title: str, name: str, kinds: str) -> Path | None:
        return ask_save(self, title, name, kinds, self._session)


def _put(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        what = f"the file cannot be written ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error


def _report(study: Study, run: str, path: Path) -> None:
    # It brings VTK's pictures, figures and the coding along: only when asked for.
    from director_gui.study.report.facts import facts_of  # noqa: PLC0415
    from director_gui.study.report.page import page  # noqa: PLC0415

    try:
        facts = facts_of(study, run)
    # Probes store fewer settings than plans, and a report names them all.
    except KeyError as error:
        raise UserError(
            "this run was made without the facts that a report needs",
            where=str(error),
            todo="Export the supplement, which needs none",
        ) from error
    _put(path, page(facts).encode())
