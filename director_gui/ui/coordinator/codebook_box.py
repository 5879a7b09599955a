"""Which codebook, and which version of it, a packet is made with."""

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QWidget

from coding.codebook import Codebook
from director_gui.study.blind.codebooks import KeptBook
from director_gui.study.blind.sealing import default_codebook
from director_gui.ui.coordinator.codebook_words import version_words


class BookBox(QComboBox):
    """Lists the versions; the program's codebook is chosen until another one is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._books: dict[str, Codebook] = {}
        self.setAccessibleName("Codebook")
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )

    @property
    def book(self) -> Codebook:
        """The codebook that is chosen."""
        return self._books.get(self.currentData()) or default_codebook()

    def show_books(self, known: Sequence[KeptBook]) -> None:
        """List versions; the one that was chosen stays chosen."""
        chosen = self.currentData()
        shipped = next((one.book.name for one in known if one.shipped), "")
        # Edited versions of the program's codebook come before what is rarer.
        listed = sorted(known, key=lambda one: one.book.name != shipped)
        self._books = {one.book.hash: one.book for one in listed}
        self.blockSignals(True)
        self.clear()
        for one in listed:
            self.addItem(version_words(one), one.book.hash)
        self.setCurrentIndex(max(0, self.findData(chosen)))
        self.blockSignals(False)
