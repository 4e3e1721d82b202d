"""Patterns of terms: slots, alternatives, order, neighbours, numbers, and what must not stand there."""

from fractions import Fraction

from looping import each

from workings.field.patterns import Piece, pattern_of


def pieces(text: str) -> list[Piece]:
    """Words are terms, digits are numbers, `6:heads` one that is the value of a concept."""
    found, at = [], 0
    for word in text.split():
        number, _, concept = word.partition(":")
        value = Fraction(number) if number.isdigit() else None
        of = frozenset({concept}) if concept else frozenset[str]()
        found.append(Piece("#" if number.isdigit() else word, at, at + len(word), value, of))
        at += len(word) + 1
    return found


@each("pattern, text", [
    ("a b", "b x a"), ("a|c b", "c b"), ("a<b", "a x b"), ("#4+a", "4 a"),
    ("#4|#5 a", "a 5"), ("#>3 a", "a 4"), ("(a|c)<(b|d)", "c d"),
    ("a !b", "a c"), ("a not", "a not"), ("#:heads a", "6:heads a"), ("# a", "7 a"),
])  # fmt: skip
def test_a_pattern_matches(pattern: str, text: str) -> None:
    assert pattern_of(pattern).matches(pieces(text))


@each("pattern, text", [
    ("a b", "a"), ("a<b", "b x a"), ("#4+a", "4 xxxx a"), ("#4 a", "5 a"), ("#>3 a", "3 a"),
    ("a !b", "a b"), ("(a|c)<(b|d)", "d a"),
    ("a b", "a not b"), ("#:heads a", "6 a"), ("#:heads a", "6:kv_heads a"),
])  # fmt: skip
def test_a_pattern_does_not_match(pattern: str, text: str) -> None:
    assert not pattern_of(pattern).matches(pieces(text))
