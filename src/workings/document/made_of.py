"""What a printed number was worked out from, as its source says it: the one record of how it was made.

A live page follows its input by it, and a notebook has the code that gives it again. References only:
nothing is worked out a second time unless a format asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from workings.formula import Expr
from workings.units import Format
from workings.values.asked import Called, Formed, figure_named, read_quantity
from workings.values.unfolded import Unfolded
from workings.vocabulary.concept import Concept


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity in the words of the source, with settings it shares with others, and how it is shown.

    `otherwise` stands where its derivation does not apply; `limit` is one on whose right side the
    printed number stands too.
    """

    text: str
    style: Format
    settings: Mapping[str, str] = field(default_factory=dict)
    unit: str | None = None
    limit: str | None = None
    otherwise: str | None = None

    def shown(self) -> tuple[Called | Formed, str | None, Format]:
        """What is asked for, its unit if it has one of its own, and how it is written.

        What the text says itself of digits comes before the style.
        """
        asked = read_quantity(self.text)
        figure = figure_named(asked.what.id) if isinstance(asked.what, Called) else None
        decimals = self.style.decimals if asked.decimals is None else asked.decimals
        style = Format(self.style.units, asked.digits or self.style.digits, decimals)
        return asked.what, self.unit or asked.unit or (figure[1] if figure else None), style


@dataclass(frozen=True, slots=True)
class Test:
    """Whether a quantity keeps to a limit: yes or no."""

    text: str
    settings: Mapping[str, str]
    relation: str
    limit: str
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting as it came out, a whole number with thousands apart."""

    text: str


@dataclass(frozen=True, slots=True)
class Entered:
    """A figure of the scenario, for a letter that means it."""

    concept: Concept
    style: Format


@dataclass(frozen=True, slots=True)
class InNumbers:
    """A derivation in numbers: its second and third line, or, without letters, its first and second.

    `shared` are settings that other numbers have too, and that may count for nothing here.
    """

    id: str
    settings: Mapping[str, str]
    style: Format
    symbolic: bool = True
    shared: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Used:
    """A result that a derivation in numbers uses, with the digits with which its user shows it."""

    by: InNumbers
    result: Unfolded


@dataclass(frozen=True, slots=True)
class Share:
    """A formula of a derivation's letters at its values: an amount of an account."""

    by: InNumbers
    formula: Expr


Named: TypeAlias = tuple[str | Amount, ...]  # words, and numbers among them


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure of bars: name, parts and their quantities, and a limit; all in one unit.

    A name may hold numbers. `named` is whether the limit has a name of its own; else it is called by its
    value.
    """

    bars: tuple[tuple[Named, tuple[tuple[str, Amount], ...]], ...]
    limit: str | None
    named: bool
    unit: str
    style: Format
    alternative: str


Source: TypeAlias = Amount | Test | Setting | Entered | InNumbers | Used | Share
