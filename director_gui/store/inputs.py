"""What calls send, read when their turn comes, with the latest pictures at hand."""

from collections import OrderedDict

from director_gui.runner.records import Call, CallInput
from director_gui.store.database import Study
from director_gui.store.runs import turns_of
from director_gui.store.scenes import image

MOST_BYTES = 64 * 2**20  # of pictures; a run's memory must not grow with its length


class CallInputs:
    """Returns a stored call's texts and untouched picture; use it in one thread."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._pictures: OrderedDict[str, bytes] = OrderedDict()
        self._bytes = 0

    def __call__(self, call: Call) -> CallInput:
        """Return what a call sends.

        Raises:
            UserError: The study does not hold the call, or its picture is damaged.
        """
        turns = turns_of(self._study, call.id)
        return CallInput(turns, self._picture(call.image))

    def _picture(self, sha256: str) -> bytes:
        if sha256 in self._pictures:
            # Calls are shuffled, so the oldest use and not the oldest picture goes.
            self._pictures.move_to_end(sha256)
            return self._pictures[sha256]
        png = image(self._study, sha256).png
        self._pictures[sha256] = png
        self._bytes += len(png)
        # One always stays, however large: it is about to be sent.
        while self._bytes > MOST_BYTES and len(self._pictures) > 1:
            _, oldest = self._pictures.popitem(last=False)
            self._bytes -= len(oldest)
        return png
