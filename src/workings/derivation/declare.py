"""Declaring a derivation, and others like it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypedDict, Unpack

from workings.derivation.chain import Row
from workings.derivation.entry import Derivation, Oracle, Use, uncounted
from workings.derivation.source import Source
from workings.units import Dimension
from workings.vocabulary.concept import Concept
from workings.vocabulary.kinds import Kind


def derivation(
    id: str,  # noqa: A002 - the word readers, the command line and reports use
    *,
    title: str,
    phrases: str = "",
    unit: Dimension,
    letters: Mapping[str, Concept],
    source: Source,
    oracle: Oracle = uncounted,
    chain: str,
    uses: Mapping[str, Use] | None = None,
    given: tuple[str, ...] = (),
    ledger: tuple[Row, ...] = (),
    convention: str = "",
    leaves_out: str = "",
    noun: str | None = None,
    fractional: str = "",
    holds_for: Mapping[Kind | str, str] | None = None,
    fixes: Mapping[Concept, int] | None = None,
) -> Derivation:
    """Declare a derivation.

    `phrases` are what people call it, `; ` between them, and what tells it from its neighbours: it is
    found by these. `letters` gives this chain's letters their concepts; `uses` binds letters to other
    results;
    `given` lists conditions under which it holds, perhaps with what it means where they do not, after
    ` -- `; `ledger` rows replace the word `rows` in the chain; `convention` and `leaves_out` are printed
    with it; `noun` is what a count counts, or what is counted a second, and `fractional` says why a
    count may lie between whole numbers: "in the mean over the ranks". `holds_for` gives each kind of
    model or network that the formula is for the id of the entry that answers on others ("" where none
    does): a scenario of another kind is refused, and told that id. A condition of `given` may stand
    there too, with the entry that answers where it is violated. Only formulas of one's own may leave
    out the `oracle`.
    `fixes` are figures that the formula has as numbers where a scenario may say
    others, in base units: `{GRADIENT_WIDTH: 4}`; what the scenario says then is reported as not used.
    """
    apart = [text.partition(" -- ") for text in given]
    return Derivation(
        id,
        title,
        unit,
        letters,
        source,
        oracle,
        chain,
        uses or {},
        tuple(condition.strip() for condition, _, _ in apart),
        ledger,
        convention,
        leaves_out,
        noun,
        fractional,
        tuple(phrase.strip() for phrase in phrases.split(";") if phrase.strip()),
        sys._getframe(1).f_globals["__name__"],
        holds_for=holds_for or {},
        otherwise={condition.strip(): meaning.strip() for condition, _, meaning in apart if meaning},
        fixes={concept: Fraction(value) for concept, value in (fixes or {}).items()},
    )


class Changed(TypedDict, total=False):
    """What a member of a family has of its own: see `derivation`."""

    phrases: str
    unit: Dimension
    letters: Mapping[str, Concept]
    source: Source
    oracle: Oracle
    chain: str
    uses: Mapping[str, Use]
    given: tuple[str, ...]
    ledger: tuple[Row, ...]
    convention: str
    leaves_out: str
    noun: str | None
    fractional: str
    holds_for: Mapping[Kind | str, str]
    fixes: Mapping[Concept, int]


def like(id: str, of: Derivation, *, title: str, **changed: Unpack[Changed]) -> Derivation:  # noqa: A002
    """Declare another member of a family: what is not given is as in `of`, all but title and phrases.

    Without a chain of its own it has the same formula under another name, counted by its own oracle if
    it has one.
    """
    given = tuple(
        f"{text} -- {of.otherwise[text]}" if text in of.otherwise else text for text in of.given
    )
    inherited: dict[str, Any] = {name: getattr(of, name) for name in Changed.__annotations__}
    parts: dict[str, Any] = inherited | {"phrases": "", "given": given} | changed
    member = derivation(id, title=title, **parts)
    return replace(member, module=sys._getframe(1).f_globals["__name__"])
