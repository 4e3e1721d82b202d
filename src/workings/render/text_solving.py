"""What the terminal shows of solutions and verdicts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from workings.derivation import Derivation
from workings.formula import Expr, plain
from workings.solving import Solution
from workings.units import Format, show, show_beside
from workings.verification import Report


def solution_text(what: Derivation, found: Solution) -> str:
    """The first value that keeps the condition, checked on both sides; or why there is none."""
    limit = _shown(what, found.limit)
    if found.ranges:
        concept = what.letters[found.letter]
        unit = Format(digits=6).unit_for(concept.dimension)
        parts = []
        for low, high in found.ranges:
            bounds = [f"{found.letter} > {show(low, unit, Format(digits=6))}"] if low else []
            bounds += [f"{found.letter} < {show(high, unit, Format(digits=6))}"] if high else []
            parts.append(" and ".join(bounds) or f"every {found.letter}")
        return " or ".join(parts)
    if found.at is None or found.value_at is None:
        return f"none: {found.why}"
    head = what.head or what.id
    lines = [f"{found.letter} = {int(found.at):,}"]
    rows = [(found.at, found.value_at, "yes")]
    if found.value_before is not None:
        rows.insert(0, (found.at - 1, found.value_before, "no"))
    for at, value, answer in rows:
        lines.append(f"  {head} at {found.letter} = {int(at):,}: {_beside(what, value, found.limit)}"
                     f"  {found.relation} {limit}? {answer}")  # fmt: skip
    return "\n".join(lines)


def solution_json(what: Derivation, found: Solution) -> dict[str, Any]:
    """The solution with exact values as fractions of base units."""
    exact = {
        "limit": found.limit, "at": found.at,
        "value_at": found.value_at, "value_before": found.value_before,
    }  # fmt: skip
    return {
        "id": what.id,
        "letter": found.letter,
        "relation": found.relation,
        **{name: None if value is None else str(value) for name, value in exact.items()},
        "ranges": [[str(low), None if high is None else str(high)] for low, high in found.ranges],
        "why": found.why,
    }


def closed_forms_text(what: Derivation, letter: str, forms: list[Expr]) -> str:
    """`N = …`, one line a solution."""
    return "\n".join(f"{letter} = {plain(form, units=False)}" for form in forms)


def _beside(what: Derivation, value: Fraction, limit: Fraction) -> str:
    style = Format(digits=6)
    return str(show_beside(value, limit, style.unit_for(what.unit), style))


def _shown(what: Derivation, value: Fraction) -> str:
    style = Format(digits=6)
    return str(show(value, style.unit_for(what.unit), style))


def verify_header() -> str:
    """The head of verify's table."""
    return f"{'derivation':36}{'verdict':11}{'steps':>6}  counted a second way"


def report_row(report: Report) -> str:
    """One derivation in verify's table."""
    row = f"{report.id:36}{report.word:11}{len(report.steps):>6}  {report.oracle.how[:60]}"
    return "\n".join([row, *(f"    warning: {warning}" for warning in report.warnings)])
