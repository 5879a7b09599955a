"""What an automatic pass will send, take and cost, as far as it can be told before."""

from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import open_tasks
from director_gui.store.auto_passes import AutoPass
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES
from director_gui.study.blind.auto_prompt import codebook_part, item_part
from director_gui.study.blind.auto_work import verdicts
from director_gui.study.blind.keys import Opened
from director_gui.study.probing import BYTES_PER_TOKEN, price_text, tokens_text

# Output of one request: a bare JSON answer; one after reasoning at effort `medium`.
ANSWER_TOKENS = (80, 2500)
ANSWER_SECONDS = (2.0, 40.0)  # the same two, one request at a time [ours]


@dataclass(frozen=True, slots=True)
class AutoForecast:
    """What is left of a pass; each range goes from the least to the most, about.

    Attributes:
        items: Items of the packet.
        known: Known-code items among them.
        calls: Calls: once for each item that is left, at most twice.
        input_tokens: Tokens sent.
        output_tokens: Tokens that come back.
        price: US dollars; None when a price is unknown.
        seconds: Time, when the server lets through all that may be in flight.
        practice: Whether the practice reader codes.
    """

    items: int
    known: int
    calls: tuple[int, int]
    input_tokens: tuple[int, int]
    output_tokens: tuple[int, int]
    price: tuple[float, float] | None
    seconds: tuple[float, float]
    practice: bool

    def lines(self) -> list[str]:
        """Return what a person should know before anything is sent."""
        sent, back = (
            " to ".join(tokens_text(n) for n in ends)
            for ends in (self.input_tokens, self.output_tokens)
        )
        known = f", {self.known} of them known-code" if self.known else ""
        return [
            f"items: {self.items}{known}",
            f"calls: {self.calls[0]}, at most {self.calls[1]} if all are asked twice",
            f"tokens: about {sent} in, {back} out",
            f"price: {price_text(self.price)}",
            f"time: {time_text(self.seconds)}",
        ]

    def value(self) -> Json:
        """Return the JSON value."""
        names = ("calls", "input_tokens", "output_tokens", "price", "seconds")
        ranges = {name: getattr(self, name) for name in names}
        listed = {
            name: list(r) if r is not None else None for name, r in ranges.items()
        }
        return {"items": self.items, "known": self.known, **listed}


def forecast(
    found: Opened,
    profile: Profile,
    *,
    known: int,
    study: Study | None = None,
    made: AutoPass | None = None,
) -> AutoForecast:
    """Return what a pass will send.

    Args:
        found: The packet.
        profile: The model.
        known: Known-code items in the packet.
        study: Holds the pass, when it was begun.
        made: A pass that was begun: then only what is left of it counts.
    """
    head = len(codebook_part(found.packet.codebook).encode())
    sizes = {i.id: head + len(item_part(i.text).encode()) for i in found.packet.items}
    left, most = list(sizes), list(sizes) * 2
    if study is not None and made is not None:
        left, most = _left(study, made, found)
    tokens = tuple(
        sum(sizes[i] for i in ids) // BYTES_PER_TOKEN for ids in (left, most)
    )
    sent = (tokens[0], tokens[1])
    calls = (len(left), len(most))
    back = (calls[0] * ANSWER_TOKENS[0], calls[1] * ANSWER_TOKENS[1])
    waves = [-(-count // profile.concurrency) for count in calls]
    return AutoForecast(
        items=len(found.packet.items),
        known=known,
        calls=calls,
        input_tokens=sent,
        output_tokens=back,
        price=_price(profile, sent, back),
        seconds=(waves[0] * ANSWER_SECONDS[0], waves[1] * ANSWER_SECONDS[1]),
        practice=profile.practice,
    )


def time_text(seconds: tuple[float, float]) -> str:
    """Return a range of seconds in words: ``about 1 to 25 min``."""
    if seconds[1] < 90:
        return f"about {seconds[0]:.0f} to {seconds[1]:.0f} s"
    low, high = (max(1, round(end / 60)) for end in seconds)
    if high < 120:
        return f"about {low} to {high} min"
    return f"about {low / 60:.1f} to {high / 60:.1f} h"


def _left(study: Study, made: AutoPass, found: Opened) -> tuple[list[str], list[str]]:
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
    if profile.practice:
        return 0.0, 0.0
    if profile.input_price is None or profile.output_price is None:
        return None
    low, high = (
        (i * profile.input_price + o * profile.output_price) / 1e6
        for i, o in zip(sent, back, strict=True)
    )
    return low, high
