"""A server of our own that misbehaves on demand, for tests of clients and engine.

`decide` gets each request and says what is served; everything is kept for comparison.
"""

import asyncio
import base64
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from director_gui.ids import sha256_hex


@dataclass(frozen=True)
class Request:
    number: int  # from 0, in order of arrival
    path: str
    headers: dict[str, str]
    raw: bytes

    @cached_property
    def body(self) -> dict[str, Any]:
        """The JSON of the body; read when asked for, as a busy server has no time."""
        return json.loads(self.raw)

    @property
    def text(self) -> str:
        """The text of the last user message."""
        turns = self.body.get("messages") or self.body["input"]
        return turns[-1]["content"][-1]["text"]

    @property
    def image_sha256(self) -> str:
        turns = self.body.get("messages") or self.body["input"]
        url = turns[0]["content"][0]["image_url"]
        url = url if isinstance(url, str) else url["url"]
        head, data = url.split(",", 1)
        assert head == "data:image/png;base64"
        return sha256_hex(base64.b64decode(data, validate=True))


@dataclass(frozen=True)
class Served:
    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    fault: str = ""  # reset, hang, trickle or half


def chat(text: str = '{"choice": 5}', **message: object) -> bytes:
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": "served-model",
            "system_fingerprint": "fp_1",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": text, **message},
                }
            ],
            "usage": {
                "prompt_tokens": 1000,
                "completion_tokens": 200,
                "prompt_tokens_details": {"cached_tokens": 100},
                "completion_tokens_details": {"reasoning_tokens": 150},
            },
        }
    ).encode()


def error(message: str, code: str | None = None) -> bytes:
    return json.dumps({"error": {"message": message, "code": code}}).encode()


class FaultServer:
    """Serves in a thread of its own while it is entered.

    Args:
        decide: Says what is served to a request.
        forgetful: Whether what requests sent is forgotten once it was looked at;
            thousands of pictures would not fit in memory.
    """

    def __init__(
        self, decide: Callable[[Request], Served], *, forgetful: bool = False
    ) -> None:
        self._decide = decide
        self._forgetful = forgetful
        self.requests: list[Request] = []
        self.served: list[bytes] = []  # bodies that were sent whole
        self.connections = 0  # that were ever made
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._open: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        self._loop.close()

    def _run(self) -> None:
        self._loop.run_until_complete(self._main())

    async def _main(self) -> None:
        self._stop = asyncio.Event()
        server = await asyncio.start_server(
            self._connected, "127.0.0.1", 0, limit=2**20
        )
        port = server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"
        self._ready.set()
        await self._stop.wait()
        server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        task = asyncio.ensure_future(self._talk(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _talk(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        pairs = (line.split(": ", 1) for line in lines)
        headers = {name.lower(): value for name, value in pairs}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        path = first.split()[1]
        request = Request(len(self.requests), path, headers, body)
        self.requests.append(request)
        served = self._decide(request)
        if self._forgetful and self.requests:
            self.requests[request.number] = replace(request, raw=b"")
        await asyncio.sleep(served.delay)
        return await self._serve(served, writer)

    async def _serve(self, served: Served, writer: asyncio.StreamWriter) -> bool:
        if served.fault == "hang":
            await asyncio.sleep(3600)
        if served.fault == "reset":
            writer.transport.abort()
            return False
        headers = {
            "content-type": "application/json",
            "content-length": str(len(served.body)),
            **served.headers,
        }
        lines = [f"HTTP/1.1 {served.status} X"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
        if served.fault == "half":
            writer.write(served.body[: len(served.body) // 2])
            await writer.drain()
            return False
        if served.fault == "trickle":
            for byte in served.body:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.05)
        writer.write(served.body)
        await writer.drain()
        self.served.append(served.body)
        return True
