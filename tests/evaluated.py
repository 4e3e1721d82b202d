"""Values and conditions of derivations at letters that a test gives."""

from fractions import Fraction
from typing import Any

from workings import catalogue
from workings.derivation.evaluation import value_of
from workings.formula import holds
from workings.formula.interval import rational


def at(id_: str, **letters: int | Fraction) -> Any:
    """The value there."""
    return value_of(catalogue.get(id_), {name: Fraction(n) for name, n in letters.items()})


def rational_at(id_: str, **letters: Any) -> Fraction:
    """The value there, as a rational number."""
    exact: dict[str, Any] = {name: Fraction(n) for name, n in letters.items()}
    return rational(value_of(catalogue.get(id_), exact))


def true_at(id_: str, **letters: int | Fraction) -> bool:
    """Whether the condition holds there."""
    what = catalogue.get(id_)
    known = {name: Fraction(n) for name, n in letters.items()}
    return holds(what.condition, what.setting.complete(known))
