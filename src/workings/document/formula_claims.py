"""The directive `formulas`: formulas that a text claims, beside the ones derived here.

The verdict is computed at exact points: a claim agrees where both have one value everywhere; is off
by a factor where their quotient is one number; agrees in the limit where the quotient goes to 1;
depends on a convention where it is another named derivation; and is wrong otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Line, Math, Strong, Table, Text
from workings.document.claims import AGREES, DEPENDS, WRONG, read_claims
from workings.document.directive import Directive, check_keys, check_options, tables_at, text_at
from workings.document.inline import line_of
from workings.document.page import Page
from workings.errors import UserError
from workings.evaluation import unfolded
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    evaluate,
    names_in,
    parse_expression,
    substitute,
)
from workings.formula.exact import rational

POINTS = 16
FAR = 10**12
NEAR = Fraction(1, 10**6)
_KEYS = ("what", "says", "letters", "ours", "large", "reading", "why")


def formulas(directive: Directive, page: Page) -> Table:
    """```{formulas} FILE.toml```: one row a claimed formula, in the order of the file."""
    check_options(directive, page, ("label", "caption"))
    rows = []
    for number, claim in enumerate(read_claims(directive, page), 1):
        where = f"{directive.argument}, claim {number}"
        check_keys(claim, where, page, directive.line, _KEYS)
        try:
            rows.append(_row(claim, page, directive.line))
        except UserError as error:
            raise page.source.fail(directive.line, f"{where}: {error}") from error
    label = directive.options.get("label", "formulas")
    caption = directive.options.get("caption", "The formulas it states beside ours")
    head = tuple((Text(h),) for h in ("what", "it says", "ours", "verdict", "why"))
    return Table(label, page.table_label(label, caption, directive.line),
                 line_of(caption, page, directive.line), "lllll", head, tuple(rows))  # fmt: skip


def _row(claim: dict[str, Any], page: Page, line: int) -> tuple[Line, ...]:
    what = catalogue.get(text_at(claim, "ours", page, line))
    says = parse_expression(text_at(claim, "says", page, line))
    letters = {n: parse_expression(str(text)) for n, text in claim.get("letters", {}).items()}
    readings = [(text_at(r, "name", page, line), catalogue.get(text_at(r, "ours", page, line)))
                for r in tables_at(claim, "reading", page, line)]  # fmt: skip
    found, words = verdict(says, letters, what, claim.get("large", []), readings)
    why = " ".join(part for part in (words, text_at(claim, "why", page, line)) if part)
    return (
        line_of(text_at(claim, "what", page, line), page, line),
        (Math(says),),
        (Math(what.result),),
        (Strong((Text(found),)),) if found == WRONG else (Text(found),),
        line_of(why, page, line),
    )


def verdict(
    says: Expr,
    letters: Mapping[str, Expr],
    what: Derivation,
    large: list[str],
    readings: list[tuple[str, Derivation]],
) -> tuple[str, str]:
    """How a formula stands to a derivation's result, and in words by how much it is off."""
    claimed = substitute(says, letters)
    quotients = _quotients(claimed, what)
    if set(quotients) == {Fraction(1)}:
        return AGREES, ""
    for name, other in readings:
        if set(_quotients(claimed, other)) == {Fraction(1)}:
            return DEPENDS, f"{name}."
    if large and all(abs(q - 1) < NEAR for q in _quotients(claimed, what, dict.fromkeys(large, FAR))):
        return f"agrees for large {', '.join(large)}", ""
    if len(set(quotients)) == 1:
        return WRONG, f"It is {_times(quotients[0])} of what follows."
    return WRONG, ""


def _times(quotient: Fraction) -> str:
    return f"{quotient} times" if quotient.denominator == 1 else f"{quotient}"


def _quotients(claimed: Expr, what: Derivation, fixed: Mapping[str, int] | None = None) -> list[Fraction]:
    """Claimed over ours at points that obey the conditions, some letters held at a value."""
    ours = unfolded(what)
    strange = [n for n in names_in(claimed) if n not in what.letters]
    if strange:
        known = ", ".join(what.letters)
        raise UserError(f"says: found {strange[0]}, which {what.id} does not have, expected {known}")
    found: list[Fraction] = []
    for point in what.setting.points(4 * POINTS):
        values = {**point, **{n: Fraction(v) for n, v in (fixed or {}).items()}}
        try:
            value, other = rational(evaluate(ours, values)), rational(evaluate(claimed, values))
        except DoesNotEvaluateError:
            continue
        if value or other:
            found.append(other / value if value else Fraction(0))
        if len(found) == POINTS:
            break
    if not found:
        raise UserError(f"{what.id} has a value at none of its points")
    return found
