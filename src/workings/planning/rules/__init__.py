"""Rules of layouts: what a launcher refuses, what wastes time or memory, what is good practice."""

from workings.planning.rules.catalogue import RULES, named
from workings.planning.rules.finding import Finding, Remedy, Tally, tally
from workings.planning.rules.linting import lint
from workings.planning.rules.rule import Rule, Severity
from workings.planning.rules.unchecked import UNCHECKED, Practice

__all__ = [
    "RULES",
    "UNCHECKED",
    "Finding",
    "Practice",
    "Remedy",
    "Rule",
    "Severity",
    "Tally",
    "lint",
    "named",
    "tally",
]
