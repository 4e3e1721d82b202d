"""The directive `answer`: a line of the answer key, which stands in the source beside its question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from workings import catalogue
from workings.document.asking import Given
from workings.document.blocks import Answer as Block
from workings.document.blocks import Line, Number, Text, slug
from workings.document.directive import Directive, check_options, table_of
from workings.document.made_of import Amount
from workings.document.page import Page, lowered
from workings.grade.file import Answer, Reading
from workings.scenario import ScenarioError
from workings.system.tables import explained
from workings.units import ONE, Format, parse_unit
from workings.values.asked import Called, figure_named, read_quantity, split
from workings.values.desk import PLACE, Measured
from workings.vocabulary import concept_named

OPTIONS = (
    "kind",
    "unit",
    "within",
    "digits",
    "coarse",
    "binary",
    "near",
    "noun",
    "words",
    "points",
    "id",
)
TABLES = ("accept", "wrong", "choices", "rubric", "letters")
_SHOWING = ("unit", "digits", "decimals")
_QUANTITY = ("derivation", "value", "set", "at")
_WITHIN = re.compile(r"printed|exact|[0-9]{1,3}(\.[0-9]{1,6})? ?%")
_MEASURED = ("value",)  # the kinds of answers that are worked out


def answer(directive: Directive, page: Page) -> tuple[Block, ...]:
    """```{answer} devices-for-state memory="80 GB"```: nothing on a sheet; in a solution its line."""
    given = page.asking.given[directive.line]
    return (printed(given, page),) if given.solved and not page.sheet else ()


def printed(given: Given, page: Page, part: str = "") -> Block:
    """The line of an answer in a solution: what was asked for and its value, for this part."""
    one = given.answer
    return Block(part, (Text(one.words),) if one.words else (), value_of(given, page), one.marks)


def value_of(given: Given, page: Page) -> Line:
    """The right answer as a page prints it."""
    one = given.answer
    style = Format(page.style.units, max(page.style.digits, one.digits or 0))
    shown = _in_unit(page.desk.measure(given.quantity), one.unit).shown(style)
    made = page.made(Amount(given.quantity, style, unit=one.unit or None))
    return (Number(shown.number, shown.unit, made),)


def given_of(directive: Directive, page: Page, taken: Sequence[str]) -> tuple[Answer, str]:
    """An answer as a key has it, and its value as a source writes it. `taken` are ids of its question.

    Raises UserError; every value is worked out, so that what is wrong is said of the source.
    """
    check_options(directive, page, OPTIONS)
    fields: dict[str, Any] = dict(_option(n, t) for n, t in directive.options.items() if n != "points")
    fields |= table_of(directive, page, TABLES)
    fields |= quantity_fields(directive.argument, page)
    for name in ("accept", "wrong"):
        fields[name] = [_reading(one, fields, page) for one in _tables(fields.get(name, []), name)]
    quantity = quantity_of(fields)
    measured = page.desk.measure(quantity)
    fields.setdefault("unit", _unit(measured, directive.argument, page))
    fields.setdefault("words", _words(fields))
    fields.setdefault("id", _id(fields, taken))
    if fields["id"] in taken:
        raise ScenarioError(f":id: found {fields['id'][:40]!r} twice in its question, expected each once")
    found = _converted({"marks": 1, **fields})
    _check(found, measured, page)
    return found, quantity


def quantity_fields(text: str, page: Page) -> dict[str, Any]:
    """A quantity as a key has it: a derivation at settings, or a formula of values in braces."""
    what = read_quantity(text).what
    words = [word for word in split(text) if word.split("=")[0] not in _SHOWING]
    if not isinstance(what, Called):
        return {"value": " ".join(words)}
    if what.id not in catalogue.ids():
        return {"value": f"{{{' '.join(words)}}}"}
    settings = page.desk.resolve(what.settings)
    place = {"at": settings.pop(PLACE)} if PLACE in settings else {}
    return {"derivation": what.id, **({"set": settings} if settings else {}), **place}


def quantity_of(fields: Mapping[str, Any]) -> str:
    """The same as a source writes it."""
    if "value" in fields:
        return str(fields["value"])
    settings = {**fields.get("set", {}), **({PLACE: fields["at"]} if "at" in fields else {})}
    return " ".join([fields["derivation"], *(f'{name}="{text}"' for name, text in settings.items())])


def _reading(data: dict[str, Any], asked: Mapping[str, Any], page: Page) -> dict[str, Any]:
    """Another reading of an answer; one without a quantity is the answer's at other settings."""
    own = {name: data[name] for name in _QUANTITY if name in data}
    if "set" in own:
        own["set"] = _settings(own["set"], page)
    if "value" in own and "derivation" not in own:
        own |= quantity_fields(str(own.pop("value")), page)
    elif "derivation" not in own:
        if not own:
            raise ScenarioError(
                f"{data.get('words', '')!r}: found no value, expected one of {', '.join(_QUANTITY)}"
            )
        own = {**{n: asked[n] for n in _QUANTITY if n in asked}, **own,
               "set": {**asked.get("set", {}), **own.get("set", {})}}  # fmt: skip
    page.desk.measure(quantity_of(own))
    return {name: value for name, value in data.items() if name not in _QUANTITY} | own


def _settings(value: object, page: Page) -> dict[str, str]:
    values = value.values() if isinstance(value, dict) else [None]
    if not isinstance(value, dict) or not all(
        isinstance(v, str | int | float) and not isinstance(v, bool) for v in values
    ):
        raise ScenarioError(f"set: found {str(value)[:60]!r}, expected a table of quantities")
    return page.desk.resolve({name: str(text) for name, text in value.items()})


def _tables(value: object, name: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise ScenarioError(f"{name}: found {str(value)[:60]!r}, expected [[{name}]] tables")
    return value


def _option(name: str, text: str) -> tuple[str, Any]:
    """An option as the key's TOML has it."""
    match name:
        case "near" | "noun":
            return name, [word.strip() for word in text.split(",") if word.strip()]
        case "digits" if re.fullmatch("[0-9]{1,3}", text):
            return name, int(text)
        case "coarse" if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,6})?", text):
            return name, float(text)
        case "binary" if text in ("", "yes", "no"):
            return name, text != "no"
        case _:
            return name, text


def _unit(measured: Measured, text: str, page: Page) -> str:
    """The unit that is asked for where none is said: the one that the page prints."""
    if measured.dimension == ONE:
        return ""
    return read_quantity(text).unit or measured.shown(page.style).unit


def _in_unit(measured: Measured, unit: str) -> Measured:
    return Measured(measured.value, measured.dimension, unit or measured.unit, None, measured.decimals)


def _words(fields: Mapping[str, Any]) -> str:
    """What is asked for, where nothing is said: the title of its entry, or what the key means."""
    if "derivation" in fields:
        title = lowered(catalogue.get(fields["derivation"]).title)
        return title.replace("`", "")[:200]
    name = str(fields["value"]).strip("{}")
    concept = concept_named(name) if figure_named(name) else None
    return concept.meaning if concept else ""


def _id(fields: Mapping[str, Any], taken: Sequence[str]) -> str:
    base = slug(fields.get("derivation", "answer")).lower()[:28].strip("-") or "answer"
    return next(name for n in range(1, 100) if (name := base if n == 1 else f"{base}-{n}") not in taken)


def _converted(fields: dict[str, Any]) -> Answer:
    try:
        return msgspec.convert(fields, Answer)
    except msgspec.ValidationError as error:
        for name in ("accept", "wrong"):
            for number, one in enumerate(fields.get(name, []), 1):
                try:
                    msgspec.convert(one, Reading)
                except msgspec.ValidationError as found:
                    problem = explained(str(found), one, Reading)
                    raise ScenarioError(f"{name} {number}, {problem}") from error
        raise ScenarioError(explained(str(error), fields, Answer)) from error


def _check(found: Answer, measured: Measured, page: Page) -> None:
    """Raise UserError for an answer that nobody could give."""
    if found.unit and parse_unit(found.unit).dimension != measured.dimension:
        raise ScenarioError(f":unit: found {found.unit[:40]!r}, expected a unit of {measured.dimension}")
    if not _WITHIN.fullmatch(found.within):
        raise ScenarioError(
            f":within: found {found.within[:40]!r}, expected printed, exact or a tolerance such as 1 %"
        )
    if found.within == "exact" and found.kind in _MEASURED:
        shown = _in_unit(measured, found.unit).shown(page.style)
        if not shown.exact:
            raise ScenarioError(
                f":within: found exact, but the value is {shown} rounded, expected printed or a tolerance"
                " such as 1 %"
            )
    for reading in (*found.accept, *found.wrong):
        quantity = quantity_of({k: v for k in _QUANTITY if (v := getattr(reading, k))})
        if (dimension := page.desk.measure(quantity).dimension) != measured.dimension:
            raise ScenarioError(f"{reading.words!r}: found a value in {dimension}, expected "
                                f"{measured.dimension}")  # fmt: skip
