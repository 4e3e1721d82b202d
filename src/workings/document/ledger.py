"""The directive `ledger`: an account row by row, in letters and numbers, and its total."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import used_value
from workings.derivation.pins import form_of
from workings.document.blocks import Block, Line, Math, Number, Table, Text
from workings.document.calls import account_call
from workings.document.directive import Directive, check_options, numbers_at
from workings.document.inline import line_of
from workings.document.made_of import Share
from workings.document.page import Page, words_of
from workings.document.where import where_table
from workings.formula import Expr, Num, Relations, Value, evaluate, parse_expression, substitute
from workings.formula.interval import rational
from workings.units import Format
from workings.values.asked import read_settings
from workings.values.binding import Binding, bind
from workings.values.desk import Measured


def ledger(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{ledger} fsdp-memory N=156```: each row in letters and numbers, and the exact total."""
    check_options(directive, page, ("label", "caption", "decimals"))
    name, _, text = directive.argument.partition(" ")
    what = catalogue.get(name)
    if not what.ledger:
        raise page.source.fail(directive.line, f"{{ledger}} {name}: it has no rows to print")
    settings = page.desk.settings_of(text)
    bound = bind(what, *page.desk.placed(settings))
    style = numbers_at(directive.options, page, directive.line, page.style, ":")
    label = directive.options.get("label", f"{what.id}-ledger")
    caption = directive.options.get("caption", what.title)
    made = page.made(Share(what.id, read_settings(text), Num(Fraction(0)), style))
    table = ledger_table(what, page, bound, style, label, caption, directive.line, made)
    table = replace(table, calls=(account_call(what, settings, style, page),))
    names = page.use(what, directive.line)
    return (table, *where_table(page, what, names, (row.per_rank for row in what.ledger)))


def ledger_table(
    what: Derivation,
    page: Page,
    bound: Binding | None,
    style: Format,
    label: str,
    caption: str,
    line: int,
    made: Share | None = None,
) -> Table:
    """The account as a block of this page; without values its rows in letters, as the chain has them."""
    names = page.use(what, line)
    split = any(row.split != "1" for row in what.ledger)
    shown = _shown(what, bound, style, made) if bound else None
    rows = []
    for row in what.ledger:
        held = "" if row.where == "all" else f" ({row.where} ranks)"
        cells: list[Line] = [words_of(row.name + held, names)]
        if split and shown:
            cells.append(shown(parse_expression(row.amount)))
        cells.append((Math(substitute(row.per_rank, names)),))
        cells += [shown(row.per_rank)] if shown else []
        rows.append((*cells, words_of(row.reason, names)))
    if shown and bound:
        whole = form_of(what, bound.pinned)  # the line in which what was set still stands
        assert not isinstance(whole, Relations)  # noqa: S101 - an account has a total
        total: list[Line] = [(Text(page.words["total_row"]),)] + ([()] if split else [])
        total += [(Math(substitute(whole, names)),), shown(whole)]
        rows.append((*total, ()))
    columns = ["account:l", *(["whole:r"] if split and shown else []),
               "on_one_device:l" if split else "formula:l", *(["amount:r"] if shown else []),
               "reason:l"]  # fmt: skip
    return Table(
        label, page.table_label(label, caption, line), line_of(caption, page, line),
        "".join(column[-1] for column in columns),
        tuple((Text(page.words[column[:-2]]),) for column in columns), tuple(rows),
        (len(rows) - 1,) if shown else (),
    )  # fmt: skip


def _shown(what: Derivation, bound: Binding, style: Format, made: Share | None) -> Callable[[Expr], Line]:
    """How a formula of this account is written as a number."""
    values: Mapping[str, Value] = {
        **bound.values,
        **{n: used_value(what, n, bound.values, bound.pinned) for n in what.uses},
    }

    def shown(formula: Expr) -> Line:
        measured = Measured(rational(evaluate(formula, values)), what.unit)
        written = measured.shown(style)
        return (Number(written.number, written.unit, made and replace(made, formula=formula)),)

    return shown
