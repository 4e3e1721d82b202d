"""Values and conditions of derivations at letters that a test gives."""

from fractions import Fraction
from typing import Any

from workings import catalogue
from workings.derivation.evaluation import value_of
from workings.formula import holds


def at(id_: str, **letters: int | Fraction) -> Any:
    """The value there."""
    return value_of(catalogue.get(id_), {name: Fraction(n) for name, n in letters.items()})


def true_at(id_: str, **letters: int | Fraction) -> bool:
    """Whether the condition holds there."""
    what = catalogue.get(id_)
    known = {name: Fraction(n) for name, n in letters.items()}
    return holds(what.condition, what.setting.complete(known))
