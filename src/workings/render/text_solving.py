"""What the terminal shows of solutions and verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from workings.derivation import Derivation
from workings.formula import Expr, plain
from workings.notation import renamed
from workings.solving import Solution
from workings.units import Format, show, show_beside
from workings.verification import Report


def solution_text(what: Derivation, found: Solution, letters: Mapping[str, str]) -> str:
    """The first (or last) value that keeps the condition, checked on both sides; or why there is none."""
    return "\n".join([_found(what, found, letters), *(f"  Note: {said}" for said in found.notices)])


def _found(what: Derivation, found: Solution, letters: Mapping[str, str]) -> str:
    limit = _shown(what, found.limit)
    letter = letters.get(found.letter, found.letter)
    if found.ranges:
        concept = what.letters[next(n for n, c in what.letters.items() if found.letter in (n, c.name))]
        unit = Format(digits=6).unit_for(concept.dimension)
        parts = []
        for low, high in found.ranges:
            bounds = [f"{letter} > {show(low, unit, Format(digits=6))}"] if low else []
            bounds += [f"{letter} < {show(high, unit, Format(digits=6))}"] if high else []
            parts.append(" and ".join(bounds) or f"every {letter}")
        return " or ".join(parts)
    if found.at is None or found.value_at is None:
        return f"none: {found.why}"
    head = letters[what.head] if what.head else what.id
    lines = [f"{letter} = {int(found.at):,}{', the largest' if found.after else ''}"]
    rows = [(found.at, found.value_at, "yes")]
    if found.value_before is not None:
        rows.insert(0, (found.at - 1, found.value_before, "no"))
    if found.after is not None and found.value_after is not None:
        rows.append((found.after, found.value_after, "no"))
    for at, value, answer in rows:
        lines.append(f"  {head} at {letter} = {int(at):,}: {_beside(what, value, found.limit)}"
                     f"  {found.relation} {limit}? {answer}")  # fmt: skip
    return "\n".join(lines)


def solution_json(what: Derivation, found: Solution) -> dict[str, Any]:
    """The solution with exact values as fractions of base units."""
    exact = {
        "limit": found.limit, "at": found.at,
        "value_at": found.value_at, "value_before": found.value_before,
        "after": found.after, "value_after": found.value_after,
    }  # fmt: skip
    return {
        "id": what.id,
        "letter": found.letter,
        "relation": found.relation,
        **{name: None if value is None else str(value) for name, value in exact.items()},
        "ranges": [[str(low), None if high is None else str(high)] for low, high in found.ranges],
        "why": found.why,
        "notices": list(found.notices),
    }


def closed_forms_text(letter: str, forms: list[Expr], letters: Mapping[str, str]) -> str:
    """`N = …`, one line a solution."""
    return "\n".join(
        f"{letters[letter]} = {plain(renamed(form, letters), units=False)}" for form in forms
    )


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


def tally_header() -> str:
    """The head of mutants' table."""
    return f"{'derivation':36}{'broken':>7}{'oracle':>8}{'step':>7}{'units':>7}{'equal':>7}{'left':>6}"


def tally_row(id_: str, counts: Mapping[str, Any], unexplained: Sequence[str]) -> str:
    """One derivation in mutants' table, and below it what nothing noticed."""
    equal, survived = len(counts["equal"]), len(counts["survived"])
    row = (f"{id_:36}{counts['made']:>7}{counts['oracle']:>8}{counts['step']:>7}"
           f"{counts['units']:>7}{equal:>7}{survived:>6}")  # fmt: skip
    return "\n".join([row, *(f"    nothing notices {mutant}" for mutant in unexplained)])
