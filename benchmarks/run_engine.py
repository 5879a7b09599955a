"""Replies a second with durable commits, beside bare AsyncOpenAI on the same server.

Both send the same calls with 60 kB pictures over 50 connections to one local server in
a process of its own; the ratio is what counts, and the processor time that each call
costs us. Run: ``python -m benchmarks.run_engine``.
"""

import argparse
import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.wire import request_body
from director_gui.store.database import create_study
from tests.fault_server import FaultServer, Served, chat
from tests.made_runs import PNG, fill, finish, profile_at

CONNECTIONS = 50


def serve(pipe: Connection, delay: float) -> None:
    """Answer every request after `delay` seconds until told to stop."""
    with FaultServer(lambda _: Served(body=chat(), delay=delay)) as server:
        pipe.send(server.base_url)
        pipe.recv()


async def bare(profile: Profile, calls: int) -> float:
    """Return the seconds that the library alone takes, under a semaphore."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=profile.base_url, api_key="none", max_retries=0)
    slots = asyncio.Semaphore(CONNECTIONS)

    async def one() -> None:
        async with slots:
            body = request_body(profile, CallInput(("text",), PNG))
            reply = await client.chat.completions.create(**body)
            if not reply.choices[0].message.content:
                raise RuntimeError("an empty reply")

    begin = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(calls)))
    seconds = time.perf_counter() - begin
    await client.close()
    return seconds


def ours(profile: Profile, calls: int) -> float:
    """Return the seconds of a stored run, each reply on disk."""
    with tempfile.TemporaryDirectory() as folder:
        with create_study(Path(folder) / "bench.study", "bench") as study:
            fill(study, profile, calls)
            begin = time.perf_counter()
            end = finish(study, profile)
            seconds = time.perf_counter() - begin
        if end.replied != calls:
            raise RuntimeError(f"not every call was answered: {end}")
    return seconds


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """Return the seconds that `work` reports and the processor seconds it took."""
    begin = time.process_time()
    seconds = work()
    return seconds, time.process_time() - begin


def main() -> None:
    """Print the rates of both and their ratio, in alternating rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.0, help="of the server, s")
    args = parser.parse_args()
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=serve, args=(theirs, args.delay), daemon=True
    )
    process.start()
    profile = profile_at(mine.recv(), concurrency=CONNECTIONS, timeout=60.0)
    for _ in range(args.rounds):
        library, library_cpu = timed(lambda: asyncio.run(bare(profile, args.calls)))
        engine, engine_cpu = timed(lambda: ours(profile, args.calls))
        print(
            f"bare {args.calls / library:.0f}/s, engine {args.calls / engine:.0f}/s,"
            f" ratio {library / engine:.2f}; processor ms per call:"
            f" bare {1e3 * library_cpu / args.calls:.2f},"
            f" engine {1e3 * engine_cpu / args.calls:.2f}"
        )
    mine.send("stop")
    process.join()


if __name__ == "__main__":
    main()
