"""Why no number keeps a condition: what stays too large, or what the numbers tried come to."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from workings.derivation import Derivation
from workings.derivation.evaluation import unfolded
from workings.derivation.pins import form_of
from workings.formula import Add, Expr, Negative, Relations, evaluate, names_in, plain
from workings.formula.exact import compare
from workings.proof.setting import Divides
from workings.units import Format, show_beside
from workings.values.binding import Binding


def what_stays(
    what: Derivation, name: str, bound: Binding, condition: tuple[str, Fraction],
    tried: Mapping[Fraction, Fraction],
) -> str:  # fmt: skip
    """The terms of the result that do not depend on the letter and alone break the condition.

    Or else which numbers were tried, and how near the result came.
    """
    result = form_of(what, bound.pinned)
    terms: list[Expr] = [] if isinstance(result, Relations) else [result]
    if isinstance(result, Add):
        signed = [t if sign == "+" else Negative(t) for sign, t in result.rest]
        terms = [result.first, *signed]
    for term in terms:
        whole = unfolded(what, term, bound.pinned)
        if name not in names_in(whole) and not compare(evaluate(whole, bound.values), *condition):
            return f"{plain(term, units=False)} stays whatever {name} is"
    why = f"no value of {name} keeps the condition"
    rules = [text for text, given in zip(what.given, what.conditions, strict=True)
             if isinstance(given, Divides) and name in names_in(given.divisor)]  # fmt: skip
    if not rules or not tried:
        return why
    below = condition[0] in ("<", "<=")  # every divisor was tried
    at = (min if below else max)(tried, key=lambda one: tried[one])
    style = Format(digits=6, fit=True)
    reached = show_beside(tried[at], condition[1], style.unit_for(what.unit, condition[1]), style)
    word = "least" if below else "most"
    only = f"only {name} with which {' and '.join(rules)} was tried"
    return f"{why}: {only}, and the {word} reached is {reached}, at {name} = {int(at):,}"
