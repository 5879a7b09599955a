"""No key serves twice, and the codebook's own keys come first."""

from hypothesis import given
from hypothesis import strategies as st

from coding.codebook import Code, Codebook, Field
from director_gui.ui.coder import keys

_KEY = st.sampled_from([*"nsfuq123abc", ""])


@st.composite
def books(draw: st.DrawFn) -> Codebook:
    used: set[str] = set()
    fields = []
    for i in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["one_of", "quote", "text"]))
        count = draw(st.integers(2, 9)) if kind == "one_of" else 0
        codes = []
        for j in range(count):
            key = draw(_KEY)
            codes.append(Code(f"c{j}", f"C{j}", key="" if key in used else key))
            used.add(key)
        fields.append(Field(f"f{i}", f"F{i}", kind, codes=tuple(codes)))
    return Codebook("b", 1, "", "", tuple(fields))


@given(books())
def test_no_key_serves_twice_and_the_codebook_keeps_its_own(book: Codebook) -> None:
    plan = keys.plan(book)
    given_out = [key for key in plan.keys.values() if key]
    assert len(given_out) == len(set(given_out))
    for field in book.fields:
        for code in field.codes:
            assert not code.key or plan.code(field.name, code.name) == code.key


@given(books())
def test_every_decision_has_a_key_while_there_are_some(book: Codebook) -> None:
    plan = keys.plan(book)
    wanted = sum(len(f.codes) or 1 for f in book.fields) + len(keys.COMMANDS)
    assert len([k for k in plan.keys.values() if k]) == min(wanted, 36)


def test_the_usual_letters_when_they_are_free() -> None:
    book = Codebook("b", 1, "", "", (Field("quote", "Quote", "quote"),))
    plan = keys.plan(book)
    assert plan.field("quote") == "q"
    assert [plan.command(name) for name in keys.COMMANDS] == ["n", "s", "f", "u"]


def test_our_letters_give_way_to_a_letter_of_the_same_word(book: Codebook) -> None:
    plan = keys.plan(book)  # the reading codebook uses n, o and d, p, g
    assert plan.code("reading", "no-rule") == "n"
    assert plan.command(keys.NOTE) == "t"
    assert plan.command(keys.SKIP) == "s"
