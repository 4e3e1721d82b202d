"""The directive `formulas`: formulas that a text claims, beside the ones derived here.

The verdict is computed at exact points: a claim agrees where both have one value everywhere; is right
in a special case where that holds once `where` has put values in for some letters; agrees in the
limit where the quotient goes to 1; depends on a convention where it is another named derivation; and
is wrong otherwise, by a factor where the quotient is one number. A condition is compared on both sides
of the boundary that follows here.
"""

from __future__ import annotations

from typing import Any

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Line, Math, Strong, Table, Text
from workings.document.claims import AGREES, DEPENDS, WRONG, read_claims
from workings.document.comparing import Comparison
from workings.document.directive import Directive, check_keys, check_options, tables_at, text_at
from workings.document.inline import line_of
from workings.document.page import Page
from workings.errors import UserError
from workings.formula import Relations, parse_expression, parse_formula, plain

SPECIAL = "right in a special case"
LIMIT = "agrees in the limit"
_KEYS = ("what", "says", "letters", "where", "ours", "large", "reading", "why")


def formulas(directive: Directive, page: Page) -> Table:
    """```{formulas} FILE.toml```: one row a claimed formula, in the order of the file."""
    check_options(directive, page, ("label", "caption"))
    rows, verdicts = [], []
    for number, claim in enumerate(read_claims(directive, page), 1):
        where = f"{directive.argument}, claim {number}"
        check_keys(claim, where, page, directive.line, _KEYS)
        try:
            found, row = _row(claim, page, directive.line)
        except UserError as error:
            raise page.source.fail(directive.line, f"{where}: {error}") from error
        verdicts.append(found)
        rows.append(row)
    label = directive.options.get("label", "formulas")
    caption = directive.options.get("caption", "The formulas it states beside ours")
    head = tuple((Text(h),) for h in ("what", "it says", "ours", "verdict", "why"))
    words = line_of(caption, page, directive.line)
    page.judge(label, words, verdicts)
    return Table(label, page.table_label(label, caption, directive.line), words, "lllll", head,
                 tuple(rows))  # fmt: skip


def _row(claim: dict[str, Any], page: Page, line: int) -> tuple[str, tuple[Line, ...]]:
    what = catalogue.get(text_at(claim, "ours", page, line))
    says = parse_formula(text_at(claim, "says", page, line))
    readings = [(text_at(r, "name", page, line), catalogue.get(text_at(r, "ours", page, line)))
                for r in tables_at(claim, "reading", page, line)]  # fmt: skip
    found, words = verdict(
        Comparison(says, what, _parsed(claim, "letters"), _parsed(claim, "where")),
        claim.get("large", []), readings,
    )  # fmt: skip
    why = " ".join(part for part in (words, text_at(claim, "why", page, line)) if part)
    return found, (
        line_of(text_at(claim, "what", page, line), page, line),
        (Math(says),),
        (Math(what.result if what.head else what.condition),),
        (Strong((Text(found),)),) if found == WRONG else (Text(found),),
        line_of(why, page, line),
    )


def _parsed(claim: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: parse_expression(str(text)) for name, text in claim.get(key, {}).items()}


def verdict(
    claim: Comparison, large: list[str], readings: list[tuple[str, Derivation]]
) -> tuple[str, str]:
    """How a formula stands to a derivation's result, and in words by how much it is off."""
    general = claim.without_special_case()
    if general.same():
        return AGREES, ""
    for name, other in readings:
        if general.beside(other).same():
            return DEPENDS, f"{name}."
    if claim.where and claim.same():
        return SPECIAL, f"Where {_these(claim)}."
    if large and claim.same(large):
        limit = "For large " + " and ".join(f"{{math}}`{letter}`" for letter in large)
        return LIMIT, f"{limit}, where {_these(claim)}." if claim.where else f"{limit}."
    return WRONG, _by_how_much(claim)


def _by_how_much(claim: Comparison) -> str:
    said = "Its bound is" if isinstance(claim.says, Relations) else "It is"
    there = f", where {_these(claim)}" if claim.where else ""
    if (factor := claim.factor()) is not None:
        times = f"{factor} times" if factor.denominator == 1 else f"{factor}"
        return f"{said} {times} of what follows{there}."
    if words := claim.direction():
        return f"{words}{there}."
    return ""


def _these(claim: Comparison) -> str:
    return ", ".join(f"{{math}}`{n} = {plain(e)}`" for n, e in claim.where.items())
