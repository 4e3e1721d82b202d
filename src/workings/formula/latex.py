"""The tree as LaTeX that pdflatex, GitHub and MathJax all read, in the author's own order.

No `\\operatorname`, no macros of ours: what is printed can be pasted anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from workings.formula.plain import ATOM, LOOSE, POWER, PRODUCT, SUM, number_text, tightness
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

GREEK = frozenset(
    (
        *("alpha", "beta", "gamma", "delta", "epsilon", "eta", "theta", "kappa", "lambda", "mu", "nu"),
        *("xi", "pi", "rho", "sigma", "tau", "phi", "chi", "psi", "omega"),
        *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega"),
    )
)
RELATION = {
    "=": "=",
    "<": "<",
    ">": ">",
    "<=": r"\le",
    ">=": r"\ge",
    "≈": r"\approx",
    "<=>": r"\iff",
}
_BIG = re.compile(r"\\(frac|sum|left)")
_MIXED = re.compile(r"\\frac\{\d")  # `2 \frac{1}{2}` reads as two and a half


def name_latex(name: str) -> str:
    """A letter: `N_fsdp` as N with an upright subscript, `alpha` as the Greek letter."""
    base, _, index = name.partition("_")
    head = f"\\{base}" if base in GREEK else base if len(base) == 1 else rf"\text{{{base}}}"
    if not index:
        return head
    index = index.replace("_", ",")
    return f"{head}_{{{index if len(index) == 1 else rf'{chr(92)}text{{{index}}}'}}}"


def number_latex(text: str, unit: str | None = None) -> str:
    """A literal: thousands commas without a gap, `1.8e11` as a power of ten, unit after a space."""
    mantissa, _, exponent = text.lower().partition("e")
    number = mantissa.replace(",", "{,}")
    if exponent:
        number += rf" \cdot 10^{{{int(exponent)}}}"
    return rf"{number}\,\text{{{unit}}}" if unit and unit != "1" else number


def latex(
    node: Formula,
    glyphs: Mapping[str, str] | None = None,
    *,
    units: bool = False,
    inline: bool = False,
) -> str:
    """Write a formula as LaTeX.

    `glyphs` maps letters to LaTeX; `units` shows literals' units; `inline` writes short fractions
    on the line, for running text.
    """
    writer = _Writer(glyphs or {}, units)
    if isinstance(node, Relations):
        parts = [writer.write(node.first, small=inline)]
        for relation, part in node.rest:
            parts.append(f"{RELATION[relation]} {writer.write(part, small=inline)}")
        return " ".join(parts)
    return writer.write(node, small=inline)


class _Writer:
    """Holds the two choices of one printing: glyphs and whether literals show units."""

    def __init__(self, glyphs: Mapping[str, str], units: bool) -> None:
        self.glyphs, self.units = glyphs, units

    def write(self, node: Expr, place: int = LOOSE, small: bool = False) -> str:
        """`place`: how tight the node must be to stand bare; `small`: inside a fraction."""
        if tightness(node) < place:
            return _parenthesised(self.write(node, LOOSE, small))
        match node:
            case Num(unit=unit):
                return number_latex(number_text(node), unit if self.units else None)
            case Name(name):
                return self.glyphs.get(name) or name_latex(name)
            case Negative(operand):
                return f"-{self.write(operand, PRODUCT, small)}"
            case Add(first, rest):
                front = SUM if isinstance(first, Negative) else PRODUCT
                terms = [f" {sign} {self.write(term, PRODUCT, small)}" for sign, term in rest]
                return self.write(first, front, small) + "".join(terms)
            case Product():
                return self.product(node, small)
            case Power(base, exponent):
                return f"{self.base(base, small)}^{{{self.write(exponent, LOOSE, True)}}}"
            case Call():
                return self.call(node, small)
            case Series(body, index, lower, upper):
                low = f"{name_latex(index)}={self.write(lower, LOOSE, True)}"
                high = self.write(upper, LOOSE, True)
                return rf"\sum_{{{low}}}^{{{high}}} {self.write(body, PRODUCT, small)}"

    def base(self, node: Expr, small: bool) -> str:
        """The base of a power: parenthesised unless a letter or a bare number."""
        text = self.write(node, ATOM, small)
        bare = isinstance(node, Name | Call) or (isinstance(node, Num) and text.isalnum())
        if isinstance(node, Name) and "_" in text:
            return f"{{{text}}}"
        return text if bare or text.startswith(("(", r"\left(")) else _parenthesised(text)

    def product(self, node: Product, small: bool) -> str:
        """Factors left to right; everything before a `/` becomes its numerator."""
        done = [node.first]
        text: str | None = None  # what has been folded into a fraction so far
        for place, (sign, factor) in enumerate(node.rest, 1):
            if sign == "*":
                done.append(factor)
                continue
            # `a/b c` on the line could be read as a/(b c): only a last division stays there.
            last = all(sign == "/" for sign, _ in node.rest[place:])
            text = self.fraction(text, done, factor, small and last)
            done = []
        return self.juxtapose(text, done, small)

    def fraction(self, text: str | None, done: list[Expr], below: Expr, small: bool) -> str:
        """`done / below`, stacked on the page and on the line inside another fraction."""
        # `a/1.8 \cdot 10^{11}` would divide by 1.8 only.
        scientific = isinstance(below, Num) and "e" in number_text(below).lower()
        if small and not scientific and _simple(below) and all(_simple(part) for part in done):
            return f"{self.juxtapose(text, done, True)}/{self.write(below, POWER, True)}"
        above = self.write(done[0], LOOSE, True) if text is None and len(done) == 1 else None
        above = above or self.juxtapose(text, done, True)
        return rf"\frac{{{above}}}{{{self.write(below, LOOSE, True)}}}"

    def juxtapose(self, text: str | None, factors: list[Expr], small: bool) -> str:
        """Factors side by side, with a sign wherever two would run together as one number."""
        out = text or ""
        dotted = self.units and any(isinstance(f, Num) for f in factors)
        for position, factor in enumerate(factors):
            last = position == len(factors) - 1
            piece = self.factor(factor, POWER if len(factors) > 1 or out else PRODUCT, small)
            if isinstance(factor, Series) and not last:
                piece = _parenthesised(piece)
            if not out:
                out = piece
            elif dotted or (text and position == 0 and self.units):
                out += rf" \times {piece}"
            elif piece[0].isdigit() or (out[-1].isdigit() and _MIXED.match(piece)):
                out += rf" \cdot {piece}"
            else:
                out += _gap(out, piece) + piece
        return out

    def factor(self, node: Expr, place: int, small: bool) -> str:
        """A factor; one that prints as a stacked fraction is held together by its bar."""
        bare = self.write(node, LOOSE, small)
        stacked = isinstance(node, Product) and node.rest[-1][0] == "/" and not small
        return bare if stacked else self.write(node, place, small)

    def call(self, node: Call, small: bool) -> str:
        """max(…), ceilings, floors, roots and logarithms."""
        args = [self.write(arg, LOOSE, small) for arg in node.args]
        match node.function:
            case "ceil":
                return _around(r"\lceil", args[0], r"\rceil")
            case "floor":
                return _around(r"\lfloor", args[0], r"\rfloor")
            case "sqrt":
                return rf"\sqrt{{{args[0]}}}"
            case "log2":
                return rf"\log_2{_parenthesised(args[0])}"
            case _:
                return rf"\{node.function}{_parenthesised(', '.join(args))}"


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


def _gap(left: str, right: str) -> str:
    """Single letters stand side by side; words and fractions get a thin space."""
    if right.startswith(("(", r"\left(")):
        return ""
    plain_letters = len(right) == 1 or "_" in right[:2] or right[1:2] == "^"
    return " " if plain_letters and not left.endswith("}}") else r"\, "


def _parenthesised(text: str) -> str:
    return _around("(", text, ")")


def _around(left: str, text: str, right: str) -> str:
    if _BIG.search(text):
        return rf"\left{left} {text} \right{right}"
    space = " " if left.startswith("\\") else ""
    return f"{left}{space}{text}{space}{right}"
