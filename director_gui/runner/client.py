"""What the engine asks of a client: send one body, hand back what was served.

A client never judges a response: any HTTP status is a `RawReply`, and only a request
that got no whole response raises. `runner.reading` judges.
"""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from director_gui.ids import Json
from director_gui.runner.profiles import Profile

TransportKind = Literal["connection", "timeout"]


@dataclass(frozen=True, slots=True)
class RawReply:
    """A whole response as served.

    Attributes:
        status: The HTTP status.
        headers: Response headers, names in lower case.
        body: The bytes of the body.
        sdk: Name and version of the library that fetched it.
    """

    status: int
    headers: dict[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    sdk: str


class TransportError(Exception):
    """No whole response arrived.

    Args:
        kind: `connection` or `timeout`.
        message: What happened, in words without a key.
    """

    def __init__(self, kind: TransportKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


class Client(Protocol):
    """Sends requests to servers; belongs to one event loop."""

    async def send(self, profile: Profile, body: Json) -> RawReply:
        """Send one request body to the profile's server.

        Raises:
            TransportError: No whole response arrived.
            UserError: The key is missing.
        """

    async def close(self) -> None:
        """Release all connections."""
