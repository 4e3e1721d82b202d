"""A derivation: a chain of steps with reasons, the letters it uses, its source and its oracle.

Algebra guards the middle of a chain; only the oracle guards its first line. So every derivation
has one: an independent brute-force count or simulation, never the formula again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from workings.chain import Line, Row, parse_chain
from workings.errors import UserError
from workings.formula import (
    DoesNotEvaluateError,
    Expr,
    FormulaError,
    Name,
    Num,
    Relations,
    Value,
    evaluate,
    names_in,
    parse_expression,
    plain,
    substitute,
)
from workings.formula.exact import rational
from workings.proof.setting import (
    Divides,
    Given,
    Letter,
    Opaque,
    Setting,
    given_holds,
    parse_given,
)
from workings.units import Dimension
from workings.vocabulary import Concept

Oracle: TypeAlias = Callable[..., Any]


class DoesNotApplyError(UserError):
    """A condition of a derivation is violated: it has no value there."""


@dataclass(frozen=True, slots=True)
class Source:
    """A publication that was looked up: who, what, when (None where it is undated), where in it."""

    authors: str
    title: str
    year: int | None
    where: str
    url: str

    def __str__(self) -> str:
        year = f" ({self.year})" if self.year else ""
        return f"{self.authors}, {self.title}{year}, {self.where}"


@dataclass(frozen=True, slots=True)
class Use:
    """Another derivation's result, its letters bound to expressions of the user's letters."""

    derivation: Derivation
    arguments: Mapping[str, Expr]


@dataclass(frozen=True)
class Derivation:
    """One formula: see `derivation` for what each field holds."""

    id: str
    title: str
    unit: Dimension
    letters: Mapping[str, Concept]
    source: Source
    oracle: Oracle
    chain: str
    uses: Mapping[str, Use] = field(default_factory=dict)
    given: tuple[str, ...] = ()
    ledger: tuple[Row, ...] = ()
    convention: str = ""
    leaves_out: str = ""
    noun: str | None = None
    topic: str = ""

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The chain's lines, parsed. Raises FormulaError naming the derivation and the line."""
        try:
            return parse_chain(self.chain, self.ledger)
        except FormulaError as error:
            raise FormulaError(f"{self.id}: {error.reason}") from error

    @property
    def head(self) -> str | None:
        """The name of the result (`V` in `V = …`); None where the chain starts from a condition."""
        return self.lines[0].head

    @cached_property
    def conditions(self) -> tuple[Given, ...]:
        """The conditions, parsed."""
        return tuple(parse_given(text) for text in self.given)

    @cached_property
    def result(self) -> Expr:
        """The last form reached by equality, or the boundary of a solved condition."""
        if self.head is None:
            return self.condition.rest[0][1]
        reached = self.lines[0].formula
        for line in self.lines[1:]:
            if line.relation not in ("=", "minimise"):
                break
            reached = line.formula
        assert not isinstance(reached, Relations)  # noqa: S101 - a headed chain holds expressions
        return reached

    @cached_property
    def condition(self) -> Relations:
        """The last condition of a chain of equivalences, solved for a letter."""
        last = self.lines[-1].formula
        if not isinstance(last, Relations):
            raise FormulaError(f"{self.id}: its chain does not end in a condition")
        return last

    @property
    def solved_letter(self) -> str | None:
        """The letter that a chain of equivalences solves for."""
        if self.head is not None or not isinstance(self.condition.first, Name):
            return None
        return self.condition.first.id

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The letters a value needs, in the order they were declared."""
        return needed_letters(self)

    @cached_property
    def setting(self) -> Setting:
        """What the steps of this chain may assume."""
        letters = {n: Letter(c.dimension, c.domain) for n, c in self.letters.items()}
        opaque = {name: _opaque(use) for name, use in self.uses.items()}
        return Setting(letters, opaque, self.conditions)

    def at(self, **arguments: str) -> Use:
        """Use this result elsewhere: `RING.at(N="t", S="w*s*b")`; other letters keep their name."""
        unknown = [name for name in arguments if name not in self.letters]
        if unknown:
            raise FormulaError(f"{self.id} has no letter {unknown[0]}")
        wanted = [name for name in self.letters if name in self.needed or name in arguments]
        bound = {name: parse_expression(arguments.get(name, name)) for name in wanted}
        return Use(self, bound)

    def with_chain(self, chain: str) -> Derivation:
        """The same derivation with another chain (tests break formulas on purpose this way)."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Derivation(**{**fields, "chain": chain})


def derivation(
    id: str,  # noqa: A002 - the word readers, the command line and reports use
    *,
    title: str,
    unit: Dimension,
    letters: Mapping[str, Concept],
    source: Source,
    oracle: Oracle,
    chain: str,
    uses: Mapping[str, Use] | None = None,
    given: tuple[str, ...] = (),
    ledger: tuple[Row, ...] = (),
    convention: str = "",
    leaves_out: str = "",
    noun: str | None = None,
) -> Derivation:
    """Declare a derivation.

    `letters` gives this chain's letters their concepts; `uses` binds letters to other results;
    `given` lists conditions under which it holds; `ledger` rows replace the word `rows` in the
    chain; `convention` and `leaves_out` are printed with it; `noun` is what a count counts.
    """
    return Derivation(
        id, title, unit, letters, source, oracle, chain, uses or {}, given, ledger, convention,
        leaves_out, noun, _topic_of(oracle),
    )


def value_of(
    what: Derivation,
    values: Mapping[str, Value],
    pinned: Mapping[str, Value] | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value in base units, each used result evaluated once per arguments.

    `pinned` gives results of other derivations, by id, instead of evaluating them. Raises
    DoesNotApplyError where a condition is violated, DoesNotEvaluateError where a letter is missing.
    """
    pinned, memo = pinned or {}, {} if memo is None else memo
    letters = needed_letters(what, frozenset(pinned))
    missing = [name for name in letters if name not in values]
    if missing:
        concept = what.letters[missing[0]]
        raise DoesNotEvaluateError(
            f"{what.id} needs {missing[0]} ({concept.meaning}): set {concept.name}"
        )
    inside = {name: values[name] for name in letters}
    key = (what.id, tuple(inside.items()))
    if key not in memo:
        for name in sorted(_mentioned(what) & set(what.uses)):
            inside[name] = value_of_use(what.uses[name], values, pinned, memo)
        check_conditions(what, inside)
        memo[key] = evaluate(what.result, inside)
    return memo[key]


def value_of_use(
    use: Use,
    values: Mapping[str, Value],
    pinned: Mapping[str, Value] | None = None,
    memo: dict[Any, Value] | None = None,
) -> Value:
    """The exact value of a used result at its arguments."""
    if pinned and use.derivation.id in pinned:
        return pinned[use.derivation.id]
    wanted = needed_letters(use.derivation, frozenset(pinned or {}))
    arguments = {name: evaluate(use.arguments[name], values) for name in wanted}
    return value_of(use.derivation, arguments, pinned, memo)


def needed_letters(what: Derivation, pinned: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """The letters a value needs when the results named in `pinned` (by id) are given."""
    wanted = _mentioned(what)
    for name in wanted & set(what.uses):
        use = what.uses[name]
        if use.derivation.id not in pinned:
            for inner in needed_letters(use.derivation, pinned):
                wanted = wanted | set(names_in(use.arguments[inner]))
    return tuple(name for name in what.letters if name in wanted)


def used_results(what: Derivation) -> dict[str, set[str]]:
    """Every letter that names a used result, here or further down, and the ids it names."""
    found: dict[str, set[str]] = {}
    for name, use in what.uses.items():
        found.setdefault(name, set()).add(use.derivation.id)
        for inner, ids in used_results(use.derivation).items():
            found.setdefault(inner, set()).update(ids)
    return found


def _mentioned(what: Derivation) -> set[str]:
    """Letters and used results in the result and in the conditions."""
    mentioned = set(names_in(what.result))
    for given in what.conditions:
        mentioned |= _letters_of(given)
    return mentioned


def _letters_of(given: Given) -> set[str]:
    if isinstance(given, Divides):
        return {given.divisor, given.multiple}
    return set(names_in(given))


def check_conditions(what: Derivation, values: Mapping[str, Value]) -> None:
    """Raise DoesNotApplyError for the first condition that these values violate."""
    for text, given in zip(what.given, what.conditions, strict=True):
        if not given_holds(given, values):
            named = _letters_of(given)
            numbers = ", ".join(f"{n} = {_short(v)}" for n, v in values.items() if n in named)
            raise DoesNotApplyError(f"{what.id} does not apply: it needs {text} (here {numbers})")


def unfolded(
    what: Derivation, node: Expr | None = None, pinned: Mapping[str, Value] | None = None
) -> Expr:
    """The result (or another formula of the chain) with used results put in, down to letters."""
    inside = {name: unfolded_use(use, pinned) for name, use in what.uses.items()}
    return substitute(what.result if node is None else node, inside)


def unfolded_use(use: Use, pinned: Mapping[str, Value] | None = None) -> Expr:
    """A used result as an expression of its user's letters; a pinned one as its value."""
    if pinned and use.derivation.id in pinned:
        return Num(rational(pinned[use.derivation.id]))
    return substitute(unfolded(use.derivation, None, pinned), use.arguments)


def describe_use(use: Use) -> str:
    """`ring-all-gather at N = X, S = …` for pages and terminals."""
    changed = {n: a for n, a in use.arguments.items() if plain(a) != n}
    at = ", ".join(f"{n} = {plain(a, units=False)}" for n, a in changed.items())
    return f"{use.derivation.id} at {at}" if at else use.derivation.id


def _opaque(use: Use) -> Opaque:
    def at(values: Mapping[str, Value]) -> Value:
        try:
            return value_of_use(use, values)
        except DoesNotApplyError as error:
            raise DoesNotEvaluateError(str(error)) from error

    return Opaque(at, lambda: unfolded_use(use), use.derivation.unit)


def _short(value: Value) -> str:
    if not isinstance(value, Fraction):
        return "irrational"
    return f"{float(value):.6g}" if abs(value) < 10**300 else "beyond 10^300"


def _topic_of(oracle: Oracle) -> str:
    """The folder of the file that declares the derivation; its oracle is written there too."""
    parts = oracle.__module__.split(".")
    return parts[-2].replace("_", " ") if "derivations" in parts else ""
