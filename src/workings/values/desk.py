"""Quantities as a source writes them: `fsdp-memory N=156`, or a formula of such in braces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import value_of
from workings.errors import UserError
from workings.formula import Expr, Num, dimension_of, evaluate, substitute
from workings.formula.interval import rational
from workings.scenario import PRESET_SECTIONS, Scenario, ScenarioError, load_scenario
from workings.scenario.names import key_named
from workings.units import (
    ONE,
    Dimension,
    Format,
    Quantity,
    Shown,
    parse_quantity,
    parse_unit,
    show,
    show_beside,
)
from workings.values.asked import (
    Called,
    Formed,
    Settings,
    figure_named,
    read_formula,
    read_quantity,
    read_settings,
)
from workings.values.binding import Binding, bind
from workings.values.worked import work

# A value in base units, its dimension, and the shared settings that count for nothing in it.
_Found: TypeAlias = tuple[Fraction, Dimension, frozenset[str]]

# A setting of this name does not set a letter either: it names the scenario.
PLACE = "at"
# Decimal places a value in braces may have as a setting.
_MOST_PLACES = 19


@dataclass(frozen=True, slots=True)
class Measured:
    """An exact value with its dimension, and how it asks to be shown."""

    value: Fraction
    dimension: Dimension
    unit: str | None = None
    digits: int | None = None
    decimals: int | None = None
    idle: frozenset[str] = frozenset()  # shared settings that count for nothing here

    def shown(self, style: Format, beside: Fraction | None = None) -> Shown:
        """The value in its own unit and digits, else the document's.

        `beside` is a limit on whose right side the printed number must stand too.
        """
        chosen = Format(style.units, self.digits or style.digits,
                        self.decimals if self.decimals is not None else style.decimals)  # fmt: skip
        unit = parse_unit(self.unit) if self.unit else style.unit_for(self.dimension)
        if unit.dimension != self.dimension:
            raise ScenarioError(f"unit={self.unit}: the value is in {self.dimension}")
        if beside is not None:
            return show_beside(self.value, beside, unit, chosen)
        return show(self.value, unit, chosen)


class Desk:
    """A scenario at hand, from which quantities are worked out; settings reload it once each.

    The setting `at=NAME` works one quantity out in another scenario.
    """

    def __init__(
        self, scenario: str | None, folder: str = "", over: Mapping[str, str] | None = None
    ) -> None:
        self.name = scenario
        self.folder = folder
        self.over = dict(over or {})
        self.letters: Mapping[str, str] = {}  # by name, of concepts that no scenario gives a value
        self._loaded: dict[tuple[tuple[str, str], ...], Scenario | None] = {}
        self._others: dict[str, Desk] = {}

    @property
    def has_inputs(self) -> bool:
        """Whether there is a scenario, or a letter of the page's own, that another value may replace."""
        return bool(self.letters) or self.scenario({}) is not None

    def scenario(self, settings: Mapping[str, str]) -> Scenario | None:
        """The scenario with these settings put over its input."""
        key = tuple(sorted(settings.items()))
        if key not in self._loaded:
            where = self.name
            if where and where.endswith(".toml"):
                where = f"{self.folder}/{where}"
            self._loaded[key] = load_scenario(where, self._over(settings)) if where else None
        return self._loaded[key]

    def _over(self, settings: Mapping[str, str]) -> dict[str, str]:
        """These settings over those of the whole page, by their keys; a preset is its section's keys."""
        own = {key_named(name) for name in settings} | (PRESET_SECTIONS.keys() & settings.keys())
        rest = {k: t for k, t in self.over.items() if not {k, k.partition(".")[0]} & own}
        return {**rest, **settings}

    def placed(self, settings: Mapping[str, str]) -> tuple[Scenario | None, dict[str, str]]:
        """The scenario that `at` names, or this one, with the other settings over it; and those."""
        rest = {name: text for name, text in settings.items() if name != PLACE}
        desk = self._elsewhere(settings[PLACE]) if PLACE in settings else self
        return desk.scenario(rest), rest

    def bound(self, what: Derivation, own: Settings, shared: Settings | None = None) -> Binding:
        """The letters of a derivation at settings of its own, and at those that others have too."""
        scenario, chosen = self.placed(self.resolve({**(shared or {}), **own}))
        others = {name: text for name, text in chosen.items() if name not in own}
        return bind(what, scenario, {n: t for n, t in chosen.items() if n in own}, others)

    def _elsewhere(self, scenario: str) -> Desk:
        return self._others.setdefault(scenario, Desk(scenario, self.folder))

    def measure(self, text: str, settings: Mapping[str, str] | None = None) -> Measured:
        """Read and evaluate a quantity. Raises the errors of scenarios and derivations.

        `settings` are shared with other quantities; those that count for nothing here are its `idle`.
        """
        asked = read_quantity(text)
        work_out = self._call if isinstance(asked.what, Called) else self._formula
        value, dimension, idle = work_out(asked.what, settings or {})  # type: ignore[arg-type]
        figure = figure_named(asked.what.id) if isinstance(asked.what, Called) else None
        unit = asked.unit or (figure[1] if figure else None)
        return Measured(value, dimension, unit, asked.digits, asked.decimals, idle)

    def limit(self, text: str, settings: Settings) -> Quantity:
        """A limit as a source gives it: `95 GB`, or a formula of quantities, such as `{memory}`."""
        if "{" not in text:
            return parse_quantity(text)
        value, dimension, _ = self._formula(read_formula(text), self.resolve(settings))
        return Quantity(value, dimension)

    def workings_of(self, text: str, style: Format) -> Expr:
        """The numbers a quantity is worked out from: a formula's, or those of the values in braces."""
        what = read_quantity(text).what
        if isinstance(what, Called):
            chosen = self.resolve(what.settings)
            return work(catalogue.get(what.id), *self.placed(chosen), style).substituted
        found = [self._call(call, {}) for call in what.calls]
        numbers: dict[str, Expr] = {
            f"q_{n}": number_of(Measured(value, dimension).shown(style))
            for n, (value, dimension, _) in enumerate(found)
        }
        return substitute(what.formula, numbers)

    def settings_of(self, text: str) -> dict[str, str]:
        """`N=156 memory="80 GB"` as settings; a value in braces is worked out first."""
        return self.resolve(read_settings(text))

    def resolve(self, settings: Settings) -> dict[str, str]:
        """Settings with quantities in braces replaced by their exact values."""
        out: dict[str, str] = {}
        for name, text in settings.items():
            if "{" in text:
                value, dimension, _ = self._formula(read_formula(text), {})
                unit = "" if dimension == ONE else f" {dimension}"
                out[name] = f"{_exactly(value, f'{name}={text}')}{unit}"
            else:
                out[name] = text
        return out

    def _call(self, call: Called, settings: Mapping[str, str]) -> _Found:
        if found := figure_named(call.id):
            scenario, _ = self.placed(self.resolve({**settings, **call.settings}))
            return self._figure(call.id, found[0], scenario, frozenset(settings))
        what = catalogue.get(call.id)
        bound = self.bound(what, call.settings, settings)
        return rational(value_of(what, bound.values, bound.pinned)), what.unit, bound.idle

    def figure(self, call: Called, settings: Mapping[str, str]) -> Measured:
        """The value of a call, with the settings that count for nothing in it."""
        value, dimension, idle = self._call(call, settings)
        return Measured(value, dimension, idle=idle)

    def _figure(self, name: str, key: str, there: Scenario | None, settings: frozenset[str]) -> _Found:
        """A figure of the scenario, and which settings do not move it."""
        figure = there.values.get(key) if there else None
        own = self.scenario({})
        if figure is None:
            raise ScenarioError(f"{name}: the scenario does not say it")
        idle = settings if own is not None and own.values.get(key) == figure else frozenset[str]()
        return figure.value, figure.dimension, idle

    def _formula(self, what: Formed, settings: Mapping[str, str]) -> _Found:
        found = [self._call(call, settings) for call in what.calls]
        values = {f"q_{n}": value for n, (value, _, _) in enumerate(found)}
        dimensions = {f"q_{n}": dimension for n, (_, dimension, _) in enumerate(found)}
        idle = frozenset(settings).intersection(*(unheard for _, _, unheard in found))
        try:
            value = rational(evaluate(what.formula, values))
            return value, dimension_of(what.formula, dimensions), idle
        except UserError as error:  # in the author's words, not in ours
            sentence = re.sub(r"\bq_(\d+)", lambda m: f"{{{what.texts[int(m[1])]}}}", str(error))
            raise ScenarioError(sentence) from error


def heard_by_one(settings: Mapping[str, str], idle: Iterable[frozenset[str]]) -> None:
    """Raise ScenarioError for a shared setting that is idle in every one of several quantities."""
    everywhere = (frozenset(settings) - {PLACE}).intersection(*idle)
    if everywhere:
        raise ScenarioError(f"set: {min(everywhere)} changes nothing here, expected a name that does")


def number_of(shown: Shown) -> Num:
    """A shown value as a literal of a formula."""
    unit = None if shown.unit == "1" else shown.unit
    return Num(shown.value / parse_unit(shown.unit).scale, unit, shown.number)


def _exactly(value: Fraction, said: str) -> str:
    """A value as a setting has it, to the last digit. Raises ScenarioError where they do not end."""
    for places in range(_MOST_PLACES):
        shifted = value * 10**places
        if shifted.denominator == 1:
            return f"{shifted.numerator}e-{places}" if places else f"{shifted.numerator}"
    found = f"{said}: found {float(value):.6g}"
    raise ScenarioError(f"{found}, expected a whole number, or one whose decimals end")
