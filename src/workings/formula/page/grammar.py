"""The one grammar, as pages write it: implicit products, units and nouns behind numbers, remarks.

What people write beyond the strict grammar, and how it is read:

* `2BFD`, `4DF(X-1)`, `\frac{a}{b} c`: factors side by side are a product;
* `2.4 × 10^11`, `70B`, `8 billion`, `32k`, `40%`: one number;
* `80 GB`, `9e10 bytes/sec`, `64 heads`, `2 (batch)`: a number with its unit, noun or remark;
* `Model Parameters`, `\text{Total KV Memory}`: a name of several words.

It reads as much as it can from a given token on and says where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from workings.formula.grammar import MAX_NESTING
from workings.formula.page.cursor import TooDeepError, TooLargeError
from workings.formula.page.factors import FactorReader
from workings.formula.page.lexer import PageToken, Symbols
from workings.formula.page.products import divide_also, is_bare, power_of_ten, scientific
from workings.formula.tree import (
    Add,
    Call,
    Expr,
    FormulaError,
    Negative,
    Product,
    depth,
)

MAX_CHARACTERS = 4_000
MAX_TOKENS = 1_500
MAX_DEPTH = 2 * MAX_NESTING  # of the tree: a bracket may hold a sum of products

# What `8TP/nX` and `a / b * c` are divided by: nX (what stands side by side), n, or all that follows.
Division = Literal["side by side", "one factor", "all that follows"]
DIVISIONS: tuple[Division, ...] = ("side by side", "one factor", "all that follows")


class PageGrammar(FactorReader):
    """Reads what stands from a token on: sums and products of factors."""

    def __init__(
        self,
        text: str,
        tokens: Sequence[PageToken],
        symbols: Symbols,
        division: Division = "side by side",
    ) -> None:
        """`division`: how much of what follows a slash is divided by."""
        super().__init__(text, tokens, symbols)
        self.division = division
        self.ambiguous = False  # whether `division` mattered
        self.has_unit = False

    def read(self, at: int, limit: int) -> tuple[Expr, int]:
        """The longest expression from token `at` on, and the token behind it. Raises FormulaError."""
        self.at, self.limit = at, min(limit, at + MAX_TOKENS + 1)
        begin = self.tokens[at].start
        deep = f"nested deeper than {MAX_NESTING}"
        try:
            expression = self.sum()
        except TooDeepError:
            raise TooLargeError(deep, self.text, begin, max(1, self.at - at)) from None
        read = self.at - at
        if self.tokens[self.at - 1].end - begin > MAX_CHARACTERS or read > MAX_TOKENS:
            words = f"formula longer than {MAX_CHARACTERS} characters or {MAX_TOKENS} tokens"
            raise TooLargeError(words, self.text, begin, read)
        if depth(expression) > MAX_DEPTH:
            raise TooLargeError(deep, self.text, begin, read)
        return expression, self.at

    def sum(self) -> Expr:
        """Terms joined by + and -."""
        self._deeper()
        start = self.now.start
        if self._is("-", "+"):
            negative = self.take().text == "-"
            term = self.product()
            first: Expr = Negative(term, self.span(start)) if negative else term
        else:
            first = self.product()
        rest: list[tuple[Literal["+", "-"], Expr]] = []
        while True:
            before = self.at, self.nesting
            if not self._operator_ahead("+", "-"):
                break
            sign: Literal["+", "-"] = "+" if self.take().text == "+" else "-"
            self.skip_breaks()
            try:
                rest.append((sign, self.product()))
            except FormulaError:
                self.at, self.nesting = before
                break
        self.nesting -= 1
        return Add(first, tuple(rest), self.span(start)) if rest else first

    def product(self) -> Expr:
        """Factors joined by signs or standing side by side."""
        start = self.now.start
        first = self.factor()
        rest: list[tuple[Literal["*", "/"], Expr]] = []
        floors = 0
        while (found := self._next_factor()) is not None:
            sign, factor, glued = found
            if sign == "//":
                floors += 1
                if self.nesting + floors > MAX_NESTING:
                    raise TooDeepError
                whole = (
                    Product(first, (*rest, ("/", factor))) if rest else Product(first, (("/", factor),))
                )
                first, rest = Call("floor", (whole,), self.span(start)), []
            elif sign == "unit":
                rest.append(("*", factor))
            elif sign == "":
                self._join(rest, factor, glued)
            else:
                self._multiply(rest, "*" if sign == "*" else "/", factor)
        first, rest = scientific(first, rest)
        return Product(first, tuple(rest), self.span(start)) if rest else first

    def _next_factor(self) -> tuple[str, Expr, bool] | None:
        """The next factor with what joins it (a sign, nothing, or `unit`), and whether it is glued."""
        before, nesting = self.at, self.nesting
        if (unit := self.unit_factor()) is not None:
            return "unit", unit, False
        sign = ""
        if not self._side_by_side():
            if not self._operator_ahead("*", "/", "//"):
                return None
            sign = self.take().text
            self.skip_breaks()
        try:
            return sign, self.factor(), self.tokens[before].glued
        except FormulaError:
            self.at, self.nesting = before, nesting
            return None

    def _multiply(
        self, rest: list[tuple[Literal["*", "/"], Expr]], sign: Literal["*", "/"], factor: Expr
    ) -> None:
        """A factor behind a sign; behind a division the sign may belong to the divisor."""
        if sign == "*" and any(sign == "/" for sign, _ in rest) and power_of_ten(factor) is None:
            self.ambiguous = True
            if self.division == "all that follows":
                divide_also(rest, factor)
                return
        rest.append((sign, factor))

    def _join(self, rest: list[tuple[Literal["*", "/"], Expr]], factor: Expr, glued: bool) -> None:
        """Put a factor beside the one before it: `8/nX` divides by both, `1/X (…)` does not."""
        if any(sign == "/" for sign, _ in rest):
            self.ambiguous = True
            held = glued and not isinstance(factor, Add) and is_bare(rest[-1][1]) and rest[-1][0] == "/"
            if self.division == "all that follows" or (held and self.division == "side by side"):
                divide_also(rest, factor)
                return
        rest.append(("*", factor))

    def _side_by_side(self) -> bool:
        """Whether the next token is a factor without a sign."""
        token, before = self.now, self.tokens[self.at - 1]
        if token.kind not in ("name", "open", "frac", "sqrt", "function", "sum") or self.at >= self.limit:
            return False
        if token.dialect != before.dialect or token.region != before.region:
            return False
        if token.dialect == "math":
            return True
        if not token.glued and not (token.kind == "open" and before.kind in ("name", "number", "close")):
            return False
        if token.kind == "open" and before.kind not in ("name", "close") and self._counted_in_brackets():
            return False
        if token.dialect == "code":
            return before.kind == "number" or (before.kind == "close" and token.kind == "open")
        return True

    def _counted_in_brackets(self) -> bool:
        """`12288(1536 nodes)`: a bracket with a figure and no sign is a remark, not a factor."""
        at = self.at + 1
        if at >= self.limit or self.tokens[at].kind not in ("number", "odd"):
            return False
        while at < self.limit and self.tokens[at].kind not in ("close", "operator", "name", "relation"):
            at += 1
        return at < self.limit and self.tokens[at].kind == "close"
