"""Passes compared while blind; the key opened with a reason; codes joined."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from coding.results import CodingSession, results_name
from director_gui.errors import UserError
from director_gui.runner.practice.traces import true_codes
from director_gui.store.attempts import replies_of
from director_gui.store.log import entries
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.known import KnownItem, read_known
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import family, passes_of
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook
from director_gui.study.blind.unblinding import reveal, unblind
from tests.blind_studies import Desk

if TYPE_CHECKING:
    from director_gui.study.blind.keys import Opened

FIELDS = ["reading", "sees_choice", "works_out"]


def test_no_figure_before_two_coders_are_done(desk: Desk) -> None:
    found = desk.seal()
    with pytest.raises(UserError, match="two coders who are done"):
        agreement_of(desk.study, found.stored.id)
    first = desk.code(found)
    half = desk.folder / results_name(found.packet.id, "ann")
    with CodingSession(found.packet, half, "ann") as session:
        session.record_code(found.packet.items[0].id, "reading", "own-view")
    merge_results(desk.study, [first, half], "me")
    with pytest.raises(UserError, match="ann: 16 left"):
        agreement_of(desk.study, found.stored.id)
    interim = agreement_of(desk.study, found.stored.id, unfinished=True)
    assert interim.interim
    assert interim.fields["reading"].pairs[0].kappa.n == 1


def test_agreement_counts_what_the_files_hold(desk: Desk) -> None:
    found = desk.coded()
    result = agreement_of(desk.study, found.stored.id)
    assert list(result.fields) == FIELDS
    assert result.practice
    assert not result.interim
    one, two = passes_of(desk.study, found)
    same = [
        one.states[i].values["reading"] == two.states[i].values["reading"]
        for i in one.states
    ]
    (pair,) = result.fields["reading"].pairs
    assert (pair.kappa.n, pair.kappa.agree) == (len(same), sum(same))
    assert pair.by_scene is not None
    assert pair.by_scene.scenes == 4
    json.dumps(result.value(), allow_nan=False)


def test_agreement_tells_no_condition_and_no_scene(desk: Desk) -> None:
    found = desk.coded()
    said = json.dumps(agreement_of(desk.study, found.stored.id).value())
    for reply in replies_of(desk.study, "run-1"):
        for hidden in (reply.call.condition, reply.call.scene, reply.call.profile):
            assert hidden not in said


def test_a_second_pass_is_compared_with_the_first(desk: Desk) -> None:
    """The ids are new in each packet, so items meet by the key alone."""
    first = desk.seal()
    again = desk.seal(Request(again=first.stored.id, form="with_reply"), seed=2)
    assert not {i.id for i in first.packet.items} & {i.id for i in again.packet.items}
    assert sorted(first.calls.values()) == sorted(again.calls.values())
    merge_results(desk.study, [desk.code(first), desk.code(again)], "me")
    for packet in (first, again):
        result = agreement_of(desk.study, packet.stored.id)
        (pair,) = result.fields["reading"].pairs
        assert pair.kappa.n == len(first.packet.items)
        assert pair.b == f"practice-coder-1 ({again.stored.id[:6]})"


def test_known_items_are_mixed_in_unmarked_and_scored_apart(desk: Desk) -> None:
    meant = {"reading": "own-view", "sees_choice": "no", "works_out": "yes"}
    known = tuple(
        KnownItem(f"k{i}", f"I go by what I see, that is {i}.", i, meant)
        for i in range(3)
    )
    found = desk.seal(Request(seed=1, known=known))
    plain = desk.seal(Request(seed=1), seed=3)
    assert len(found.packet.items) == len(plain.packet.items) + 3
    names = {n for item in found.packet.items for n in item.__slots__}
    assert names == {"id", "text"}
    path = desk.code(found)  # skips what is no practice trace
    ids = {i: ref for i, ref in found.refs.items() if ref.startswith("known:")}
    with CodingSession(found.packet, path, "practice-coder-1") as session:
        for at, item in enumerate(sorted(ids)):
            session.record_code(item, "reading", "own-view" if at else "no-rule")
    merge_results(desk.study, [path], "me")
    (one,) = passes_of(desk.study, found)
    assert one.known_right("reading") == (2, 3)
    assert not set(one.codes("reading")) & set(ids.values())
    assert passes_of(desk.study, plain) == ()


def test_a_packet_stays_blind_until_a_reason_is_given(desk: Desk) -> None:
    found = desk.coded()
    with pytest.raises(UserError, match="still blind"):
        joined_codes(desk.study, found.stored.id)
    for empty in ("", "  \n"):
        with pytest.raises(UserError, match="needs a reason"):
            unblind(desk.study, found.stored.id, "me", empty)
    assert "unblinded" not in {e.action.split()[-1] for e in entries(desk.study)}


def test_the_log_tells_who_why_and_what_was_locked(desk: Desk) -> None:
    import hashlib

    found = desk.coded()
    entry = unblind(desk.study, found.stored.id, "ann", " both are done ")
    files = sorted(desk.folder.glob("*.jsonl"))
    assert (entry.actor, entry.detail["reason"]) == ("ann", "both are done")
    assert entry.detail["commitment_kept"] is True
    assert entry.detail["scope"] == "packet"
    hashes = [hashlib.sha256(f.read_bytes()).hexdigest() for f in files]
    assert [r["sha256"] for r in entry.detail["results"]] == hashes
    assert entry.time.endswith("+00:00")


def test_codes_join_the_right_replies(desk: Desk) -> None:
    """Coders without errors state each reply's own reading, arm by arm."""
    found = desk.seal()
    merge_results(desk.study, [desk.code(found, error=0.0)], "me")
    unblind(desk.study, found.stored.id, "me", "done")
    joined = joined_codes(desk.study, found.stored.id)
    refs = set(found.calls.values())
    counts: dict[tuple[str, str], int] = {}
    for reply in replies_of(desk.study, "run-1"):
        if reply.call.id in refs:
            truth = true_codes(reply.reasoning or "")
            assert truth is not None
            key = (reply.call.condition, truth.reading)
            counts[key] = counts.get(key, 0) + 1
    (one,) = joined.passes
    found_counts = {
        (arm.condition, code): share.k
        for arm in one.arms
        for code, share in arm.shares.items()
        if share.k
    }
    assert found_counts == counts
    assert [arm.condition for arm in one.arms] == ["move.ask", "move.plain"]
    share = one.arms[0].shares["director-view"]
    assert share.ci_low is not None
    assert share.ci_low < share.ci_high


def test_what_is_coded_after_unblinding_is_left_out(desk: Desk) -> None:
    found = desk.seal()
    path = desk.code(found, error=0.0)
    merge_results(desk.study, [path], "me")
    before = passes_of(desk.study, found)[0].codes("reading")
    unblind(desk.study, found.stored.id, "me", "done")
    item = found.packet.items[0].id
    wanted = "no-rule" if before[found.calls[item]] != "no-rule" else "own-view"
    with CodingSession(found.packet, path, "practice-coder-1") as session:
        session.record_code(item, "reading", wanted)
    (file,) = merge_results(desk.study, [path], "me").files
    assert file.late
    (one,) = passes_of(desk.study, found)
    assert (one.late, one.codes("reading")) == (1, before)
    (other,) = passes_of(desk.study, found, late=True)
    assert other.codes("reading")[found.calls[item]] == wanted


def test_a_coder_who_comes_after_unblinding_counts_for_nothing(desk: Desk) -> None:
    found = desk.seal()
    unblind(desk.study, found.stored.id, "me", "too early")
    merge_results(desk.study, [desk.code(found)], "me")
    (one,) = passes_of(desk.study, found)
    assert (one.coded, one.missing) == (0, len(found.packet.items))
    assert one.late > 0


def test_one_item_can_be_revealed_and_that_is_logged(desk: Desk) -> None:
    found = desk.coded()
    item = found.packet.items[3].id
    seen = reveal(desk.study, found.stored.id, item, "me", "it cannot be read")
    assert seen.call == found.calls[item]
    entry = entries(desk.study)[-1]
    assert (entry.detail["scope"], entry.detail["reason"]) == (
        item,
        "it cannot be read",
    )
    with pytest.raises(UserError, match="still blind"):
        joined_codes(desk.study, found.stored.id)
    with pytest.raises(UserError, match="no reply of this packet"):
        reveal(desk.study, found.stored.id, "f" * 32, "me", "why not")


def test_practice_coders_go_on_where_they_stopped(desk: Desk, tmp_path: Path) -> None:
    found: Opened = desk.seal()
    path = desk.code(found)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:9]))
    assert desk.code(found).read_bytes() == whole
    assert not list(tmp_path.glob("*.torn"))


LINE = '{"reasoning": "I see 3.", "choice": 3, "codes": {"reading": "own-view"}%s}'


def test_known_items_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "known.jsonl"
    with_reply = LINE % ', "reply": "3"'
    path.write_text(f"{LINE % ''}\n\n{with_reply}\n", encoding="utf-8")
    first, second = read_known(path, default_codebook())
    assert (first.reasoning, first.choice, first.reply) == ("I see 3.", 3, "")
    assert (first.codes, second.reply) == ({"reading": "own-view"}, "3")
    assert first.name != second.name


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("[1]", "must be an object"),
        ('{"choice": 3, "codes": {}}', "this key is missing"),
        (LINE.replace("own-view", "nope") % "", "no code of this field"),
        (LINE.replace('"reading"', '"nope"') % "", "this key is unknown"),
        (LINE.replace(": 3,", ': "3",') % "", "must be a whole number"),
        (LINE.replace('{"reading": "own-view"}', "7") % "", "must be an object"),
    ],
)
def test_a_known_item_that_cannot_be_is_refused(
    tmp_path: Path, line: str, words: str
) -> None:
    path = tmp_path / "known.jsonl"
    path.write_text(f"{LINE % ''}\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match="line 2") as refused:
        read_known(path, default_codebook())
    assert words in str(refused.value)


def test_a_known_item_must_not_stand_out(desk: Desk) -> None:
    known = (KnownItem("1", "I see 3.", 3, {"reading": "own-view"}),)
    with pytest.raises(UserError, match="would stand out"):
        prepare(desk.study, Request(form="with_reply", known=known))


def test_a_third_pass_belongs_to_the_first(desk: Desk) -> None:
    first = desk.seal()
    second = desk.seal(Request(again=first.stored.id), seed=2)
    third = desk.seal(Request(again=second.stored.id), seed=3)
    assert third.first_pass == second.first_pass == first.stored.id
    for found in (first, second, third):
        assert len(family(desk.study, found.stored.id)) == 3
