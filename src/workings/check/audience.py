"""For whom a result is printed: a student is told what is wrong, and not what would be right."""

from __future__ import annotations

from dataclasses import replace

from workings.check.rules import AnyRule, every_rule
from workings.check.verdicts import FLAGS, Checked, Statement


def for_student(checked: Checked) -> Checked:
    """The result with each accusation's rule in place of what the step comes to."""
    return replace(checked, statements=tuple(map(told, checked.statements)))


def told(statement: Statement) -> Statement:
    """One statement without what would be right."""
    rule: AnyRule | None = every_rule().get(statement.rule)
    if statement.verdict not in FLAGS:
        return replace(statement, expected="")
    return replace(
        statement,
        reason=rule.says if rule else "",
        expected="",
        written="",
        read_as="",
        explanations=(),
    )
