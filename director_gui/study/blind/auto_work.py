"""Passes of the automatic coder: begun, gone on with, and what they have come to."""

import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from coding.packet import Item
from coding.results import AUTO
from director_gui.errors import UserError
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Call, PlannedCall
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.auto_passes import (
    AutoPass,
    add_calls,
    add_pass,
    passes_in,
)
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES
from director_gui.store.log import add_entry
from director_gui.study.blind.auto_answer import Answer, Refusal, read_answer
from director_gui.study.blind.auto_prompt import (
    again_part,
    codebook_part,
    item_part,
    wording,
)
from director_gui.study.blind.keys import Opened, opened
from director_gui.study.blind.passes import PRACTICE, unblinding_of

BEGUN = "automatic pass begun"
MOST_ASKS = 2  # CODING §9: asked once more, then uncodable
_LONGEST = 32  # characters of an alias


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an automatic coder has said of one item so far.

    Attributes:
        item: The item's id.
        answer: Its codes; None while there are none.
        refusal: Why its last reply could not be used; None when it could.
        asks: How often it was asked and answered, or given up.
    """

    item: str
    answer: Answer | None = None
    refusal: Refusal | None = None
    asks: int = 0

    @property
    def uncodable(self) -> bool:
        """Whether it was asked often enough without an answer that can be used."""
        return self.refusal is not None and self.asks >= MOST_ASKS

    @property
    def ended(self) -> bool:
        """Whether nothing more is asked about the item."""
        return self.answer is not None or self.uncodable


def begin(
    study: Study,
    packet_id: str,
    profile: Profile,
    actor: str,
    *,
    ceiling: float | None = None,
) -> AutoPass:
    """Store a new pass over a packet with its calls; nothing is sent yet.

    Args:
        study: Open for writing.
        packet_id: The packet.
        profile: The model that codes.
        actor: Who begins it, for the log.
        ceiling: The most that it may cost in US dollars; None for no ceiling.

    Raises:
        UserError: The packet is unblinded, or its replies are no practice and the
            profile is.
    """
    found = opened(study, packet_id)
    refuse(study, found, profile)
    # A random id: one made of packet and model would make two passes one.
    pass_id, alias = secrets.token_hex(8), new_alias(study, packet_id, profile)
    head = codebook_part(found.packet.codebook)
    settings = {
        # The whole profile, so that a sitting weeks later asks in the same way.
        "profile": asdict(profile),
        "wording": wording(),
        "codebook": found.packet.codebook.hash,
        "ceiling": ceiling,
    }
    calls = [_call(found, pass_id, profile, i, head=head) for i in found.packet.items]
    detail = {"packet": packet_id, "alias": alias, "pass": pass_id, "calls": len(calls)}
    with study.write():
        made = add_pass(
            study,
            pass_id,
            packet_id,
            alias,
            practice=profile.practice,
            settings=settings,
            calls=calls,
        )
        add_entry(study, actor, BEGUN, detail)
    return made


def refuse(study: Study, found: Opened, profile: Profile) -> None:
    """Refuse a pass that could not be used.

    Raises:
        UserError: The packet is unblinded, or its replies are no practice and the
            profile is.
    """
    if unblinding_of(study, found.stored.id) is not None:
        raise UserError(
            "this packet is unblinded: codes given now would be left out",
            where=found.stored.id,
            todo="Make a second pass of it, and code that",
        )
    if profile.practice and not found.practice:
        raise UserError(
            "the practice reader codes practice replies only",
            where=profile.name,
            todo="Choose a model",
        )


def new_alias(study: Study, packet_id: str, profile: Profile) -> str:
    """Return the name that a new pass gets: it says that the coder is automatic."""
    taken = {one.alias for one in passes_in(study, packet_id)}
    # Makers and folders say little, and an alias is short.
    name = profile.model.rpartition("/")[2]
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-") or "model"
    start = f"{PRACTICE}{AUTO}coder" if profile.practice else f"{AUTO}{plain}"
    number, alias = 1, start[:_LONGEST]
    while alias in taken:
        number += 1
        end = f"-{number}"
        alias = start[: _LONGEST - len(end)] + end
    return alias


def unfinished(study: Study, packet_id: str, profile: Profile) -> AutoPass | None:
    """Return the newest pass of a profile that has calls left, None without one."""
    found = opened(study, packet_id)
    for one in reversed(passes_in(study, packet_id)):
        same = one.settings["profile"]["name"] == profile.name
        if same and not all(v.ended for v in verdicts(study, one, found)):
            return one
    return None


def verdicts(study: Study, one: AutoPass, found: Opened) -> tuple[Verdict, ...]:
    """Return what a pass has come to, in the order of the packet's items.

    Nothing of it is stored: it is read from the replies, which are.
    """
    # Recomputed each time, as scores are: a mended reader mends old passes too.
    replies = _replies(study, one)
    return tuple(_verdict(found, i, replies.get(i.id, {})) for i in found.packet.items)


def ask_again(study: Study, one: AutoPass) -> int:
    """Store a second call for each item whose first answer could not be used.

    Does nothing for items that have theirs, so it can be repeated after a kill.

    Returns:
        How many calls were added.
    """
    found = opened(study, one.packet)
    replies, profile = _replies(study, one), profile_of(one)
    head = codebook_part(found.packet.codebook)
    calls = [
        _call(found, one.id, profile, item, head=head, refusal=refusal)
        for item in found.packet.items
        if (refusal := _to_mend(found, item, replies.get(item.id, {})))
    ]
    add_calls(study, one.id, calls)
    return len(calls)


def profile_of(one: AutoPass) -> Profile:
    """Return the profile that a pass was begun with."""
    return Profile(**one.settings["profile"])


def _call(
    found: Opened,
    pass_id: str,
    profile: Profile,
    item: Item,
    *,
    head: str,
    refusal: Refusal | None = None,
) -> PlannedCall:
    call = Call(
        run=pass_id,
        batch="again" if refusal else "first",
        condition="coding",
        condition_hash=found.packet.codebook.hash,
        scene=item.id,  # what is shown: here an item, in a run a scene
        image="",
        profile=profile.name,
        model=profile.model,
        settings=profile.settings_hash,
        sample=MOST_ASKS if refusal else 1,
    )
    parts = [head, item_part(item.text)]
    # A call that failed had no answer that could be told what was wrong with it.
    if refusal and refusal.kind not in ("no_reply", "filtered"):
        parts.append(again_part(refusal.words))
    return PlannedCall(call, tuple(parts))


def _replies(study: Study, one: AutoPass) -> Mapping[str, dict[int, Reply]]:
    found: dict[str, dict[int, Reply]] = {}
    for reply in replies_of(study, one.id, PASSES):
        found.setdefault(reply.call.scene, {})[reply.call.sample] = reply
    return found


def _verdict(found: Opened, item: Item, replies: Mapping[int, Reply]) -> Verdict:
    last = Verdict(item.id)
    for asks, read in enumerate(_readings(found, item, replies), 1):
        if isinstance(read, Answer):
            return Verdict(item.id, answer=read, asks=asks)
        last = Verdict(item.id, refusal=read, asks=asks)
    return last


def _readings(
    found: Opened, item: Item, replies: Mapping[int, Reply]
) -> Iterator[Answer | Refusal]:
    for number in sorted(replies):
        reply = replies[number]
        # What is still asked may yet be answered: it says nothing so far.
        if reply.status == "open":
            return
        yield _reading(found, item, reply)


def _reading(found: Opened, item: Item, reply: Reply) -> Answer | Refusal:
    if reply.status == "failed":
        return Refusal("no_reply")
    finish = reply.last.finish_reason if reply.last else None
    return read_answer(found.packet.codebook, item.text, reply.text, finish)


def _to_mend(found: Opened, item: Item, replies: Mapping[int, Reply]) -> Refusal | None:
    # Two calls stored means that the second is on its way, or that it was the last.
    if len(replies) != 1:
        return None
    return _verdict(found, item, replies).refusal
