"""Small stored runs for tests of the store, and a program that runs one."""

import sys
from pathlib import Path

from director_gui.ids import sha256_hex
from director_gui.runner.engine_values import Policy, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Call, PlannedCall
from director_gui.runner.service import RunService
from director_gui.store.conditions import add_condition
from director_gui.store.database import Study, open_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_image, add_scene, add_stimulus
from director_gui.store.session import start_run

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 230  # 60 kB
FAST = Policy(tries=4, first_wait=0.002, longest_wait=0.02, give_up_after=10_000)


def profile_at(base_url: str, **more: object) -> Profile:
    values = {"model": "m", "practice": True, "concurrency": 8, "timeout": 5.0}
    return Profile(name="p", base_url=base_url, **(values | more))


def fill(
    study: Study,
    profile: Profile,
    count: int,
    turns: tuple[str, ...] = ("text",),
    png: bytes = PNG,
) -> list[PlannedCall]:
    """Store a scene, a picture, a condition and the run ``r`` of `count` calls."""
    scene = add_scene(study, "a scene", b'{"name":"a scene"}')
    image = add_image(
        study,
        png,
        pixels_sha256=sha256_hex(b"pixels"),
        renderer="test 1",
        view="model",
        width=4,
        height=3,
    )
    add_stimulus(study, scene, "model", image)
    add_condition(study, "v", "move.ask", [["setting", "text"]])
    planned = [
        PlannedCall(
            Call(
                run="r",
                batch="b",
                condition="move.ask",
                condition_hash="v",
                scene=scene,
                image=image,
                profile=profile.name,
                model=profile.model,
                settings=profile.settings_hash,
                sample=sample,
            ),
            turns,
        )
        for sample in range(1, count + 1)
    ]
    add_run(study, "r", "plan", "a run", practice=True, settings={}, calls=planned)
    return planned


def finish(
    study: Study,
    profile: Profile,
    keys: Keys | None = None,
    policy: Policy = FAST,
    patience: float = 60,
) -> RunEnded:
    """Run what is left of the run ``r`` and return how it ended."""
    with RunService() as service:
        handle = start_run(
            service, study, "r", {profile.name: profile}, keys or Keys(), policy=policy
        )
        assert handle.wait(patience)
        end = handle.poll(1_000_000)[-1]
    assert isinstance(end, RunEnded)
    return end


if __name__ == "__main__":
    with open_study(Path(sys.argv[1])) as opened:
        print("open", flush=True)  # noqa: T201 - the test waits for this line
        finish(opened, profile_at(sys.argv[2], concurrency=20))
