"""What SymPy is asked about a step, in a child process where the answer may take long."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from workings.formula import (
    Call,
    DoesNotEvaluateError,
    Expr,
    Formula,
    Power,
    Relations,
    Series,
    evaluate,
    names_in,
    substitute,
)
from workings.formula.interval import rational
from workings.formula.tree import walk
from workings.proof.child import in_child
from workings.proof.setting import Setting

R = TypeVar("R")


class Reading:
    """SymPy's reading of a setting's formulas, used results replaced by `inside`."""

    def __init__(self, setting: Setting, inside: Mapping[str, Expr]) -> None:
        from workings.proof.algebra import Algebra  # noqa: PLC0415 - loads SymPy

        self.algebra, self.inside = Algebra(setting), inside

    def __call__(self, node: Expr) -> Any:
        """A formula as SymPy."""
        return self.algebra.read(substitute(node, self.inside))

    def ask(self, question: Callable[[Reading], R], *about: Expr) -> R | None:
        """SymPy's answer, or None; what may take long is asked in a child process."""
        quick = all(_quick(substitute(node, self.inside)) for node in about)
        return in_child(question, self, quick=quick)


def readings(setting: Setting) -> list[Reading]:
    """First with used results as letters of their own, then with their formulas put in."""
    if not setting.opaque:
        return [Reading(setting, {})]
    inside = {name: opaque.unfold() for name, opaque in setting.opaque.items()}
    return [Reading(setting, {}), Reading(setting, inside)]


def _quick(node: Expr) -> bool:
    """Whether a formula is light enough to simplify here instead of in a child process."""
    parts = list(walk(node))
    return len(parts) < 300 and not any(_heavy(part) for part in parts)


def _heavy(part: Formula) -> bool:
    """A literal power or a sum over a literal range that would take long to write out."""
    match part:
        case Power(_, exponent):
            return not names_in(exponent) and not _within(exponent, 16)
        case Series(_, _, lower, upper):
            return any(not names_in(end) and not _within(end, 100) for end in (lower, upper))
    return False


def _within(node: Expr, most: int) -> bool:
    try:
        return abs(rational(evaluate(node, {}))) <= most
    except DoesNotEvaluateError:
        return False


def limit_of_quotient(left: Expr, right: Expr, towards: Sequence[str], read: Reading) -> str | None:
    """The limit of left/right as text; None where SymPy finds none."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    whole, part = read(left).doit(), read(right).doit()
    if part == 0:
        return None if whole == 0 else "infinity"
    quotient = sympy.cancel(sympy.together(whole / part))
    for name in towards:
        quotient = sympy.limit(quotient, read.algebra.symbols[name], sympy.oo)
    quotient = sympy.simplify(quotient)
    unknown = quotient.has(sympy.Limit, sympy.AccumBounds, sympy.nan)
    return None if unknown else str(quotient)


def difference_is_zero(left: Expr, right: Expr, setting: Setting) -> str | None:
    """How SymPy shows two formulas equal, or None."""
    for reading in readings(setting):
        if reading.ask(lambda read: read.algebra.is_zero(read(left) - read(right)), left, right):
            put_in = " once results are put in" if reading.inside else ""
            return f"SymPy: the difference is 0{put_in}"
    return None


def gaps_share_sign(before: Relations, after: Relations, read: Reading) -> bool:
    """Each condition left over before has a partner after whose gap is a positive multiple."""
    firsts, seconds = _open_gaps(before, read), _open_gaps(after, read)
    if len(firsts) != len(seconds):
        return False
    pairs = zip(firsts, seconds, strict=True)
    return all(a[0] == b[0] and _one_sign(a[1] / b[1], a[0], read) for a, b in pairs)


def _one_sign(quotient: Any, kind: str, read: Reading) -> bool:
    return read.algebra.sign(quotient) in (("+",) if kind != "=" else ("+", "-"))


def _open_gaps(relations: Relations, read: Reading) -> list[tuple[str, Any]]:
    """(strict or not, big − small) for every condition that is not always true."""
    gaps: list[tuple[str, Any]] = []
    left = relations.first
    for relation, right in relations.rest:
        big, small = (right, left) if relation in ("<", "<=") else (left, right)
        kind = {"<": ">", ">": ">", "<=": ">=", ">=": ">=", "=": "="}[relation]
        gaps += [(kind, read(b) - read(s)) for b in _parts(big, "min") for s in _parts(small, "max")]
        left = right
    if len(gaps) == 1:
        return gaps
    return [(kind, gap) for kind, gap in gaps if kind == "=" or read.algebra.sign(gap) != "+"]


def _parts(node: Expr, function: str) -> tuple[Expr, ...]:
    """Being above a max is being above each of its arguments."""
    return node.args if isinstance(node, Call) and node.function == function else (node,)


def is_global(function: Expr, letter: str, at: Expr, read: Reading) -> bool:
    """Rising and falling branches of a max that meet, or f(r X*) - f(X*) never negative."""
    import sympy  # noqa: PLC0415 - loaded only when proving

    algebra = read.algebra
    symbol, least = algebra.symbols[letter], read(at)
    if isinstance(function, Call) and function.function == "max" and len(function.args) == 2:
        one, other = (read(arg) for arg in function.args)
        meet = algebra.is_zero((one - other).subs(symbol, least))
        slopes = {algebra.sign(sympy.diff(branch, symbol)) for branch in (one, other)}
        return meet and slopes == {"+", "-"}
    ratio = sympy.Symbol("ratio", positive=True)
    f = read(function)
    rise = f.subs(symbol, ratio * least) - f.subs(symbol, least)
    return algebra.sign(sympy.factor(algebra.rooted(rise))) in ("+", "0+", "0")
