"""Automatic coders for tests: what a model would answer, packets with known codes."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from director_gui.runner.engine_values import Policy, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.practice.traces import true_codes
from director_gui.runner.profiles import Profile
from director_gui.runner.service import RunService
from director_gui.store.auto_passes import AutoPass, passes_in
from director_gui.store.database import Study, open_study
from director_gui.study.blind.auto_prompt import item_text_in
from director_gui.study.blind.auto_sending import send_pass
from director_gui.study.blind.auto_work import begin, profile_of
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.known import KnownItem
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.traces import Wanted, traces_in
from tests.blind_studies import Desk
from tests.fault_server import Request as Asked
from tests.fault_server import Served, chat

FAST = Policy(tries=2, first_wait=0.002, longest_wait=0.02, give_up_after=10_000)
CODER = Profile(
    name="A coder", base_url="http://127.0.0.1:1/v1", model="lab/coder-9",
    concurrency=4, timeout=20.0, input_price=1.0, output_price=2.0,
)  # fmt: skip


def known_items(study: Study, count: int) -> tuple[KnownItem, ...]:
    """Practice traces with the codes that they state, as a person would write them."""
    traces = traces_in(study, Wanted()).found
    made = []
    for at in range(count):
        trace = traces[at % len(traces)]
        codes = true_codes(trace.reasoning)
        assert codes is not None
        made.append(
            KnownItem(
                name=str(at + 1),
                reasoning=f"{trace.reasoning} That settles it, {at}.",
                choice=trace.choice,
                codes={"reading": codes.reading, "sees_choice": codes.sees_choice},
            )
        )
    return tuple(made)


def sealed(desk: Desk, known: int = 0, size: int | None = None) -> Opened:
    """A packet with some known-code items."""
    return desk.seal(Request(seed=5, size=size, known=known_items(desk.study, known)))


def right_answer(text: str) -> str:
    """The codes that an item states, as a model would answer them."""
    codes = true_codes(text)
    assert codes is not None
    value = {name: getattr(codes, name) for name in codes.__slots__}
    return json.dumps(value, ensure_ascii=False)


def answering(
    say: Callable[[str, int], str] = lambda text, _: right_answer(text),
) -> Callable[[Asked], Served]:
    """A server's decision: what `say` makes of an item's text and its turn to ask."""
    seen: dict[str, int] = {}

    def decide(request: Asked) -> Served:
        text = item_text_in(request.text)
        assert text is not None
        seen[text] = seen.get(text, 0) + 1
        return Served(body=chat(say(text, seen[text])))

    return decide


def run_pass(
    study: Study,
    one: AutoPass,
    profile: Profile,
    *,
    ceiling: float | None = None,
    patience: float = 60,
) -> RunEnded:
    """Send what is left of a pass and return how it ended."""
    with RunService() as service:
        handle = send_pass(
            service, study, one, profile, Keys(), ceiling=ceiling, policy=FAST
        )
        assert handle.wait(patience)
        end = handle.poll(1_000_000)[-1]
    assert isinstance(end, RunEnded)
    return end


def begun(desk: Desk, found: Opened, base_url: str) -> tuple[AutoPass, Profile]:
    """A new pass of the test's coder over a packet, and its profile."""
    profile = replace(CODER, base_url=base_url)
    return begin(desk.study, found.stored.id, profile, "me"), profile


if __name__ == "__main__":
    with open_study(Path(sys.argv[1])) as opened_study:
        packet = sys.argv[2]
        (made,) = passes_in(opened_study, packet)
        print("open", flush=True)  # noqa: T201 - the test waits for this line
        run_pass(opened_study, made, profile_of(made))
