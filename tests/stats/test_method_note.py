"""The method note follows the numbers that the code goes by."""

import subprocess
import sys

import pytest

from director_gui.stats import method_note


@pytest.mark.parametrize(
    ("number", "choices"),
    [
        ("2,000 resamples", method_note.PAPER),
        ("±10 points", method_note.PAPER),
        ("below 3 scenes", method_note.OURS),
        ("Fewer than 5 scenes", method_note.OURS),
        ("Mancl and DeRouen", method_note.OURS),
    ],
)
def test_the_note_names_the_numbers(number: str, choices: tuple[str, ...]) -> None:
    assert sum(number in sentence for sentence in choices) == 1


def test_every_choice_is_one_side_s_and_a_full_sentence() -> None:
    assert not set(method_note.PAPER) & set(method_note.OURS)
    for sentence in method_note.PAPER + method_note.OURS:
        assert sentence[0].isupper()
        assert sentence.endswith(".")


def test_the_numbers_come_from_the_code() -> None:
    """A changed constant shows in the note, so the two cannot drift apart."""
    program = (
        "from director_gui.stats import shares; shares.RESAMPLES = 777;"
        "from director_gui.stats import method_note;"
        "assert any('777 resamples' in line for line in method_note.PAPER)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == 0
