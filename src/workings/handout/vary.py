"""What differs between the variants of a handout: `[vary]` of its front matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any

from workings.document.front import DocumentError, Source
from workings.document.set_over import set_over
from workings.errors import UserError
from workings.handout.condition import Condition, quantity_of, read_condition
from workings.scenario import PRESET_SECTIONS, ScenarioError, load_scenario, preset_names
from workings.units import UnitError, parse_amount

MAX_VALUES = 1000  # of one key
MAX_KEYS = 20
_RANGE = {"from", "to", "step", "times"}


@dataclass(frozen=True, slots=True)
class Varied:
    """A key of the scenario as the source writes it, and the texts it may be set to."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vary:
    """The keys that differ, in the order of the source, and what must hold of them."""

    keys: tuple[Varied, ...]
    require: tuple[Condition, ...] = ()

    @property
    def size(self) -> int:
        """How many settings there are, whether or not what is required holds of them."""
        return prod(len(one.values) for one in self.keys)


def read_vary(source: Source) -> Vary:
    """What a source varies. Raises DocumentError with the line of the key that is wrong."""
    table = dict(source.front.vary)
    place = Places(source)
    if not table:
        raise place.at(1, "found no [vary] in the front matter, expected the keys of the scenario that "
                          "differ between variants, such as tp = [4, 8]")  # fmt: skip
    required = table.pop("require", [])
    if not 1 <= len(table) <= MAX_KEYS:
        raise place.fail("require", f"found {len(table)} keys, expected 1 to {MAX_KEYS}")
    keys = tuple(_varied(source, place, key, given) for key, given in table.items())
    try:
        set_over(source.scenario, {one.key: "" for one in keys})  # two names of one key
    except ScenarioError as error:
        raise place.fail(keys[-1].key, _bare(error)) from error
    return Vary(keys, tuple(_conditions(place, required, keys)))


def _varied(source: Source, place: Places, key: str, given: Any) -> Varied:
    """One key with its values."""
    try:
        set_over(source.scenario, {key: ""})
    except ScenarioError as error:
        raise place.fail(key, _bare(error)) from error
    try:
        values = tuple(_range(given) if isinstance(given, dict) else _listed(given))
        _check_values(source, key, values)
    except UserError as error:
        raise place.fail(key, f"{key}: {_bare(error).removeprefix(f'{key}: ')}") from error
    return Varied(key, values)


def _listed(given: Any) -> Iterator[str]:
    """The values of a list as texts. Raises ScenarioError."""
    if not isinstance(given, list):
        raise ScenarioError(f"found {str(given)[:60]!r}, expected a list such as [4, 8] or a range such "
                            "as { from = 1, to = 8, times = 2 }")  # fmt: skip
    if not 2 <= len(given) <= MAX_VALUES:
        many = "1 value" if len(given) == 1 else f"{len(given)} values"
        raise ScenarioError(f"found {many}, expected 2 to {MAX_VALUES}")
    for value in given:
        if isinstance(value, bool) or not isinstance(value, int | float | str) or not str(value).strip():
            raise ScenarioError(f"found {str(value)[:60]!r} in the list, expected numbers or texts")
        yield str(value).strip()


def _range(given: Mapping[str, Any]) -> Iterator[str]:
    """The values of a range, which ends at `to` or below it. Raises ScenarioError."""
    if strange := sorted(given.keys() - _RANGE):
        raise ScenarioError(
            f"found {strange[0][:60]!r} in the range, expected from, to, and step or times"
        )
    if missing := sorted({"from", "to"} - given.keys()):
        raise ScenarioError(f"found a range without {missing[0]!r}, expected from, to, and step or times")
    if ("step" in given) == ("times" in given):
        found = "both step and times" if "step" in given else "neither step nor times"
        raise ScenarioError(f"found {found}, expected one of the two")
    (value, unit), (last, its) = _amount(given, "from"), _amount(given, "to")
    by = "step" if "step" in given else "times"
    change, own = _amount(given, by)
    if its != unit or (own != unit if by == "step" else own):
        expected = "one unit in from and to, none in times" if by == "times" else "one unit in all three"
        raise ScenarioError(
            f"found {its or own or 'no unit'!r} beside {unit or 'no unit'!r}, expected {expected}"
        )
    if not 0 <= value < last or (by == "times" and not value):
        least = "from 0" if by == "step" else "above 0"
        raise ScenarioError(
            f"found from {given['from']} to {given['to']}, expected numbers {least} that rise"
        )
    if change <= (0 if by == "step" else 1):
        raise ScenarioError(f"{by}: found {given[by]}, expected more than {0 if by == 'step' else 1}")
    for _ in range(MAX_VALUES):
        yield f"{_decimal(value)} {unit}".strip()
        value = value + change if by == "step" else value * change
        if value > last:
            return
    raise ScenarioError(f"found a range of more than {MAX_VALUES} values, expected fewer")


def _amount(given: Mapping[str, Any], name: str) -> tuple[Fraction, str]:
    """A number of a range and the unit beside it. Raises ScenarioError."""
    value = given[name]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ScenarioError(f"{name}: found {str(value)[:60]!r}, expected a number")
    try:
        number, rest = parse_amount(str(value))
    except UnitError as error:
        raise ScenarioError(f"{name}: {error}") from error
    return number, rest.strip()


def _decimal(value: Fraction) -> str:
    """A number exactly, as people type it. Raises ScenarioError for one that has no end."""
    if value.denominator == 1:
        return str(value.numerator)
    found = Decimal(value.numerator) / Decimal(value.denominator)
    if Fraction(found) != value:
        raise ScenarioError(
            f"found {value} in the range, expected numbers that a few digits write exactly"
        )
    return f"{found:f}"


def _check_values(source: Source, key: str, values: tuple[str, ...]) -> None:
    """Raise UserError for a value that is there twice, or that the key cannot have."""
    seen: dict[object, str] = {}
    for text in values:
        what = _meant(key, text)
        if what in seen:
            raise ScenarioError(f"found {text[:60]!r} twice, expected each value once")
        seen[what] = text
    if key in PRESET_SECTIONS:
        known = preset_names("models" if key == "model" else key)
        if strange := [text for text in values if text.lower() not in known]:
            raise ScenarioError(f"found {strange[0][:60]!r}, expected one of {', '.join(known)}")
        return
    for text in values if len(values) <= MAX_KEYS else (values[0], values[-1]):
        try:
            load_scenario(source.scenario or "", {key: text})
        except ScenarioError as error:
            if str(error).startswith(f"--set {key}:"):  # others depend on what else is drawn
                raise


def _meant(key: str, text: str) -> object:
    """What a text says: its quantity where it is one, so that 2k is 2048 where it is."""
    if key in PRESET_SECTIONS:
        return text.lower()  # in capitals or not
    try:
        found = quantity_of(key, text)
    except UnitError:
        return text
    return found.value, found.dimension


def _conditions(place: Places, given: Any, keys: tuple[Varied, ...]) -> Iterator[Condition]:
    """What must hold. Raises DocumentError."""
    for text in given if isinstance(given, list) else [given]:
        if not isinstance(text, str):
            raise place.fail("require", f"require: found {str(text)[:60]!r}, expected conditions as "
                             'text, such as ["fsdp*tp == 64"]')  # fmt: skip
        line = place.line("require", text)
        try:
            yield read_condition(text, line, [one.key for one in keys])
        except UserError as error:
            raise place.at(line, f"require: {text[:80]!r}: {_bare(error)}") from error


def _bare(error: UserError) -> str:
    """The sentence without the option of a command line, which nobody typed here."""
    said = str(error.args[0] if error.args else error)
    return re.sub(r"^--set ", "", said)


class Places:
    """Where the keys of `[vary]` stand in a source."""

    def __init__(self, source: Source) -> None:
        self.name = source.path.name
        text = source.path.read_text(encoding="utf-8").replace("\r\n", "\n")
        self.lines = text.split("+++\n", 2)[1].split("\n")

    @property
    def first(self) -> int:
        """Where the table begins, counted from 0."""
        heads = [n for n, line in enumerate(self.lines) if re.match(r"\s*(\[\s*vary\b|vary\b)", line)]
        return heads[0] if heads else 0

    def head(self, problem: str) -> DocumentError:
        """An error at the line where the table begins."""
        return self.at(self.first + 2, problem)

    def line(self, key: str, within: str = "") -> int:
        """The line, from 1, that sets a key, or the first below it that holds these words."""
        first = self.first
        name = rf"""["']?{re.escape(key)}["']?"""
        sets = re.compile(
            rf"\s*(?:vary\s*\.\s*)?{name}\s*=|\s*\[\s*vary\s*\.\s*{name}\s*\]|\s*vary\s*=.*{name}"
        )
        at = next((n for n in range(first, len(self.lines)) if sets.match(self.lines[n])), first)
        below = (n for n in range(at, len(self.lines)) if within and within in self.lines[n])
        return next(below, at) + 2

    def fail(self, key: str, problem: str) -> DocumentError:
        """An error at the line of a key."""
        return self.at(self.line(key), problem)

    def at(self, line: int, problem: str) -> DocumentError:
        """An error at a line of the file."""
        return DocumentError(f"{self.name}:{line}: vary: {problem}")
