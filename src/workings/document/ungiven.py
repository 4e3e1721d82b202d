"""Values that an answer rests on, and that neither a table of givens nor the text states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from workings import catalogue
from workings.derivation import Derivation
from workings.derivation.evaluation import needed_letters
from workings.derivation.pins import Pinned, Spot
from workings.document.asking import Slot
from workings.document.page import Page
from workings.errors import UserError
from workings.formula import names_in, parse_expression
from workings.scenario import PRESET_SECTIONS, Scenario
from workings.scenario.derived import FIGURES, short
from workings.scenario.names import key_named, keys
from workings.units import BYTE, ONE, UnitError, parse_quantity
from workings.values.asked import Called, figure_named, read_quantity
from workings.values.desk import PLACE

_NUMBER = re.compile(
    r"(?<![0-9.,])([0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?)(?:\s?([A-Za-zµ]{1,6}(?:/[a-z])?)(?![A-Za-z]))?"
)
_FORMATS = re.compile(r"\b(?:B?F(?:P|loat)?[0-9]+|bytes?|bits?|precision)\b", re.IGNORECASE)
_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MODEL = "model."
_WIDEST = 8  # bytes of a number, which its format states


def ungiven(page: Page) -> Iterator[tuple[int, str]]:
    """A sentence for each question of a page with a table of givens, with its line."""
    scenario = page.desk.scenario({})
    if scenario is None or not page.asking.keys or page.asking.shows:
        return
    stated = _Stated(page, scenario)
    for question in page.asking.questions:
        slots = (question, *question.parts)
        needed = dict.fromkeys(key for slot in slots for key in stated.lacked(slot))
        if needed:
            names = ", ".join(map(short, needed))
            of = f"question {question.name} needs {names} of the scenario"
            yield question.line, f"{of}, which neither {{given}} nor the text states"


class _Stated:
    """What a page tells before its solutions: keys, results, and numbers in its words."""

    def __init__(self, page: Page, scenario: Scenario) -> None:
        self.page, self.scenario = page, scenario
        self.words = " ".join(page.asking.said)
        self.numbers = set(_numbers(self.words))
        self.keys: set[str] = {key_named(name) for name in page.asking.keys}
        self.sections = PRESET_SECTIONS.keys() & {*page.asking.keys, *page.asking.values}
        self.sections |= {s for s, name in scenario.named.items() if name and name in self.words}
        self.results: dict[Spot, Fraction] = {}
        for text in page.asking.values:
            self._value(text)

    def _value(self, text: str) -> None:
        """What a value in the text tells: its keys, or a result by itself."""
        try:
            what = read_quantity(text).what
        except UserError:  # which is said where it is written
            return
        calls = (what,) if isinstance(what, Called) else what.calls
        self.keys |= {key for call in calls if (key := key_named(call.id))}
        if isinstance(what, Called) and what.id in catalogue.ids():
            self.results[Spot(what.id)] = Fraction(1)

    def lacked(self, slot: Slot) -> Iterator[str]:
        """The keys that answers of a question or part rest on and that nothing states."""
        for one in slot.given:
            if one.quantity:
                yield from (key for key in self._needed(one.quantity) if not self._states(key))

    def _needed(self, quantity: str) -> Iterator[str]:
        what = read_quantity(quantity).what
        for call in (what,) if isinstance(what, Called) else what.calls:
            if PLACE in call.settings:
                continue
            if found := figure_named(call.id):
                yield from () if isinstance(what, Called) else (found[0],)
                continue
            entry = catalogue.get(call.id)
            bound = self.page.desk.bound(entry, call.settings)
            pinned: Pinned = {**self.results, **bound.pinned}
            pinned = {spot: value for spot, value in pinned.items() if spot != Spot(entry.id)}
            for name in _letters(entry, pinned):
                if name not in bound.said and (key := entry.letters[name].supplied):
                    yield key

    def _states(self, key: str, asked: frozenset[str] = frozenset()) -> bool:
        """Whether a key is told, follows from such, or is none that somebody must be told.

        `asked` are the keys that ask for it: what follows from itself alone is not told.
        """
        if key in asked:
            return False
        value = self.scenario.values.get(key)
        if key not in keys().values() or value is None or value.value in (0, 1):
            return True
        if key in self.keys or key.partition(".")[0] in self.sections:
            return True
        if (value.value, value.dimension) in self.numbers:
            return True
        alike = (self.scenario.values.get(one) for one in self.keys if one.startswith(_MODEL))
        if key.startswith(_MODEL) and value in alike:
            return True  # as many heads of keys as heads, unless something else is said
        if value.dimension == BYTE and value.value <= _WIDEST and _FORMATS.search(self.words):
            return True
        return any(
            all(self._states(key_named(name), asked | {key})
                for name in names_in(parse_expression(figure.formula)))
            for figure in FIGURES if figure.key == key
        )  # fmt: skip


def _letters(entry: Derivation, pinned: Pinned) -> Iterator[str]:
    """The letters that a value is worked out from; none of a condition where all its results are told."""
    inside = set(names_in(entry.result)) if entry.head else set()
    if inside and all(Spot(entry.uses[name].derivation.id) in pinned for name in inside & {*entry.uses}):
        yield from (name for name in entry.letters if name in inside)
    else:
        yield from needed_letters(entry, pinned)


def _numbers(words: str) -> Iterator[tuple[Fraction, object]]:
    """Every number of a text, with the dimension of a unit behind it and without."""
    for found in _NUMBER.finditer(words):
        number = found[1].replace(",", "")
        yield Fraction(number), ONE
        try:
            measured = parse_quantity(f"{number} {found[2] or ''}".strip())
        except UnitError:
            continue
        yield measured.value, measured.dimension
    for value, word in enumerate(_WORDS, 2):
        if re.search(rf"\b{word}\b", words, re.IGNORECASE):
            yield Fraction(value), ONE
