"""The client for real servers: the `openai` library, raw responses, no retries.

Retries are the engine's, so that every attempt is stored.
"""

import asyncio
import logging
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from director_gui.ids import Json
from director_gui.runner.client import RawReply, TransportError
from director_gui.runner.keys import Keys, redact
from director_gui.runner.profiles import Profile
from director_gui.runner.wire import PATHS, encoded

if TYPE_CHECKING:
    import ssl
    from collections.abc import Iterator

    import httpx2
    from openai import AsyncOpenAI

MOST_BYTES = 32 * 2**20  # of a reply, unpacked; a megabyte is a long one
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class OpenAIClient:
    """Implements `runner.client.Client`; use it in one event loop."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        # One library client for each request in flight: a pool looks at every one of
        # its connections for each request, which costs most of the time at fifty.
        self._idle: dict[tuple[str, str | None], list[AsyncOpenAI]] = {}
        self._clients: list[AsyncOpenAI] = []

    async def send(self, profile: Profile, body: Json) -> RawReply:
        """Send one request body; see `Client.send`."""
        import httpx2  # noqa: PLC0415 - the SDK is loaded when the first call is sent
        import openai

        key = self._keys.resolve(profile)
        # The very bytes that were hashed are sent, not the library's writing of them.
        data = encoded(body)
        try:
            with self._borrowed(profile, key) as client:
                async with asyncio.timeout(profile.timeout):
                    response = await client.post(
                        PATHS[profile.wire], cast_to=httpx2.Response, content=data
                    )
        except openai.APIStatusError as error:
            response = error.response
        except (TimeoutError, openai.APITimeoutError, httpx2.TimeoutException):
            raise TransportError(
                "timeout", f"no whole reply within {profile.timeout:g} s"
            ) from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            raise TransportError("connection", _reason(error, key)) from None
        return _raw_reply(response, key, f"openai {openai.__version__}")

    @contextmanager
    def _borrowed(self, profile: Profile, key: str | None) -> "Iterator[AsyncOpenAI]":
        idle = self._idle.setdefault((profile.base_url, key), [])
        # The one used last: its connection is the least likely to have been closed.
        client = idle.pop() if idle else self._made(profile, key)
        try:
            yield client
        finally:
            idle.append(client)

    def _made(self, profile: Profile, key: str | None) -> "AsyncOpenAI":
        import openai

        for library in ("openai", "httpx2", "httpcore2"):
            # Their debug lines quote headers, where a server may repeat the key.
            logging.getLogger(library).setLevel(logging.WARNING)
        # A proxy set for the internet must not see calls to this machine.
        local = urlsplit(profile.base_url).hostname in _LOOPBACK
        client = openai.AsyncOpenAI(
            api_key=key or "none",  # None would pick up OPENAI_API_KEY
            base_url=profile.base_url,
            max_retries=0,
            timeout=None,  # ours is a wall clock, also against a trickle
            http_client=openai.DefaultAsyncHttpx2Client(
                base_url=profile.base_url,
                timeout=None,
                trust_env=not local,
                verify=self._trusted,
                event_hooks={"response": [_read_within]},
            ),
        )
        self._clients.append(client)
        return client

    @cached_property
    def _trusted(self) -> "ssl.SSLContext":
        import httpx2  # noqa: PLC0415 - as in `send`

        # Made once: each reading of the certificates takes 20 ms.
        return httpx2.create_ssl_context()

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients:
            await client.close()
        self._clients.clear()
        self._idle.clear()


async def _read_within(response: "httpx2.Response") -> None:
    """Read a reply, but no more than fits: little can be packed to be gigabytes."""
    import httpx2  # noqa: PLC0415 - as in `send`

    parts, size = [], 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > MOST_BYTES:
            raise httpx2.ReadError(f"a reply of more than {MOST_BYTES >> 20} MiB")
        parts.append(part)
    # Where the library keeps what it has read; it would read all of it else.
    response._content = b"".join(parts)  # noqa: SLF001 - it has no way to say so


def _raw_reply(response: "httpx2.Response", key: str | None, sdk: str) -> RawReply:
    # Some servers repeat the key in an error; it must not reach the study.
    headers = {
        name.lower(): redact(value.encode(), key).decode()
        for name, value in response.headers.items()
    }
    return RawReply(response.status_code, headers, redact(response.content, key), sdk)


def _reason(error: Exception, key: str | None) -> str:
    cause = error.__cause__ or error
    text = redact(str(cause).encode(), key).decode()
    return f"{type(cause).__name__}: {text}" if text else type(cause).__name__
