"""Replies a second with durable commits, beside bare AsyncOpenAI on the same server.

Both send the same calls with 60 kB pictures over 50 connections to one local server in
a process of its own; the ratio is what counts, and the processor time that each call
costs us. ``--limited`` counts the 429s under a limit of 20 requests per 2 s instead,
``--memory N`` the memory over N calls. Run: ``python -m benchmarks.run_engine``.

``--inspect PROGRAM`` sets the engine beside Inspect AI by its command line instead, in
alternating rounds: Inspect as it comes (adaptive connections, from 20 up to 100, and
its own log on disk), ours with its usual patience and 50 connections, every reply
durable. Both without the time that they take to start. ``--delay`` makes the server
as slow as a model; with none the two programs are measured and not the server.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from director_gui.runner.engine_values import AttemptStored, Policy
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.service import RunService
from director_gui.runner.wire import request_body
from director_gui.store.attempts import open_tasks
from director_gui.store.database import create_study
from director_gui.store.session import start_run
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.made_runs import FAST, PNG, fill, finish, profile_at

CONNECTIONS = 50
LIMIT, WINDOW = 20, 2.0  # requests, seconds
SMALL = 1000  # bytes of a picture where memory over many calls is measured
# Inspect wants a total beside the counts.
REPLY = chat().replace(b'"usage": {', b'"usage": {"total_tokens": 1200, ')
INSPECT_TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.solver import generate

@task
def bench():
    return Task(dataset=json_dataset("dataset.jsonl"), solver=generate())
"""


def serve(pipe: Connection, delay: float, *, limited: bool) -> None:
    """Answer every request after `delay` seconds until told to stop."""
    used: dict[int, int] = {}
    refused: dict[int, int] = {}

    def decide(_: Request) -> Served:
        # A long run must not fill the server's memory.
        server.requests.clear()
        server.served.clear()
        now = time.monotonic()
        slot = int(now / WINDOW)
        used[slot] = used.get(slot, 0) + 1
        if limited and used[slot] > LIMIT:
            refused[slot] = refused.get(slot, 0) + 1
            wait = str((slot + 1) * WINDOW - now)
            return Served(429, error("slow down"), {"retry-after": wait})
        return Served(body=REPLY, delay=delay)

    with FaultServer(decide) as server:
        pipe.send(server.base_url)
        pipe.recv()
        pipe.send([refused.get(slot, 0) for slot in used])


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


def ours(profile: Profile, calls: int, policy: Policy = FAST) -> float:
    """Return the seconds of a stored run, each reply on disk."""
    with tempfile.TemporaryDirectory() as folder:
        with create_study(Path(folder) / "bench.study", "bench") as study:
            fill(study, profile, calls)
            begin = time.perf_counter()
            end = finish(study, profile, policy=policy, patience=600)
            seconds = time.perf_counter() - begin
        if end.replied != calls:
            raise RuntimeError(f"not every call was answered: {end}")
    return seconds


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """Return the seconds that `work` reports and the processor seconds it took."""
    begin = time.process_time()
    seconds = work()
    return seconds, time.process_time() - begin


def compare(profile: Profile, calls: int, rounds: int) -> None:
    """Print the rates of both and their ratio, in alternating rounds."""
    for _ in range(rounds):
        library, library_cpu = timed(lambda: asyncio.run(bare(profile, calls)))
        engine, engine_cpu = timed(lambda: ours(profile, calls))
        print(
            f"bare {calls / library:.0f}/s, engine {calls / engine:.0f}/s,"
            f" ratio {library / engine:.2f}; processor ms per call:"
            f" bare {1e3 * library_cpu / calls:.2f},"
            f" engine {1e3 * engine_cpu / calls:.2f}"
        )


def inspected(program: str, profile: Profile, calls: int) -> float:
    """Return the seconds that Inspect takes for the same calls, its start left out."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "picture.png").write_bytes(PNG)
        (folder / "task.py").write_text(INSPECT_TASK, encoding="utf-8")
        content = [
            {"type": "image", "image": "picture.png"},
            {"type": "text", "text": "text"},
        ]
        line = json.dumps({"input": [{"role": "user", "content": content}]}) + "\n"

        def seconds(count: int) -> float:
            (folder / "dataset.jsonl").write_text(line * count, encoding="utf-8")
            begin = time.perf_counter()
            subprocess.run(
                [program, "eval", "task.py", "--model", "openai-api/local/m"],
                cwd=folder,
                env={
                    **os.environ,
                    "LOCAL_BASE_URL": profile.base_url,
                    "LOCAL_API_KEY": "none",
                    "INSPECT_DISPLAY": "none",
                },
                stdout=subprocess.DEVNULL,
                check=True,
            )
            return time.perf_counter() - begin

        return seconds(calls + 1) - seconds(1)


def beside_inspect(program: str, profile: Profile, calls: int, rounds: int) -> None:
    """Print the rates of Inspect and of ours and their ratio, round by round."""
    ours(profile, 1)  # loads the library, which Inspect's start does too
    ratios: list[float] = []
    for _ in range(rounds):
        theirs = inspected(program, profile, calls)
        mine = ours(profile, calls, Policy())
        ratios.append(theirs / mine)
        load = os.getloadavg()[0]
        print(
            f"Inspect {calls / theirs:.0f}/s, engine {calls / mine:.0f}/s,"
            f" ratio {ratios[-1]:.1f} (load {load:.1f})"
        )
    print(f"median ratio {statistics.median(ratios):.1f}")


def resident() -> float:
    """Return the memory that this process holds now, in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def memory(profile: Profile, calls: int) -> None:
    """Print the memory held at each tenth of a long run of small pictures.

    What is still to be sent is held by its keys alone, and shrinks; the last line
    says what a call that is over leaves behind.
    """
    with (
        tempfile.TemporaryDirectory() as folder,
        create_study(Path(folder) / "bench.study", "bench") as study,
        RunService() as service,
    ):
        fill(study, profile, calls, png=PNG[:SMALL])
        begin = time.perf_counter()
        handle = start_run(service, study, "r", {profile.name: profile}, Keys())
        ended, seen = 0, [resident()]
        while ended < calls and not (handle.wait(0.1) and not handle.waiting):
            ended += sum(isinstance(e, AttemptStored) for e in handle.poll())
            if ended >= len(seen) * calls // 10:
                seen.append(resident())
                rate = ended / (time.perf_counter() - begin)
                print(f"{ended:,} calls: {seen[-1]:.0f} MB, {rate:.0f}/s", flush=True)
        rest = open_tasks(study, "r")
        grown = 1024 * (seen[-1] - seen[1]) / (0.9 * calls)
        print(f"{len(rest)} open; {grown:+.2f} kB for each call after the first tenth")


def limited(profile: Profile, calls: int) -> None:
    """Send calls to a server with a limit; it counts its refusals."""
    with (
        tempfile.TemporaryDirectory() as folder,
        create_study(Path(folder) / "bench.study", "bench") as study,
    ):
        fill(study, profile, calls)
        finish(study, profile, policy=Policy(), patience=3600)


def main() -> None:
    """Run the benchmark that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.0, help="of the server, s")
    parser.add_argument("--limited", action="store_true", help="count 429s")
    parser.add_argument("--inspect", metavar="PROGRAM", help="Inspect's command")
    parser.add_argument("--memory", type=int, default=0, metavar="N")
    args = parser.parse_args()
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=serve,
        args=(theirs, args.delay),
        kwargs={"limited": args.limited},
        daemon=True,
    )
    process.start()
    profile = profile_at(mine.recv(), concurrency=CONNECTIONS, timeout=60.0)
    if args.memory:
        memory(profile, args.memory)
    elif args.limited:
        limited(profile, args.calls)
    elif args.inspect:
        beside_inspect(args.inspect, profile, args.calls, args.rounds)
    else:
        compare(profile, args.calls, args.rounds)
    mine.send("stop")
    refused = mine.recv()
    if args.limited:
        print(
            f"{sum(refused)} refusals in {len(refused)} windows of {WINDOW:g} s,"
            f" by window: {refused}"
        )
    process.join()


if __name__ == "__main__":
    main()
