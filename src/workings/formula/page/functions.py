"""Functions that pages write and the strict grammar has no name for, in terms of those it has."""

from __future__ import annotations

from fractions import Fraction

from workings.formula.tree import FUNCTIONS, Call, Expr, Num, Power, Product, Span

E = Num(
    Fraction("2.718281828459045235360287471352662497757247093699959574966967628"), None, "e"
)  # to the digits to which irrational values are known
_BASES = {"ln": E, "log10": Num(Fraction(10), None, "10")}


def arguments_of(function: str) -> tuple[int, int]:
    """How many arguments a function takes, at least and at most."""
    return FUNCTIONS.get(function, (1, 1))


def applied(function: str, args: tuple[Expr, ...], span: Span) -> Expr:
    """A function of its arguments: `exp(x)` is e^x, and `ln(x)` is log2(x)/log2(e)."""
    if function == "exp":
        return Power(E, args[0], span)
    if function in _BASES:
        return Product(Call("log2", args), (("/", Call("log2", (_BASES[function],))),), span)
    return Call(function, args, span)
