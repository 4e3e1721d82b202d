"""How the numbers of a page are worked out again from Python: calls of `workings.value`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os.path import relpath
from pathlib import Path
from typing import Any

from workings import catalogue
from workings.derivation import Derivation
from workings.document.blocks import Line, Number
from workings.document.directive import numbers_at, settings_at
from workings.document.page import Page
from workings.scenario import PRESETS, Scenario
from workings.units import Format
from workings.values.call import DIGITS, Call
from workings.values.desk import PLACE
from workings.values.notation import glyphs_named, letters_in
from workings.values.worked import Worked

_SHOWING = ("unit", "digits", "decimals")


def call_of(done: Worked, page: Page) -> Call:
    """The call that gives a worked formula in the letters and numbers of its page."""
    return _call(done.derivation, done.scenario, done.settings, done.style, page)


def account_call(what: Derivation, settings: Mapping[str, str], style: Format, page: Page) -> Call:
    """The call that gives the total of an account."""
    scenario, chosen = page.desk.placed(settings)
    if style.decimals is not None:  # digits count for nothing then
        style = style._replace(digits=DIGITS)
    return _call(what, scenario, chosen, style, page)


def column_calls(
    columns: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], general: Mapping[str, str],
    cells: Sequence[Sequence[tuple[Line, frozenset[str] | None]]], style: Format, page: Page, line: int,
) -> tuple[Call, ...]:  # fmt: skip
    """The calls that give the first column of a table whose every number is an entry's value.

    Cells hold what is printed and the settings that count for nothing there; words are left out.
    """
    for place, column in enumerate(columns):
        if {"key", "symbol", "test"} & column.keys():
            continue
        numbers = [(row, *made[place]) for row, made in zip(rows, cells, strict=True)
                   if isinstance(made[place][0][0], Number)]  # fmt: skip
        own = numbers_at(column, page, line, style)
        found = [
            _cell_call(column, row, general, printed, idle or frozenset(), own, page, line)
            for row, printed, idle in numbers
        ]
        calls = tuple(call for call in found if call is not None)
        if calls and len(calls) == len(found):
            return calls
    return ()


def _cell_call(
    column: dict[str, Any], row: dict[str, Any], general: Mapping[str, str], printed: Line,
    idle: frozenset[str], style: Format, page: Page, line: int,
) -> Call | None:  # fmt: skip
    """The call of one cell; None where it is worked out from several values."""
    id_, _, rest = str(column.get("id") or row.get("id") or "").strip().partition(" ")
    if id_ not in catalogue.ids():
        return None
    own = page.desk.settings_of(rest)
    shown = {name: own.pop(name) for name in _SHOWING if name in own}
    here = {**settings_at(column, page, line), **settings_at(row, page, line)}
    shared = page.desk.resolve({**general, **here})
    heard = {n: t for n, t in {**shared, **own}.items() if n in own or n == PLACE or n not in idle}
    unit = column.get("unit") or row.get("unit") or shown.get("unit")
    decimals = _decimals(printed) if "beside" in column else shown.get("decimals", style.decimals)
    chosen = Format(
        (*([str(unit)] if unit else []), *style.units), int(shown.get("digits", style.digits)),
        None if decimals is None else int(decimals),
    )  # fmt: skip
    return account_call(catalogue.get(id_), heard, chosen, page)


def _decimals(printed: Line) -> int:
    """How many decimals a number has: beside a limit it may need more than were asked for."""
    [number] = printed
    assert isinstance(number, Number)  # noqa: S101 - words were left out
    return len(number.number.partition(".")[2])


def _call(
    what: Derivation, scenario: Scenario | None, settings: Mapping[str, str], style: Format, page: Page
) -> Call:
    at = _named(scenario, page.source.path.parent)
    put = scenario.settings if scenario else {}
    over = {n: t for n, t in put.items() if n in page.desk.over and n not in settings}
    return Call(what, at, scenario, settings, style, _notation(what, page), over)


def _named(scenario: Scenario | None, folder: Path) -> str | None:
    """A scenario as one names it in the folder of the page: a preset, or a file."""
    if scenario is None:
        return None
    if scenario.path.is_relative_to(PRESETS.absolute()):
        return scenario.path.stem
    return Path(relpath(scenario.path, folder.absolute())).as_posix()


def _notation(what: Derivation, page: Page) -> str | dict[str, str] | None:
    """The page's letters where they are not the entry's: a notation, or letters by what they mean."""
    keys = {concept.kin or concept.name: name for name, concept in what.letters.items()}
    keys |= {use.derivation.id: name for name, use in what.uses.items()} | {what.id: what.head or ""}
    other = {key: page.glyphs[key] for key, name in keys.items() if page.glyphs.get(key, name) != name}
    named = page.source.front.notation
    if other and letters_in(what, glyphs_named(named)) == letters_in(what, page.glyphs):
        return named
    return other or None
