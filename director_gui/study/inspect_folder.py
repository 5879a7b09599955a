"""Write what is left of a run as an Inspect task: plain files, no Inspect needed.

One folder a profile, for Inspect runs one model at a time: ``dataset.jsonl`` with one
sample a call, ``images/`` with the untouched pictures, ``settings.json`` and
``task.py`` (https://inspect.aisi.org.uk/datasets.html).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from director_gui import assets
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.runner.engine_values import Task
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import open_tasks
from director_gui.store.database import Study
from director_gui.store.inputs import CallInputs
from director_gui.store.runs import Run


def write_inspect(
    study: Study, run: Run, profiles: Mapping[str, Profile], folder: Path
) -> tuple[Path, ...]:
    """Write every call that has no end yet; return the folders, one a profile.

    Args:
        study: Holds the run.
        run: A plan's run.
        profiles: The run's profiles by name.
        folder: Where to write; it is made when it is missing.

    Raises:
        UserError: The folder cannot be written, or nothing is left to send.
    """
    by_profile: dict[str, list[Task]] = {}
    for task in open_tasks(study, run.id):
        by_profile.setdefault(task.call.profile, []).append(task)
    if not by_profile:
        raise UserError("every call of this run has ended", where=run.label)
    inputs = CallInputs(study)
    try:
        return tuple(
            _write(folder / _slug(name), profiles[name], tasks, inputs)
            for name, tasks in by_profile.items()
        )
    except OSError as error:
        raise UserError(
            f"this folder cannot be written ({error.strerror})", where=str(folder)
        ) from error


def _write(
    folder: Path, profile: Profile, tasks: list[Task], inputs: CallInputs
) -> Path:
    images = folder / "images"
    images.mkdir(parents=True, exist_ok=True)
    lines = []
    for task in tasks:
        call_input = inputs(task.call)
        picture = images / f"{task.call.image}.png"
        # By its hash, so one file serves every call about the scene.
        if not picture.exists():
            picture.write_bytes(call_input.image)
        lines.append(json.dumps(_sample(task, call_input.turns), ensure_ascii=False))
    _text(folder / "dataset.jsonl", "".join(line + "\n" for line in lines))
    _text(folder / "settings.json", json.dumps(_settings(profile), indent=1) + "\n")
    _text(folder / "task.py", assets.read_text("inspect/task.txt"))
    return folder


def _sample(task: Task, turns: tuple[str, ...]) -> Json:
    image = {"type": "image", "image": f"images/{task.call.image}.png"}
    first = {"type": "text", "text": turns[0]}
    return {
        "id": task.call.id,
        "input": [{"role": "user", "content": [image, first]}],
        # Inspect scores nothing: replies come back and are scored here.
        "target": "",
        # So that a log alone tells which call each reply belongs to.
        "metadata": {**asdict(task.call), "later_turns": list(turns[1:])},
    }


def _settings(profile: Profile) -> Json:
    values = {"reasoning_effort": profile.effort, "max_tokens": profile.max_tokens}
    # What is not set is not sent, as in our own calls (METHOD §4).
    return {key: value for key, value in values.items() if value is not None}


def _text(path: Path, text: str) -> None:
    # The same bytes everywhere: no platform's line ends.
    path.write_bytes(text.encode())


def _slug(name: str) -> str:
    return re.sub(r"[^\w.-]+", "-", name).strip("-.") or "model"
