"""Sends a stored run by batches in a process of its own, to be killed."""

import sys
from pathlib import Path

from director_gui.runner.batch_sender import BatchLimits
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.store.database import open_study
from director_gui.store.session import start_batches
from tests.made_runs import FAST, profile_at

if __name__ == "__main__":
    with open_study(Path(sys.argv[1])) as study, RunService() as service:
        profile = profile_at(sys.argv[2])
        start_batches(
            service, study, "r", {"p": profile}, Keys(),
            policy=FAST, limits=BatchLimits(poll=0.02),
        ).wait()  # fmt: skip
