"""Runs a stored run in a process whose files may not grow far."""

import resource
import sys
from dataclasses import replace
from pathlib import Path

from director_gui.runner.engine_values import RunEnded, RunPaused, RunResumed
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.store.database import open_study
from director_gui.store.session import start_run
from tests.made_runs import FAST, profile_at

ROOM = 500_000  # bytes beyond what is there


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - the test reads it


if __name__ == "__main__":
    path = Path(sys.argv[1])
    with open_study(path) as study, RunService() as service:
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, limit))
        profile = profile_at(sys.argv[2], timeout=30.0)
        policy = replace(FAST, look_again=0.05)
        handle = start_run(service, study, "r", {"p": profile}, Keys(), policy=policy)
        while True:
            done = handle.wait(0.02)
            for event in handle.poll():
                if isinstance(event, RunPaused):
                    say(f"paused: {event.reason}")
                elif isinstance(event, RunResumed):
                    say("resumed")
                elif isinstance(event, RunEnded):
                    say(f"ended: {event.replied} replied, {event.open} open")
            if done:
                break
