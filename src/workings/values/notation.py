"""Notations: other letters for the same concepts and results, in everything that is printed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from workings.derivation import Derivation
from workings.errors import UserError
from workings.formula import Expr, Formula, Name, Relations, parse_formula, plain, substitute

_LETTER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,79}")


class NotationError(UserError):
    """A notation that does not exist, or that gives two things one letter."""


def glyphs_named(notation: str | Mapping[str, str] | None) -> dict[str, str]:
    """Concept or derivation id to letter, by a preset's name or as given. Raises NotationError."""
    if notation is None:
        return {}
    if isinstance(notation, Mapping):
        for key, letter in notation.items():
            if not isinstance(letter, str) or not _LETTER.fullmatch(letter):
                found = f"{str(key)[:60]} = {str(letter)[:60]!r}"
                raise NotationError(f"notation: found {found}, expected a letter such as N or N_max")
        return dict(notation)
    # Only a page in another notation needs the room of scenarios.
    from workings.scenario import preset_names, read_preset  # noqa: PLC0415

    if notation not in (known := preset_names("notation")):
        expected = ", ".join(known)
        raise NotationError(f"notation: found {notation[:60]!r}, expected one of {expected}")
    return dict(read_preset("notation", notation)["glyphs"])


def letters_in(what: Derivation, glyphs: Mapping[str, str]) -> dict[str, str]:
    """Each letter of a derivation as a notation writes it. Raises NotationError for a clash."""
    stands_for = {name: concept.kin or concept.name for name, concept in what.letters.items()}
    stands_for |= {name: use.derivation.id for name, use in what.uses.items()}
    if what.head:
        stands_for[what.head] = what.id
    letters = {name: glyphs.get(key, name) for name, key in stands_for.items()}
    first: dict[str, str] = {}
    for name, letter in letters.items():
        if (other := stands_for[first.setdefault(letter, name)]) != stands_for[name]:
            raise NotationError(
                f"{what.id}: in this notation {letter} stands for both {other} and {stands_for[name]}"
            )
    return letters


def renamed(formula: Formula, letters: Mapping[str, str]) -> Formula:
    """A formula in other letters."""
    names = {name: Name(letter) for name, letter in letters.items() if letter != name}
    return put(formula, names) if names else formula


def put(formula: Formula, names: Mapping[str, Expr]) -> Formula:
    """A formula or condition with expressions in place of letters."""
    if isinstance(formula, Relations):
        rest = tuple((relation, substitute(part, names)) for relation, part in formula.rest)
        return Relations(substitute(formula.first, names), rest)
    return substitute(formula, names)


def words_renamed(text: str, letters: Mapping[str, str]) -> str:
    """A reason with the formulas between its backticks in other letters."""
    pieces = text.split("`")
    for position in range(1, len(pieces), 2):
        pieces[position] = plain(renamed(parse_formula(pieces[position]), letters), units=False)
    return "`".join(pieces)


def settings_renamed(
    settings: Mapping[str, str], what: Derivation, letters: Mapping[str, str]
) -> dict[str, str]:
    """Settings that name letters of a notation as settings of the derivation's own letters."""
    back = {letter: name for name, letter in letters.items() if name in what.letters}
    return {back.get(name, name): text for name, text in settings.items()}
