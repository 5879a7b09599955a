"""What an error says, in one line."""

import pickle

import pytest

from director_gui.errors import CheckFailedError, UserError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (UserError("it broke"), "it broke"),
        (UserError("it broke", where="a.json"), "a.json: it broke"),
        (UserError("it broke", todo="Mend it"), "it broke. Mend it"),
        (UserError("is it right?", todo="Look"), "is it right? Look"),
    ],
)
def test_the_text(error: UserError, text: str) -> None:
    assert str(error) == text


def test_it_crosses_a_process_whole() -> None:
    error = CheckFailedError("no", where="x", todo="y")
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(back), str(back)) == (CheckFailedError, str(error))
