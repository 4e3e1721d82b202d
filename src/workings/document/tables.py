"""The directive `table`: cells that are computed, one row a setting."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeAlias

from workings import catalogue
from workings.derivation.evaluation import DoesNotApplyError
from workings.document.blocks import Line, Math, Number, Table, Text
from workings.document.calls import column_calls
from workings.document.directive import (
    Directive,
    check_keys,
    check_options,
    numbers_at,
    settings_at,
    table_of,
    tables_at,
    text_at,
)
from workings.document.inline import line_of
from workings.document.made_of import Amount, Setting, Test
from workings.document.page import Page
from workings.formula import substitute
from workings.formula.exact import compare
from workings.units import Format
from workings.values.desk import Measured, heard_by_one

_TEST = re.compile(r"\s*(<=|>=|<|>|=)\s*(.+)")
# What each kind of column reads, the first word being that which makes it one of the kind.
_COLUMNS = (
    ("key", "title", "align"),
    ("symbol", "id", "title", "align"),
    ("test", "id", "set", "otherwise", "title", "align"),
    ("id", "set", "unit", "digits", "decimals", "beside", "otherwise", "title", "align"),
)
_ANY = tuple(dict.fromkeys(("key", "symbol", "test", *_COLUMNS[-1])))
_ROW_KEYS = ("set", "id", "bold", "unit")
_TABLE_KEYS = ("caption", "label", "set", "vary", "over", "column", "row", "bold", "digits",
               "decimals")  # fmt: skip


def table(directive: Directive, page: Page) -> Table:
    """A table whose cells are computed: see docs/directives.md for its keys."""
    check_options(directive, page, ())
    at = directive.body_line
    data = table_of(directive, page, _TABLE_KEYS)
    columns = tables_at(data, "column", page, at)
    rows = _varied(data, page, at) if "vary" in data else tables_at(data, "row", page, at)
    _check_table(data, columns, rows, page, at)
    general = settings_at(data, page, at)
    style = numbers_at(data, page, at, page.style)
    made = [[_cell(c, row, general, style, page, at) for c in columns] for row in rows]
    _refuse_idle(made, general, rows, columns, page, at)
    for place, column in enumerate(columns):
        if not any(row[place][0] for row in made):
            raise page.source.fail(at, f"{_called(column, place)}: found no row with a word in it, "
                                   "expected one at least")  # fmt: skip
    cells = [tuple(written for written, _ in row) for row in made]
    bold = tuple(i for i, row in enumerate(rows) if row.get("bold") or i in data.get("bold", []))
    label = text_at(data, "label", page, at, f"table-{page.counts.get('table', 0) + 1}")
    align = "".join(_align(column, page, at) for column in columns)
    return Table(
        label, page.table_label(label, text_at(data, "caption", page, at), at),
        line_of(text_at(data, "caption", page, at), page, at), align,
        tuple(line_of(text_at(c, "title", page, at), page, at) for c in columns),
        tuple(cells), bold, calls=column_calls(columns, rows, general, made, style, page, at),
    )  # fmt: skip


# A cell as it is printed, and the settings that change nothing in it; None for one of words.
_Made: TypeAlias = tuple[Line, frozenset[str] | None]


def _refuse_idle(
    made: list[list[_Made]], general: dict[str, str], rows: list[dict[str, Any]],
    columns: list[dict[str, Any]], page: Page, line: int,
) -> None:  # fmt: skip
    """Raise ScenarioError for a setting of table, row or column that changes none of its cells."""
    heard_by_one(general, _idle(cell for row in made for cell in row))
    for row, cells in zip(rows, made, strict=True):
        heard_by_one(settings_at(row, page, line), _idle(cells))
    for place, column in enumerate(columns):
        heard_by_one(settings_at(column, page, line), _idle(row[place] for row in made))


def _idle(cells: Iterable[_Made]) -> list[frozenset[str]]:
    return [idle for _, idle in cells if idle is not None]


def _check_table(
    data: dict[str, Any], columns: list[dict[str, Any]], rows: list[dict[str, Any]], page: Page,
    line: int,
) -> None:  # fmt: skip
    """Raise DocumentError for a key nobody reads: most likely it is misspelt or stands elsewhere."""
    own = {"value"} if "vary" in data else {key for row in rows for key in row} - {"set", "bold"}
    for place, column in enumerate(columns):
        _check_column(column, _called(column, place), own, page, line)
    keys = tuple(column["key"] for column in columns if "key" in column)
    for row in tables_at(data, "row", page, line):
        check_keys(row, "[[row]]", page, line, (*_ROW_KEYS, *keys))
        if "id" in row and "id" not in keys and not any(_of_row(column) for column in columns):
            raise page.source.fail(line, f"[[row]]: found id = {row['id']!r}, but every [[column]] says "
                                   "what it shows, expected one that does not")  # fmt: skip
    if ("vary" in data) != ("over" in data) or ("vary" in data and "row" in data):
        raise page.source.fail(line, "{table}: found vary, over or [[row]] alone or together, expected "
                               "vary and over, or [[row]] tables")  # fmt: skip
    if not columns or not rows:
        raise page.source.fail(line, "{table}: found no [[column]] or no row, expected both")
    bold = data.get("bold", [])
    if not isinstance(bold, list) or any(i not in range(len(rows)) for i in bold):
        raise page.source.fail(line, f"bold: found {bold!r}, expected a list of rows from 0")


def _called(column: dict[str, Any], place: int) -> str:
    """The words by which an error names a column."""
    return f"[[column]] {str(column.get('title') or place + 1)[:40]!r}"


def _of_row(column: dict[str, Any]) -> bool:
    """Whether it shows what a row names."""
    return "key" not in column and "id" not in column


def _check_column(column: dict[str, Any], called: str, own: set[str], page: Page, line: int) -> None:
    """Raise DocumentError for a key that this kind of column does not read, or rows do not have."""
    if beyond := sorted(column.keys() & set(_TABLE_KEYS) - {"set", "digits", "decimals"}):
        raise page.source.fail(line, f"{called}: found {beyond[0]}, which is a key of the table: "
                               "expected it before the first [[column]]")  # fmt: skip
    kind = next((known for known in _COLUMNS if known[0] in column), _COLUMNS[-1])
    check_keys(column, called, page, line, kind if kind[0] in column else _ANY)
    if "symbol" in column and column["symbol"] is not True:
        raise page.source.fail(line, f"{called}: symbol: found {column['symbol']!r}, expected true, for "
                               "the formula of the id of column or row")  # fmt: skip
    if "key" in column and text_at(column, "key", page, line) not in own:
        known = ", ".join(sorted(own)) or "none"
        raise page.source.fail(line, f"{called}: found key = {column['key']!r}, which no row has, "
                               f"expected one of {known}")  # fmt: skip
    if _of_row(column) and "id" not in own:
        raise page.source.fail(line, f"{called}: found neither key nor id, expected one of them here or "
                               "an id in each [[row]]")  # fmt: skip


def _varied(data: dict[str, Any], page: Page, line: int) -> list[dict[str, Any]]:
    """One row for each value of a letter, worked out where it stands in braces."""
    over = data.get("over", [])
    if not isinstance(over, list):
        raise page.source.fail(line, f"over: found {over!r}, expected a list of values")
    name = text_at(data, "vary", page, line)
    rows = []
    for value in over:
        settings = {name: str(value)}
        written = _thousands(page.desk.resolve(settings)[name])
        rows.append({"set": settings, "value": written, "follows": Setting(settings[name])})
    return rows


def _align(column: dict[str, Any], page: Page, line: int) -> str:
    """Words stand left and numbers right, unless the column says otherwise."""
    words = "key" in column or "symbol" in column or "test" in column
    chosen = text_at(column, "align", page, line, "l" if words else "r")
    if chosen not in ("l", "r", "c"):
        raise page.source.fail(line, f"align: found {chosen!r}, expected l, r or c")
    return chosen


def _thousands(text: str) -> str:
    return f"{int(text):,}" if re.fullmatch("[0-9]{1,80}", text) else text


def _cell(
    column: dict[str, Any], row: dict[str, Any], general: dict[str, str], style: Format,
    page: Page, line: int,
) -> _Made:  # fmt: skip
    """One cell: words of the row (`key`), a formula (`symbol`), a test, or a computed value."""
    if "key" in column:
        words = str(row.get(text_at(column, "key", page, line), ""))
        if "follows" in row and "{" in row["follows"].text:  # the value of the letter that varies
            return (Text(words, page.made(row["follows"])),), None
        return line_of(words, page, line), None
    quantity = str(column.get("id") or row.get("id") or "")
    if "symbol" in column:
        what = catalogue.get(quantity.split(" ", maxsplit=1)[0])
        return (Math(substitute(what.result, page.use(what, line))),), None
    settings = general | settings_at(column, page, line) | settings_at(row, page, line)
    made = _source(column, row, quantity, settings, style, page, line)
    try:
        measured = page.desk.measure(quantity, page.desk.resolve(settings))
    except DoesNotApplyError:
        if made.otherwise is None:
            raise
        instead = line_of(made.otherwise, page, line)
        follows = page.made(made) if len(instead) == 1 else None  # what is more than words stays
        put = (replace(one, source=follows) if isinstance(one, Text) else one for one in instead)
        return tuple(put), frozenset()
    limit = None if made.limit is None else page.desk.limit(made.limit, settings)
    if limit is not None and limit.dimension != measured.dimension:
        key = "test" if isinstance(made, Test) else "beside"
        found, wanted = column[key], measured.dimension
        raise page.source.fail(line, f"{key}: found {found!r}, expected a limit in {wanted}")
    if isinstance(made, Test) and limit is not None:
        said = "yes" if compare(measured.value, made.relation, limit.value) else "no"
        follows = page.made(made) if page.words[said] == said else None  # a page follows in English
        return (Text(page.words[said], follows),), measured.idle
    assert isinstance(made, Amount)  # noqa: S101 - a test has a limit
    chosen = Measured(measured.value, measured.dimension, made.unit or measured.unit, measured.digits,
                      measured.decimals)  # fmt: skip
    shown = chosen.shown(made.style, None if limit is None else limit.value)
    return (Number(shown.number, shown.unit, page.made(made)),), measured.idle


def _source(
    column: dict[str, Any], row: dict[str, Any], quantity: str, settings: dict[str, str], style: Format,
    page: Page, line: int,
) -> Amount | Test:  # fmt: skip
    """What a computed cell is worked out from, a limit on whose right side it stands, or a test."""
    otherwise = str(column["otherwise"]) if "otherwise" in column else None
    if test := text_at(column, "test", page, line):
        match = _TEST.fullmatch(test)
        if match is None:
            raise page.source.fail(line, f"test: found {test[:40]!r}, expected one such as '< 95 GB'")
        return Test(quantity, settings, match[1], match[2], otherwise)
    unit = text_at(column, "unit", page, line) or text_at(row, "unit", page, line)
    beside = text_at(column, "beside", page, line)
    own = numbers_at(column, page, line, style)
    return Amount(quantity, own, settings, unit or None, beside or None, otherwise)
