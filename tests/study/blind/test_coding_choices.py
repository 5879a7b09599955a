"""The method tells of the codebooks and forms that were used, in their own words."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from coding.codebook import Code, Codebook, Field
from director_gui.study.blind.coding_choices import READING, coding_choices
from director_gui.study.blind.keys import Opened, all_opened
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, seal_packet
from director_gui.study.export.note import note
from tests import blind_studies
from tests.blind_studies import Desk, seeded

HANDS = (Code("l", "Left"), Code("r", "Right"))
OWN = Codebook(
    name="gestures",
    version=3,
    title="What the hands\ndo",
    intro="",
    fields=(
        Field("hand", "Which <b>hand</b>", "one_of", codes=HANDS),
        Field("said", "Words", "quote"),
        Field("why", "Why", "text", required=False),
    ),
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("choices")
    with blind_studies.make(folder / "a.study") as study:
        yield Desk(study, folder / "packets")


def made(desk: Desk, book: Codebook, request: Request, seed: int) -> Opened:
    prepared = prepare(desk.study, request)
    return seal_packet(desk.study, prepared, book, "me", random_bytes=seeded(seed))


def test_nothing_is_told_where_nothing_was_coded() -> None:
    assert coding_choices([]).paper == coding_choices([]).ours == ()


def test_the_papers_fields_are_the_papers(desk: Desk) -> None:
    found = coding_choices([desk.seal(Request(seed=5), seed=1)])
    assert found.paper == (READING,)
    assert "The definitions and examples of the codebook." in found.ours
    assert not any("version" in told for told in found.ours)


def test_a_codebook_of_ones_own_is_described_as_it_is(desk: Desk) -> None:
    found = coding_choices([made(desk, OWN, Request(seed=5), 2)])
    assert found.paper == ()
    assert (
        "The codebook “What the hands do” (gestures, version 3): "
        "Which <b>hand</b> (Left, Right); Words (a quote); Why (free text)."
    ) in found.ours
    assert not any("report question" in told for told in found.ours)


def test_an_edited_version_is_not_taken_for_the_papers(desk: Desk) -> None:
    book = replace(default_codebook(), version=2, title="Another")
    found = coding_choices([made(desk, book, Request(seed=5), 3)])
    assert found.paper == ()
    assert any("“Another” (reading, version 2)" in told for told in found.ours)


def test_forms_are_those_of_the_packets(desk: Desk) -> None:
    short = coding_choices([desk.seal(Request(seed=5), seed=4)])
    whole = desk.seal(Request(seed=5, form="with_reply"), seed=5)
    assert any("report left out" in told for told in short.ours)
    told = coding_choices([whole]).ours
    assert any("the whole reply" in one for one in told)
    assert not any("report left out" in one for one in told)


def test_the_note_tells_of_every_packet(desk: Desk) -> None:
    made(desk, OWN, Request(seed=6), 7)
    desk.seal(Request(seed=6), seed=8)
    text = note(desk.study)
    for told in coding_choices(all_opened(desk.study)).ours:
        assert f"- {told}" in text
    assert "gestures, version 3" in text
    assert READING in text
