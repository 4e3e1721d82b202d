"""All rules, those first without which the others mean nothing."""

from __future__ import annotations

from workings.planning.rules.data import DATA
from workings.planning.rules.experts import EXPERTS
from workings.planning.rules.memory import MEMORY
from workings.planning.rules.pipeline import PIPELINE
from workings.planning.rules.rule import Rule
from workings.planning.rules.sequence import SEQUENCE
from workings.planning.rules.tensor import TENSOR
from workings.planning.rules.world import FOUNDATIONS

RULES: tuple[Rule, ...] = (*FOUNDATIONS, *TENSOR, *SEQUENCE, *PIPELINE, *DATA, *EXPERTS, *MEMORY)


def named(id_: str) -> Rule:
    """The rule of an id. Raises KeyError."""
    return {rule.id: rule for rule in RULES}[id_]
