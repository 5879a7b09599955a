"""Random work of a coder against a plain model: snapshots in a list."""

import random
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from coding import codebook, packet
from coding.events import GUESSES
from coding.merging import merge
from coding.results import CodingSession
from coding.state import ItemState, Quote
from tests.strategies import FEW

READING = Path(__file__).parents[2] / "resources" / "codebooks" / "reading.toml"
SEALED = packet.seal(
    [packet.Entry(str(n), f"{n}: \U0001f600 The largest.") for n in range(3)],
    codebook.read_file(READING),
    random.Random(9).randbytes,
)
PACK = SEALED.packet
ITEMS = st.sampled_from([item.id for item in PACK.items])
CODES = st.sampled_from(
    [(f.name, c.name) for f in PACK.codebook.fields for c in f.codes]
)
World = dict[str, ItemState]


def changed(world: World, item: str, **changes: object) -> World:
    """The world after one item changed; written out, not with the program's fold."""
    old = world[item]
    kept = {name: getattr(old, name) for name in ItemState.__slots__}
    return {**world, item: ItemState(**{**kept, **changes})}


class Coding(RuleBasedStateMachine):
    """Every rule does one thing to the session and the same to the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "log.jsonl"
        self.session = CodingSession(PACK, self.path, "ann")
        self.past: list[World] = []
        self.now: World = {item.id: ItemState() for item in PACK.items}
        self.future: list[World] = []
        self.merged: bytes | None = None

    def move(self, world: World) -> None:
        self.past.append(self.now)
        self.now, self.future = world, []

    @rule(item=ITEMS, code=CODES)
    def code(self, item: str, code: tuple[str, str]) -> None:
        field, value = code
        self.session.record_code(item, field, value)
        values = {**self.now[item].values, field: value}
        self.move(changed(self.now, item, values=values, skipped=False))

    @rule(item=ITEMS, start=st.integers(0, 8), length=st.integers(1, 8))
    def quote(self, item: str, start: int, length: int) -> None:
        self.session.record_quote(item, start, start + length)
        text = PACK.item(item).text[start : start + length]
        quotes = {"quote": Quote(start, start + length, text)}
        self.move(changed(self.now, item, quotes=quotes, skipped=False))

    @rule(item=ITEMS)
    def unquote(self, item: str) -> None:
        self.session.clear_quote(item)
        self.move(changed(self.now, item, quotes={}, skipped=False))

    @rule(item=ITEMS, text=st.text(max_size=8))
    def note(self, item: str, text: str) -> None:
        self.session.set_note(item, text)
        self.move(changed(self.now, item, note=text))

    @rule(item=ITEMS, on=st.booleans(), what=st.sampled_from(["skip", "flag"]))
    def mark(self, item: str, what: str, *, on: bool) -> None:
        if what == "skip":
            self.session.set_skip(item, on=on)
            self.move(changed(self.now, item, skipped=on))
        else:
            self.session.set_flag(item, on=on)
            self.move(changed(self.now, item, flagged=on))

    @rule(item=ITEMS, said=st.sampled_from([*GUESSES, None]))
    def guess(self, item: str, said: str | None) -> None:
        self.session.set_guess(item, said)
        self.move(changed(self.now, item, guess=said or ""))

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        assert self.session.undo() is not None
        self.future.append(self.now)
        self.now = self.past.pop()

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        assert self.session.redo() is not None
        self.past.append(self.now)
        self.now = self.future.pop()

    @rule(torn=st.binary(max_size=5).filter(lambda b: b"\n" not in b))
    def reopen(self, torn: bytes) -> None:
        self.session.close()
        with self.path.open("ab") as file:
            file.write(torn)
        self.session = CodingSession(PACK, self.path, "ann")
        assert self.session.torn == torn

    @rule()
    def merge(self) -> None:
        found = merge(self.path.read_bytes(), {PACK.id: PACK}, self.merged)
        assert found.change in (("new",) if self.merged is None else ("same", "update"))
        assert dict(found.states) == self.now
        self.merged = found.data

    @invariant()
    def same_as_the_model(self) -> None:
        assert {i: self.session.state(i) for i in self.now} == self.now
        assert self.session.can_undo() == bool(self.past)
        assert self.session.can_redo() == bool(self.future)

    @invariant()
    def progress_counts_what_is_there(self) -> None:
        found = self.session.progress()
        statuses = [s.status(PACK.codebook) for s in self.now.values()]
        assert found.coded == statuses.count("coded")
        assert found.skipped == statuses.count("skipped")
        assert found.open == 3 - found.coded - found.skipped
        left = self.session.next_uncoded()
        assert (left is None) == (found.open == 0)

    def teardown(self) -> None:
        self.session.close()
        self.folder.cleanup()


TestCoding = Coding.TestCase
TestCoding.settings = FEW
