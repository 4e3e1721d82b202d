"""One formula of the catalogue: its chain, letters, conditions, source and oracle."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from workings.derivation.chain import Line, Row, parse_chain
from workings.derivation.evaluation import letters_needed, opaque
from workings.derivation.pins import mentioned
from workings.derivation.source import Source
from workings.formula import (
    Expr,
    FormulaError,
    Name,
    Relations,
    parse_expression,
    plain,
)
from workings.proof.setting import (
    Given,
    Letter,
    Setting,
    parse_given,
)
from workings.units import Dimension
from workings.vocabulary.concept import Concept
from workings.vocabulary.kinds import Kind, together

Oracle: TypeAlias = Callable[..., Any]
_WHOLE = re.compile(r"^floor\((.+)/(.+)\) = \1/\2$")


@dataclass(frozen=True, slots=True)
class Use:
    """Another derivation's result, its letters bound to expressions of the user's letters."""

    derivation: Derivation
    arguments: Mapping[str, Expr]


def uncounted(**_: Any) -> None:
    """Nobody counts it a second way."""


class NotCountedError(Exception):
    """An oracle cannot count here: there is too much to run, or something cannot be dealt out."""


def only_if(countable: bool) -> None:
    """Have an oracle pass over points at which it cannot count. Raises NotCountedError."""
    if not countable:
        raise NotCountedError


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
    fractional: str = ""
    phrases: tuple[str, ...] = ()
    module: str = ""
    holds_for: Mapping[Kind | str, str] = field(default_factory=dict)
    otherwise: Mapping[str, str] = field(default_factory=dict)
    fixes: Mapping[Concept, Fraction] = field(default_factory=dict)

    @property
    def counted(self) -> str:
        """What its oracle counts; nothing where it has none, as one's own formulas may."""
        said = (self.oracle.__doc__ or "its oracle").strip().splitlines()[0]
        return "" if self.oracle is uncounted else said

    @property
    def topic(self) -> str:
        """The chapter of the catalogue that declares it; nothing outside of the catalogue."""
        parts = self.module.split(".")
        return parts[2].replace("_", " ") if parts[1:2] == ["derivations"] and len(parts) > 3 else ""

    def __repr__(self) -> str:
        return f"{self.id}: {self.title}"

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

    @property
    def given_said(self) -> tuple[str, ...]:
        """The conditions as they are read: `floor(a/b) = a/b` says that `b divides a`."""
        return tuple(_WHOLE.sub(r"\2 divides \1", text) for text in self.given)

    @property
    def for_whom(self) -> str:
        """For which models and networks it holds, as a sentence; nothing where for all."""
        subjects: dict[str, list[str]] = {}
        for kind in self.kinds:
            subjects.setdefault(kind.about, []).append(kind.says)
        each = map(together, subjects.values())
        return f"It is for {', and for '.join(each)}." if subjects else ""

    @property
    def kinds(self) -> Mapping[Kind, str]:
        """The kinds of model and network that it is for, and which entry answers on others."""
        return {kind: id_ for kind, id_ in self.holds_for.items() if not isinstance(kind, str)}

    @property
    def bounds_count(self) -> bool:
        """Whether the result is a limit on a letter that counts, not a count itself."""
        letter = self.solved_letter
        return letter is not None and self.condition.rest[0][0] != "=" and self.noun is not None

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is printed below the formula and its values: convention, fractions, what is left out."""
        between = self.fractional
        if self.bounds_count:
            between = "a limit, on one side of which the counts lie"
        sentences = (
            self.convention,
            f"Need not be whole: {between}." if between else "",
            f"Leaves out: {self.leaves_out}" if self.leaves_out else "",
        )
        return tuple(sentence for sentence in sentences if sentence)

    @cached_property
    def needed(self) -> tuple[str, ...]:
        """The letters a value needs, in the order they were declared."""
        return letters_needed(self, {})

    @cached_property
    def needed_uses(self) -> tuple[str, ...]:
        """The used results, by their letters, that its result or its conditions mention."""
        return tuple(sorted(mentioned(self, self.result) & set(self.uses)))

    @cached_property
    def setting(self) -> Setting:
        """What the steps of this chain may assume."""
        letters = {n: Letter(c.dimension, c.domain) for n, c in self.letters.items()}
        results = {name: opaque(use) for name, use in self.uses.items()}
        return Setting(letters, results, self.conditions)

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
        other = replace(self, chain=chain)
        other.__dict__["setting"] = self.setting  # no chain is in it: its points are worked out once
        return other


def describe_use(use: Use) -> str:
    """`ring-all-gather at N = X, S = …` for pages and terminals."""
    changed = {n: a for n, a in use.arguments.items() if plain(a) != n}
    at = ", ".join(f"{n} = {plain(a, units=False)}" for n, a in changed.items())
    return f"{use.derivation.id} at {at}" if at else use.derivation.id
