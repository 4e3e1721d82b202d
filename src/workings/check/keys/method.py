"""Whether the way to an answer is right: its calculations and formulas against those of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from workings.check.chains import Chain, Member
from workings.check.comparing import compare
from workings.check.comparing.printed import sole_number
from workings.check.comparing.scales import bare, in_base_units, units_in
from workings.check.comparing.values import refuse_giants, same
from workings.check.comparing.values import value_of as at_letters
from workings.check.keys.answers import Taken, gives
from workings.check.keys.targets import Asked, Formula, Target
from workings.errors import UserError
from workings.evaluation import value_of_use
from workings.formula import Expr, names_in, substitute
from workings.formula.exact import rational
from workings.formula.tree import Name, Num, Relations
from workings.units import BYTE, ONE, UnitError

MAX_SIDES = 160
CARRIED = Fraction(1, 200)  # what rounding on the way may add up to
SMALL = 10  # a calculation that gives a smaller count may be about something else
SCALES = (Fraction(10**9), Fraction(2**30), Fraction(1))  # what bytes are counted in, where nothing says

MethodVerdict = Literal["right", "wrong", "not judged"]


@dataclass(frozen=True)
class Method:
    """What is to be said of the way to an answer, and where that stands (offsets in the file)."""

    verdict: MethodVerdict
    words: str
    offset: int | None = None
    end: int | None = None


@dataclass(frozen=True)
class Side:
    """One side of a chain that is more than a number or a name."""

    expression: Expr
    chain: Chain
    index: int

    @property
    def member(self) -> Member:
        """The side as found in its chain."""
        return self.chain.members[self.index]

    def found(self, verdict: MethodVerdict, words: str) -> Method:
        """A verdict on this side."""
        offsets = self.chain.block.offsets
        return Method(verdict, words, offsets[self.member.start], offsets[self.member.end - 1] + 1)


def judge_method(
    asked: Asked, chains: Sequence[Chain], meanings: Mapping[str, Fraction], taken: Taken | None
) -> Method:
    """Right if a calculation gives a value of the key or a formula is the catalogue's.

    Wrong if the very calculation that the answer comes from leads elsewhere without a slip, or the
    answer is a known wrong one; else it is not judged.
    """
    sides = list(_sides(chains))[:MAX_SIDES]
    targets = [target for target in asked.targets if target.kind != "known wrong"]
    numeric = [side for side in sides if not names_in(side.expression)]
    known_wrong = taken is not None and taken.target is not None and taken.target.kind == "known wrong"
    if not known_wrong:
        for side in numeric:
            target = next((t for t in targets if _gives(asked, side, t, taken)), None)
            if target is not None:
                return side.found("right", f"this calculation gives the value of “{target.words}”")
        formulas = _formulas(targets)
        for side in sides:
            if names_in(side.expression) and (named := _is_one_of(side.expression, formulas, meanings)):
                return side.found("right", f"this is a formula of {named}")
    if taken is not None and (taken.target is None or known_wrong):
        for side in numeric:
            if _leads_to(side, taken) and _gives_written(asked, side, taken):
                return side.found(
                    "wrong", "this calculation is without a slip, and gives the wrong answer"
                )
    if known_wrong:
        return Method("wrong", "the answer is that of another calculation")
    return Method("not judged", "found no calculation or formula that could be compared")


def _sides(chains: Sequence[Chain]) -> Iterator[Side]:
    for chain in chains:
        for index, member in enumerate(chain.members):
            expression = member.expression
            if expression is None or isinstance(expression, Name | Num):
                continue
            if sole_number(expression) and not names_in(expression):
                continue
            yield Side(expression, chain, index)


def _values(asked: Asked, tree: Expr) -> list[Fraction]:
    """What a calculation may come to in base units; without units it is also read in the key's."""
    try:
        refuse_giants(tree)
        if units_in(tree):
            found = at_letters(in_base_units(tree), {})
            return [found, at_letters(bare(tree), {})] if asked.unit.dimension == ONE else [found]
        plain = at_letters(tree, {})
    except (UserError, UnitError):
        return []
    return [plain] if asked.unit.dimension == ONE else [plain * asked.unit.scale, plain]


def _gives(asked: Asked, side: Side, target: Target, taken: Taken | None) -> bool:
    """Whether a calculation gives a value of the key, before or after rounding to a whole number."""
    if abs(target.value / asked.unit.scale) < SMALL and not (taken and _leads_to(side, taken)):
        return False
    for value in _values(asked, side.expression):
        whole = (
            Fraction(-(-value.numerator // value.denominator)),
            Fraction(value.numerator // value.denominator + 1),
        )
        counted = asked.unit.dimension == ONE and target.value.denominator == 1
        if abs(value - target.value) <= CARRIED * abs(target.value) or (
            counted and target.value in whole
        ):
            return True
    return False


def _gives_written(asked: Asked, side: Side, taken: Taken) -> bool:
    values = _values(asked, side.expression)
    return any(gives(asked, taken.written.number, value) for value in values)


def _leads_to(side: Side, taken: Taken) -> bool:
    """Whether the figure taken stands further on in the same chain."""
    offsets = side.chain.block.offsets
    later = side.chain.members[side.index + 1 :]
    return any(offsets[m.start] <= taken.written.offset < offsets[m.end - 1] + 1 for m in later)


def _formulas(targets: Sequence[Target]) -> list[Formula]:
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


def _is_one_of(tree: Expr, formulas: Sequence[Formula], meanings: Mapping[str, Fraction]) -> str:
    """The id of the derivation in whose chain a formula stands, its letters matched by name or value."""
    try:
        refuse_giants(tree)
    except UserError:
        return ""
    for formula in formulas:
        values = _letter_values(formula)
        for scale in SCALES:
            scaled = {n: v / scale if _in_bytes(formula, n) else v for n, v in values.items()}
            mapped = _mapped(tree, scaled, meanings)
            if mapped is None:
                continue
            ours = (in_base_units if scale == 1 else bare)(mapped)
            if any(_agree(theirs, ours, scaled) for theirs in _forms(formula)):
                return formula.derivation.id
    return ""


def _letter_values(formula: Formula) -> dict[str, Fraction]:
    """The value of each letter and used result, as far as they have one."""
    what, binding = formula.derivation, formula.binding
    found = {n: rational(v) for n, v in binding.values.items() if n in what.letters}
    for name, use in what.uses.items():
        try:
            found[name] = rational(value_of_use(use, binding.values, binding.pinned))
        except UserError:
            continue
    return found


def _in_bytes(formula: Formula, name: str) -> bool:
    what = formula.derivation
    dimension = what.uses[name].derivation.unit if name in what.uses else what.letters[name].dimension
    return dimension == BYTE


def _forms(formula: Formula) -> Iterator[Expr]:
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
