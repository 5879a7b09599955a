"""A file that only grows: one writer at a time, every line on disk before it counts."""

import os
import sys
from pathlib import Path
from typing import IO

from coding.errors import CodingError

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 62  # a byte nobody reads: locking real ones would stop readers

    def _lock(file: IO[bytes]) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class AppendFile:
    """An open, exclusively locked file to which whole lines are added.

    After `append` returns, the line survives a kill of the process and of the machine.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the file, and lock it.

        Raises:
            CodingError: It cannot be opened, or another window writes to it.
        """
        self.path = path
        try:
            # Unbuffered: a buffer would hold lines that the coder believes are safe.
            self.is_new = not path.exists()
            # Not "a": a torn line must be cut off before the next one is added.
            self._file: IO[bytes] = path.open("x+b" if self.is_new else "r+b", 0)
        except OSError as error:
            raise _fault(path, "cannot be opened", error) from error
        try:
            _lock(self._file)
        except OSError as error:
            # The lock goes with the process: a killed coder never locks itself out.
            self._file.close()
            raise CodingError(
                "is open in another window",
                where=str(path),
                todo="Close the other window, or go on there",
            ) from error
        # Measured under the lock: before it, another window could still write.
        self._size = self._file.seek(0, os.SEEK_END)

    def read(self, limit: int) -> bytes:
        """Return what the file holds.

        Raises:
            CodingError: It cannot be read or holds more than `limit` bytes.
        """
        if self._size > limit:
            raise CodingError(f"is larger than {limit} bytes", where=str(self.path))
        try:
            self._file.seek(0)
            parts = []
            while part := self._file.read(1 << 20):
                parts.append(part)
        except OSError as error:
            raise _fault(self.path, "cannot be read", error) from error
        return b"".join(parts)

    def truncate(self, size: int) -> None:
        """Cut the file off after `size` bytes.

        Raises:
            CodingError: The disk refuses.
        """
        try:
            self._file.truncate(size)
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _fault(self.path, "cannot be written", error) from error
        self._size = size

    def append(self, data: bytes) -> None:
        """Add `data` and wait until it is on disk.

        Raises:
            CodingError: The disk refuses; then the file is as it was before.
        """
        if self._file.closed:
            raise CodingError(
                "is closed since a fault", where=str(self.path), todo="Open it again"
            )
        try:
            # Where we know the end to be, not where the file says it is.
            self._file.seek(self._size)
            # An unbuffered write may take a part only; the rest must follow.
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._take_back()
            raise _fault(self.path, "cannot be written", error) from error
        self._size += len(data)

    def sync_folder(self) -> None:
        """Wait until the file's name is on disk, too (a new file's is not yet)."""
        if sys.platform == "win32":
            return  # Windows has no way to ask for this
        try:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise _fault(self.path, "cannot be written", error) from error

    def close(self) -> None:
        """Close the file and so give up the lock; more than once does no harm."""
        self._file.close()

    def _take_back(self) -> None:
        try:
            self._file.truncate(self._size)
        except OSError:
            # What is left is a torn line or one that was not acknowledged. No more
            # may be added behind it; the next opening sorts it out.
            self._file.close()


def _fault(path: Path, what: str, error: OSError) -> CodingError:
    return CodingError(
        f"{what} ({error.strerror})",
        where=str(path),
        todo="Check the folder, its rights and the free space",
    )
