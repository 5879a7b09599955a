"""What it costs a run to score and count its replies beside it.

The same calls are sent to one local server by the engine alone and by the engine with
the counting that a plan has beside it, in alternating rounds.
Run: ``python -m benchmarks.bench_counting``.
"""

import argparse
import multiprocessing
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from benchmarks.run_engine import CONNECTIONS, serve
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Call, PlannedCall
from director_gui.runner.service import RunService
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.database import Study, create_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene
from director_gui.store.session import start_run
from director_gui.study.asking import arms, keep_conditions
from director_gui.study.results.counting import Counting
from tests.made_runs import FAST, PNG, profile_at

NAME = "mean.plain"  # it asks for what the server answers


def main() -> None:
    """Print one line a round of either kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    mine, theirs = multiprocessing.Pipe()
    process = multiprocessing.Process(
        target=serve, args=(theirs, 0.0), kwargs={"limited": False}, daemon=True
    )
    process.start()
    profile = profile_at(mine.recv(), concurrency=CONNECTIONS, timeout=60.0)
    for _ in range(args.rounds):
        for counted in (False, True):
            print(one_round(profile, args.calls, counted=counted), flush=True)
    mine.send("stop")
    mine.recv()
    process.join()


def one_round(profile: Profile, calls: int, *, counted: bool) -> str:
    """Send every call once; say how fast, and what is then left to count."""
    with (
        tempfile.TemporaryDirectory() as folder,
        create_study(Path(folder) / "bench.study", "bench") as study,
    ):
        plan(study, profile, calls)
        counting = Counting(study)
        beside = counting.keeping_up("r") if counted else None
        begin, cpu = time.perf_counter(), time.process_time()
        with RunService() as service:
            profiles = {profile.name: profile}
            start_run(
                service, study, "r", profiles, Keys(), policy=FAST, beside=beside
            ).wait(3600)
        wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
        begin = time.process_time()
        found = sum(cell.n for cell in counting.cells("r"))
        left = time.process_time() - begin
    if found != calls:
        raise RuntimeError(f"{found} of {calls} replies were counted")
    return (
        f"{'counted beside' if counted else 'engine alone'}: {calls / wall:.0f}/s,"
        f" {1e3 * cpu / calls:.3f} processor ms a call; counting what is left takes"
        f" {1e3 * left / calls:.3f} ms a reply"
    )


def plan(study: Study, profile: Profile, calls: int) -> None:
    """Store a run whose replies can be scored: a real scene, a real condition."""
    scene = example_scene()
    keep_conditions(study, (NAME,))
    image = add_image(
        study, PNG, pixels_sha256="p", renderer="none", view="model",
        width=4, height=3,
    )  # fmt: skip
    shown = add_scene(study, scene.name, canonical_bytes(scene))
    version = asdict(arms()[NAME])["version"]
    every = [
        PlannedCall(
            Call("r", "b", NAME, version, shown, image, profile.name, profile.model,
                 profile.settings_hash, sample),
            ("text",),
        )
        for sample in range(1, calls + 1)
    ]  # fmt: skip
    add_run(study, "r", "plan", "a run", practice=True, settings={}, calls=every)


if __name__ == "__main__":
    main()
