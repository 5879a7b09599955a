"""Guesses of what was asked: stored apart, shown late, indexed arm by arm."""

import json
from pathlib import Path

import pytest

from coding.events import ASKED, NOT_ASKED, UNKNOWN
from coding.results import CodingSession
from director_gui.errors import UserError
from director_gui.store.attempts import replies_of
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.guessing import guesses_of
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import passes_of
from director_gui.study.blind.unblinding import unblind
from tests.blind_studies import Desk


def truth(desk: Desk, found: Opened) -> dict[str, bool]:
    """Item to whether the visibility question was asked."""
    asked = {
        r.call.id: r.call.condition == "move.ask"
        for r in replies_of(desk.study, "run-1")
    }
    return {item: asked[call] for item, call in found.calls.items()}


def guess(found: Opened, path: Path, alias: str, guesses: dict[str, str]) -> None:
    with CodingSession(found.packet, path, alias) as session:
        for item, said in guesses.items():
            session.set_guess(item, said)


@pytest.fixture
def coded(desk: Desk) -> tuple[Opened, list[Path]]:
    found = desk.seal()
    return found, [desk.code(found, at) for at in (0, 1)]


def test_guesses_stay_hidden_while_blind(
    desk: Desk, coded: tuple[Opened, list[Path]]
) -> None:
    found, paths = coded
    guess(found, paths[0], "practice-coder-1", {found.packet.items[0].id: ASKED})
    merge_results(desk.study, paths, "me")
    with pytest.raises(UserError, match="still blind"):
        guesses_of(desk.study, found.stored.id)
    assert "guess" not in json.dumps(agreement_of(desk.study, found.stored.id).value())


def test_a_guess_is_no_code(desk: Desk, coded: tuple[Opened, list[Path]]) -> None:
    found, paths = coded
    merge_results(desk.study, paths, "me")
    before = passes_of(desk.study, found)
    figures = agreement_of(desk.study, found.stored.id).value()
    answers = dict.fromkeys((i.id for i in found.packet.items), UNKNOWN)
    guess(found, paths[0], "practice-coder-1", answers)
    (file,) = merge_results(desk.study, [paths[0]], "me").files
    assert file.change == "update"
    after = passes_of(desk.study, found)
    assert [p.codes("reading") for p in after] == [p.codes("reading") for p in before]
    assert (after[0].coded, after[0].missing) == (before[0].coded, 0)
    assert agreement_of(desk.study, found.stored.id).value() == figures


def test_each_arm_has_its_index(desk: Desk, coded: tuple[Opened, list[Path]]) -> None:
    """One coder knows all; one always says it was asked, and once does not know."""
    found, paths = coded
    known = truth(desk, found)
    answers = {True: ASKED, False: NOT_ASKED}
    all_right = {item: answers[asked] for item, asked in known.items()}
    guess(found, paths[0], "practice-coder-1", all_right)
    hopeful = dict.fromkeys(known, ASKED)
    plain = next(item for item, asked in known.items() if not asked)
    hopeful[plain] = UNKNOWN
    guess(found, paths[1], "practice-coder-2", hopeful)
    merge_results(desk.study, paths, "me")
    unblind(desk.study, found.stored.id, "me", "done")
    said = {(g.coder, g.condition): g for g in guesses_of(desk.study, found.stored.id)}
    assert len(said) == 4
    one = said["practice-coder-1", "move.ask"]
    assert (one.asked, one.index.value, one.index.ci) == (True, 1.0, None)
    assert "all right" in one.index.note
    other = said["practice-coder-2", "move.plain"]
    n = sum(not asked for asked in known.values())
    assert not other.asked
    assert (other.index.right, other.index.wrong, other.index.unknown) == (0, n - 1, 1)
    assert other.index.value == pytest.approx(-(n - 1) / n)
    assert other.index.ci is not None
    json.dumps([g.value() for g in said.values()], allow_nan=False)


def test_nobody_has_to_guess(desk: Desk, coded: tuple[Opened, list[Path]]) -> None:
    found, paths = coded
    merge_results(desk.study, paths, "me")
    unblind(desk.study, found.stored.id, "me", "done")
    assert guesses_of(desk.study, found.stored.id) == ()


def test_a_guess_after_unblinding_comes_too_late(
    desk: Desk, coded: tuple[Opened, list[Path]]
) -> None:
    found, paths = coded
    merge_results(desk.study, paths, "me")
    unblind(desk.study, found.stored.id, "me", "done")
    guess(found, paths[0], "practice-coder-1", {found.packet.items[0].id: ASKED})
    merge_results(desk.study, paths, "me")
    assert guesses_of(desk.study, found.stored.id) == ()
