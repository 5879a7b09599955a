"""Outcomes as whole numbers, what scores rest on, and the facts of scenes."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.scene.serialize import canonical_bytes
from director_gui.scoring import score
from director_gui.scoring.score import Score
from director_gui.store.database import Study, create_study
from director_gui.store.scenes import add_scene
from director_gui.store.sets import scenes_in_sets, set_scenes, sets
from director_gui.study.results.columns import ENDINGS, KINDS, NOTHING, OPEN, SceneFact
from director_gui.study.results.facts import SceneFacts
from director_gui.study.results.outcome import (
    NO_REPLY,
    Outcome,
    basis_of,
    decoded,
    outcome_of,
    score_with,
)
from tests import blind_studies
from tests.plan_studies import study_with_set

THREE = (NOTHING, 0, 1)
KEYS = {"v": (("visible", "choice"),), "w": (("choice",),)}
EVERY = tuple(
    Outcome(*parts)
    for parts in product(
        range(len(ENDINGS)), THREE, THREE, THREE, range(NOTHING, len(KINDS))
    )
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "facts") as made:
        yield made


@pytest.fixture
def fact(study: Study) -> SceneFact:
    made = blind_studies.scenes(1)[0]
    at = add_scene(study, made.name, canonical_bytes(made))
    return SceneFacts(study).of({at})[at]


def test_every_outcome_has_a_number_of_its_own_and_comes_back() -> None:
    codes = [one.code for one in EVERY]
    assert sorted(codes) == list(range(len(EVERY)))
    parts = decoded(np.array(codes, np.int64))
    assert list(zip(*(part.tolist() for part in parts), strict=True)) == list(EVERY)
    assert all(part.dtype == np.int8 for part in parts)


def test_numbers_mean_what_they_meant_when_they_were_stored() -> None:
    # Stored in studies: these may change only together with what `basis_of` names.
    assert NO_REPLY.code == 1134
    assert Outcome(0, 1, 1, 1, 0).code == 183
    assert Outcome(0, 0, NOTHING, NOTHING, 1).code == 65


def test_no_outcomes_are_no_outcomes() -> None:
    assert [len(part) for part in decoded(np.array([], np.int64))] == [0] * 5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"visible": [5, 8], "choice": 3}', ("answered", 1, 1, 1, "hidden")),
        ('{"visible": [5, 3], "choice": 8}', ("answered", 0, 0, 0, None)),
        ('{"visible": [], "choice": 9}', ("answered", 0, 0, 1, "not_a_block")),
        ("nothing", ("unparsed", NOTHING, NOTHING, NOTHING, None)),
        (None, ("failed", NOTHING, NOTHING, NOTHING, None)),
    ],
)
def test_a_reply_comes_down_to_its_outcome(
    fact: SceneFact, text: str | None, expected: tuple[object, ...]
) -> None:
    found = outcome_of(fact, score_with(fact, KEYS["v"], text, None, "stop"))
    status, hidden, correct, leaves_out, kind = expected
    assert ENDINGS[found.status] == status
    assert found[1:4] == (hidden, correct, leaves_out)
    if kind is not None:
        assert KINDS[found.kind] == kind


def test_a_scene_without_one_hidden_block_has_no_hidden_choice(fact: SceneFact) -> None:
    none = replace(fact, hidden=None)
    found = outcome_of(
        none, score_with(none, KEYS["v"], '{"visible": [5], "choice": 3}', None, "stop")
    )
    assert found[1:4] == (NOTHING, 0, NOTHING)
    assert KINDS[found.kind] == "unseen"


def test_an_open_call_is_no_ending_of_a_score() -> None:
    assert Outcome(OPEN, NOTHING, NOTHING, NOTHING, NOTHING) == NO_REPLY
    assert ENDINGS[OPEN] not in score.STATUSES
    assert set(ENDINGS) - {"open"} == set(score.STATUSES)
    assert Score("empty").joint is None


def test_the_basis_names_all_that_a_score_depends_on(
    fact: SceneFact, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = basis_of(KEYS, {fact.hash: fact})
    others = [
        basis_of(KEYS | {"w": (("visible",), ("choice",))}, {fact.hash: fact}),
        basis_of({"v": KEYS["v"]}, {fact.hash: fact}),
        basis_of(KEYS, {}),
        basis_of(KEYS, {"another": fact}),
        *(
            basis_of(KEYS, {fact.hash: replace(fact, **{name: value})})
            for name, value in {
                "digits": (1, 2, 3), "hidden": None, "director_view": None, "sees": (),
            }.items()
        ),
    ]  # fmt: skip
    monkeypatch.setattr(score, "SCORER_VERSION", score.SCORER_VERSION + 1)
    others.append(basis_of(KEYS, {fact.hash: fact}))
    assert len({plain, *others}) == 1 + len(others)


def test_the_basis_names_nothing_else(fact: SceneFact) -> None:
    plain = basis_of(KEYS, {fact.hash: fact, "b": fact})
    turned = dict(reversed(KEYS.items()))
    renamed = replace(fact, name="another", features=None)  # type: ignore[arg-type]
    assert basis_of(turned, {"b": renamed, fact.hash: renamed}) == plain


def test_facts_are_those_of_the_truth(study: Study) -> None:
    kept = blind_studies.scenes(2)
    hashes = [add_scene(study, one.name, canonical_bytes(one)) for one in kept]
    facts = SceneFacts(study).of(set(hashes))
    assert list(facts) == sorted(hashes)
    for at, scene in zip(hashes, kept, strict=True):
        truth, found = truth_of(scene), facts[at]
        assert (found.hash, found.name, found.digits) == (at, scene.name, scene.digits)
        assert found.hidden == truth.key.hidden == 3
        assert found.director_view == truth.key.director_view
        assert found.sees == truth.sees["director"] == (5, 8)
        assert found.features.confound == truth.confound


def test_a_sampled_scene_brings_its_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with study_with_set(tmp_path / "set.study") as study:
        rows = set_scenes(study, sets(study)[0].id)
        monkeypatch.setattr("director_gui.study.kept_truths.truth_of", None)
        facts = SceneFacts(study).of({row.scene for row in rows})
    for row in rows:
        found = facts[row.scene]
        assert found.sees == tuple(row.facts["sees"]["director"])
        assert found.hidden == row.facts["key"]["hidden"]
        assert found.features.blocks == len(found.digits)


def test_only_the_scenes_that_were_asked_for_come_from_sets(tmp_path: Path) -> None:
    with study_with_set(tmp_path / "set.study") as study:
        first, *rest = set_scenes(study, sets(study)[0].id)
        assert rest
        assert scenes_in_sets(study, [first.scene, "unknown"]) == [first]
        assert scenes_in_sets(study, []) == []


def test_a_scene_that_is_not_there_is_refused(study: Study) -> None:
    with pytest.raises(UserError, match="no such scene"):
        SceneFacts(study).of({"nowhere"})
