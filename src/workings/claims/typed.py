"""A displayed product as typed factors, and whether a form of the catalogue is what was multiplied.

`32 × 32 × 128 × 2 bytes` becomes {blocks, heads or KV heads, head_dim, width}: a factor is what its own
noun says, else any concept to which the page gives its value, else a constant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from operator import add, mul, sub
from typing import TYPE_CHECKING

from workings.claims.bindings import Bindings, by_unit, named
from workings.comparing.points import probes
from workings.field.forms import Form
from workings.field.terms import Terms
from workings.formula import DoesNotEvaluateError, Expr, Name, evaluate, names_in
from workings.formula.interval import rational
from workings.marks.quantity import BARE, BYTE, RATE, Dimension, Unit
from workings.marks.tree import Node, Number, Operation, leaves
from workings.reading.blocks import Block

if TYPE_CHECKING:
    from workings.claims.page import Page

MOST_FACTORS = 9
MOST_WAYS = 40  # values that a part of a form may have on a page
WIDEST = 8  # bytes of a value
WIDTHS = frozenset({Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4), Fraction(8)})
POINTS = 4
MOST_BITS = 20_000  # of a power inside a factor
# What a concept of the catalogue is called on a page; each also by its own name.
CALLED: Mapping[str, tuple[str, ...]] = {
    "group": ("devices", "dp", "tp"), "state_ranks": ("devices", "dp"), "tokens": ("training_tokens",),
    "batch_tokens": ("training_tokens",), "plain_width": ("d_ff",), "gather_devices": ("devices", "dp"),
    "product_tokens": ("training_tokens", "tokens"), "token_width": ("d_ff",),
    "routed_tokens": ("training_tokens", "tokens", "batch"), "decode_devices": ("devices",),
    "rank_parameters": ("parameters",),
    "tp": ("devices",), "microbatch": ("batch",), "queries": ("sequence_length",),
    "training_tokens": ("tokens",), "token_rate": ("tokens_per_second",),
    "weight_bytes": ("width",), "token_cache": ("width",), "sequence_cache": ("width",),
}  # fmt: skip
# What a number with a unit of its own is; the words of an entry say which of them is meant.
OF_UNITS: Mapping[Dimension, frozenset[str]] = {
    RATE: frozenset({"C", "achieved"}),
    (1, 0, -1, 0): frozenset(
        {"memory_bandwidth", "bandwidth", "link_one_way", "network_one_way", "host_link"}
    ),
    (0, 0, -1, 1): frozenset({"price"}),
    (0, 0, 0, 1): frozenset({"price"}),
}  # fmt: skip
# Factors that only change a unit: bytes to bits, seconds to days, powers of a thousand.
_UNITS = frozenset(Fraction(n) for n in (8, 24, 60, 365, 3600, 86400, 1024, 1024**2, 1024**3)) | {
    Fraction(10) ** n for n in (3, 6, 9, 12, 15, 18)
}


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a display: its value, the power 1 or -1, what it may be, and whether that is said."""

    value: Fraction
    power: int
    concepts: frozenset[str]
    said: bool = False


def factors_of(page: Page, block: Block, node: Node, terms: Terms) -> tuple[Factor, ...]:
    """The factors of a product; none where it is no product of numbers."""
    parts = list(islice(_parts(node, 1, page.bindings), MOST_FACTORS + 1))
    if not 2 <= len(parts) <= MOST_FACTORS or any(value is None for value, *_ in parts):
        return ()
    return tuple(_factor(page.bindings, block, value, power, of, terms) for value, power, of in parts
                 if value is not None)  # fmt: skip


def _read(node: Number, bindings: Bindings) -> Unit:
    """The reading of a unit that makes it a value of the page; else `2B` is bytes and `7B` not."""
    value = node.printed[0].value
    bare = [unit for unit in node.units if unit.dimension == BARE and unit.scale > 1]
    for unit in bare:
        if bindings.concepts(value * unit.scale):
            return unit
    first = node.units[0]
    wide = first.word == "B" and value not in WIDTHS
    return bare[0] if bare and wide else first


def _parts(node: Node, power: int, page: Bindings) -> Iterator[tuple[Fraction | None, int, Node]]:
    match node:
        case Operation("*", parts):
            for part in parts:
                yield from _parts(part, power, page)
        case Operation("/", (above, below)):
            yield from _parts(above, power, page)
            yield from _parts(below, -power, page)
        case Operation("^", (base, Number() as exponent)) if exponent.printed[0].value in (
            2,
            3,
        ) and isinstance(base, Number):
            for _ in range(int(exponent.printed[0].value)):
                yield from _parts(base, power, page)
        case _:
            yield worth(node, page), power, node


def worth(node: Node, page: Bindings) -> Fraction | None:
    """What a factor comes to in the likeliest reading; a calculation inside counts as one."""
    if isinstance(node, Number):
        return node.printed[0].value * _read(node, page).scale
    if not isinstance(node, Operation) or node.sign not in _INSIDE or len(node.parts) != 2:
        return None
    values = [worth(part, page) for part in node.parts]
    known = [value for value in values if value is not None]
    return _INSIDE[node.sign](*known) if len(known) == len(values) else None


def _over(one: Fraction, other: Fraction) -> Fraction | None:
    return one / other if other else None


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or exponent < 0:
        return None
    bits = (base.numerator.bit_length() + base.denominator.bit_length()) * exponent
    return base**exponent.numerator if bits <= MOST_BITS else None


_INSIDE: Mapping[str, Callable[[Fraction, Fraction], Fraction | None]] = {
    "+": add, "-": sub, "*": mul, "/": _over, "^": _power,
}  # fmt: skip


def _factor(
    bindings: Bindings, block: Block, value: Fraction, power: int, node: Node, terms: Terms
) -> Factor:
    if isinstance(node, Number):
        unit = _read(node, bindings)
        if unit.dimension == BYTE and value <= WIDEST:
            return Factor(value, power, frozenset({"width"}), True)
        if kinds := OF_UNITS.get(unit.dimension, by_unit(node)):
            return Factor(value, power, kinds, True)
        own = named(block.text, node.start, node.end, terms)
        if own:
            return Factor(value, power, own | bindings.concepts(value), True)
        if unit.dimension == BYTE:  # of whatever is sent, if it is nothing else
            return Factor(value, power, bindings.concepts(value) | {"message"})
    return Factor(value, power, bindings.concepts(value))


def fits(form: Form, letters: Mapping[str, str], factors: Sequence[Factor], page: Bindings,
         times: frozenset[str] = frozenset()) -> bool:  # fmt: skip
    """Whether every factor has its part in a form, or is a unit's or one of `times`.

    `letters` are the names of the concepts that the form's letters stand for.
    """
    beside = frozenset(name for one in times for name in names_of(one, page))
    return _assign(form.constant, form.parts, letters, tuple(factors), page, beside)


def _assign(
    constant: Fraction,
    parts: Sequence[tuple[Expr, int]],
    letters: Mapping[str, str],
    left: tuple[Factor, ...],
    page: Bindings,
    times: frozenset[str],
) -> bool:
    if not parts:
        return _left_over(constant, left, times)
    (part, power), *others = parts
    for place, factor in enumerate(left):
        if factor.power == power and _is(part, factor, letters, page):
            rest = (*left[:place], *left[place + 1 :])
            if _assign(constant, others, letters, rest, page, times):
                return True
    return False


def _is(part: Expr, factor: Factor, letters: Mapping[str, str], page: Bindings) -> bool:
    """Whether a factor is this part of a form."""
    if isinstance(part, Name):
        return bool(names_of(letters[part.id], page) & factor.concepts)
    if factor.said:
        return False
    inside = names_in(part)
    ways = product(*(_values(letters[name], page) for name in inside))
    return any(value_at(part, dict(zip(inside, way, strict=True))) == factor.value
               for way in islice(ways, MOST_WAYS))  # fmt: skip


def value_at(formula: Expr, values: Mapping[str, Fraction]) -> Fraction | None:
    """What a formula comes to, if that is a fraction."""
    try:
        return rational(evaluate(formula, values))
    except (DoesNotEvaluateError, ValueError, TypeError):
        return None


def names_of(concept: str, page: Bindings) -> frozenset[str]:
    """What factors of a concept may be typed as; all parameters are active if a page has no others."""
    kinds = ("width",) if concept.endswith("_width") else ()
    dense = concept == "active_parameters" and not page.of.get(concept)
    return frozenset((concept, *CALLED.get(concept, ()), *kinds, *(("parameters",) if dense else ())))


def _values(concept: str, page: Bindings) -> frozenset[Fraction]:
    found = frozenset(value for name in names_of(concept, page) for value in page.of.get(name, ()))
    return frozenset({Fraction(2)}) if concept.endswith("_width") and not found else found


def _left_over(constant: Fraction, left: Sequence[Factor], times: frozenset[str]) -> bool:
    """Whether what no part is makes the constant, beside units and what the form may be multiplied by."""
    plain = [f for f in left if not (f.said and f.concepts) or f.concepts & times]
    if len(plain) < len(left):
        return False
    choices = [((True, False) if f.value in _UNITS or f.concepts & times else (True,)) for f in left]
    for kept in product(*choices):
        total = Fraction(1)
        for factor, counts in zip(left, kept, strict=True):
            if counts and factor.said:
                break
            total *= factor.value**factor.power if counts else 1
        else:
            if total == constant:
                return True
    return False


def constant_ratio(right: Expr, wrong: Expr) -> Fraction | None:
    """What a wrong formula has to be multiplied by to be right, if that is one number."""
    names = tuple(dict.fromkeys((*names_in(right), *names_in(wrong))))
    found = set()
    for point in probes(names)[:POINTS]:
        above, below = value_at(right, point), value_at(wrong, point)
        found.add(above / below if above is not None and below else None)
    return found.pop() if len(found) == 1 else None


def numbers_in(node: Node) -> bool:
    """Whether a calculation has numbers alone."""
    return all(isinstance(leaf, Number) for leaf in leaves(node))
