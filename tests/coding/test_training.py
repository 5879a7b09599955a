"""Practice cards come from the codebook alone, and every example is among them."""

from collections import Counter

from hypothesis import given

from coding.codebook import Code, Codebook, Field
from coding.training import Card, Practice, cards
from tests.strategies import QUICK, codebooks


def test_each_example_is_one_card(book: Codebook) -> None:
    found = cards(book)
    wanted = [
        (f.name, e, c.name) for f in book.fields for c in f.codes for e in c.examples
    ]
    assert Counter((c.field, c.text, c.code) for c in found) == Counter(wanted)
    assert len(found) > 10


def test_the_order_gives_no_answer_away_and_is_the_same_for_all(book: Codebook) -> None:
    assert cards(book) == cards(book)
    assert cards(book) != cards(book, 1)
    assert sorted(cards(book), key=str) == sorted(cards(book, 1), key=str)
    fields = [card.field for card in cards(book)]
    assert fields != sorted(fields, key=[f.name for f in book.fields].index)


@QUICK
@given(codebooks())
def test_a_card_is_always_an_example_of_its_code(made: Codebook) -> None:
    for card in cards(made):
        assert card.text in made.field(card.field).code(card.code).examples
        assert card.text.strip()


def test_counter_examples_are_no_cards(book: Codebook) -> None:
    # They say which code does not apply, never which one does.
    against = {t for f in book.fields for c in f.codes for t in c.counter_examples}
    assert not against & {card.text for card in cards(book)}


def two() -> Practice:
    codes = (Code("a", "A", examples=("x", "x", " ")), Code("b", "B", examples=("y",)))
    return Practice(Codebook("b", 1, "", "", (Field("f", "F", "one_of", codes=codes),)))


def test_the_first_answer_counts() -> None:
    practice = two()
    assert set(practice.cards) == {Card("f", "x", "a"), Card("f", "y", "b")}
    wrong = "b" if practice.card.code == "a" else "a"
    assert practice.choose(wrong)
    assert not practice.is_right
    assert not practice.choose(practice.card.code)
    assert practice.answer == wrong
    practice.next()
    assert practice.answer is None
    assert practice.choose(practice.card.code)
    assert practice.is_right
    practice.next()
    assert practice.over
    assert (practice.right, practice.answered) == (1, 2)
    assert not practice.choose("a")


def test_a_card_that_is_passed_over_counts_for_nothing() -> None:
    practice = two()
    for _ in range(5):
        practice.next()
    assert practice.over
    assert practice.answered == 0
    practice.again()
    assert not practice.over
    assert len(practice.cards) == 2


def test_a_codebook_without_examples_has_nothing_to_practise() -> None:
    book = Codebook("b", 1, "", "", (Field("f", "F", "quote"),))
    assert Practice(book).over
