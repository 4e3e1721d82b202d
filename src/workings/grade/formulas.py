"""Whether a formula with letters is one of the catalogue's, its letters matched by name or by value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from workings.comparing import compare
from workings.comparing.scales import bare, in_base_units
from workings.comparing.values import refuse_giants, same
from workings.comparing.values import value_of as at_letters
from workings.derivation.evaluation import used_value
from workings.errors import UserError
from workings.formula import Expr, names_in, substitute
from workings.formula.interval import rational
from workings.formula.tree import Name, Num, Relations
from workings.grade.targets import Formula, Target
from workings.units import BYTE

CARRIED = Fraction(1, 200)  # what rounding on the way may add up to
SCALES = (Fraction(10**9), Fraction(2**30), Fraction(1))  # what bytes are counted in


def formulas_of(targets: Sequence[Target]) -> list[Formula]:
    """The formulas the values are made of; also the one inside that is only rounded to a whole number."""
    found: list[Formula] = []
    for target in targets:
        for formula in target.formulas.values():
            what = formula.derivation
            inner = [
                Formula(what.uses[n].derivation, formula.binding)
                for n in names_in(what.result)
                if n in what.uses
            ]
            rounded = len(inner) == 1 and len(names_in(what.result)) == 1
            for one in (formula, *(inner if rounded else ())):
                if one not in found:
                    found.append(one)
    return found


def is_one_of(tree: Expr, formulas: Sequence[Formula], meanings: Mapping[str, Fraction]) -> str:
    """The id of the derivation in whose chain a formula stands, its letters matched by name or value."""
    try:
        refuse_giants(tree)
    except UserError:
        return ""
    for formula in formulas:
        values = letter_values(formula)
        for scale in SCALES:
            scaled = {n: v / scale if _in_bytes(formula, n) else v for n, v in values.items()}
            mapped = _mapped(tree, scaled, meanings)
            if mapped is None:
                continue
            ours = (in_base_units if scale == 1 else bare)(mapped)
            if any(_agree(theirs, ours, scaled) for theirs in forms(formula)):
                return formula.derivation.id
    return ""


def letter_values(formula: Formula) -> dict[str, Fraction]:
    """The value of each letter and used result, as far as they have one."""
    what, binding = formula.derivation, formula.binding
    found = {n: rational(v) for n, v in binding.values.items() if n in what.letters}
    for name in what.uses:
        try:
            found[name] = rational(used_value(what, name, binding.values, binding.pinned))
        except UserError:
            continue
    return found


def _in_bytes(formula: Formula, name: str) -> bool:
    what = formula.derivation
    dimension = what.uses[name].derivation.unit if name in what.uses else what.letters[name].dimension
    return dimension == BYTE


def forms(formula: Formula) -> Iterator[Expr]:
    """Every expression of a derivation's chain, both sides of its conditions included."""
    yield formula.derivation.result
    for line in formula.derivation.lines:
        if isinstance(line.formula, Relations):
            yield line.formula.first
            yield from (side for _, side in line.formula.rest)
        else:
            yield line.formula


def _mapped(tree: Expr, letters: Mapping[str, Fraction], meanings: Mapping[str, Fraction]) -> Expr | None:
    """The formula in the derivation's letters; None where one of its names is none of them."""
    chosen: dict[str, Expr] = {}
    for name in names_in(tree):
        letter = (
            name if name in letters else _by_value(name, letters, meanings) or _by_head(name, letters)
        )
        if letter is None:
            return None
        chosen[name] = Name(letter)
    return substitute(tree, chosen)


def _by_value(name: str, letters: Mapping[str, Fraction], meanings: Mapping[str, Fraction]) -> str | None:
    if name not in meanings:
        return None
    fits = [n for n, value in letters.items() if value and abs(meanings[name] / value - 1) <= CARRIED]
    return fits[0] if len(fits) == 1 else None


def _by_head(name: str, letters: Mapping[str, Fraction]) -> str | None:
    """`N_FSDP` for N, where no other letter begins so."""
    head = name.partition("_")[0]
    fits = [letter for letter in letters if letter.partition("_")[0] == head]
    return fits[0] if len(fits) == 1 else None


def _agree(theirs: Expr, ours: Expr, letters: Mapping[str, Fraction]) -> bool:
    """Whether two formulas are one, the letters that only the catalogue's has at their values."""
    free = set(names_in(ours))
    fixed = {n: Num(letters[n]) for n in names_in(theirs) if n not in free and n in letters}
    named = set(names_in(theirs))
    if isinstance(theirs, Name) or not free or not free <= named or named - free - set(fixed):
        return False
    whole = bare(substitute(theirs, fixed))
    point = {
        name: Fraction(value)
        for name, value in zip(sorted(free), (7, 11, 13, 17, 19, 23, 29, 31, 37, 41), strict=False)
    }
    try:
        if len(point) < len(free) or not same(at_letters(whole, point), at_letters(ours, point)):
            return False
        return compare(whole, "=", ours).verdict in ("ok", "rounds")
    except UserError:
        return False
