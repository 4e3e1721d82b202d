"""A formula as boxes on a page: every decision of its layout, taken once for every format.

Which parts stand in parentheses, what is stacked as a fraction, where a sign stands between factors: that
is decided here, in the author's own order. LaTeX, MathML and Typst only write the boxes down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from workings.formula.plain import ATOM, LOOSE, POWER, PRODUCT, SUM, number_text, tightness, without_ones
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    Formula,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
)


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter or word, `N` or `alpha`, with its index if any: `fsdp`, `X,Y`."""

    base: str
    index: str = ""


@dataclass(frozen=True, slots=True)
class Number:
    """Digits as printed, a power of ten behind them, and a unit."""

    digits: str
    exponent: int | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign, by its Unicode character: `between` two parts, in front of one (`-`), or `tight` (`/`)."""

    text: str
    place: str = "between"


@dataclass(frozen=True, slots=True)
class Gap:
    """A little room: `thin` between factors, `wide` before words."""

    width: str = "thin"


@dataclass(frozen=True, slots=True)
class Words:
    """Upright words inside a formula."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Boxes side by side."""

    parts: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """One box above another."""

    above: Box
    below: Box


@dataclass(frozen=True, slots=True)
class Raised:
    """A power."""

    base: Box
    exponent: Box


@dataclass(frozen=True, slots=True)
class Fenced:
    """A box between parentheses, or the brackets of a ceiling or floor; `tall` ones grow with it."""

    left: str
    inside: Box
    right: str
    tall: bool


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    inside: Box


@dataclass(frozen=True, slots=True)
class Sum:
    """The sign of a sum with its bounds; its body stands behind it."""

    low: Box
    high: Box


@dataclass(frozen=True, slots=True)
class Function:
    """The upright name of a function, with an index (`log` of 2) or what stands below it (`min`)."""

    name: str
    index: str = ""
    below: Box | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """A sign with a small row above it."""

    sign: Sign
    above: Box


Box: TypeAlias = (
    Letter | Number | Sign | Gap | Words | Row | Fraction | Raised | Fenced | Root | Sum | Function | Over
)

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "phi": "ϕ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ",
    "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
RELATION = {"=": "=", "<": "<", ">": ">", "<=": "≤", ">=": "≥", "≈": "≈", "<=>": "⟺"}
FENCES = {"ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋")}


def typeset(formula: Formula, *, units: bool = False, inline: bool = False) -> Box:
    """A formula as boxes.

    `units` shows the units of literals; without them `1[FLOP]` is no factor to show. `inline` writes
    short fractions on the line, for running text.
    """
    setter = _Setter(units)

    def side(node: Expr) -> Box:
        return setter.set(node if units else without_ones(node), small=inline)

    if not isinstance(formula, Relations):
        return side(formula)
    parts = [side(formula.first)]
    for sign, part in formula.rest:
        parts += [relation(sign), side(part)]
    return Row(tuple(parts))


def relation(sign: str) -> Sign:
    """The relation of a line, such as `<=`."""
    return Sign(RELATION[sign])


def letter(name: str) -> Letter:
    """A name as it is set: `N_fsdp` is N with an index, and `X_a_b` has the index `a,b`."""
    base, _, index = name.partition("_")
    return Letter(base, index.replace("_", ","))


def number(text: str, unit: str | None = None) -> Number:
    """A printed number: `1.8e11` has a power of ten; 34 are bytes, 1 is a byte."""
    mantissa, _, exponent = text.lower().partition("e")
    shown = "bytes" if unit == "byte" and text != "1" else unit
    named = "" if shown in (None, "1") else str(shown)
    return Number(mantissa, int(exponent) if exponent else None, named)


class _Setter:
    """Holds the one choice of a printing: whether literals show units."""

    def __init__(self, units: bool) -> None:
        self.units = units

    def set(self, node: Expr, place: int = LOOSE, small: bool = False) -> Box:
        """`place`: how tight the node must be to stand bare; `small`: inside a fraction."""
        if tightness(node) < place:
            return _parenthesised(self.set(node, LOOSE, small))
        match node:
            case Num(unit=unit):
                return number(number_text(node), unit if self.units else None)
            case Name(name):
                return letter(name)
            case Negative(operand):
                return _row(Sign("−", "before"), self.set(operand, PRODUCT, small))
            case Add(first, rest):
                front = SUM if isinstance(first, Negative) else PRODUCT
                parts = [self.set(first, front, small)]
                for sign, term in rest:
                    parts += [Sign("+" if sign == "+" else "−"), self.set(term, PRODUCT, small)]
                return _row(*parts)
            case Product():
                return self.product(node, small)
            case Power(base, exponent):
                return Raised(self.base(base, small), self.set(exponent, LOOSE, True))
            case Call():
                return self.call(node, small)
            case Series(body, index, lower, upper):
                low = _row(letter(index), Sign("=", "tight"), self.set(lower, LOOSE, True))
                return _row(Sum(low, self.set(upper, LOOSE, True)), self.set(body, PRODUCT, small))

    def base(self, node: Expr, small: bool) -> Box:
        """The base of a power: in parentheses unless a letter, a function or a bare number."""
        box = self.set(node, ATOM, small)
        bare = isinstance(node, Name | Call) or (isinstance(box, Number) and _digits_only(box))
        return box if bare or (isinstance(box, Fenced) and box.left == "(") else _parenthesised(box)

    def product(self, node: Product, small: bool) -> Box:
        """Factors left to right; everything before a `/` becomes its numerator."""
        done = [node.first]
        front: Box | None = None  # what has been folded into a fraction so far
        for place, (sign, factor) in enumerate(node.rest, 1):
            if sign == "*":
                done.append(factor)
                continue
            # `a/b c` on the line could be read as a/(b c): only a last division stays there.
            last = all(sign == "/" for sign, _ in node.rest[place:])
            front = self.fraction(front, done, factor, small and last)
            done = []
        return self.juxtapose(front, done, small)

    def fraction(self, front: Box | None, done: list[Expr], below: Expr, small: bool) -> Box:
        """`done / below`, stacked on the page and on the line inside another fraction."""
        # `a/1.8 · 10^11` would divide by 1.8 only.
        scientific = isinstance(below, Num) and "e" in number_text(below).lower()
        if small and not scientific and _simple(below) and all(_simple(part) for part in done):
            return _row(
                self.juxtapose(front, done, True), Sign("/", "tight"), self.set(below, POWER, True)
            )
        alone = front is None and len(done) == 1
        above = self.set(done[0], LOOSE, True) if alone else self.juxtapose(front, done, True)
        return Fraction(above, self.set(below, LOOSE, True))

    def juxtapose(self, front: Box | None, factors: list[Expr], small: bool) -> Box:
        """Factors side by side, with a sign wherever two would run together as one number."""
        parts = [] if front is None else [front]
        dotted = self.units and any(isinstance(f, Num) for f in factors)
        for position, factor in enumerate(factors):
            last = position == len(factors) - 1
            box = self.factor(factor, POWER if len(factors) > 1 or parts else PRODUCT, small)
            if isinstance(factor, Series) and not last:
                box = _parenthesised(box)
            if parts:
                times = dotted or (front is not None and position == 0 and self.units)
                parts += [Sign("×")] if times else _between(parts[-1], box)
            parts.append(box)
        return _row(*parts)

    def factor(self, node: Expr, place: int, small: bool) -> Box:
        """A factor; one that prints as a stacked fraction is held together by its bar."""
        stacked = isinstance(node, Product) and node.rest[-1][0] == "/" and not small
        return self.set(node, LOOSE if stacked else place, small)

    def call(self, node: Call, small: bool) -> Box:
        """max(…), ceilings, floors, roots and logarithms."""
        args = [self.set(arg, LOOSE, small) for arg in node.args]
        if node.function == "sqrt":
            return Root(args[0])
        if node.function in FENCES:
            left, right = FENCES[node.function]
            return _fenced(left, args[0], right)
        if node.function == "log2":
            return _row(Function("log", "2"), _parenthesised(args[0]))
        inside: list[Box] = [args[0]]
        for arg in args[1:]:
            inside += [Sign(",", "after"), arg]
        return _row(Function(node.function), _parenthesised(_row(*inside)))


def _row(*parts: Box) -> Box:
    """Boxes side by side, those of rows among them too; one alone is itself."""
    flat = [one for part in parts for one in (part.parts if isinstance(part, Row) else (part,))]
    return flat[0] if len(flat) == 1 else Row(tuple(flat))


def _between(left: Box, right: Box) -> list[Box]:
    """What stands between two factors: a dot between digits, a gap beside words and fractions."""
    first = right.parts[0] if isinstance(right, Row) else right
    last = left.parts[-1] if isinstance(left, Row) else left
    if _starts_with_digits(first) or (_ends_with_digits(last) and _starts_stacked_digits(first)):
        return [Sign("·")]
    if isinstance(first, Fenced) and first.left == "(":
        return []
    short = _short(first) if first is not right else _short(right)
    return [] if short and not _ends_in_word(last) else [Gap()]


def _short(box: Box) -> bool:
    """A single letter, with or without an index or an exponent: it may stand beside another."""
    if isinstance(box, Raised):
        return isinstance(box.base, Letter) and not box.base.index and _short(box.base)
    return isinstance(box, Letter) and len(box.base) == 1


def _ends_in_word(box: Box) -> bool:
    return isinstance(box, Letter) and len(box.index) > 1


def _starts_with_digits(box: Box) -> bool:
    if isinstance(box, Raised):
        return _starts_with_digits(box.base)
    return isinstance(box, Number)


def _starts_stacked_digits(box: Box) -> bool:
    """`2 ½` stacked reads as two and a half."""
    if not isinstance(box, Fraction):
        return False
    above = box.above.parts[0] if isinstance(box.above, Row) else box.above
    return _starts_with_digits(above)


def _ends_with_digits(box: Box) -> bool:
    return isinstance(box, Number) and box.exponent is None and not box.unit


def _digits_only(box: Number) -> bool:
    return box.digits.isdigit() and box.exponent is None and not box.unit


def _simple(node: Expr) -> bool:
    """Short enough to divide on the line: a letter, a number, or a product of such."""
    match node:
        case Num() | Name():
            return True
        case Power(base, exponent):
            return _simple(base) and _simple(exponent)
        case Add(first, rest):
            return len(rest) == 1 and _simple(first) and _simple(rest[0][1])
        case Product(first, rest):
            return all(sign == "*" and _simple(f) for sign, f in (("*", first), *rest))
    return False


def breadth(box: Box) -> float:
    """About how many letters wide a box is; an index or exponent is smaller."""
    match box:
        case Letter(base, index):
            return len(GREEK.get(base, base)) + 0.7 * len(index)
        case Number(digits, exponent, unit):
            power = 0.0 if exponent is None else 3.5 + 0.7 * len(str(exponent))
            return len(digits) + power + (len(unit) + 0.5 if unit else 0)
        case Sign(text, place):
            return len(text) + (2.0 if place == "between" else 0.0)
        case Gap(width):
            return 0.4 if width == "thin" else 2.0
        case Words(text):
            return len(text)
        case Row(parts):
            return sum(map(breadth, parts))
        case Fraction(above, below):
            return max(breadth(above), breadth(below)) + 0.5
        case Raised(base, exponent):
            return breadth(base) + 0.7 * breadth(exponent)
        case Fenced(_, inside, _, tall):
            return breadth(inside) + (2.0 if tall else 1.2)
        case Root(inside):
            return breadth(inside) + 2.0
        case Sum(low, high):
            return max(2.0, 0.7 * breadth(low), 0.7 * breadth(high))
        case Function(name, index, below):
            return max(len(name) + 0.7 * len(index), 0.7 * breadth(below) if below else 0.0)
        case Over(sign, above):
            return max(breadth(sign), 0.7 * breadth(above))


def _parenthesised(box: Box) -> Box:
    return _fenced("(", box, ")")


def _fenced(left: str, inside: Box, right: str) -> Fenced:
    return Fenced(left, inside, right, _tall(inside))


def _tall(box: Box) -> bool:
    """Whether parentheses around a box must grow."""
    match box:
        case Fraction() | Sum():
            return True
        case Fenced(inside=inside, tall=tall):
            return tall or _tall(inside)
        case Row(parts):
            return any(_tall(part) for part in parts)
        case Raised(base, exponent):
            return _tall(base) or _tall(exponent)
        case Root(inside):
            return _tall(inside)
    return False
