"""What went wrong, in words with a next step."""

from dataclasses import replace
from typing import get_args

import pytest

from director_gui.runner.attempting import ErrorKind
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome
from director_gui.study.mishaps import goes_on, mishap

PROFILE = Profile(name="my model", base_url="http://127.0.0.1:9/v1", model="m")


def attempt(kind: str, **more: object) -> Attempt:
    values: dict[str, object] = {"outcome": Outcome.RETRY, "error_kind": kind, **more}
    return Attempt(
        call="c",
        turn=1,
        turns=1,
        number=1,
        started="",
        latency=0.0,
        request_hash="",
        **values,  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("kind", get_args(ErrorKind))
def test_every_kind_says_what_where_and_what_to_do(kind: str) -> None:
    error = mishap(attempt(kind), PROFILE)
    assert error.what
    assert error.todo
    assert "my model" in error.where
    assert "127.0.0.1:9" in error.where


def test_the_servers_own_words_are_told_or_else_the_status() -> None:
    said = mishap(attempt("server", http_status=503, error_message="busy"), PROFILE)
    assert said.what == "the server broke down: busy"
    silent = mishap(attempt("server", http_status=503), PROFILE)
    assert silent.what == "the server broke down: HTTP 503"


def test_the_practice_readers_passing_address_is_left_out() -> None:
    profile = replace(PROFILE, practice=True)
    assert mishap(attempt("connection"), profile).where == "my model"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("none", "Say in the profile where its key is found"),
        ("env:MY_KEY", "Check the key in MY_KEY"),
        ("keyring", "Check the key in the system keyring"),
        ("memory", "Check the key entered in this session"),
    ],
)
def test_a_refused_key_names_its_place(source: str, words: str) -> None:
    profile = Profile(name="p", base_url="http://x", model="m", key_source=source)
    assert mishap(attempt("auth"), profile).todo.startswith(words)


def test_an_unknown_kind_is_still_told() -> None:
    assert mishap(attempt("comet"), PROFILE).what == "no reply came"


@pytest.mark.parametrize(
    ("made", "on"),
    [
        (attempt("connection"), True),
        (attempt("rate_limit"), True),
        (attempt("auth"), False),
        (attempt("quota"), False),
        (attempt("rejected", outcome=Outcome.FAILED), False),
    ],
)
def test_what_is_tried_again_by_itself(made: Attempt, *, on: bool) -> None:
    assert goes_on(made) is on
