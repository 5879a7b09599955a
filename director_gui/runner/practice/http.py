"""HTTP/1.1 with keep-alive over asyncio streams, as little of it as is needed.

Nothing from a request is kept or logged; headers other than those about the body, and
so any key, are not even looked at.
"""

import asyncio
import contextlib
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from director_gui.runner.practice.asking import RefusedError
from director_gui.runner.practice.service import HttpReply, refusal

Handler = Callable[[str, str, bytes], HttpReply]
MAX_HEAD_BYTES = 64 * 1024
MAX_BODY_BYTES = 32 * 1024 * 1024
IDLE_S = 120.0  # a connection that says nothing for so long is closed
BODY_S = 30.0  # a body that takes longer is given up


@dataclass(frozen=True, slots=True)
class _Head:
    method: str
    path: str
    length: int
    keep_alive: bool
    waits: bool  # wants a 100 before it sends the body


async def serve_connection(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler
) -> None:
    """Answer the requests of one connection until it ends."""
    # The other side may go away at any moment; that is no fault of the server.
    with contextlib.suppress(
        ConnectionError, asyncio.IncompleteReadError, TimeoutError
    ):
        try:
            while await _serve_one(reader, writer, handler):
                pass
        finally:
            writer.close()
        await writer.wait_closed()


async def _serve_one(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handler: Handler
) -> bool:
    try:
        head = await _read_head(reader)
        body = await _read_body(reader, writer, head)
    except RefusedError as error:
        # Where a broken request ends is not known, so the connection ends too.
        await _send(writer, refusal(error), keep_alive=False)
        return False
    reply = _handled(handler, head, body)
    if reply.delay_s:
        await asyncio.sleep(reply.delay_s)
    if reply.reset:
        _reset(writer)
        return False
    await _send(writer, reply, keep_alive=head.keep_alive)
    return head.keep_alive


def _handled(handler: Handler, head: _Head, body: bytes) -> HttpReply:
    try:
        return handler(head.method, head.path, body)
    except Exception as error:  # noqa: BLE001 - one request must not end the server
        kind = "server_error"
        message = f"the practice reader failed ({type(error).__name__})"
        return refusal(RefusedError(message, status=500, kind=kind))


async def _read_head(reader: asyncio.StreamReader) -> _Head:
    try:
        async with asyncio.timeout(IDLE_S):
            raw = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError as error:
        raise RefusedError("the request's head is too long", status=431) from error
    # Latin-1 maps every byte, so a head of any bytes can be split and refused.
    first, *lines = raw.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise RefusedError("this is not an HTTP/1.1 request")
    fields = _fields(lines)
    connection = fields.get("connection", "").lower()
    wanted = "keep-alive" if words[2] == "HTTP/1.0" else ""
    return _Head(
        method=words[0],
        path=words[1],
        length=_length(fields),
        keep_alive=connection == wanted if wanted else connection != "close",
        waits=fields.get("expect", "").lower() == "100-continue",
    )


def _fields(lines: list[str]) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines if line)
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _length(fields: dict[str, str]) -> int:
    if "transfer-encoding" in fields:
        raise RefusedError("send the body with a content-length", status=411)
    text = fields.get("content-length", "0")
    # int() would take blanks, signs and digits of other scripts.
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise RefusedError("content-length is not a number")
    length = int(text)
    if length > MAX_BODY_BYTES:
        raise RefusedError(f"the body is over {MAX_BODY_BYTES} bytes", status=413)
    return length


async def _read_body(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, head: _Head
) -> bytes:
    # curl waits a second for this when the body is large.
    if head.waits:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    async with asyncio.timeout(BODY_S):
        return await reader.readexactly(head.length)


async def _send(
    writer: asyncio.StreamWriter, reply: HttpReply, *, keep_alive: bool
) -> None:
    fields = {
        "content-type": reply.content_type,
        "content-length": str(len(reply.body)),
        "connection": "keep-alive" if keep_alive else "close",
        **reply.headers,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    status = f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\n"
    writer.write(f"{status}{lines}\r\n".encode("latin-1") + reply.body)
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    # With a linger of zero the kernel sends a reset instead of a clean end.
    plain: socket.socket = writer.get_extra_info("socket")
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
