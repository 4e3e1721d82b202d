"""Proving steps: the verdict ladder for equalities, inequalities, equivalences, limits, minima."""

from workings.proof.setting import Divides, Given, Letter, Opaque, Setting, parse_given
from workings.proof.steps import (
    prove_approximation,
    prove_comparison,
    prove_equality,
    prove_equivalence,
    prove_limit,
    prove_minimum,
)
from workings.proof.verdict import PROVED, REFUTED, SAMPLED, UNDECIDED, Verdict

__all__ = [
    "PROVED", "REFUTED", "SAMPLED", "UNDECIDED", "Divides", "Given", "Letter", "Opaque", "Setting",
    "Verdict", "parse_given", "prove_approximation", "prove_comparison", "prove_equality",
    "prove_equivalence", "prove_limit", "prove_minimum",
]
