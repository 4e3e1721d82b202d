"""Proving steps: the verdict ladder for equalities, inequalities, equivalences, limits, minima."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workings.proof.setting import Divides, Given, Letter, Opaque, Setting, parse_given
from workings.proof.verdict import PROVED, REFUTED, SAMPLED, UNDECIDED, Verdict

if TYPE_CHECKING:
    from workings.proof.steps import (
        prove_approximation,
        prove_comparison,
        prove_equality,
        prove_equivalence,
        prove_limit,
        prove_minimum,
    )

__all__ = [
    "PROVED", "REFUTED", "SAMPLED", "UNDECIDED", "Divides", "Given", "Letter", "Opaque", "Setting",
    "Verdict", "parse_given", "prove_approximation", "prove_comparison", "prove_equality",
    "prove_equivalence", "prove_limit", "prove_minimum",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load the ladder when a step is first proved: showing and evaluating do without it."""
    if name.startswith("prove_"):
        return getattr(import_module("workings.proof.steps"), name)
    raise AttributeError(f"module 'workings.proof' has no attribute {name!r}")
