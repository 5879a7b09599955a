"""The results of a study with a million stored replies: first paint, full table.

A file of the program's own format is made once per size, with replies of two lengths:
short ones as most models send, and long ones that differ from each other, so that no
score can be looked up. It holds no counts, as if an older program had stored it, so
every reply is scored once (a run that this program sends is counted as it goes). Then
the tables are made, as at every later look. Beside them stands the same work by pandas:
read the table, group, take the shares. Each step is a process of its own, so that the
peaks are its own.
Run: python benchmarks/bench_results.py [--replies N] [--keep FOLDER]
"""

import argparse
import multiprocessing
import os
import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.counts import forget_counts
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene
from director_gui.study.asking import arms, keep_conditions, prompts_for
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer

CONDITIONS = ("move.ask", "move.plain", "move.count", "mean.ask", "mean.plain")
SCENES, MODELS = 160, 10
CALL = "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
ATTEMPT = (
    "INSERT INTO attempts (call, turn, turns, number, outcome, terminal, started,"
    " latency, request_hash, sdk, text, error_kind, error_message)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')"
)
LONG = "The director stands behind the table and looks over the partition. " * 12


def main() -> None:
    """Print one line a case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--replies", type=int, default=1_000_000)
    parser.add_argument("--keep", metavar="FOLDER", help="where made files stay")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as own:
        folder = Path(args.keep or own)
        for words, long in (("short replies", False), ("long distinct replies", True)):
            path = folder / f"{args.replies}-{'long' if long else 'short'}.study"
            if not path.exists():
                _apart(make, path, args.replies, long)
            print(f"{args.replies:,} {words}")
            for step in (count_once, look, page, by_pandas):
                _apart(step, path)


def _apart(work: Callable[..., str], *given: object) -> None:
    """Do one step in a process of its own; print what it says and its peak."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        said, peak = pool.apply(_measured, (work, given))
    print(f"  {said}, peak {peak:.0f} MB", flush=True)


def _measured(work: Callable[..., str], given: tuple[object, ...]) -> tuple[str, float]:
    said = work(*given)
    return said, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def count_once(path: Path) -> str:
    """Score every reply, as if an older program had stored them."""
    with open_study(path) as study:
        forget_counts(study)
        timer = Timer()
        ReplyCache(study).columns("run")
        return f"scored once in {timer}"


def look(path: Path) -> str:
    """Open a study whose replies are counted, and make its tables."""
    timer = Timer()
    with open_study(path) as study:
        opened = str(timer)
        cache, timer = ReplyCache(study), Timer()
        answer(study, cache, Question())
        full, timer = str(timer), Timer()
        answer(study, cache, Question(family="Question and controls"))
    return f"opened in {opened}, full table {full}, another family {timer}"


def page(path: Path) -> str:
    """Show the Results workspace on a study whose replies are counted."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from director_gui.ui.jobs import Jobs
    from director_gui.ui.results.workspace import ResultsWorkspace
    from director_gui.ui.session import Session

    app, session, jobs = QApplication([]), Session(), Jobs()
    session.open(path)
    timer = Timer()
    workspace = ResultsWorkspace(session, jobs, print)
    workspace.resize(1224, 732)
    workspace.show()
    app.processEvents()
    painted = str(timer)
    while workspace.found is None:
        time.sleep(0.005)  # as an event loop rests between events
        app.processEvents()
    app.processEvents()
    said = f"the page: first paint {painted}, full table {timer}"
    workspace.close()
    jobs.close()
    session.close()
    return said


class Timer:
    """Tells the time since it was made, and the processor's share of it."""

    def __init__(self) -> None:
        self._start = time.perf_counter(), time.process_time()

    def __str__(self) -> str:
        began, cpu = self._start
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        return f"{wall:.2f} s (processor {used:.2f} s)"


def by_pandas(path: Path) -> str:
    """Read the texts by pandas and group them, unscored."""
    import pandas as pd

    timer = Timer()
    with closing(sqlite3.connect(path)) as conn:
        frame = pd.read_sql_query(
            "SELECT c.profile, c.condition, c.scene, a.text FROM calls c"
            " JOIN attempts a ON a.call = c.id",
            conn,
        )
    hit = frame["text"].str.contains('"choice": 3')
    hit.groupby([frame["profile"], frame["condition"], frame["scene"]]).mean()
    return f"pandas alone {timer}"


def make(path: Path, wanted: int, long: bool) -> str:  # noqa: FBT001 - a pool's call
    """Make a study with so many replies."""
    part = path.with_suffix(".part")
    with made(part, wanted, long=long):
        pass
    part.rename(path)
    return f"made {path.stat().st_size / 2**20:.0f} MB"


def made(path: Path, wanted: int, *, long: bool) -> Study:
    """Return a study with so many replies."""
    study = create_study(path, "bench")
    image = add_image(
        study, b"png", pixels_sha256="p", renderer="none", view="model",
        width=4, height=3,
    )  # fmt: skip
    scene = example_scene()
    kept = [replace(scene, name=f"scene {at}") for at in range(SCENES)]
    hashes = [add_scene(study, one.name, canonical_bytes(one)) for one in kept]
    keep_conditions(study, CONDITIONS)
    prompts_for(scene, truth_of(scene), CONDITIONS)
    profiles = [{"name": f"model {at}"} for at in range(MODELS)]
    add_run(
        study, "run", "plan", "bench", practice=True,
        settings={"profiles": profiles, "conditions": list(CONDITIONS)}, calls=(),
    )  # fmt: skip
    known = arms()
    fill(study, wanted, hashes, {n: asdict(known[n])["version"] for n in CONDITIONS},
         image, long=long)  # fmt: skip
    return study


def fill(
    study: Study,
    wanted: int,
    hashes: list[str],
    versions: dict[str, str],
    image: str,
    *,
    long: bool,
) -> None:
    """Write calls and attempts straight into the file."""
    picks = np.random.default_rng(1).choice([3, 5, 8], wanted)
    for start in range(0, wanted, 20_000):
        calls, attempts = [], []
        for at in range(start, min(start + 20_000, wanted)):
            call_id = f"{at:064x}"
            name = CONDITIONS[at % len(CONDITIONS)]
            cell = at // len(CONDITIONS)
            scene = hashes[cell % SCENES]
            model = f"model {cell // SCENES % MODELS}"
            calls.append(
                (call_id, "run", at, "1", name, versions[name], scene, image, model,
                 model, "s", at // (len(CONDITIONS) * SCENES * MODELS), "[]")
            )  # fmt: skip
            text = f'{{"visible": [5, 8], "count": 3, "choice": {picks[at]}}}'
            text = f"{LONG}{at} {text}" if long else text
            attempts.append((call_id, 1, 1, 1, "reply", 1, "t", 1.0, "h", "sdk", text))
        with study.write() as db:
            db.conn.executemany(CALL, calls)
            db.conn.executemany(ATTEMPT, attempts)


if __name__ == "__main__":
    main()
