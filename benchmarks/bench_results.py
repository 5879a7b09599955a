"""The results of a study with a million stored replies: first paint, full table.

A file of the program's own format is made once per size, with replies of two lengths:
short ones as most models send, and long ones that differ from each other, so that no
score can be looked up. Beside the tables stands the same work by pandas, in the same
run: read the table, group, take the shares.
Run: python benchmarks/bench_results.py [REPLIES]
"""

import resource
import sqlite3
import sys
import tempfile
import time
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.database import Study, create_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene, scenes
from director_gui.study.asking import arms, keep_conditions, prompts_for
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer, outline

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
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for words, long in (("short replies", False), ("long distinct replies", True)):
        with (
            tempfile.TemporaryDirectory() as folder,
            made(Path(folder) / "a.study", wanted, long=long) as study,
        ):
            measured(study, f"{wanted:,} {words}")


def measured(study: Study, words: str) -> None:
    """Time the first paint, the full table and what came in since."""
    start = time.perf_counter()
    outline(study)
    first = time.perf_counter() - start
    cache = ReplyCache(study)
    # Sampled scenes bring their facts; ours are measured beforehand.
    cache.facts({one.hash for one in scenes(study)})
    start = time.perf_counter()
    answer(study, cache, Question())
    full = time.perf_counter() - start
    start = time.perf_counter()
    answer(study, cache, Question(family="Question and controls"))
    again = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{words}: first paint {first * 1000:.1f} ms, full table {full:.1f} s, "
        f"again {again:.2f} s, pandas alone {by_pandas(study):.1f} s, "
        f"peak {peak:.0f} MB"
    )


def by_pandas(study: Study) -> float:
    """Return how long pandas takes to read the texts and group them, unscored."""
    import pandas as pd

    start = time.perf_counter()
    with sqlite3.connect(study.path) as conn:
        frame = pd.read_sql_query(
            "SELECT c.profile, c.condition, c.scene, a.text FROM calls c"
            " JOIN attempts a ON a.call = c.id",
            conn,
        )
    hit = frame["text"].str.contains('"choice": 3')
    hit.groupby([frame["profile"], frame["condition"], frame["scene"]]).mean()
    return time.perf_counter() - start


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
    rng = np.random.default_rng(1)
    picks = rng.choice([3, 5, 8], wanted)
    calls, attempts = [], []
    for at in range(wanted):
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
