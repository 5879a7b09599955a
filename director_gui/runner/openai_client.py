"""The client for real servers: the `openai` library, raw responses, no retries.

Retries are the engine's, so that every attempt is stored.
"""

import asyncio
import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from director_gui.ids import Json
from director_gui.runner.client import RawReply, TransportError
from director_gui.runner.keys import Keys, redact
from director_gui.runner.profiles import Profile
from director_gui.runner.wire import PATHS, encoded

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class OpenAIClient:
    """Implements `runner.client.Client`; use it in one event loop."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._clients: dict[tuple[str, str | None], AsyncOpenAI] = {}

    async def send(self, profile: Profile, body: Json) -> RawReply:
        """Send one request body; see `Client.send`."""
        import httpx2  # noqa: PLC0415 - the SDK is loaded when the first call is sent
        import openai

        key = self._keys.resolve(profile)
        client = self._client(profile, key)
        # The very bytes that were hashed are sent, not the library's writing of them.
        data = encoded(body)
        try:
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

    def _client(self, profile: Profile, key: str | None) -> "AsyncOpenAI":
        import openai

        for library in ("openai", "httpx2", "httpcore2"):
            # Their debug lines quote headers, where a server may repeat the key.
            logging.getLogger(library).setLevel(logging.WARNING)
        name = (profile.base_url, key)
        if name not in self._clients:
            # A proxy set for the internet must not see calls to this machine.
            local = urlsplit(profile.base_url).hostname in _LOOPBACK
            self._clients[name] = openai.AsyncOpenAI(
                api_key=key or "none",  # None would pick up OPENAI_API_KEY
                base_url=profile.base_url,
                max_retries=0,
                timeout=None,  # ours is a wall clock, also against a trickle
                http_client=openai.DefaultAsyncHttpx2Client(
                    base_url=profile.base_url, timeout=None, trust_env=not local
                ),
            )
        return self._clients[name]

    async def close(self) -> None:
        """Close all connections."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()


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
