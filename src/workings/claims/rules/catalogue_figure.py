"""A figure in a sentence that is a known slip of the formula it speaks of, at the page's own values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, combinations, islice

from workings.claims.claim import SUPPORTS, Finding, Rule
from workings.claims.closeness import agree
from workings.claims.marked import Amount
from workings.claims.page import Page
from workings.claims.sayings import Saying
from workings.claims.typed import names_of, value_at
from workings.field.known import Known, Written, known
from workings.field.patterns import Piece
from workings.field.sentences import Sentence
from workings.field.slips import SLIPS, Slip
from workings.field.terms import terms_of
from workings.marks.quantity import Dimension, Printed, Unit
from workings.marks.tree import Number

MOST = 2_000  # figures of a page
DIGITS = 3  # that a figure has at least: fewer are met by chance


def judge(page: Page) -> Iterator[Finding]:
    """Every figure of prose that a slip of an entry comes to, and nothing that is right."""
    figures = ((saying, amount) for saying in page.sayings for amount in saying.amounts)
    for saying, amount in islice(figures, MOST):
        if saying.block.kind != "prose" or amount.part or amount.percent or _digits(amount) < DIGITS:
            continue
        found = _slip(page, saying, amount)
        if found is not None:
            one, slip = found
            start = saying.marks[0].start
            yield Finding(RULE.id, "wrong", saying.block, start, saying.marks[-1].end,
                          (start, amount.end), "is", f"{slip.says} ({one.of.entry})")  # fmt: skip


def _digits(amount: Amount) -> int:
    """How many digits a figure shows, zeros at the end of a whole one aside."""
    printed = amount.node.printed[0]
    return len(str(printed.value / printed.ulp).strip("0")) if printed.ulp else 0


def _slip(page: Page, saying: Saying, amount: Amount) -> tuple[Known, Slip] | None:
    pieces = _clause(page, saying, amount)
    for one in known():
        if not one.about.matches(pieces) or (one.unless and one.unless.matches(pieces)):
            continue
        right = [value for of in one.right for value in _values(page, of, one.of.times)]
        if not right or any(_meets(value, one, amount) for value in right):
            continue
        for slip, of in one.wrong:
            if any(_meets(value, one, amount) for value in _values(page, of, one.of.times)):
                return one, slip
    return None


def _clause(page: Page, saying: Saying, amount: Amount) -> tuple[Piece, ...]:
    """What the clause of a figure speaks of, and what is right before it."""
    start = saying.marks[0].start
    numbers = (Piece("#", amount.start - start, amount.end - start),)
    sentence = Sentence(
        saying.block.text[start : saying.marks[-1].end], numbers, terms_of(page.said_in, SLIPS)
    )
    return next((part for part, named in sentence.clauses if "#" in named), ())


def _values(page: Page, of: Written, times: tuple[str, ...]) -> Iterator[Fraction]:
    """What a form comes to where the page gives each of its concepts one value; multiplied or not."""
    at: dict[str, Fraction] = {}
    for name, concept in of.concepts.items():
        values = _bound(page, concept)
        if len(values) != 1:
            return
        at[name] = next(iter(values))
    value = value_at(of.tree, at)
    if value is None:
        return
    factors = [next(iter(v)) for name in times if len(v := _bound(page, name)) == 1]
    for some in chain.from_iterable(combinations(factors, n) for n in range(len(factors) + 1)):
        product = value
        for factor in some:
            product *= factor
        yield product
        if some:
            yield value * value / product if product else value


def _bound(page: Page, concept: str) -> frozenset[Fraction]:
    found = frozenset(
        v for name in names_of(concept, page.bindings) for v in page.bindings.of.get(name, ())
    )
    return frozenset({Fraction(2)}) if concept.endswith("_width") and not found else found


def _meets(value: Fraction, one: Known, amount: Amount) -> bool:
    """Whether a value is what a figure shows, to its digits."""
    ours = Number((Printed(value, Fraction(0)),), (Unit(Fraction(1), _whole(one)),), 0, 0)
    if not any(unit.dimension == _whole(one) for unit in amount.node.units):
        return False
    return agree(ours, "≈", amount.node, faces=False).word in SUPPORTS


def _whole(one: Known) -> Dimension:
    """An entry's dimension as pages have it."""
    byte, flop, second, money = map(int, one.dimension)
    return byte, flop, second, money


RULE = Rule(
    "catalogue-figure",
    "A figure is a known slip of the formula that its clause names, at the values that the page gives.",
    judge,
    bad=(
        "It has 40 layers and 8 KV heads of dimension 128, in BF16. A token's KV cache is 81,920 bytes.",
    ),
    good=(
        "It has 40 layers and 8 KV heads of dimension 128, in BF16. A token's KV cache is 163,840 bytes.",
    ),
)
