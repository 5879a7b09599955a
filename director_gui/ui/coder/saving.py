"""Putting a decision on disk, also after the disk was gone for a while."""

from collections.abc import Callable

from coding.errors import CodingError
from coding.log import MAX_BYTES, parse_log
from coding.results import CodingSession

Record = Callable[[CodingSession], str | None]


class Saver:
    """A session that is opened anew after the disk failed.

    A results file must never be begun a second time: when it was moved or replaced
    while we held it, nothing more is written, and the coder is told.
    """

    def __init__(self, session: CodingSession) -> None:
        self.session = session
        self._broken = False
        self._identity = self._seen()

    def save(self, record: Record) -> str | None:
        """Record something and return what `record` does; then it is on disk.

        Raises:
            CodingError: It is refused, or the disk refuses (its cause is an OSError);
                then nothing changed.
        """
        # A file that was taken away would still take our bytes, and lose them.
        if self._broken or self._seen() != self._identity:
            self._broken = True
            if self._reopen():
                return None
        try:
            return record(self.session)
        except CodingError as error:
            self._broken = isinstance(error.__cause__, OSError)
            raise

    def _seen(self) -> tuple[int, int]:
        path = self.session.path
        try:
            found = path.stat()
        except OSError as error:
            raise CodingError(
                f"the results file cannot be reached ({error.strerror})",
                where=str(path),
                todo="Put the file or its drive back, then try again",
            ) from error
        return found.st_dev, found.st_ino

    def _reopen(self) -> bool:
        """Open the file again; True when it holds the refused decision after all."""
        seen, old = self._seen(), self.session
        old.close()
        extra = _lines_since(old)
        self.session = CodingSession(old.packet, old.path, old.header.alias)
        self._broken, self._identity = False, seen
        return extra == 1


def _lines_since(session: CodingSession) -> int:
    """Return how many lines the file on disk has after the session's last (0 or 1)."""
    path = session.path
    try:
        data = path.read_bytes() if path.stat().st_size <= MAX_BYTES else b""
    except OSError as error:
        raise CodingError(
            f"cannot be read ({error.strerror})", where=str(path)
        ) from error
    try:
        hashes = parse_log(data, session.packet, str(path)).hashes
    except CodingError:
        hashes = ()
    # A refused line can be on disk whole, when taking it back was refused as well.
    for extra in (0, 1):
        if hashes[-1 - extra : len(hashes) - extra] == (session.head,):
            return extra
    raise _replaced(session)


def _replaced(session: CodingSession) -> CodingError:
    error = CodingError(
        "the results file is not the one that was open",
        where=str(session.path),
        todo="Put the file back as it was, then try again",
    )
    # Mendable from outside like a disk fault, so the decision keeps waiting.
    error.__cause__ = OSError("replaced")
    return error
