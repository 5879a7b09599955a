import hashlib
import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import packet
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import Entry, Packet, Sealed
from tests.strategies import QUICK


def seeded(seed: int) -> Callable[[int], bytes]:
    return random.Random(seed).randbytes


def entries(count: int) -> list[Entry]:
    # Every second text is shared by two replies, as short replies are.
    return [Entry(f"reply-{i}", f"text {i // 2}") for i in range(count)]


def test_a_packet_comes_back_from_its_file(sealed: Sealed, tmp_path: Path) -> None:
    path = tmp_path / sealed.file_name
    path.write_bytes(sealed.data)
    assert packet.read_packet(path) == sealed.packet
    assert path.name == f"{sealed.packet.id}.codepack"
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == [path.name]


def test_the_zip_is_bare_and_in_order(sealed: Sealed) -> None:
    with zipfile.ZipFile(io.BytesIO(sealed.data)) as file:
        infos = file.infolist()
    assert [info.filename for info in infos] == [
        "packet.json",
        "codebook.json",
        "items.jsonl",
        "manifest.json",
    ]
    for info in infos:
        assert info.date_time == (1980, 1, 1, 0, 0, 0)
        assert info.external_attr >> 16 == 0o100644
        assert (info.extra, info.comment, info.create_system) == (b"", b"", 3)
        assert info.compress_type == zipfile.ZIP_STORED


def test_entries_say_only_what_a_coder_may_know(sealed: Sealed, book: Codebook) -> None:
    with zipfile.ZipFile(io.BytesIO(sealed.data)) as file:
        files = {name: file.read(name) for name in file.namelist()}
    about = json.loads(files["packet.json"])
    assert about == {
        "format": "director-packet/1",
        "packet": sealed.packet.id,
        "items": 6,
        "codebook": book.hash,
        "commitment": sealed.packet.commitment,
    }
    lines = [json.loads(line) for line in files["items.jsonl"].splitlines()]
    assert all(line.keys() == {"id", "text"} for line in lines)
    manifest = json.loads(files["manifest.json"])
    assert manifest == {
        name: hashlib.sha256(files[name]).hexdigest()
        for name in ("packet.json", "codebook.json", "items.jsonl")
    }
    assert sealed.packet.manifest == hashlib.sha256(files["manifest.json"]).hexdigest()


def test_nothing_that_is_hidden_reaches_the_file(book: Codebook) -> None:
    canary = "CANARY-7f3a"
    made = packet.seal(
        [Entry(f"{canary}-{i}", f"text {i}", {canary: canary}) for i in range(5)], book
    )
    for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
        assert canary.encode(encoding) not in made.data
    assert canary.encode() in made.key


@QUICK
@given(st.permutations(entries(9)), st.randoms(use_true_random=False))
def test_non_interference(
    book: Codebook, shuffled: list[Entry], rng: random.Random
) -> None:
    """Input order and hidden facts of any kind leave the file byte-identical."""
    reference = packet.seal(entries(9), book, seeded(7))
    assert packet.seal(shuffled, book, seeded(7)).data == reference.data
    # Other refs and marks are another key, so only the commitment may differ.
    hidden = [
        Entry(f"{rng.random()}-{i}", e.text, {"m": rng.random()})
        for i, e in enumerate(shuffled)
    ]
    other = packet.seal(hidden, book, seeded(7)).packet
    assert (other.id, other.items) == (reference.packet.id, reference.packet.items)


def test_ids_and_order_are_new_for_each_packet(book: Codebook) -> None:
    made = [packet.seal(entries(30), book).packet for _ in range(2)]
    ids = [{item.id for item in one.items} for one in made]
    assert not ids[0] & ids[1]
    assert made[0].id != made[1].id
    texts = [[item.text for item in one.items] for one in made]
    assert sorted(texts[0]) == sorted(texts[1])
    assert texts[0] != texts[1]  # equal with a chance of 2**15 / 30!
    assert texts[0] != sorted(texts[0])


def test_order_is_uniform_enough(book: Codebook) -> None:
    firsts = [
        packet.seal([Entry(t, t) for t in "abc"], book, seeded(s)).packet.items[0].text
        for s in range(120)
    ]
    for letter in "abc":  # each has a share of 1/3, with a standard error of 5
        assert 20 < firsts.count(letter) < 60


def test_the_key_ties_items_to_replies(book: Codebook) -> None:
    given = [Entry("r1", "one", {"cuts": [[0, 3]]}), Entry("r2", "two\ud800")]
    made = packet.seal(given, book, seeded(3))
    key = json.loads(made.key)
    assert key["packet"] == made.packet.id
    by_ref = {e.ref: e for e in given}
    assert len(key["items"]) == 2
    for item_id, secret in key["items"].items():
        entry = by_ref[secret["ref"]]
        assert made.packet.item(item_id).text == entry.text
        assert secret["hidden"] == entry.hidden
        data = entry.text.encode("utf-8", "backslashreplace")
        assert secret["text_sha256"] == hashlib.sha256(data).hexdigest()


def test_the_commitment_binds_the_key(sealed: Sealed) -> None:
    plain = hashlib.sha256(sealed.salt + sealed.key).hexdigest()
    assert sealed.packet.commitment == plain
    assert len(sealed.salt) == 32
    assert packet.keeps_commitment(sealed.packet, sealed.key, sealed.salt)
    assert not packet.keeps_commitment(sealed.packet, sealed.key + b" ", sealed.salt)
    assert not packet.keeps_commitment(sealed.packet, sealed.key, bytes(32))
    with pytest.raises(ValueError, match="32 bytes"):
        packet.commit(sealed.key, b"short")


@QUICK
@given(st.lists(st.text(max_size=60), min_size=1, max_size=6))
def test_any_text_survives(book: Codebook, texts: list[str]) -> None:
    made = packet.seal([Entry(str(i), t) for i, t in enumerate(texts)], book)
    assert sorted(i.text for i in made.packet.items) == sorted(texts)


def test_texts_that_look_like_lines_or_code_stay_texts(book: Codebook) -> None:
    texts = ['{"id":1}\n{"id":2}', "<script>", "a\0b\r\nc\u2028d\x85", "\ud800", ""]
    made = packet.seal([Entry(t, t) for t in texts], book)
    assert {i.text for i in made.packet.items} == set(texts)


@pytest.mark.parametrize(
    ("bad", "what"),
    [
        ([], "1 to"),
        ([Entry("a", "x"), Entry("a", "y")], "twice"),
        ([Entry("a", "x" * (packet.MAX_TEXT + 1))], "longer"),
        ([Entry("a", "\ud83d\ude00")], "no file keeps"),
    ],
    ids=["none", "ref twice", "too long", "split surrogates"],
)
def test_what_cannot_be_sealed(book: Codebook, bad: list[Entry], what: str) -> None:
    with pytest.raises(CodingError, match=what):
        packet.seal(bad, book)


def test_a_packet_knows_its_items(pack: Packet) -> None:
    for place, item in enumerate(pack.items):
        assert pack.positions[item.id] == place
        assert pack.item(item.id) is item
    with pytest.raises(CodingError, match="no item"):
        pack.item("0" * 32)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CodingError, match="cannot be read") as caught:
        packet.read_packet(tmp_path / "gone.codepack")
    assert "gone.codepack" in caught.value.where
