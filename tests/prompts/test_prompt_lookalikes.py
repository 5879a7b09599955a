"""What an editor slips into a text is found at its place and mended."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.prompts.library import library
from director_gui.prompts.lookalikes import find, mend, mend_all

PLAIN = "Which block will you move?\nGive its number."
# What editors are known to slip in, and what should stand there.
SLIPS = {
    "\r\n": "\n",
    "\r": "\n",
    "\u2028": "\n",
    "\u2029": "\n",
    "\ufeff": "",
    "\u200b": "",
    "\u200d": "",
    "\u2060": "",
    "\u00ad": "",
    "\u202e": "",
    "\u00a0": " ",
    "\u202f": " ",
    "\u2009": " ",
    "\u3000": " ",
    "\t": " ",
    "\u201c": '"',
    "\u201d": '"',
    "\u00ab": '"',
    "\u2018": "'",
    "\u2019": "'",
    "\u2013": "-",
    "\u2212": "-",
    "\u2011": "-",
    "\u2026": "...",
    "\u0430": "a",
    "\u0435": "e",
    "\u0421": "C",
    "\u0445": "x",
    "\u03bf": "o",
    "\u0391": "A",
    "\u03bd": "v",
    "\ufb01": "fi",
    "\uff21": "A",
}


@pytest.mark.parametrize(("slip", "instead"), SLIPS.items(), ids=ascii)
def test_each_slip_is_found_at_its_place_and_mended(slip: str, instead: str) -> None:
    text = f"Which block\nwi{slip}ll move"
    (found,) = find(text)
    assert (found.line, found.column) == (2, 3)
    assert text[found.start : found.end] == slip
    assert found.instead == instead
    assert mend(text, (found,)) == f"Which block\nwi{instead}ll move"
    assert str(found).startswith("line 2, column 3: ")


def test_words_name_the_character_and_its_code() -> None:
    words = " ".join(str(f) for f in find("bl\u043eck \u201cchoice\u201d\u00a0x\r\ny"))
    assert "Cyrillic letter" in words
    assert "U+043E" in words
    assert "curly quote" in words
    assert "no-break space (U+00A0)" in words
    assert "CRLF" in words


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("a \nb", "a\nb"),
        ("  a\nb", "a\nb"),
        ("a\n\nb", "a\nb"),
        ("\na", "a"),
        ("a\n\n", "a\n"),
        ("a\u00a0\n", "a\n"),
        ("a\t \nb", "a\nb"),
        ("a\r\n\r\nb\r\n", "a\nb\n"),
    ],
)
def test_blanks_at_the_edges_and_empty_lines(text: str, mended: str) -> None:
    assert find(text)
    assert mend_all(text) == mended


def test_a_part_of_a_line_may_end_in_a_blank() -> None:
    assert not find("The director can see these blocks: ", lines=False)
    assert find("these\u00a0blocks: ", lines=False)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "caf\u00e9 \u00fc \u4e2d\u6587 \u2713 \u00d7",
        "\u041a\u0430\u043a\u043e\u0439 \u0431\u043b\u043e\u043a?",
        "",
    ],
    ids=["plain", "other letters", "Russian", "nothing"],
)
def test_what_belongs_in_a_text_stays(text: str) -> None:
    assert find(text) == ()


def test_the_programs_own_pieces_are_clean() -> None:
    for piece in library().pieces:
        for data in piece.text.texts():
            assert find(data.decode()) == (), piece.name


def test_a_column_counts_from_its_line_also_after_windows_ends() -> None:
    found = find("ab\r\ncd\r\ne\u00a0f")[-1]
    assert (found.line, found.column) == (3, 2)


PARTS = st.lists(
    st.sampled_from(["a", "b", " ", "\n", "\u0416", *SLIPS]), max_size=12
).map("".join)


@given(text=PARTS | st.text(max_size=30), lines=st.booleans())
def test_a_mended_text_has_nothing_left_to_mend(text: str, *, lines: bool) -> None:
    mended = mend_all(text, lines=lines)
    assert find(mended, lines=lines) == ()
    assert mend_all(mended, lines=lines) == mended


@given(PARTS)
def test_finds_are_apart_and_in_order(text: str) -> None:
    found = find(text)
    edges = [at for one in found for at in (one.start, one.end)]
    assert edges == sorted(edges)
    assert all(one.start < one.end for one in found)
