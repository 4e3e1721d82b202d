"""What an answer says of what was given: that a letter is set alone, or that a key is not used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from workings.derivation import Derivation
from workings.derivation.evaluation import needed_letters
from workings.derivation.pins import Pinned, replaced
from workings.scenario import Scenario, ScenarioError, load_scenario
from workings.scenario.names import key_named
from workings.scenario.values import WORLD
from workings.units import SUFFIXES, Format, Quantity, parse_quantity, parse_unit, show
from workings.values.binding import Binding
from workings.values.counted import figure_of
from workings.values.served import served
from workings.values.settings import named
from workings.vocabulary import concept_named
from workings.vocabulary.concept import Concept


def notices(
    what: Derivation, scenario: Scenario | None, settings: Mapping[str, str], bound: Binding
) -> tuple[str, ...]:
    """One sentence for each thing given that does less than it seems to, or more than can be."""
    pinned = bound.pinned
    if scenario is None:
        return tuple(_suffixed(what, settings))
    alone = (said for name in settings for said in _alone(what, name, settings, scenario, pinned))
    fixed = dict(reversed(list(_fixed(what, scenario, pinned))))  # of a key what the outermost entry says
    return (
        *alone,
        *_suffixed(what, settings),
        *_world(what, scenario, pinned),
        *served(what, scenario, settings, bound),
        *reversed(fixed.values()),
    )


def _alone(
    what: Derivation, name: str, settings: Mapping[str, str], scenario: Scenario, pinned: Pinned
) -> Iterator[str]:
    """A letter is set alone; where its concept's key would move other letters too, that is said."""
    concept = what.letters.get(name) or _letter_below(what, name)
    if concept is None or name in scenario.settings or not key_named(concept.name):
        return
    instead, text = f"{concept.name}={settings[name]}", settings[name]
    try:
        moved = scenario.put({concept.name: text})
    except ScenarioError as error:
        yield f"{name} alone is set: with {instead} the scenario is refused, {error}."
        return
    others = [n for n in needed_letters(what, pinned) if not {n, what.letters[n].name} & set(settings)]
    stays, would = [], []
    for other in others:
        before, after = (figure_of(one, what.letters[other]) for one in (scenario, moved))
        if before != after and before is not None and what.letters[other] != concept:
            stays.append(f"{other} stays {_shown(what.letters[other], before)}")
            would.append(_shown(what.letters[other], after) if after else "without a value")
    if stays:
        they = "they" if len(stays) > 1 else "it"
        yield f"{name} alone is set: {_and(stays)}; with {instead} {they} would be {_and(would)}."


def _suffixed(what: Derivation, settings: Mapping[str, str]) -> Iterator[str]:
    """A suffix that stands for a power of 1,024 where numbers are otherwise read by thousands."""
    for name, text in settings.items():
        concept = what.letters.get(name) or concept_named(name) or _letter_below(what, name)
        if concept is not None and concept.thousand == 1024 and text.strip()[-1:] in SUFFIXES:
            number = parse_quantity(text, concept.dimension, concept.thousand).value
            yield f"{name}={text} is read as {_shown(concept, Quantity(number))}, by powers of 1,024."


def _letter_below(what: Derivation, name: str) -> Concept | None:
    """The concept of a letter that stands in the entries below alone."""
    try:
        found = named(what, name)
    except ScenarioError:
        return None
    return found.concept


def _world(what: Derivation, scenario: Scenario, pinned: Pinned) -> Iterator[str]:
    """Degrees that are set make another number of devices: said where another degree counts here."""
    degrees = {n: t for n, t in scenario.settings.items() if key_named(n).startswith("layout.")}
    if not degrees:
        return
    try:
        before = load_scenario(
            scenario.path, {n: t for n, t in scenario.settings.items() if n not in degrees}
        )
    except ScenarioError:
        return
    devices = [int(one.values["layout.devices"].value) for one in (before, scenario)]
    if devices[0] == devices[1] or not _depends_on_others(what, scenario, degrees, pinned):
        return
    given = _and([f"{name}={text}" for name, text in degrees.items()])
    yield (f"With {given} the layout has {devices[1]:,} devices, and {devices[0]:,} without: the other "
           "degrees stay.")  # fmt: skip


def _depends_on_others(
    what: Derivation, scenario: Scenario, degrees: Mapping[str, str], pinned: Pinned
) -> bool:
    """Whether a letter would have another value with another one of the degrees that make devices."""
    own = {key_named(name) for name in degrees}
    concepts = [what.letters[n] for n in needed_letters(what, pinned)]
    for axis in (one for one in WORLD if f"layout.{one}" not in own):
        degree = 2 * int(scenario.values[f"layout.{axis}"].value)
        try:
            other = scenario.put({f"layout.{axis}": str(degree)})
        except ScenarioError:
            continue
        if any(figure_of(scenario, c) != figure_of(other, c) for c in concepts):
            return True
    return False


def _fixed(what: Derivation, scenario: Scenario, pinned: Pinned) -> Iterator[tuple[str, str]]:
    """Keys that are given where the formula, or a result that it uses, has a number of its own."""
    put = {key_named(name) for name in scenario.settings}
    for concept, value in what.fixes.items():
        key = concept.supplied or ""
        figure = scenario.values.get(key)
        if key in scenario.said | put and figure is not None and figure.value != value:
            fixed = _shown(concept, Quantity(value, concept.dimension))
            who = "--set" if key in put else scenario.file
            yield key, (f"{what.id} is for {key} = {fixed} ({concept.meaning}), not for the "
                        f"{_shown(concept, figure)} that {who} gives.")  # fmt: skip
    for name in sorted(what.uses):  # its last line need not mention what the first one rests on
        if not replaced(what, name, pinned):
            yield from _fixed(what.uses[name].derivation, scenario, pinned)


def as_a_setting(
    what: Derivation, text: str, found: tuple[str, Fraction | None], scenario: Scenario | None,
    bound: Binding,
) -> Iterator[str]:  # fmt: skip
    """Of a letter that is solved for by its concept or key: what the number found is as a setting."""
    (name, at), concept = found, what.letters[found[0]]
    if text == name or at is None:
        return
    if text != concept.name:
        yield f"{text} is {name} here: {concept.meaning}."
    if scenario is None or not key_named(text):
        return
    given = f"{text}={int(at)}"
    try:
        moved = scenario.put({text: str(int(at))})
    except ScenarioError as error:
        yield f"{name} alone is found; {given} in the scenario is refused: {error}."
        return
    figures = {n: (figure_of(scenario, what.letters[n]), figure_of(moved, what.letters[n]))
               for n in needed_letters(what, bound.pinned)}  # fmt: skip
    here = figure_of(moved, concept)
    others = [n for n, (before, after) in figures.items() if n != name and before != after]
    if here is not None and here.value != at:
        yield f"{given} in the scenario makes {name} another number: it is {_shown(concept, here)}."
    elif others:
        yield f"{name} alone is found; {given} in the scenario moves {_and(others)} too."


def _shown(concept: Concept, figure: Quantity) -> str:
    style = Format(digits=6)
    own = concept.shown_in
    return str(show(figure.value, parse_unit(own) if own else style.unit_for(figure.dimension), style))


def _and(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
