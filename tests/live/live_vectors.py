"""Random formulas, values and styles, the same each time, and what Python makes of them as text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias, TypeVar

from workings.errors import UserError
from workings.formula import (
    Add,
    Call,
    Expr,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    Value,
    evaluate,
)
from workings.formula.interval import Interval, ends, rational
from workings.formula.tree import RELATIONS
from workings.units import Shown

Told: TypeAlias = Callable[[str, list[Any]], list[Any]]  # what the page makes of cases of a kind

COMPOUND = ("1/s", "GB/s", "Gbit/s", "TFLOP/s", "GFLOP/s", "USD/h", "USD/s", "byte/s",
            "FLOP/byte", "FLOP/s", "PFLOP/s", "FLOP/USD")  # fmt: skip
Made = TypeVar("Made", Expr, Relations)

LETTERS = ("N", "S", "x", "a_1", "N_fsdp", "alpha", "d_model", "Lambda_x", "foo", "constructor")
NUMBERS = (
    "0",
    "1",
    "1",
    "2",
    "2",
    "3",
    "7",
    "16",
    "0.5",
    "0.250",
    "3,520",
    "1,000,000",
    "1.8e11",
    "2e-3",
)
UNITS = (None, None, None, None, "GB", "GiB", "byte", "FLOP", "TFLOP/s", "s", "1/s", "USD/h", "Gbit/s")
# 1, primes, non-divisors, powers of two; shares; sizes as they occur and beyond.
VALUES = tuple(
    Fraction(text)
    for text in (
        *(
            "0",
            "1",
            "2",
            "3",
            "5",
            "7",
            "8",
            "13",
            "64",
            "126",
            "1024",
            "-1",
            "-5/2",
            "1/2",
            "1/3",
            "7/9",
        ),
        *(
            "22/7",
            "12345/7",
            "1001/3",
            "3/1000",
            "9/4",
            "219999999999",
            "405000000000",
            "989000000000000",
        ),
        *("16777216", "1/16777216", "380/1000000007", "1000000000000000000000001/3", "2/9999999967"),
    )
)


def tree(random: Random, depth: int = 4) -> Expr:
    """An expression of every kind of node, the more likely small parts far down."""
    if depth == 0 or random.random() < 0.15:
        return Name(random.choice(LETTERS)) if random.random() < 0.6 else literal(random)
    below: Callable[[], Expr] = lambda: tree(random, depth - 1)  # noqa: E731 - one word of what follows
    kind = random.choice(("+", "+", "*", "*", "*", "neg", "^", "call", "call", "sum"))
    if kind == "+":
        rest = tuple((random.choice("+-"), below()) for _ in range(random.randint(1, 3)))
        return Add(below(), rest)  # type: ignore[arg-type] # a sign is one of the two
    if kind == "*":
        factors = tuple((random.choice("*/"), below()) for _ in range(random.randint(1, 3)))
        return Product(below(), factors)  # type: ignore[arg-type] # likewise
    if kind == "neg":
        return Negative(below())
    if kind == "^":
        return Power(below(), below() if random.random() < 0.1 else small(random))
    if kind == "call":
        name = random.choice(("ceil", "floor", "log2", "sqrt", "max", "min"))
        count = random.randint(2, 3) if name in ("max", "min") else 1
        return Call(name, tuple(below() for _ in range(count)))
    upper = below() if random.random() < 0.03 else Add(whole(random), (("+", whole(random)),))
    return Series(below(), random.choice(("i", "j", "N")), whole(random), upper)


def literal(random: Random) -> Num:
    text = random.choice(NUMBERS)
    kept = text if random.random() < 0.8 else ""  # a literal that nobody wrote has no text
    return Num(Fraction(text.replace(",", "")), random.choice(UNITS), kept)


def small(random: Random) -> Num:
    text = random.choice(("0", "1", "2", "2", "3", "0.5", "1.5", "0.3"))
    return Num(Fraction(text), None, text)


def whole(random: Random) -> Num:
    return Num(Fraction(random.randint(0, 4)))


def relations(random: Random, depth: int = 2) -> Relations:
    rest = ((random.choice(RELATIONS), tree(random, depth)) for _ in range(random.randint(1, 3)))
    return Relations(tree(random, depth), tuple(rest))


def values(random: Random) -> dict[str, Value]:
    """A value for nearly every letter, some irrational."""
    found: dict[str, Value] = {}
    for name in LETTERS:
        drawn = random.choice(VALUES)
        value: Value = drawn
        if random.random() < 0.1:
            value = evaluate(Call("sqrt", (Num(abs(drawn) + 2),)), {})
        if random.random() < 0.98:
            found[name] = value
    return found


def json_value(value: Value) -> Any:
    """A rational as text; an interval as the texts of its ends and of what is printed of it."""
    if isinstance(value, Interval):
        return {"interval": [*map(str, ends(value)), str(rational(value))]}
    return str(value)


def differing(
    cases: Iterable[Any], wanted: Iterable[Any], got: Iterable[Any]
) -> list[tuple[Any, Any, Any]]:
    """The cases in which the page says something else, with both; no more than a reader can look at."""
    every = zip(cases, wanted, got, strict=True)
    return [(case, want, found) for case, want, found in every if not same(want, found)][:5]


def same(want: Any, found: Any) -> bool:
    """Whether two outcomes are one. Intervals may differ in the last of 203 bits, which no page prints.

    mpmath cuts its logarithms off and rounds what is left; JavaScript's bounds are sure of theirs.
    """
    if not (
        isinstance(want, dict) and isinstance(found, dict) and "interval" in want and "interval" in found
    ):
        return bool(want == found)
    low, high, middle = map(Fraction, want["interval"])
    least, most, between = map(Fraction, found["interval"])
    if (least, most) == (low, high):
        return middle == between
    overlap = least <= high and low <= most
    return overlap and most - least <= 2 * (high - low) and abs(middle - between) <= high - low


def shown_json(shown: Shown) -> list[Any]:
    return [shown.number, shown.unit, str(shown.value), shown.exact, str(shown)]


def outcome(work: Callable[[], Any]) -> Any:
    """What comes of it, or the sentence of its error."""
    try:
        return work()
    except UserError as error:
        return {"error": str(error)}


def formulas(count: int, make: Callable[[Random], Made]) -> Iterator[tuple[Made, Mapping[str, Value]]]:
    random = Random(17)  # noqa: S311 - a fixed sequence of cases, not a secret
    for _ in range(count):
        yield make(random), values(random)
