"""What a setting names: a letter, a concept, or a result of a derivation, however far below it.

Names are looked for in this order: a letter of the derivation itself; a concept or an id anywhere below
it; `id.letter` and `id(letter=value)`; a glyph further down, if it means one thing in the whole tree.
Anything else is refused, with what it may have meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from workings.derivation import Derivation, Use
from workings.derivation.evaluation import needed_letters
from workings.derivation.pins import Pinned, Spot, form_of, mentioned, replaced
from workings.formula import DoesNotEvaluateError, Value, evaluate, names_in, plain, substitute
from workings.formula.tree import Expr, Num
from workings.scenario import ScenarioError
from workings.scenario.inputs import SECTIONS
from workings.scenario.names import key_named
from workings.units import BYTE, ONE, Dimension, Quantity, UnitError, example_of, parse_quantity
from workings.values.taken import meant, takes
from workings.vocabulary.concept import Concept, Domain

_AT_ARGUMENTS = re.compile(r"([a-z0-9-]+)\((.+)\)")
# What letters of an entry are at one of its uses: values, or text where a letter has none.
Arguments: TypeAlias = tuple[tuple[str, Value | str], ...]

_PAIR = re.compile(r"([^=(]*(?:\([^()]*\))?)=(.*)", re.DOTALL)
_OF_ENTRY = re.compile(r"([a-z0-9-]+)\.([A-Za-z]\w*)")


def pair(text: str) -> tuple[str, str] | None:
    """`NAME=VALUE`, where NAME may be `id(N=8)`; None where that is not what stands there."""
    match = _PAIR.fullmatch(text)
    return (match[1].strip(), match[2].strip()) if match else None


@dataclass(frozen=True)
class Named:
    """What a name stands for below a derivation: its places, their dimension and the numbers allowed.

    `thousand` is what a suffix k stands for, `concept` what a letter means.
    """

    spots: tuple[Spot, ...]
    dimension: Dimension
    domain: Domain
    thousand: int = 1000
    concept: Concept | None = None


@dataclass(frozen=True)
class Occurrence:
    """One use of a result in the tree below a derivation, with what its letters are there."""

    owner: Derivation
    letter: str
    use: Use
    arguments: Mapping[str, Value | str]


def below(what: Derivation) -> dict[str, Derivation]:
    """Every derivation that this one uses, directly or further down, by id."""
    found: dict[str, Derivation] = {}
    for use in what.uses.values():
        found |= {use.derivation.id: use.derivation} | below(use.derivation)
    return found


def named(what: Derivation, name: str) -> Named:
    """What a setting's name stands for. Raises ScenarioError with the candidates."""
    if name in what.uses:
        return _result(Spot(what.id, name), what.uses[name].derivation)
    tree = below(what)
    if name in tree:
        return _result(Spot(name), tree[name])
    if match := _AT_ARGUMENTS.fullmatch(name):
        return _at_arguments(name, match[1], match[2], tree)
    if (match := _OF_ENTRY.fullmatch(name)) and not key_named(name):
        return _of_entry(name, match[1], match[2], tree)
    return _by_meaning(what, name, tree)


def _result(spot: Spot, used: Derivation) -> Named:
    return Named((spot,), used.unit, Domain.NONNEGATIVE)


def _at_arguments(name: str, id_: str, text: str, tree: Mapping[str, Derivation]) -> Named:
    """`ring-all-gather(N=8)`: a result where it is used at these arguments."""
    used, at = _used(name, id_, tree), []
    for part in text.split(","):
        letter, _, value = (piece.strip() for piece in part.partition("="))
        own = [n for n, c in used.letters.items() if letter in (n, c.name)]
        if not own or not value:
            raise ScenarioError(f"--set {name}: found {part.strip()!r}, expected LETTER=VALUE with a "
                                f"letter of {id_}, one of {_listed(used.letters)}")  # fmt: skip
        concept = used.letters[own[0]]
        at.append(
            (
                own[0],
                quantity(f"{name}: {letter}", value, concept.dimension, concept.domain, concept.thousand),
            )
        )
    return _result(Spot(id_, at=tuple(sorted(at))), used)


def _of_entry(name: str, id_: str, letter: str, tree: Mapping[str, Derivation]) -> Named:
    """`ring-all-gather.N`: a letter of an entry, wherever that entry is used."""
    used = _used(name, id_, tree)
    if letter in used.uses:
        return _result(Spot(id_, letter), used.uses[letter].derivation)
    if letter not in used.letters:
        known = _listed([*used.letters, *used.uses])
        raise ScenarioError(f"--set {name}: {id_} has no letter {letter}, expected one of {known}")
    concept = used.letters[letter]
    return Named((Spot(id_, letter),), concept.dimension, concept.domain, concept.thousand, concept)


def _used(name: str, id_: str, tree: Mapping[str, Derivation]) -> Derivation:
    """An entry below, by its id. Raises ScenarioError."""
    if id_ in tree:
        return tree[id_]
    if id_ in SECTIONS:
        known = _listed(key for key in SECTIONS[id_].__struct_fields__ if key != "name")
        raise ScenarioError(f"--set {name}: found an unknown key of [{id_}], expected one of {known}")
    expected = f"expected one of {_listed(tree)}" if tree else "it rests on no other result"
    raise ScenarioError(f"--set {name}: {id_} is not used here, {expected}")


def _by_meaning(what: Derivation, name: str, tree: Mapping[str, Derivation]) -> Named:
    """A concept or a key of one anywhere below; or a glyph that means one thing in the whole tree."""
    found = {c.name: c for entry in tree.values() for c in entry.letters.values()}
    key = key_named(name)
    here = {name} if name in found else _meanings(name, tree)
    here = here or {c.name for c in found.values() if key and c.supplied == key}
    if len({found[one].supplied or one if one in found else one for one in here}) > 1:
        expected = f"the name of what it means, one of {_listed(sorted(here))}"
        raise ScenarioError(f"--set {name}: found {len(here)} things of that letter, expected {expected}")
    if not here:
        raise ScenarioError(
            f"--set {name[:60]}: {what.id} knows no such name, {_instead(what, name, tree)}"
        )
    if wanted := here & set(tree):
        return _result(Spot(min(wanted)), tree[min(wanted)])
    spots = tuple(Spot(id_, letter) for id_, entry in tree.items()
                  for letter, concept in entry.letters.items() if concept.name in here)  # fmt: skip
    concept = found[min(here)]
    return Named(spots, concept.dimension, concept.domain, concept.thousand, concept)


def _meanings(glyph: str, tree: Mapping[str, Derivation]) -> set[str]:
    """What a letter means in the entries below: names of concepts, ids of results."""
    found = {entry.letters[glyph].name for entry in tree.values() if glyph in entry.letters}
    found |= {entry.uses[glyph].derivation.id for entry in tree.values() if glyph in entry.uses}
    return found | {entry.id for entry in tree.values() if entry.head == glyph}


def _instead(what: Derivation, name: str, tree: Mapping[str, Derivation]) -> str:
    """The names that it may have meant, and what the formula takes."""
    known = {c.name for entry in (what, *tree.values()) for c in entry.letters.values()}
    hint = meant(name[:60], {*what.letters, *what.uses, *known, *tree})
    return f"{hint}{takes(what, name[:60], what.needed)}"


def occurrences(
    what: Derivation, values: Mapping[str, Value | str], pinned: Pinned, fixed: Pinned
) -> Iterator[Occurrence]:
    """The uses from which a value is worked out, with their arguments; nothing below what is given.

    `pinned` is all that is given; arguments are as they would be with `fixed` given alone.
    """
    for name in sorted(mentioned(what, form_of(what, pinned)) & set(what.uses)):
        use = what.uses[name]
        spots = {inner: Spot(use.derivation.id, inner) for inner in use.arguments}
        arguments = {inner: fixed[spots[inner]] if spots[inner] in fixed else _known(argument, values)
                     for inner, argument in use.arguments.items()}  # fmt: skip
        yield Occurrence(what, name, use, arguments)
        if not replaced(what, name, pinned):
            yield from occurrences(use.derivation, arguments, pinned, fixed)


def _known(argument: Expr, values: Mapping[str, Value | str]) -> Value | str:
    """The value of an argument, or its text where a letter of it has none."""
    numbers = {n: v for n, v in values.items() if not isinstance(v, str)}
    try:
        return evaluate(argument, numbers)
    except DoesNotEvaluateError:
        shown: dict[str, Expr] = {n: Num(v) for n, v in numbers.items() if isinstance(v, Fraction)}
        texts = [text for n in names_in(argument) if isinstance(text := values.get(n), str)]
        return " ".join([plain(substitute(argument, shown)), *texts])


def counts(
    what: Derivation, spots: tuple[Spot, ...], values: Mapping[str, Value], pinned: Pinned
) -> bool:
    """Whether a setting reaches the value. Raises ScenarioError where it stands for several things."""
    others = {spot: value for spot, value in pinned.items() if spot not in spots}
    met: dict[Spot, set[Arguments]] = {}
    for found in occurrences(what, values, pinned, others):
        for spot in spots:
            if (place := _met(found, spot, others)) is not None:
                met.setdefault(spot, set()).add(place)
    if len({place for places in met.values() for place in places}) > 1:
        raise ScenarioError(_several(met, below(what)))
    return bool(met)


def _met(found: Occurrence, spot: Spot, others: Pinned) -> Arguments | None:
    """What a setting takes the place of in one use; None where it is not met there."""
    used = found.use.derivation
    if spot == (found.owner.id, found.letter, ()) or (spot.id == used.id and spot.at):
        return () if all(found.arguments.get(n) == v for n, v in spot.at) else None
    if spot.id != used.id:
        return None
    needed = needed_letters(used, others)
    if spot.letter:
        here = spot.letter in needed and spot.letter in found.arguments
        return (("", found.arguments[spot.letter]),) if here else None
    return tuple((name, found.arguments[name]) for name in needed)


def _several(met: Mapping[Spot, set[Arguments]], tree: Mapping[str, Derivation]) -> str:
    """Which of several things a setting may stand for, in the words that name each."""
    spot = next(iter(met))
    if len(met) > 1:
        return f"found a name of several values, expected one of {_listed(sorted(map(str, met)))}"
    if spot.letter:
        dimension = tree[spot.id].letters[spot.letter].dimension
        values = _listed(sorted(_shown(value, dimension) for ((_, value),) in met[spot]))
        return f"found a letter of several values ({values}), expected a letter from which they follow"
    letters = tree[spot.id].letters
    written = (_listed(f"{n}={_shown(v, letters[n].dimension)}" for n, v in at) for at in met[spot])
    ways = sorted(f"{spot.id}({at})" for at in written)
    return f"found a result that is used at several arguments, expected one of {_listed(ways)}"


def _shown(value: Value | str, dimension: Dimension) -> str:
    number = str(value) if isinstance(value, str | Fraction) else "irrational"
    return number if dimension == ONE else f"{number} {dimension}"


def quantity(name: str, text: str, wanted: Dimension, domain: Domain, thousand: int = 1000) -> Fraction:
    """The value of a setting in base units. Raises ScenarioError for a wrong unit or number."""
    try:
        found: Quantity = parse_quantity(text, wanted, thousand)
    except UnitError as error:
        raise ScenarioError(f"--set {name}: {error}") from error
    if found.dimension != wanted:
        expected = "a plain number"
        if wanted != ONE:
            examples = f"'{example_of(wanted)}'" + (", '2 byte' or 'bf16'" if wanted == BYTE else "")
            expected = f"a quantity in {wanted}, such as {examples}".replace("currency", "USD")
        raise ScenarioError(f"--set {name}: found {text!r}, expected {expected}")
    if not domain.allows(found.value):
        raise ScenarioError(f"--set {name}: found {text!r}, expected {domain.value}")
    return found.value


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
