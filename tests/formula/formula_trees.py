"""Random expression trees, a sloppy way to write them, and an evaluator that shares no code."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from hypothesis import strategies as st

from workings.formula import (
    Add,
    Call,
    Expr,
    Formula,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
)

LETTERS = ("N", "S", "x", "a_1", "N_fsdp", "alpha", "d_model", "Lambda_x", "foo")
NUMBERS = ("0", "1", "2", "7", "0.5", "0.250", "3,520", "1,000,000", "12.75", "1.8e11", "2e-3")
UNITS = (None, None, None, None, "GB", "GiB", "byte", "FLOP", "TFLOP/s", "s", "1/s")

names = st.sampled_from(LETTERS).map(Name)


def _number(text: str, unit: str | None) -> Num:
    return Num(Fraction(text.replace(",", "")), unit, text)


numbers = st.builds(_number, st.sampled_from(NUMBERS), st.sampled_from(UNITS))
bare_numbers = st.builds(_number, st.sampled_from(NUMBERS), st.none())
small_whole = st.integers(0, 3).map(lambda n: Num(Fraction(n), None, str(n)))


def _sums(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    term = st.tuples(st.sampled_from(("+", "-")), parts)
    return st.builds(Add, parts, st.lists(term, min_size=1, max_size=3).map(tuple))


def _products(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    factor = st.tuples(st.sampled_from(("*", "/")), parts)
    return st.builds(Product, parts, st.lists(factor, min_size=1, max_size=3).map(tuple))


def _calls(parts: st.SearchStrategy[Expr], one: tuple[str, ...]) -> st.SearchStrategy[Expr]:
    single = st.builds(Call, st.sampled_from(one), st.tuples(parts))
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return single | st.builds(Call, st.sampled_from(("max", "min")), several)


def _every_node(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        _sums(parts),
        _products(parts),
        st.builds(Negative, parts),
        st.builds(Power, parts, parts),
        _calls(parts, ("ceil", "floor", "log2", "sqrt")),
        st.builds(Series, parts, st.sampled_from(("i", "j", "N")), parts, parts),
    )


def _rational_node(parts: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        _sums(parts),
        _products(parts),
        st.builds(Negative, parts),
        st.builds(Power, parts, small_whole),
        _calls(parts, ("ceil", "floor")),
    )


trees: st.SearchStrategy[Expr] = st.recursive(names | numbers, _every_node, max_leaves=14)
rational_trees: st.SearchStrategy[Expr] = st.recursive(
    st.sampled_from(("x", "N", "S")).map(Name) | small_whole | bare_numbers,
    _rational_node,
    max_leaves=10,
)
relations: st.SearchStrategy[Formula] = st.builds(
    Relations,
    trees,
    st.lists(
        st.tuples(st.sampled_from(("=", "<", "<=", ">", ">=", "≈", "<=>")), trees),
        min_size=1,
        max_size=3,
    ).map(tuple),
)
points = st.fixed_dictionaries(
    {name: st.fractions(Fraction(1, 9), 40, max_denominator=9) for name in ("x", "N", "S")}
)


class Undefined(Exception):  # noqa: N818 - a division by zero, which is no mistake of the test
    """The tree has no value there."""


def value(node: Expr, at: Mapping[str, Fraction]) -> Fraction:
    """The value of a tree of rational operations, straight from Python's own operators."""
    if isinstance(node, Num):
        assert node.unit is None
        return node.value
    if isinstance(node, Name):
        return at[node.id]
    if isinstance(node, Negative):
        return -value(node.operand, at)
    if isinstance(node, Add):
        total = value(node.first, at)
        for sign, term in node.rest:
            total = total + value(term, at) if sign == "+" else total - value(term, at)
        return total
    if isinstance(node, Product):
        result = value(node.first, at)
        for operation, factor in node.rest:
            other = value(factor, at)
            if operation == "/" and other == 0:
                raise Undefined
            result = result * other if operation == "*" else result / other
        return result
    if isinstance(node, Power):
        return Fraction(value(node.base, at) ** int(value(node.exponent, at)))
    if isinstance(node, Call):
        return Fraction(_PYTHON[node.function](*(value(arg, at) for arg in node.args)))
    low, high = value(node.lower, at), value(node.upper, at)
    inside = (value(node.body, {**at, node.index: Fraction(i)}) for i in _whole(low, high))
    return sum(inside, Fraction(0))


def _whole(low: Fraction, high: Fraction) -> range:
    assert low.denominator == high.denominator == 1
    return range(int(low), int(high) + 1)


_PYTHON: dict[str, Callable[..., Fraction | int]] = {
    "max": max, "min": min, "ceil": math.ceil, "floor": math.floor,
}  # fmt: skip


def sloppy(draw: st.DrawFn, node: Formula) -> str:
    """A formula as a person might type it: needless parentheses, odd spaces and signs."""
    if isinstance(node, Relations):
        parts = [sloppy(draw, node.first)]
        for relation, part in node.rest:
            parts += [draw(st.sampled_from(_RELATIONS[relation])), sloppy(draw, part)]
        return draw(_GAP).join(parts)
    text = _sloppy_expression(draw, node)
    atom = isinstance(node, Num | Name | Call | Series)
    return text if atom and draw(st.booleans()) else f"({draw(_GAP)}{text}{draw(_GAP)})"


_GAP = st.sampled_from(("", "", " ", "  ", "\n"))
_RELATIONS = {
    "=": ("=",), "<": ("<",), ">": (">",), "<=": ("<=", "≤"), ">=": (">=", "≥"), "≈": ("≈",),
    "<=>": ("<=>", "⟺", "⇔"),
}  # fmt: skip
_SIGNS = {"+": ("+",), "-": ("-", "−"), "*": ("*", "×", "·", "⋅"), "/": ("/",)}


def _sloppy_expression(draw: st.DrawFn, node: Expr) -> str:
    if isinstance(node, Num):
        # A comma among arguments is ambiguous, so this writer never puts one.
        unit = f"{draw(st.sampled_from(('', ' ')))}[{node.unit}]" if node.unit else ""
        return node.text.replace(",", "") + unit
    if isinstance(node, Name):
        return node.id
    if isinstance(node, Negative):
        return draw(st.sampled_from(_SIGNS["-"])) + sloppy(draw, node.operand)
    if isinstance(node, Add | Product):
        text = sloppy(draw, node.first)
        for sign, part in node.rest:
            written = draw(st.sampled_from(_SIGNS[sign]))
            text += f"{draw(_GAP)}{written}{draw(_GAP)}{sloppy(draw, part)}"
        return text
    if isinstance(node, Power):
        return f"{sloppy(draw, node.base)}{draw(_GAP)}^{draw(_GAP)}{sloppy(draw, node.exponent)}"
    comma = f"{draw(_GAP)}, "
    if isinstance(node, Call):
        return f"{node.function}({comma.join(sloppy(draw, arg) for arg in node.args)})"
    ends = f"({node.index}{comma}{sloppy(draw, node.lower)}{comma}{sloppy(draw, node.upper)})"
    return f"sum({sloppy(draw, node.body)}{comma}{ends})"


@st.composite
def typed(draw: st.DrawFn) -> tuple[str, Formula]:
    """A text somebody typed, and the tree they meant."""
    tree = draw(trees | relations)
    return sloppy(draw, tree), tree
