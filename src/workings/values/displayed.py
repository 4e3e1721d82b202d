"""A worked formula as display mathematics, which notebooks typeset: symbolic = substituted = value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from workings.derivation import Derivation
from workings.formula import Expr, Formula, Name, Num, Relations, latex
from workings.formula.readings.latex import box_latex
from workings.formula.readings.typeset import relation as typeset_relation
from workings.units import Shown, parse_unit
from workings.values.notation import renamed

if TYPE_CHECKING:
    from workings.values.solved import ClosedForm
    from workings.values.worked import Worked


def literal(shown: Shown) -> Num:
    """A shown value as a literal of a formula."""
    unit = None if shown.unit == "1" else shown.unit
    scale = parse_unit(shown.unit).scale
    return Num(shown.value / scale, unit, shown.number)


class Line(NamedTuple):
    """What stands left, the relation, the formula, and whether its literals show their units."""

    left: Expr | None
    relation: str
    formula: Formula
    units: bool = False


def lines_of(
    done: Worked, left: Expr | None = None, sign: str = "", symbolic: Formula | None = None
) -> tuple[Line, ...]:
    """The lines of a worked formula; a condition that no line of the chain solves is said first.

    What stands left, the relation and the formula in letters are those of the result, unless given.
    """
    if left is None or symbolic is None:
        left, sign = head_of(done.derivation, {name: Name(to) for name, to in done.letters.items()})
        symbolic = renamed(done.symbolic, done.letters)
    value = literal(done.shown)
    if rate := done.rate:
        value = Num(value.value, rate, value.text)
    if isinstance(symbolic, Relations):
        return Line(None, "", symbolic), Line(left, sign, value, units=True)
    substituted = Line(None, "=" if done.exact_inputs else "≈", done.substituted, units=True)
    return (
        Line(left, sign, symbolic),
        *(() if done.substituted == value else (substituted,)),
        Line(None, "=" if done.exact else "≈", value, units=True),
    )


def worked_latex(done: Worked) -> str:
    """Between two pairs of dollar signs."""
    return _display(lines_of(done))


def closed_latex(found: ClosedForm) -> str:
    """Each closed form on a line of its own."""
    left = Name(found.letter) if found.letter else None
    return _display([Line(left, found.relation, form) for form in found.forms])


def _display(lines: tuple[Line, ...] | list[Line]) -> str:
    rows = " \\\\\n".join(map(_row, lines))
    return f"$$\n\\begin{{aligned}}\n{rows}\n\\end{{aligned}}\n$$"


def _row(line: Line) -> str:
    left = latex(line.left) if line.left is not None else ""
    sign = box_latex(typeset_relation(line.relation)) if line.relation else ""
    return f"{left} &{sign} {latex(line.formula, units=line.units)}"


def head_of(what: Derivation, names: Mapping[str, Expr]) -> tuple[Expr, str]:
    """The letter that a result is called, or that its condition is about, and the relation."""
    name = what.head or what.solved_letter or what.id
    return names.get(name, Name(name)), "=" if what.head else what.condition.rest[0][0]
