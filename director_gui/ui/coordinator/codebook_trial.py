"""Try a codebook out: the coders' own window on its examples, with nothing kept."""

import tempfile
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent

from coding.codebook import Codebook
from coding.packet import Entry, Packet, seal
from coding.results import results_name
from coding.training import cards
from director_gui.study.blind.keys import mended
from director_gui.ui.coder.window import CoderWindow

_ALIAS = "trial"
_MOST = 12  # traces to try the codes on
_PLAIN = "This codebook has no examples yet. Any text will do to try its keys on."


class TrialWindow(CoderWindow):
    """Opens on the training page; its packet and its results go when it is closed."""

    def __init__(self, book: Codebook) -> None:
        """Seal a packet of the codebook's examples into a folder of its own.

        Raises:
            UserError: No packet can be made with the codebook.
        """
        self._folder = tempfile.TemporaryDirectory(prefix="codebook-trial-")
        folder = Path(self._folder.name)
        with mended():
            packet = packet_of(book)
        super().__init__(packet, folder, _ALIAS)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Not the packet's id: nobody should take this for a packet of the study.
        self.setWindowTitle(f"Trial of {book.name}, version {book.version}")
        self.begin(_ALIAS, folder / results_name(packet.id, _ALIAS))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        if event.isAccepted():
            self._folder.cleanup()


def packet_of(book: Codebook) -> Packet:
    """Return a packet of a codebook's examples, each as a trace.

    Raises:
        CodingError: No packet can be made with the codebook.
    """
    texts = list(dict.fromkeys(card.text for card in cards(book)))[:_MOST] or [_PLAIN]
    entries = [Entry(str(at), text) for at, text in enumerate(texts)]
    return seal(entries, book).packet
