"""The adjudicator's desk: an item is settled when what differs has a third code."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from coding.codebook import Field
from coding.packet import Packet
from coding.results import CodingSession, Progress
from coding.state import Status
from director_gui.study.blind.adjudicating import Disagreement
from director_gui.ui.coder.desk import Desk


class AdjudicateDesk(Desk):
    """A coder's desk, over the items that coders coded differently.

    Only the fields that differ are asked for: where coders agree, their code stands.
    """

    def __init__(
        self,
        packet: Packet,
        session: CodingSession,
        items: Mapping[str, Disagreement],
        parent: QObject | None = None,
    ) -> None:
        # Kept between keys: folding every item again would take longer than a frame.
        self._items, self._known = items, dict[str, Status]()
        super().__init__(packet, session, parent)
        self.changed.connect(self._forget)

    @property
    def disagreement(self) -> Disagreement:
        """What the coders said about the item that is up."""
        return self._items[self.item.id]

    @property
    def status(self) -> Status:
        """How far the item is on disk; coded when it is settled."""
        return self._status(self.item.id)

    @property
    def progress(self) -> Progress:
        """How many items are settled; nobody is hurried, so no time is told."""
        states = [self._status(item.id) for item in self.packet.items]
        coded, skipped = states.count("coded"), states.count("skipped")
        left = len(states) - coded - skipped
        return Progress(len(states), coded, skipped, left, None)

    def missing(self) -> list[Field]:
        """Return the fields that differ and have no third code yet."""
        given = self.state.values
        wanted = self.disagreement.fields
        return [f for f in self.book.fields if f.name in wanted and f.name not in given]

    def next_uncoded(self) -> None:
        """Go to the next item that is not settled."""
        if not self.retry():
            return
        open_ = self._open(self.index + 1)
        if open_ is None:
            self.hinted.emit("Every item is settled")
        else:
            self._go(open_)

    def _first(self) -> int:
        return self._open(0) or 0

    def _open(self, start: int) -> int | None:
        """Return the first place from `start` on, going round, that is not settled."""
        count = len(self.packet.items)
        for at in (place % count for place in range(start, start + count)):
            if self._status(self.packet.items[at].id) in ("open", "started"):
                return at
        return None

    def _forget(self) -> None:
        # Whatever is decided or undone, its item is up when that is told.
        self._known.pop(self.item.id, None)

    def _status(self, item: str) -> Status:
        if item not in self._known:
            self._known[item] = self._judged(item)
        return self._known[item]

    def _judged(self, item: str) -> Status:
        state = self.session.state(item)
        if state.skipped:
            return "skipped"
        # Asked of the disagreement: the codebook would require what nobody disputes.
        if self._items[item].settled(state):
            return "coded"
        return "started" if state.values or state.quotes else "open"
