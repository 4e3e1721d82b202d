"""What an author may want to look at: numbers typed by hand, letters and values that nothing takes up."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from workings import catalogue
from workings.derivation import Derivation
from workings.document.asking import Slot
from workings.document.page import Page
from workings.document.ungiven import ungiven
from workings.errors import UserError
from workings.formula import names_in, parse_expression
from workings.scenario import Scenario
from workings.scenario.derived import FIGURES, short
from workings.scenario.names import key_named, keys
from workings.units import ONE, Quantity, UnitError, parse_quantity
from workings.values.asked import Called, read_quantity
from workings.values.counted import COUNTED, counted_from
from workings.values.counts import UncountedError
from workings.values.settings import below
from workings.vocabulary import concepts
from workings.vocabulary.concept import Concept
from workings.vocabulary.state import ZERO

_NUMBER = r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+"
_NAMED = re.compile(
    rf"\b([A-Za-z][A-Za-z_]*)(\s*(?:=|:)\s*|\s+(?:of\s+|is\s+)?)({_NUMBER})(?![0-9.,]*[0-9])"
)
_COUNTED = re.compile(rf"(?<![0-9.,])({_NUMBER})\s+([A-Za-z]+)")
_MEASURED = re.compile(r"(?<![0-9.,])([0-9][0-9.,]*)\s?([A-Za-z]{1,5}(?:/[a-z])?)(?![A-Za-z])")
_LAYOUT = "layout."  # keys of which a number beside them says what they are


def remarks(page: Page) -> Iterator[str]:
    """A sentence each, with file and line."""
    yield from (_at(page, line, problem) for line, problem in page.doubled)
    questions = page.asking.questions
    for question in questions:
        others = list(_elsewhere(question, page))
        for line, words in question.asks.words:
            typed = dict.fromkeys(_typed(words, page, others))
            yield from (_at(page, line, problem) for problem in typed)
        yield from (_at(page, line, problem) for line, problem in _idle_letters(question, page))
        if page.asking.given:
            yield from (_at(page, line, problem) for line, problem in _unasked(question))
    if page.asking.given:
        yield from (_at(page, line, problem) for line, problem in (*_unused(page), *ungiven(page)))


def _at(page: Page, line: int, problem: str) -> str:
    return f"{page.source.path.name}:{line + page.source.first_line}: {problem}"


# --- numbers typed by hand ------------------------------------------------------------------------


def _elsewhere(question: Slot, page: Page) -> Iterator[Scenario]:
    """The other scenarios that a question or its solution speaks of."""
    for name in {**question.asks.elsewhere, **question.solves.elsewhere}:
        try:
            found = page.desk_at(name).scenario({})
        except UserError:  # which is said where it is written
            continue
        if found is not None:
            yield found


def _typed(words: str, page: Page, others: Sequence[Scenario]) -> Iterator[str]:
    """Numbers that are values of the scenario, or that contradict one beside its name.

    What another scenario says too, of which the question speaks, may be that one's.
    """
    scenario = page.desk.scenario({})
    if scenario is None:
        return
    theirs = {key for other in others for key in other.values}
    for found in _NAMED.finditer(words):
        name, between, number = found[1], found[2], Fraction(found[3].replace(",", ""))
        key = _key(name, page)
        value = scenario.values.get(key)
        if key in theirs or value is None or value.dimension != ONE or _has_unit(words[found.start(3) :]):
            continue
        if value.value == number:
            yield _by_hand(found[0], key)
        elif "=" in between or key.startswith(_LAYOUT):
            yield (f"{found[0]} is typed by hand, and the scenario has {short(key)} = {value.value}, "
                   f"which {{value}}`{short(key)}` would follow")  # fmt: skip
    for found in _COUNTED.finditer(words):
        key = _counted(Fraction(found[1].replace(",", "")), found[2], scenario)
        if key and key not in theirs:
            yield _by_hand(found[0], key)
    for found in _MEASURED.finditer(words):
        key = _measured(f"{found[1]} {found[2]}", scenario)
        if key and key not in theirs:
            yield _by_hand(found[0], key)


def _has_unit(text: str) -> bool:
    """Whether a number has a unit behind it, so that it counts nothing: devices of 80 GB."""
    found = _MEASURED.match(text)
    if found is None:
        return False
    try:
        return parse_quantity(f"{found[1].replace(',', '')} {found[2]}").dimension != ONE
    except UnitError:
        return False


def _by_hand(said: str, key: str) -> str:
    name = f"{{value}}`{short(key)}`"
    return f"{said.strip()} is typed by hand and is a value of the scenario, which {name} would follow"


def _key(name: str, page: Page) -> str:
    """The key of a scenario that a word or a letter of the page's formulas stands for."""
    if key := keys().get(name.lower(), ""):
        return key
    for what in map(catalogue.get, page.asking.entries):
        for letter, concept in what.letters.items():
            if page.glyphs.get(concept.kin or concept.name, letter) == name and concept.supplied:
                return concept.supplied if concept.supplied in keys().values() else ""
    return ""


def _counted(number: Fraction, noun: str, scenario: Scenario) -> str:
    """The key of so many of these things: 126 blocks, 4 sequences."""
    if number < 2:
        return ""
    for concept in concepts():
        key = concept.supplied or ""
        value = scenario.values.get(key)
        called = noun.lower() in (concept.noun, short(key)) and noun.lower() != "devices"
        if key in keys().values() and value is not None and value.value == number and called:
            return key
    return ""


def _measured(text: str, scenario: Scenario) -> str:
    """The key of a quantity with a unit."""
    try:
        quantity = parse_quantity(text)
    except UnitError:
        return ""
    if quantity.dimension == ONE:
        return ""
    same = (key for key in keys().values() if _is(scenario.values.get(key), quantity))
    return next(same, "")


def _is(value: Quantity | None, quantity: Quantity) -> bool:
    return value is not None and (value.value, value.dimension) == (quantity.value, quantity.dimension)


# --- letters and values that nothing takes up ---------------------------------------------------------


def _idle_letters(question: Slot, page: Page) -> Iterator[tuple[int, str]]:
    """Letters of a question that neither its solution nor its answers have."""
    entries = [catalogue.get(id_) for id_ in (*question.solves.entries, *_asked(question))]
    known = {*question.solves.letters, *(g for what in entries for g in _letters(what, page))}
    if not known:
        return
    for letter, line in question.asks.letters.items():
        if letter not in known:
            of = f"the letter {letter} of question {question.name}"
            yield line, f"{of} is used neither in its solution nor in its answers"


def _letters(what: Derivation, page: Page) -> Iterator[str]:
    """Every letter of an entry and of what it uses, as the page writes it."""
    for one in (what, *below(what).values()):
        if one.head:
            yield page.glyphs.get(one.id, one.head)
        for name, concept in one.letters.items():
            yield page.glyphs.get(concept.kin or concept.name, name)
        for name, use in one.uses.items():
            yield page.glyphs.get(use.derivation.id, name)


def _asked(question: Slot) -> Iterator[str]:
    """The entries that the answers of a question are made of."""
    for slot in (question, *question.parts):
        for one in slot.given:
            yield from _named_in(one.answer.derivation or one.answer.value)


def _named_in(text: str) -> Iterator[str]:
    yield from (word for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text) if word in catalogue.ids())


def _unasked(question: Slot) -> Iterator[tuple[int, str]]:
    """What a solution works out and no answer rests on."""
    asked = set(_asked(question))
    if question.typed and not asked:
        return
    asked |= {id_ for one in asked for id_ in below(catalogue.get(one))}
    for id_, line in question.solves.worked.items():
        if id_ not in asked:
            of = f"the solution of question {question.name} works out {id_}"
            yield line, f"{of}, which no {{answer}} asks for"


def _unused(page: Page) -> Iterator[tuple[int, str]]:
    """Keys of a table of givens that no formula of the page rests on."""
    scenario = page.desk.scenario({})
    needed = set(_rests_on(map(catalogue.get, page.asking.entries), scenario))
    for question in page.asking.questions:
        for slot in (question, *question.parts):
            needed |= {key for one in slot.given if one.quantity for key in _figures(one.quantity)}
    for name, line in page.asking.keys.items():
        key = key_named(name)
        if key and short(key) not in needed:
            yield line, f"{{given}} {name}: no formula of the page rests on it"


def _figures(quantity: str) -> Iterator[str]:
    """The keys of a scenario that a quantity names."""
    what = read_quantity(quantity).what
    calls = (what,) if isinstance(what, Called) else what.calls
    yield from (short(key) for call in calls if (key := key_named(call.id)))


def _rests_on(entries: Iterable[Derivation], scenario: Scenario | None) -> Iterator[str]:
    """The keys, without their sections, that letters of these entries take their values from."""
    found: dict[str, Concept] = {
        concept.supplied: concept
        for what in entries for one in (what, *below(what).values())
        for concept in one.letters.values() if concept.supplied
    }  # fmt: skip
    for key, concept in found.items():
        yield from _below(short(key), _FOLLOWING)
        if scenario is not None and key.partition(ZERO)[0] in COUNTED:
            try:
                counted = counted_from(scenario, concept)
            except UncountedError:
                continue
            for one in counted:
                yield from _below(short(one), _FOLLOWING)


_FOLLOWING: Mapping[str, frozenset[str]] = {
    short(key): frozenset(
        name for figure in FIGURES if figure.key == key
        for name in names_in(parse_expression(figure.formula))
    )
    for key in {figure.key for figure in FIGURES}
}  # fmt: skip


def _below(name: str, following: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """A key and those that it follows from."""
    found, new = frozenset[str](), frozenset({name})
    while new:
        found |= new
        new = frozenset(part for one in new for part in following.get(one, ())) - found
    return found
