"""A sentence contradicts a fact in a clause of its own, and not where it only tells of the mistake."""

from fractions import Fraction

from looping import each

from workings.field.judging import contradicted
from workings.field.patterns import Piece
from workings.field.sentences import Sentence
from workings.field.slips import SLIPS
from workings.field.terms import terms_of
from workings.field.topics import Fact

FACT = Fact("heads-halve", "says", ("kv_heads halves",), (), (), about="moe")


def read(text: str, *numbers: Piece) -> Sentence:
    return Sentence(text, numbers, terms_of(frozenset(), SLIPS))


def accused(text: str, *before: str) -> bool:
    return bool(list(contradicted((FACT,), read(text), [read(one) for one in before])))


def test_what_it_is_about_may_stand_before() -> None:
    assert accused("The KV heads are halved.", "A mixture of experts.")
    assert not accused("The KV heads are halved.")


@each("text", [
    "The batch has experts and KV heads, and the time is halved.",
    "For experts it is a common mistake that KV heads are halved.",
    "In a mixture KV heads are not halved.",
    "A mixture halves the time instead of the KV heads.",
])  # fmt: skip
def test_another_clause_a_doubt_a_denial_or_a_contrast_is_none(text: str) -> None:
    assert not accused(text)


def test_clauses_end_at_a_comma_but_no_number_does() -> None:
    clauses = read("It has 1,024 layers, and heads.", Piece("#", 7, 12, Fraction(1024))).clauses
    assert [[piece.term for piece in clause] for clause, _ in clauses] == [["#", "blocks"], ["heads"]]
