"""What a letter means is found wherever the document says it, the nearest meaning first."""

from fractions import Fraction

import pytest
from judged_pages import flagged, verdict

from workings.check.definitions import Definition, Definitions, put_in
from workings.formula import Expr, Num, parse_expression
from workings.formula.plain import plain


def number(value: int) -> Num:
    return Num(Fraction(value), None, str(value))


def meaning(name: str, expression: Expr, offset: int, section: int = 0) -> Definition:
    return Definition(name, expression, offset, offset, section)


def known(*found: Definition) -> Definitions:
    definitions = Definitions()
    for one in found:
        definitions.add(one)
    return definitions


def test_the_last_meaning_before_a_place_comes_first_then_what_follows() -> None:
    definitions = known(*(meaning("N", number(n), n) for n in (10, 20, 30)))
    assert [d.offset for d in definitions.candidates("N", 25, 0)] == [20, 10, 30]


def test_the_same_section_comes_before_another() -> None:
    definitions = known(meaning("N", number(1), 10, section=1), meaning("N", number(2), 20, section=2))
    assert [d.offset for d in definitions.candidates("N", 25, 1)] == [10, 20]


def test_a_letter_is_not_defined_by_itself_nor_twice_alike() -> None:
    definitions = known(
        meaning("N", parse_expression("N + 1"), 1), meaning("N", number(8), 2), meaning("N", number(8), 3)
    )
    assert len(definitions.by_name["N"]) == 1


def test_a_letter_with_two_values_is_not_settled() -> None:
    one, other = meaning("N", number(1), 1), meaning("N", number(2), 2, section=1)
    assert known(one).is_settled(one, 0)
    assert not known(one, other).is_settled(one, 5)
    assert known(one, other).is_settled(one, 0)


def test_every_choice_of_values_is_offered_the_likeliest_first() -> None:
    definitions = known(
        meaning("a", number(1), 1), meaning("a", number(2), 2), meaning("b", number(3), 3)
    )
    readings = [
        {n: plain(e) for n, e in values.items()}
        for values, _ in definitions.readings(("a", "b", "c"), 9, 0)
    ]
    assert readings == [{"a": "2", "b": "3"}, {"a": "1", "b": "3"}]


def test_values_are_put_in_once() -> None:
    assert plain(put_in(parse_expression("a + b"), {"a": parse_expression("b*2")})) == "b*2 + b"


RIGHT = {
    "before its use": "Let $B = 4$ and $S = 8$. Then $B \\cdot S = 32$.",
    "after its use": "So $N \\cdot D = 120$ where $N = 4$ and $D = 30$.",
    "as a formula": "$P = 12 L D^2$ with $L = 2$, $D = 10$. So $P = 2400$.",
    "through another letter": "$M = 640 / N$ and $N = 64$, so $2 M = 20$.",
    "in a table": "| layers ($L$) | 80 |\n|---|---|\n| width | 3 |\n\n$2 L = 160$",
    "in code": "`L = 80` and then $2 L = 160$",
    "in Chinese": "设 $N = 64$，则每卡 $M = 640 / N = 10$，总共 $N \\cdot M = 64 \\times 10 = 640$。",
    "more than once": "$x = 3$. $2x = 6$. Now $x = 4$. $2x = 8$.",
}
WRONG = {
    "before its use": ("Let $B = 4$ and $S = 8$. Then $B \\cdot S = 36$.", "B \\cdot S = 36"),
    "after its use": ("So $N \\cdot D = 100$ where $N = 4$ and $D = 30$.", "N \\cdot D = 100"),
    "as a formula": ("$P = 12 L D^2$ with $L = 2$, $D = 10$. So $P = 2500$.", "P = 2500"),
    "substituted": (
        "$L = 80$, $D = 8192$: $L \\cdot D = 96 \\cdot 8192 = 786432$.",
        "L \\cdot D = 96 \\cdot 8192",
    ),
    "in a table": ("| layers ($L$) | 80 |\n|---|---|\n| width | 3 |\n\n$2 L = 170$", "2 L = 170"),
}


@pytest.mark.parametrize("where", RIGHT)
def test_a_value_that_agrees_with_its_letters_is_right(where: str) -> None:
    assert flagged(RIGHT[where]) == []


@pytest.mark.parametrize("where", WRONG)
def test_a_value_that_contradicts_its_letters_is_found(where: str) -> None:
    text, quote = WRONG[where]
    assert flagged(text) == [quote]
    assert verdict(text, quote) == "wrong"


@pytest.mark.parametrize(
    "text",
    [
        "$x = 3$. $x = 4$. $2x = 10$.",
        "Let $T = 5$ s. Then $T(8) = 12$ s.",
        "$P = 3$ and $A = 2$ but $P(A) = 0.5$.",
        "$B = 4$. If we want $2 B = 10$ we need another.",
        "# One\n$d = 128$, $m/d = 40$\n# Two\n$m = 4096$",
    ],
)
def test_where_the_letters_may_mean_something_else_nobody_is_accused(text: str) -> None:
    assert flagged(text) == []
