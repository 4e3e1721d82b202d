"""The value of every letter of a row: shared sets, hardware, the model, then what the table gives."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from validating.published import DATA, Raw, Row, Table, TableError, program, toml_file
from workings.formula import evaluate, names_in, parse_expression
from workings.formula.interval import rational
from workings.planning.assumed import ASSUMPTIONS, default_of
from workings.planning.cost import plan
from workings.planning.generations import generation
from workings.planning.letters import ASSUMED, HARDWARE, LETTERS, PARTS
from workings.planning.utilization import COUNTED, COUNTS
from workings.scenario.presets import read_preset
from workings.units import parse_quantity

# Where a table does not say which blocks have experts, the last ones do.
_DENSE_FIRST: Mapping[str, int | str] = {"r_E": 1, "L_0": "L - L_E"}
_NO_PARTS = dict.fromkeys((*PARTS, "x_host"), 0)  # of blocks, computed again or with the host


def letters_of(table: Table, row: Row, other: Raw | None = None) -> dict[str, Fraction]:
    """Every letter that a row's prediction starts from; `other` replaces some. Raises TableError."""
    raw: dict[str, int | float | str | Fraction] = {**_DENSE_FIRST, **_NO_PARTS, **_assumed(table)}
    raw |= _hardware(table.hardware)
    for name in table.base:
        raw |= _shared("shared", name)
    own = {**table.given, **row.given, **(other or {})}
    if model := own.pop("model", ""):
        raw |= _model(str(model))
    raw |= {COUNTED: COUNTS[table.counts]} if table.counts else {}
    raw |= own
    if unknown := set(raw) - set(LETTERS) - set(plan().by_letter):
        raise TableError(f"{table.id}, {row.name}: found {sorted(unknown)}, expected the plan's letters")
    return _resolved(raw, f"{table.id}, {row.name}")


def worth(formula: str, values: Mapping[str, Fraction]) -> Fraction:
    """A formula of letters, as an exact number."""
    return rational(evaluate(parse_expression(formula), values))


def _resolved(raw: Mapping[str, int | float | str | Fraction], where: str) -> dict[str, Fraction]:
    """Numbers as they are, formulas once all their letters are known. Raises TableError."""
    done = {k: _number(v) for k, v in raw.items() if not isinstance(v, str)}
    waiting = {k: v for k, v in raw.items() if isinstance(v, str)}
    while waiting:
        ready = [k for k, v in waiting.items() if done.keys() >= set(names_in(parse_expression(v)))]
        if not ready:
            raise TableError(f"{where}: found {waiting}, expected formulas of known letters")
        for letter in ready:
            done[letter] = worth(waiting.pop(letter), done)
    return done


def _number(value: float | Fraction) -> Fraction:
    """A number as it was written, 0.7 as seven tenths."""
    return value if isinstance(value, Fraction) else Fraction(str(value))


def _assumed(table: Table) -> dict[str, Fraction]:
    """The planner's defaults for a table's program on its devices."""
    device = str(read_preset("hardware", table.hardware)["name"]) if table.hardware else ""
    by = program(table), generation(device)
    return {
        letter: default_of(concept.name, *by).numbers[0]
        for letter, concept in ASSUMED.items()
        if concept.name in ASSUMPTIONS
    }


def _hardware(preset: str) -> dict[str, Fraction]:
    """The letters that a preset of devices gives; none without one."""
    data = read_preset("hardware", preset) if preset else {}
    found = {}
    for letter, concept in HARDWARE.items():
        key = (concept.supplied or "").removeprefix("hardware.")
        if isinstance(entry := data.get(key or concept.name), dict):
            found[letter] = parse_quantity(str(entry["value"])).value
    return found


def _shared(file: str, name: str) -> dict[str, int | float | str]:
    """A set of letters. Raises TableError."""
    found = toml_file(DATA / f"{file}.toml").get(name)
    if found is None:
        raise TableError(f"{file}.toml: found no [{name}], expected one")
    return dict(found)


def _model(name: str) -> dict[str, int | float | str]:
    """A model's letters, after those of its family."""
    own = _shared("models", name)
    return {**_shared("shared", str(own.pop("family"))), **own}
