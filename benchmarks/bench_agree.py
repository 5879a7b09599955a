"""Kappa with its scene bootstrap, and the coder's next trace, on 10,000 items.

Run by hand: ``python benchmarks/bench_agree.py``. Times are of this machine; what may
be compared is each figure with its peer of the same run.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from coding import codebook, packet
from coding.agreement import Coder, compare
from coding.kappa import kappa_of
from coding.results import CodingSession
from coding.tables import cross_table
from coding.textmap import TextMap

ROOT = Path(__file__).parents[1]
ITEMS, SCENES, DRAWS, Q = 10_000, 160, 2000, 5
CODES = [f"code-{i}" for i in range(Q)]
MOST = 0.3  # s, what is promised for a pair with its interval over scenes


def seconds(work: Callable[[], object], repeats: int = 5) -> float:
    """The best of several runs."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def bench_kappa() -> None:
    """One pair, against a bootstrap that puts every resample together."""
    rng = np.random.default_rng(1)
    a = rng.integers(0, Q, ITEMS)
    b = np.where(rng.random(ITEMS) < 0.8, a, rng.integers(0, Q, ITEMS))
    coders = [
        Coder(name, {str(i): CODES[c] for i, c in enumerate(side)})
        for name, side in (("a", a), ("b", b))
    ]
    scenes = {str(i): str(i % SCENES) for i in range(ITEMS)}
    places = np.arange(ITEMS) % SCENES

    def by_items(draws: int) -> None:
        # The peer: each resample put together item by item, then its table.
        groups = [np.flatnonzero(places == s) for s in range(SCENES)]
        for _ in range(draws):
            drawn = rng.integers(0, SCENES, SCENES)
            items = np.concatenate([groups[s] for s in drawn])
            kappa_of(cross_table(a[items], b[items], Q))

    ours = seconds(lambda: compare(*coders, CODES, scenes))
    peer = seconds(lambda: by_items(20), 2) * DRAWS / 20
    print(f"one pair, {ITEMS} items, {SCENES} scenes: {ours:.3f} s, at most {MOST} s")
    print(f"the bootstrap item by item: {peer:.2f} s, {peer / ours:.0f} times as long")
    own = {str(i): str(i) for i in range(ITEMS)}
    print(
        f"each item a scene: {seconds(lambda: compare(*coders, CODES, own), 2):.3f} s"
    )


def bench_session() -> None:
    """A packet, its coder's next trace, and coming back."""
    book = codebook.read_file(ROOT / "resources" / "codebooks" / "reading.toml")
    text = "The director sees 5 and 8. \U0001f600\r\n" * 150
    entries = [packet.Entry(str(i), f"{i} {text}") for i in range(ITEMS)]
    sealed = packet.seal(entries, book)
    print(f"packet of {len(sealed.data) / 1e6:.0f} MB")
    print(f"read it: {seconds(lambda: packet.parse_packet(sealed.data), 2):.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.jsonl"
        with CodingSession(sealed.packet, path, "ann") as session:
            times = [one_item(session) for _ in range(2000)]
        print(f"next trace: median {1000 * float(np.median(times)):.2f} ms, ", end="")
        print(f"worst {1000 * max(times):.2f} ms")
        start = time.perf_counter()
        CodingSession(sealed.packet, path, "ann").close()
        print(f"resume after 2,000 items: {time.perf_counter() - start:.2f} s")


def one_item(session: CodingSession) -> float:
    """Code the next item; the time from the last key to the next trace's text."""
    item = session.next_uncoded()
    assert item is not None  # noqa: S101 - there are more items than are coded
    session.record_code(item.id, "reading", "own-view")
    session.record_quote(item.id, 0, 20)
    session.record_code(item.id, "sees_choice", "no")
    start = time.perf_counter()
    session.record_code(item.id, "works_out", "yes")
    following = session.next_uncoded(after=item.id)
    if following:
        TextMap(following.text)
        session.state(following.id)
    session.progress()
    return time.perf_counter() - start


if __name__ == "__main__":
    bench_kappa()
    bench_session()
