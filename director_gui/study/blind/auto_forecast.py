"""What an automatic pass will send, take and cost, as far as it can be told before."""

from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import open_tasks
from director_gui.store.auto_passes import AutoPass
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES
from director_gui.study.blind.auto_calibration import known_items
from director_gui.study.blind.auto_prompt import codebook_part, item_part
from director_gui.study.blind.auto_work import MOST_ASKS, verdicts
from director_gui.study.blind.keys import Opened
from director_gui.study.probing import BYTES_PER_TOKEN, price_text, tokens_text
from director_gui.study.time_words import time_range_text

# Output of one request: a bare JSON answer; one after reasoning at effort `medium`.
ANSWER_TOKENS = (80, 2500)
ANSWER_SECONDS = (2.0, 40.0)  # the same two, one request at a time [ours]


@dataclass(frozen=True, slots=True)
class Workload:
    """What is left of a pass, whichever model codes; ranges go from least to most.

    Attributes:
        items: Items of the packet.
        known: Known-code items among them.
        calls: Calls: once for each item that is left, at most twice.
        sent: Bytes of text that the calls send.
    """

    items: int
    known: int
    calls: tuple[int, int]
    sent: tuple[int, int]


@dataclass(frozen=True, slots=True)
class AutoForecast:
    """What a model will take and cost; ranges go from least to most, about.

    Attributes:
        work: What is left to do.
        input_tokens: Tokens sent.
        output_tokens: Tokens that come back.
        price: US dollars; None when a price is unknown.
        seconds: Time, when the server lets through all that may be in flight.
    """

    work: Workload
    input_tokens: tuple[int, int]
    output_tokens: tuple[int, int]
    price: tuple[float, float] | None
    seconds: tuple[float, float]

    def lines(self) -> list[str]:
        """Return what a person should know before anything is sent."""
        work = self.work
        sent, back = (
            " to ".join(tokens_text(n) for n in ends)
            for ends in (self.input_tokens, self.output_tokens)
        )
        known = f", {work.known} of them known-code" if work.known else ""
        return [
            f"items: {work.items}{known}",
            f"calls: {work.calls[0]}, at most {work.calls[1]} if all are asked twice",
            f"tokens: about {sent} in, {back} out",
            f"price: {price_text(self.price)}",
            f"time: {time_range_text(self.seconds)}",
        ]

    def value(self) -> Json:
        """Return the JSON value."""
        return {
            "items": self.work.items,
            "known": self.work.known,
            "calls": list(self.work.calls),
            "input_tokens": list(self.input_tokens),
            "output_tokens": list(self.output_tokens),
            "price": list(self.price) if self.price else None,
            "seconds": list(self.seconds),
        }


def workload(
    found: Opened, study: Study | None = None, made: AutoPass | None = None
) -> Workload:
    """Return what a pass has to send; it reads every text, so not in a window's thread.

    Args:
        found: The packet.
        study: Holds the pass, when it was begun.
        made: A pass that was begun: then only what is left of it counts.
    """
    head = len(codebook_part(found.packet.codebook).encode())
    sizes = {i.id: head + len(item_part(i.text).encode()) for i in found.packet.items}
    least, most = list(sizes), list(sizes) * MOST_ASKS
    if study is not None and made is not None:
        least, most = _left(study, made, found)
    return Workload(
        items=len(found.packet.items),
        known=len(known_items(found)),
        calls=(len(least), len(most)),
        sent=(sum(sizes[i] for i in least), sum(sizes[i] for i in most)),
    )


def forecast(work: Workload, profile: Profile) -> AutoForecast:
    """Return what a model will take for the work, and what it will cost."""
    sent = (work.sent[0] // BYTES_PER_TOKEN, work.sent[1] // BYTES_PER_TOKEN)
    back = (work.calls[0] * ANSWER_TOKENS[0], work.calls[1] * ANSWER_TOKENS[1])
    # As many at a time as the profile allows; a slower server makes this longer.
    waves = [-(-count // profile.concurrency) for count in work.calls]
    return AutoForecast(
        work=work,
        input_tokens=sent,
        output_tokens=back,
        price=_price(profile, sent, back),
        seconds=(waves[0] * ANSWER_SECONDS[0], waves[1] * ANSWER_SECONDS[1]),
    )


def _left(study: Study, made: AutoPass, found: Opened) -> tuple[list[str], list[str]]:
    # An open first call may need a second one; an open second call is the last.
    tasks = open_tasks(study, made.id, PASSES)
    now = [task.call.scene for task in tasks]
    firsts = [task.call.scene for task in tasks if task.call.sample == 1]
    # Refused once, and not stored for the second time yet.
    waiting = [
        v.item
        for v in verdicts(study, made, found)
        if v.refusal and not v.ended and v.item not in now
    ]
    least = now + waiting
    return least, least + firsts


def _price(
    profile: Profile, sent: tuple[int, int], back: tuple[int, int]
) -> tuple[float, float] | None:
    # The practice reader runs on this machine.
    if profile.practice:
        return 0.0, 0.0
    if profile.input_price is None or profile.output_price is None:
        return None
    low, high = (
        (i * profile.input_price + o * profile.output_price) / 1e6
        for i, o in zip(sent, back, strict=True)
    )
    return low, high
