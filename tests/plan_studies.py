"""Studies with a small set and plans for it, for tests of plans and of the command."""

import json
from pathlib import Path

from director_gui.store.database import Study, create_study
from director_gui.study.plan_file import Plan, read_plan
from director_gui.study.sets import recipe_of
from tests.made_sets import add_set

SCENES = 2


def study_with_set(path: Path) -> Study:
    """A new study with a drawn set `main`; its second witness agrees."""
    study = create_study(path, "a study")
    add_set(study, recipe_of("main", count=SCENES, seed=3))
    return study


def plan_text(base_url: str | None = None, **more: object) -> str:
    """A plan of two scenes x two conditions x two samples; 8 calls a model."""
    lines = {
        "name": "small",
        "samples": 2,
        "order_seed": 1,
        "scenes": {"sets": ["main"]},
        **more,
    }
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in lines.items())
    if base_url is None:
        text += 'profiles = ["Practice reader"]\n'
    text += '[[batch]]\nname = "b"\nconditions = ["move.plain"]\n'
    if base_url is not None:
        text += _profile(base_url)
    return text


def _profile(base_url: str) -> str:
    return (
        f'[[profile]]\nname = "local"\nbase_url = "{base_url}"\nmodel = "m"\n'
        "input_price = 1.0\noutput_price = 10.0\nmax_tokens = 1000\nconcurrency = 4\n"
        "timeout = 10.0\n"
    )


def _toml(value: object) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {_toml(item)}" for key, item in value.items())
        return f"{{{inner}}}"
    return json.dumps(value)


def plan_at(path: Path, text: str) -> Plan:
    path.write_text(text, encoding="utf-8")
    return read_plan(path)
