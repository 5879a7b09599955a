"""Packets made to harm: each is refused with its reason, and nothing is written."""

import io
import json
import stat
import struct
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import archive, packet
from coding.canonical import canonical_json, sha256_hex
from coding.errors import CodingError
from coding.packet import Sealed
from tests.strategies import QUICK

Files = dict[str, bytes]


def files_of(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def keep(_info: zipfile.ZipInfo) -> None:
    """Change nothing."""


def zipped(
    entries: list[tuple[str, bytes]],
    method: int = zipfile.ZIP_STORED,
    change: Callable[[zipfile.ZipInfo], None] = keep,
) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as file:
        warnings.simplefilter("ignore")  # zipfile warns of a name that it has already
        for name, data in entries:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            change(info)
            file.writestr(info, data)
    return out.getvalue()


def resealed(files: Files) -> bytes:
    """A packet whose hashes are right, whatever its entries say."""
    about = json.loads(files["packet.json"])
    about["codebook"] = sha256_hex(files["codebook.json"])
    files = {**files, "packet.json": canonical_json(about)}
    names = [name for name in archive.LIMITS if name != "manifest.json"]
    hashes = {name: sha256_hex(files[name]) for name in names}
    return zipped(
        [*((n, files[n]) for n in names), ("manifest.json", canonical_json(hashes))]
    )


def with_items(files: Files, lines: list[bytes], count: int | None = None) -> bytes:
    about = json.loads(files["packet.json"])
    about["items"] = len(lines) if count is None else count
    data = b"".join(line + b"\n" for line in lines)
    return resealed(
        {**files, "packet.json": canonical_json(about), "items.jsonl": data}
    )


def refusal(data: bytes) -> str:
    with pytest.raises(CodingError) as caught:
        packet.parse_packet(data)
    return str(caught.value)


@pytest.fixture(scope="module")
def files(sealed: Sealed) -> Files:
    return files_of(sealed.data)


def test_the_helpers_make_good_packets(sealed: Sealed, files: Files) -> None:
    """Otherwise every refusal below could be for another reason."""
    assert packet.parse_packet(resealed(files)) == sealed.packet
    lines = files["items.jsonl"].splitlines()
    assert packet.parse_packet(with_items(files, lines)) == sealed.packet
    squeezed = zipped(list(files.items()), zipfile.ZIP_DEFLATED)
    assert packet.parse_packet(squeezed) == sealed.packet


@pytest.mark.parametrize(
    "name",
    ["../evil", "/etc/passwd", "C:\\x", "..\\x", "items.jsonl/", "dir/", "ITEMS.JSONL",
     "packet.json\0.exe", "./packet.json"],
)  # fmt: skip
def test_other_names_and_paths(files: Files, name: str) -> None:
    instead = [(name if n == "items.jsonl" else n, d) for n, d in files.items()]
    refusal(zipped(instead))
    assert "lists 5" in refusal(zipped([*files.items(), (name, b"x")]))


def test_a_name_with_a_nul_is_not_the_name_before_it(files: Files) -> None:
    def hide(info: zipfile.ZipInfo) -> None:
        info.filename += "\0.exe"  # past the constructor, which would cut it off

    assert "entry is unknown" in refusal(zipped(list(files.items()), change=hide))


@pytest.mark.parametrize("name", list(archive.LIMITS))
def test_missing_and_repeated_entries(files: Files, name: str) -> None:
    without = [(n, d) for n, d in files.items() if n != name]
    assert "lists 3" in refusal(zipped(without))
    assert "lists 5" in refusal(zipped([*files.items(), (name, files[name])]))
    twice = [*without, without[0]]
    assert "twice or is missing" in refusal(zipped(twice))


def change_mode(mode: int) -> Callable[[zipfile.ZipInfo], None]:
    def change(info: zipfile.ZipInfo) -> None:
        info.create_system = 3
        info.external_attr = mode << 16

    return change


@pytest.mark.parametrize(
    "kind", [stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR]
)
def test_links_and_other_things_that_are_no_files(files: Files, kind: int) -> None:
    data = zipped(list(files.items()), change=change_mode(kind | 0o644))
    assert "not a plain file" in refusal(data)


def test_extra_fields_and_comments(files: Files) -> None:
    def extra(info: zipfile.ZipInfo) -> None:
        info.extra = EXTRA

    def comment(info: zipfile.ZipInfo) -> None:
        info.comment = b"made by gpt"

    assert "extra fields" in refusal(zipped(list(files.items()), change=extra))
    assert "comment" in refusal(zipped(list(files.items()), change=comment))


EXTRA = struct.pack("<HH4s", 0x7875, 4, b"user")


def with_extra(data: bytes, at: int, length_at: int) -> bytes:
    """Put an extra field in at `at`, say its length, and mend the offsets."""
    end = len(data) - 22
    size, start = struct.unpack_from("<2L", data, end + 12)
    out = bytearray(data)
    struct.pack_into("<H", out, length_at, len(EXTRA))
    in_directory = at >= start
    size, start = size + 8 * in_directory, start + 8 * (not in_directory)
    struct.pack_into("<2L", out, end + 12, size, start)
    out[at:at] = EXTRA
    return bytes(out)


def test_extra_fields_in_one_of_the_two_headers(sealed: Sealed) -> None:
    data, name = sealed.data, b"manifest.json"
    local = data.rfind(b"PK\x03\x04")
    hidden = with_extra(data, local + 30 + len(name), local + 28)
    assert "manifest.json: has extra fields" in refusal(hidden)
    central = data.rfind(b"PK\x01\x02")
    listed = with_extra(data, central + 46 + len(name), central + 30)
    assert "manifest.json: has extra fields" in refusal(listed)


def test_data_before_the_directory(sealed: Sealed) -> None:
    start = sealed.data.find(b"PK\x01\x02")
    out = bytearray(sealed.data)
    struct.pack_into("<L", out, len(out) - 6, start + 6)
    out[start:start] = b"hidden"
    assert "belongs to no entry" in refusal(bytes(out))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compression(files: Files, method: int) -> None:
    assert "compressed in a way" in refusal(zipped(list(files.items()), method))


@pytest.mark.parametrize("bit", [0x1, 0x40, 0x2000])
def test_encrypted(sealed: Sealed, bit: int) -> None:
    data = bytearray(sealed.data)
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(signature)
        while at >= 0:
            data[at + offset : at + offset + 2] = struct.pack("<H", bit)
            at = data.find(signature, at + 1)
    assert "encrypted" in refusal(bytes(data))


def test_a_bomb_that_says_its_size(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(archive.LIMITS, "items.jsonl", 100_000)
    bomb = {**files, "items.jsonl": b"\0" * 1_000_000}
    data = zipped(list(bomb.items()), zipfile.ZIP_DEFLATED)
    assert len(data) < 20_000
    assert "larger than 100000 bytes" in refusal(data)


@pytest.mark.parametrize("claim", [10, 1000])
def test_a_bomb_that_lies_about_its_size(
    files: Files, monkeypatch: pytest.MonkeyPatch, claim: int
) -> None:
    monkeypatch.setitem(archive.LIMITS, "items.jsonl", 100_000)
    true_size = 20_000_000
    bomb = {**files, "items.jsonl": b"\0" * true_size}
    data = zipped(list(bomb.items()), zipfile.ZIP_DEFLATED)
    lie = data.replace(struct.pack("<I", true_size), struct.pack("<I", claim))
    assert lie != data
    tracemalloc.start()
    try:
        refusal(lie)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < true_size / 4


def test_a_size_that_is_claimed_too_large(files: Files) -> None:
    data = zipped(list(files.items()), zipfile.ZIP_DEFLATED)
    size = len(files["items.jsonl"])
    refusal(data.replace(struct.pack("<I", size), struct.pack("<I", size + 5)))


def test_a_file_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch, sealed: Sealed
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", len(sealed.data) - 1)
    assert "larger" in refusal(sealed.data)


def test_data_before_between_and_after(sealed: Sealed, files: Files) -> None:
    assert "after its end" in refusal(sealed.data + b"x")
    assert "belongs to no entry" in refusal(b"#!/bin/sh\n" + sealed.data)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name), data)
            out.write(b"hidden")
            file.start_dir = out.tell()
    assert "belongs to no entry" in refusal(out.getvalue())
    with_comment = io.BytesIO()
    with zipfile.ZipFile(with_comment, "w") as file:
        for name, data in files.items():
            file.writestr(zipfile.ZipInfo(name), data)
        file.comment = b"from the lab"
    assert "after its end" in refusal(with_comment.getvalue())


def test_overlapping_entries(sealed: Sealed) -> None:
    """Two directory entries that share the bytes of one file (a quine-like bomb)."""
    data = bytearray(sealed.data)
    first = data.find(b"PK\x01\x02")
    second = data.find(b"PK\x01\x02", first + 1)
    data[second + 42 : second + 46] = data[first + 42 : first + 46]
    refusal(bytes(data))


def test_cut_off_anywhere(sealed: Sealed) -> None:
    for size in (0, 1, 21, 22, 100, len(sealed.data) // 2, len(sealed.data) - 1):
        refusal(sealed.data[:size])


def test_no_zip_at_all() -> None:
    for data in (b"", b"hello", b"PK\x05\x06" + b"\0" * 18, b"\0" * 10_000):
        refusal(data)


@pytest.mark.parametrize("name", ["packet.json", "codebook.json", "items.jsonl"])
def test_a_changed_entry(files: Files, name: str) -> None:
    changed = {**files, name: files[name].replace(b"a", b"b", 1)}
    assert f"{name}: is not what the manifest" in refusal(zipped(list(changed.items())))


def test_a_codebook_that_is_not_the_named_one(files: Files) -> None:
    names = ("packet.json", "codebook.json", "items.jsonl")
    swapped = {**files, "codebook.json": files["codebook.json"].replace(b"own", b"OWN")}
    hashes = {name: sha256_hex(swapped[name]) for name in names}
    swapped["manifest.json"] = canonical_json(hashes)
    assert "not the codebook" in refusal(zipped(list(swapped.items())))


@pytest.mark.parametrize(
    "manifest",
    [b"{}", b"[]", b'{"packet.json":1,"codebook.json":2,"items.jsonl":3}', b"{" * 9000],
)
def test_a_manifest_of_another_shape(files: Files, manifest: bytes) -> None:
    refusal(zipped(list({**files, "manifest.json": manifest}.items())))


@pytest.mark.parametrize(
    ("key", "value"),
    [("format", "director-packet/2"), ("packet", "../../etc"), ("packet", "A" * 32),
     ("items", 0), ("items", True), ("items", "6"), ("items", 10**9), ("items", 7),
     ("commitment", ""), ("model", "gpt-6-sol")],
)  # fmt: skip
def test_wrong_values_in_packet_json(files: Files, key: str, value: object) -> None:
    about = json.loads(files["packet.json"])
    data = resealed({**files, "packet.json": canonical_json({**about, key: value})})
    assert key in refusal(data) or "number of items" in refusal(data)


ITEM = "ab" * 16
BAD_LINES = {
    "path as id": b'{"id":"../../x","text":"t"}',
    "short id": b'{"id":"ab","text":"t"}',
    "more keys": f'{{"id":"{ITEM}","text":"t","model":"m"}}'.encode(),
    "no text": f'{{"id":"{ITEM}"}}'.encode(),
    "text no text": f'{{"id":"{ITEM}","text":5}}'.encode(),
    "nested": f'{{"id":"{ITEM}","text":["t"]}}'.encode(),
    "deep": f'{{"id":"{ITEM}","text":'.encode() + b"[" * 100_000,
    "key twice": f'{{"id":"{ITEM}","text":"a","text":"b"}}'.encode(),
    "not UTF-8": f'{{"id":"{ITEM}","text":"'.encode() + b'\xff"}',
    "no JSON": b"hello",
    "empty": b"",
    "a number of digits": b"9" * 10_000,
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_lines_of_items(files: Files, name: str) -> None:
    said = refusal(with_items(files, [BAD_LINES[name]]))
    assert "items.jsonl, line 1" in said


def test_item_ids_that_repeat_and_counts_that_lie(files: Files) -> None:
    lines = files["items.jsonl"].splitlines()
    assert "twice" in refusal(with_items(files, [*lines, lines[0]]))
    assert "number of items" in refusal(with_items(files, lines, count=5))
    unended = resealed({**files, "items.jsonl": files["items.jsonl"][:-1]})
    assert "number of items" in refusal(unended)


def test_a_text_that_is_too_long(files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packet, "MAX_TEXT", 5)
    assert "longer than 5" in refusal(
        with_items(files, files["items.jsonl"].splitlines())
    )


def test_a_hostile_codebook_inside(files: Files) -> None:
    for book in (b"[" * 1000, b"{}", b'{"format":"director-codebook/1"}', b"\xff"):
        assert "codebook.json" in refusal(resealed({**files, "codebook.json": book}))


def test_a_refused_file_is_named_and_nothing_is_written(
    tmp_path: Path, files: Files
) -> None:
    path = tmp_path / "evil.codepack"
    path.write_bytes(zipped([("../evil", b"x"), *list(files.items())[1:]]))
    before = sorted(tmp_path.parent.rglob("*"))
    with pytest.raises(CodingError) as caught:
        packet.read_packet(path)
    assert "evil.codepack" in str(caught.value)
    assert sorted(tmp_path.parent.rglob("*")) == before


@QUICK
@given(st.data())
def test_one_changed_byte_never_goes_unnoticed(
    sealed: Sealed, data: st.DataObject
) -> None:
    """Any flipped byte is refused, or (in a header nobody reads) changes nothing."""
    at = data.draw(st.integers(0, len(sealed.data) - 1))
    value = data.draw(st.integers(1, 255))
    damaged = bytearray(sealed.data)
    damaged[at] ^= value
    try:
        read = packet.parse_packet(bytes(damaged))
    except CodingError:
        return
    assert read == sealed.packet


@QUICK
@given(st.binary(max_size=400))
def test_noise_is_refused(noise: bytes) -> None:
    refusal(noise)
    refusal(b"PK\x03\x04" + noise + b"PK\x05\x06" + b"\0" * 18)
