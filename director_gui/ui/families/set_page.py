"""One set of the study: gallery, tallies, balance, sampling, files."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.ui import theme
from director_gui.ui.families.acts import SetShown
from director_gui.ui.families.balance_page import BalancePage
from director_gui.ui.families.files_page import FilesPage
from director_gui.ui.families.gallery import Gallery
from director_gui.ui.families.listing import SetRow
from director_gui.ui.families.readable import readable
from director_gui.ui.families.sampling import Sampling
from director_gui.ui.families.sampling_view import SamplingView
from director_gui.ui.families.tallies_page import TalliesPage
from director_gui.ui.widgets import EmptyState, button, label

_SAMPLING = 3  # the place of its tab
_NOTHING = "No scene of this set is made yet."


class SetPage(QWidget):
    """Shows a set; the workspace reads and writes the study."""

    resume_wanted = Signal()
    family_wanted = Signal()

    def __init__(
        self,
        sampling: Sampling,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._sampling = sampling
        self.row: SetRow | None = None
        self.title, self.state = label("", "title"), label("", "caption")
        self.resume = button("Resume", self.resume_wanted.emit, primary=True)
        self.family = button("Show its family", self.family_wanted.emit)
        self.gallery = Gallery(refuse)
        self.tallies = TalliesPage()
        self.balance = BalancePage()
        self.sampling = SamplingView(sampling)
        self.files = FilesPage()
        self.nothing = EmptyState(_NOTHING, ("Resume", self.resume_wanted.emit))
        self.tabs = QTabWidget()
        self._lay_out()
        sampling.started.connect(self._enable)
        sampling.ended.connect(self._enable)
        self.gallery.marks_changed.connect(self._marks_changed)

    def show_row(self, row: SetRow) -> None:
        """Show what is known of a set before its cards are read."""
        if self.row is None or self.row.item.id != row.item.id:
            self.balance.clear()
        self.row = row
        self.title.setText(row.item.name)
        self._say_state()
        self.family.setVisible(bool(row.item.family))
        self._enable()

    def show_cards(self, study: Study, found: SetShown) -> None:
        """Show the cards that were read, in every tab."""
        item = found.row.item
        self.gallery.show_set(study, item, found.cards)
        self.tallies.show_set(item, found.cards, found.others)
        self._say_state()
        self.sampling.follow(item.name, found.rejected)
        # While its first scene is being made the tab beside shows how far it is.
        empty = not found.cards and not self._sampling.busy
        self.tabs.setVisible(not empty)
        self.nothing.setVisible(empty)

    def show_sampling(self) -> None:
        """Show how the set in the making is doing."""
        self.nothing.hide()
        self.tabs.show()
        self.tabs.setCurrentIndex(_SAMPLING)

    def forget(self) -> None:
        """Show nothing of a study that was closed."""
        self.row = None
        self.gallery.forget()
        self.files.clear()

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        for page in (self.gallery, self.tallies, self.balance):
            page.retheme()

    def _marks_changed(self) -> None:
        if self.row is not None and self.gallery.cards:
            # Dropped scenes leave the tallies, and a balance found before is out of
            # date.
            self.tallies.show_cards(self.gallery.cards)
            self.balance.clear()
            self._say_state()

    def _say_state(self) -> None:
        """Say how many scenes there are, and how many of them no model is shown."""
        if self.row is None:
            return
        item = self.row.item
        # Only of this set: right after a change the cards of the old one still stand.
        gone = sum(card.dropped for card in self.gallery.cards_of(item.id))
        parts = [self.row.state, f"{gone:,} dropped" if gone else ""]
        parts += [f"seed {item.seed}", f"made {item.created[:10]}"]
        self.state.setText(" · ".join(filter(None, parts)))

    def _enable(self) -> None:
        partial = self.row is not None and self.row.partial
        # An imported set has no family to go on from.
        self.resume.setVisible(partial and bool(self.row and self.row.item.family))
        self.resume.setEnabled(not self._sampling.busy)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(theme.S4, theme.S2, theme.S3, theme.S2)
        head.setSpacing(theme.S2)
        head.addWidget(self.title)
        head.addWidget(self.state)
        head.addStretch()
        head.addWidget(self.family)
        head.addWidget(self.resume)
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        sampling = QScrollArea()
        readable(sampling).addWidget(self.sampling)
        for page, name in (
            (self.gallery, "Gallery"),
            (self.tallies, "Tallies"),
            (self.balance, "Balance"),
            (sampling, "Sampling"),
            (self.files, "Verify and export"),
        ):
            self.tabs.addTab(page, name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tabs, 1)
        column.addWidget(self.nothing, 1)
