"""Which known mistakes turn what follows into what was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from workings.check.comparing.digits import digit_mistakes
from workings.check.comparing.growth import limit_of
from workings.check.comparing.mistakes import BY_ID, RANK, About, Mistake
from workings.check.comparing.outcome import NONE, Outcome
from workings.check.comparing.rewrites import variants
from workings.check.comparing.scales import literals, measure
from workings.check.comparing.shown import decimal
from workings.check.comparing.targets import Target, targets_of
from workings.check.verdicts import Explanation
from workings.formula import DoesNotEvaluateError
from workings.formula.tree import Expr, FormulaError, Num, Series, rebuild, walk
from workings.units import UnitError

MOST = 4
MOST_VARIANTS = 400
MOST_NODES = 150
MOST_ELSEWHERE = 60
MOST_LITERALS = 12

Elsewhere = Sequence[tuple[str, Fraction]]


def explain(
    left: Expr, right: Expr, outcome: Outcome, elsewhere: Elsewhere = ()
) -> tuple[Explanation, ...]:
    """The known mistakes that fit, the likeliest first, each once; at most four."""
    if outcome.verdict not in ("wrong", "depends"):
        return ()
    try:
        targets = targets_of(left, right)
        found: dict[str, str] = {}
        for target in targets:
            for mistake, text in _all(target, left, right, elsewhere):
                found.setdefault(mistake, text)
    except (DoesNotEvaluateError, FormulaError, UnitError):
        return ()
    if not found:
        found |= _in_the_limit(targets)
    ranked = sorted(found, key=lambda mistake: RANK[mistake])
    return tuple(Explanation(mistake, found[mistake]) for mistake in ranked[:MOST])


def _all(target: Target, left: Expr, right: Expr, elsewhere: Elsewhere) -> Iterator[tuple[str, str]]:
    for mistake in BY_ID.values():
        if _concerns(mistake.about, left, right):
            yield from _by_factor(target, mistake)
    yield from digit_mistakes(target)
    if sum(MOST_NODES if isinstance(part, Series) else 1 for part in walk(target.left)) <= MOST_NODES:
        yield from _by_other_values(target, elsewhere)
        for mistake_id, text, tree in islice(variants(target.left), MOST_VARIANTS):
            if target.fits_tree(tree):
                yield mistake_id, text


def _in_the_limit(targets: Sequence[Target]) -> dict[str, str]:
    """The factor by which a leading term is misquoted, as in `2BFD/(BD + DF) ≈ BFD/DF`."""
    for target in targets:
        if not target.letters:
            continue
        limit = limit_of(target.left, target.right, tuple(target.at[0][0]), NONE, simple_factor=True)
        for mistake in BY_ID.values():
            if limit and not mistake.about and {limit.ratio, 1 / limit.ratio} & set(mistake.factors):
                by = f"the left side tends to {limit.ratio} times the right {limit.words}"
                return {mistake.id: by}
    return {}


def _concerns(about: About, left: Expr, right: Expr) -> bool:
    """Whether the units of a step measure what a mistake is about; without units it may."""
    if not about or not any(n.unit for n in (*literals(left), *literals(right))):
        return True
    exponents = [m.dimension.exponents for side in (left, right) if (m := measure(side))]
    for n in (*literals(left), *literals(right)):
        if n.unit and (m := measure(n)):
            exponents.append(m.dimension.exponents)
    if about == "bytes":
        return any(byte for byte, *_ in exponents)
    if about == "flops":
        return any(flop for _, flop, *_ in exponents)
    if about == "time":
        return any(second for _, _, second, _ in exponents)
    return any(byte and second for byte, _, second, _ in exponents)


def _by_factor(target: Target, mistake: Mistake) -> Iterator[tuple[str, str]]:
    for factor in mistake.factors:
        for times, way in ((factor, "too large"), (1 / factor, "too small")):
            if target.fits_factor(times):
                by = decimal(factor, 5)
                if mistake.id == "power-of-ten":
                    by = f"10^{len(str(int(factor))) - 1}"
                yield mistake.id, f"{way} by {by}: {mistake.sentence}"


def _by_other_values(target: Target, elsewhere: Elsewhere) -> Iterator[tuple[str, str]]:
    """A value from elsewhere in place of a literal, or as a factor too many or too few."""
    numbers = [n for n in literals(target.left) if n.text and n.value][:MOST_LITERALS]
    for words, value in elsewhere[:MOST_ELSEWHERE]:
        if value <= 0:
            continue
        for number in numbers:
            if value != number.value and target.fits_tree(_replaced(target.left, number, value)):
                yield "stale-value", f"{words} in place of {number.text} gives what was written"
        if (
            value > 1
            and value.denominator == 1
            and (target.fits_factor(value) or target.fits_factor(1 / value))
        ):
            yield "per-device", f"off by a factor of {decimal(value)} ({words}): total or share of one"


def _replaced(tree: Expr, old: Num, value: Fraction) -> Expr:
    if tree is old:
        return Num(value, old.unit, decimal(value))
    return rebuild(tree, lambda part: _replaced(part, old, value))
