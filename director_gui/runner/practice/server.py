"""The practice reader as a server on loopback, in a thread of its own."""

import asyncio
import contextlib
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from director_gui.errors import UserError
from director_gui.runner.practice.catalogue import Catalogue
from director_gui.runner.practice.faults import Faults
from director_gui.runner.practice.http import MAX_HEAD_BYTES, serve_connection
from director_gui.runner.practice.mixture import Mixture
from director_gui.runner.practice.service import Service

HOST = "127.0.0.1"  # never reachable from another machine
START_S = 10.0
BACKLOG = 512  # a run may open hundreds of connections at once


class Server:
    """A running practice reader; made by `start`, ended by `close` or ``with``."""

    def __init__(self, catalogue: Catalogue, service: Service, port: int) -> None:
        self.catalogue = catalogue
        self._service = service
        self._wanted_port = port
        self._ready = threading.Event()
        self._error: OSError | None = None
        self._port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(
            target=self._run, name="practice-reader", daemon=True
        )

    @property
    def port(self) -> int:
        """The port on 127.0.0.1."""
        return self._port

    @property
    def base_url(self) -> str:
        """What an OpenAI client takes as its base URL."""
        return f"http://{HOST}:{self._port}/v1"

    def close(self) -> None:
        """Stop and wait for the thread; open connections are cut. Safe to repeat."""
        if self._loop is not None and self._stop is not None and self.alive:
            # A loop that has just ended by itself is as good as stopped.
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether the server still runs."""
        return self._thread.is_alive()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def listen(self) -> None:
        """Start the thread and wait until it listens; once only.

        Raises:
            UserError: The port cannot be had.
        """
        self._thread.start()
        # A bound, so that a machine in trouble cannot hang the window for good.
        if not self._ready.wait(START_S):
            raise UserError(
                "the practice reader did not start in time", todo="Try again"
            )
        if self._error is not None:
            self._thread.join()
            raise UserError(
                f"the practice reader cannot listen on port {self._wanted_port} "
                f"({self._error.strerror})",
                todo="Choose another port, or 0 for any free one",
            ) from self._error

    def _run(self) -> None:
        asyncio.run(self._main())

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            listener = await asyncio.start_server(
                self._connected,
                HOST,
                self._wanted_port,
                limit=MAX_HEAD_BYTES,
                backlog=BACKLOG,
            )
        except OSError as error:
            self._error = error
            self._ready.set()
            return
        self._port = listener.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        listener.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        # A task of our own, because asyncio's would be lost to `_main` at the end.
        task = asyncio.ensure_future(
            serve_connection(reader, writer, self._service.handle)
        )
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)


def start(
    catalogue: Catalogue,
    *,
    seed: int = 0,
    port: int = 0,
    faults: Faults | None = None,
    readers: Mapping[str, Mixture] | None = None,
) -> Server:
    """Start a practice reader and return it once it listens.

    Args:
        catalogue: The pictures it knows; it may grow while the server runs.
        seed: Decides every draw, with the requests themselves.
        port: Port on 127.0.0.1; 0 takes a free one.
        faults: Faults that meet requests of every model; none by default.
        readers: Mixtures by model name; those that ship by default.

    Raises:
        UserError: The port cannot be had.
    """
    service = Service(catalogue, seed=seed, faults=faults or Faults(), readers=readers)
    server = Server(catalogue, service, port)
    server.listen()
    return server
