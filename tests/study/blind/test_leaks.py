"""The leak tests of CODING.md, section 8, as far as sealing is concerned."""

import base64
import io
import json
import random
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from coding.exchange import TOOLS, hand_out
from director_gui.runner.profiles import Profile
from director_gui.runner.records import PlannedCall
from director_gui.store.database import Study, create_study
from director_gui.store.log import entries
from director_gui.study.blind.keys import Opened, opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.preparing import Prepared, Request, prepare
from director_gui.study.blind.sampling import Sampling, drawn
from director_gui.study.blind.sealing import default_codebook, release, seal_packet
from director_gui.study.blind.unblinding import unblind
from tests.blind_studies import OPEN, Desk, add_replies, attempt, make


def permuted(prepared: Prepared, seed: int) -> Prepared:
    """The same replies in another order, every label given to another one."""
    rng = random.Random(seed)
    labels = [(t.model, t.condition, t.scene, t.kind) for t in prepared.traces]
    rng.shuffle(labels)
    traces = [
        replace(t, model=f"other {m}", condition=c, scene=s, kind=k)
        for t, (m, c, s, k) in zip(prepared.traces, labels, strict=True)
    ]
    pairs = list(zip(traces, prepared.items, strict=True))
    rng.shuffle(pairs)
    return replace(
        prepared,
        traces=tuple(trace for trace, _ in pairs),
        items=tuple(item for _, item in pairs),
    )


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 10**6))
def test_labels_and_order_leave_the_packet_byte_identical(
    desk: Desk,
    tmp_path_factory: pytest.TempPathFactory,
    seed: int,
) -> None:
    prepared = prepare(desk.study, Request(seed=5))
    files = []
    for one in (prepared, permuted(prepared, seed)):
        with create_study(tmp_path_factory.mktemp("s") / "x.study", "x") as study:
            source = random.Random(1).randbytes
            found = seal_packet(
                study, one, default_codebook(), "me", random_bytes=source
            )
            files.append(found.stored.file)
    assert files[0] == files[1]


@given(seed=st.integers(0, 2**64), order=st.randoms(use_true_random=False))
@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_simple_draw_is_moved_by_no_label_and_no_order(
    desk: Desk,
    seed: int,
    order: random.Random,
) -> None:
    prepared = prepare(desk.study, Request(seed=5))
    sampling = Sampling(6, "simple", seed)
    other = permuted(prepared, order.randrange(10**6))
    refs = [t.ref for t in drawn(prepared.traces, sampling)]
    assert [t.ref for t in drawn(other.traces, sampling)] == refs


def test_other_models_times_and_runs_show_in_nothing_a_coder_gets(
    tmp_path: Path,
) -> None:
    """Two studies with the same texts under other labels give the same items."""
    items = []
    for name, profile in (("a", OPEN), ("b", replace(OPEN, name="zz", model="yy"))):
        with create_study(tmp_path / f"{name}.study", name) as study:
            planned = add_plain(study, profile, run=f"run {name}")
            texts = [f"I take {i}, it fits best." for i in range(len(planned))]
            for one, text in zip(planned, texts, strict=True):
                put(study, one, text)
            found = seal_packet(
                study,
                prepare(study, Request(seed=1)),
                default_codebook(),
                "me",
                random_bytes=random.Random(1).randbytes,
            )
            items.append((found.packet.id, found.packet.items))
    assert items[0] == items[1]


CANARY = "KANARI"


def every_form(canary: str) -> Iterator[bytes]:
    yield canary.encode()
    yield canary.lower().encode()
    for codec in ("utf-16-le", "utf-16-be"):
        yield canary.encode(codec)
    for pad in range(3):
        coded = base64.b64encode(b"x" * pad + canary.encode())
        yield coded[-(-pad * 8 // 6) : len(coded) - 4]


def test_canaries_stay_hidden(tmp_path: Path) -> None:
    names = {
        "profile": f"{CANARY}profil",
        "model": f"maker/{CANARY}modell",
        "run": f"{CANARY}lauf",
        "scene": f"{CANARY}szene",
    }
    seed = 918_273_645_564_738
    profile = replace(OPEN, name=names["profile"], model=names["model"])
    with create_study(tmp_path / f"{CANARY}study.study", f"{CANARY}study") as study:
        planned = add_plain(study, profile, run=names["run"])
        for one in planned:
            said = f"As {names['model']} ({names['profile']}) I take {one.call.sample}."
            put(study, one, said)
        found = seal_packet(
            study, prepare(study, Request(seed=seed)), default_codebook(), "me"
        )
        folder = tmp_path / "out"
        path = release(study, found.stored.id, folder, "me")
        results = code_by_hand(found, folder)
        merge_results(study, [results], "me")
        log = json.dumps([[e.action, e.detail, e.actor] for e in entries(study)])
        hidden = {one.call.id for one in planned} | {planned[0].call.scene}
        key = json.dumps(found.stored.key)
    shown = {
        "packet": path.read_bytes(),
        "name": path.name.encode(),
        "results": results.read_bytes(),
        "log": log.encode(),
        **unpacked(path.read_bytes()),
        **handed_out(found, tmp_path / "tools"),
    }
    assert str(seed) in key  # else the search below would prove nothing
    assert all(call in key for call in hidden if call != planned[0].call.scene)
    for place, data in shown.items():
        for canary in (CANARY, str(seed), *hidden, found.stored.salt.hex()):
            for form in every_form(canary):
                assert form not in data, (place, canary)


def test_the_key_lists_each_cut(tmp_path: Path) -> None:
    with create_study(tmp_path / "a.study", "a") as study:
        for one in add_plain(study, OPEN):
            put(study, one, f"Qwen3.8-27B here, {one.call.sample}: GPT would agree.")
        found = seal_packet(
            study, prepare(study, Request(seed=1)), default_codebook(), "me"
        )
    for item in found.packet.items:
        cuts = found.stored.key["items"][item.id]["hidden"]["cuts"]
        assert [cut["text"] for cut in cuts] == ["Qwen3.8-27B", "GPT"]
        assert [item.text[cut["at"]] for cut in cuts] == ["▇", "▇"]
        assert "Qwen" not in item.text


def test_the_key_is_committed_to_and_logged_before_the_file_exists(desk: Desk) -> None:
    found = desk.seal()
    (entry,) = entries(desk.study)
    assert entry.detail["commitment"] == found.packet.commitment
    assert not desk.folder.exists()
    assert opened(desk.study, found.stored.id).keeps_commitment()
    path = release(desk.study, found.stored.id, desk.folder, "me")
    assert [p.name for p in desk.folder.iterdir()] == [path.name]
    assert path.name == f"{found.stored.id}.codepack"


def test_a_changed_key_is_noticed(desk: Desk) -> None:
    found = desk.seal()
    key = json.loads(json.dumps(found.stored.key))
    items = list(key["items"].values())
    items[0]["ref"], items[1]["ref"] = items[1]["ref"], items[0]["ref"]
    changed = replace(found, stored=replace(found.stored, key=key))
    assert found.keeps_commitment()
    assert not changed.keeps_commitment()


def test_an_unblinding_without_the_committed_key_is_refused_and_logged(
    desk: Desk,
) -> None:
    found = desk.coded()
    key = json.loads(json.dumps(found.stored.key))
    key["about"]["practice"] = False
    with desk.study.write() as db:
        db.execute("UPDATE packets SET key = ?", (json.dumps(key),))
    with pytest.raises(Exception, match="not the one that was committed to"):
        unblind(desk.study, found.stored.id, "me", "all are done")
    assert entries(desk.study)[-1].action == "packet unblinded: refused"


def add_plain(study: Study, profile: Profile, run: str = "r") -> list[PlannedCall]:
    """A run of three scenes whose calls are not answered yet."""
    return add_replies(study, 3, 2, profiles=(profile,), run=run, answered=False)


def put(study: Study, one: PlannedCall, reasoning: str) -> None:
    from director_gui.store.attempts import add_attempts

    key = '"choice": 3, "visible": [5, 8]'
    add_attempts(study, [attempt(one, "{" + key + "}", reasoning)])


def code_by_hand(found: Opened, folder: Path) -> Path:
    from coding.results import CodingSession, results_name

    path = folder / results_name(found.packet.id, "ann")
    with CodingSession(found.packet, path, "ann") as session:
        for item in found.packet.items:
            session.record_code(item.id, "reading", "own-view")
            session.record_quote(item.id, 0, 5)
            session.set_note(item.id, "a note")
            session.set_guess(item.id, "asked")
    return path


def handed_out(found: Opened, folder: Path) -> dict[str, bytes]:
    """What every other tool gets, and what is packed in it."""
    shown = {}
    for tool in TOOLS:
        for path in hand_out(found.packet, tool, folder):
            data = path.read_bytes()
            shown[path.name] = data
            if zipfile.is_zipfile(path):
                inner = unpacked(data).items()
                shown |= {f"{path.name}: {name}": part for name, part in inner}
    assert len(shown) > len(TOOLS)
    return shown


def unpacked(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_the_canary_search_finds_what_is_there() -> None:
    for form in every_form(CANARY):
        planted = b"..." + form + b"..."
        assert form in planted
        assert len(form) >= len(CANARY) - 2


def test_practice_replies_make_a_practice_packet(desk: Desk, tmp_path: Path) -> None:
    assert desk.seal().practice
    with make(tmp_path / "b.study", profiles=(replace(OPEN, practice=False),)) as real:
        assert not prepare(real, Request()).practice


@pytest.mark.parametrize("stratified", [False, True])
def test_a_packet_says_nothing_of_how_it_was_drawn(
    desk: Desk, *, stratified: bool
) -> None:
    """The coder's file has the same keys and shapes whatever the key holds."""
    found = desk.seal(Request(size=6, seed=3, stratified=stratified))
    files = unpacked(found.stored.file)
    assert set(files) == {
        "packet.json",
        "codebook.json",
        "items.jsonl",
        "manifest.json",
    }
    about = json.loads(files["packet.json"])
    assert set(about) == {"format", "packet", "items", "codebook", "commitment"}
    for line in files["items.jsonl"].splitlines():
        assert set(json.loads(line)) == {"id", "text"}
    assert found.about["sampling"]["draw"] == ("stratified" if stratified else "simple")


def test_the_order_of_items_tells_nothing(desk: Desk) -> None:
    """Over many packets each reply stands anywhere: no place is preferred."""
    places: dict[str, list[int]] = {}
    prepared = prepare(desk.study, Request(seed=5))
    for seed in range(60):
        with create_study(desk.folder.parent / f"{seed}.study", "x") as study:
            found = seal_packet(
                study,
                prepared,
                default_codebook(),
                "me",
                random_bytes=random.Random(seed).randbytes,
            )
        for at, item in enumerate(found.packet.items):
            places.setdefault(found.refs[item.id], []).append(at)
    count = len(prepared.items)
    middle = (count - 1) / 2
    error = (((count**2) - 1) / 12 / 60) ** 0.5  # of a mean of 60 uniform places
    for found_at in places.values():
        assert abs(sum(found_at) / 60 - middle) < 4.5 * error


def test_the_form_decides_whether_a_report_can_be_read(desk: Desk) -> None:
    """In the default form no text names a key of the reply; with the reply some do."""
    hidden = prepare(desk.study, Request(seed=1)).items
    shown = prepare(desk.study, Request(seed=1, form="with_reply")).items
    assert not [item for item in hidden if '"visible"' in item.text]
    assert [item for item in shown if '"visible"' in item.text]
