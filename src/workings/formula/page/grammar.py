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
from workings.formula.page.lexer import PageToken, Symbols, page_tokens
from workings.formula.page.numbers import number_value
from workings.formula.page.phrases import NameReader
from workings.formula.page.products import divide_also, is_bare, power_of_ten, scientific
from workings.formula.tree import (
    FUNCTIONS,
    Add,
    Call,
    Expr,
    FormulaError,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Series,
    Span,
    depth,
)

MAX_CHARACTERS = 4_000
MAX_TOKENS = 1_500
MAX_DEPTH = 2 * MAX_NESTING  # of the tree: a bracket may hold a sum of products

# What `8TP/nX` and `a / b * c` are divided by: nX (what stands side by side), n, or all that follows.
Division = Literal["side by side", "one factor", "all that follows"]
DIVISIONS: tuple[Division, ...] = ("side by side", "one factor", "all that follows")

_CLOSES = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}


class PageGrammar(NameReader):
    """Reads what stands from a token on: sums, products, powers, brackets, commands and names."""

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

    def factor(self) -> Expr:
        """A power, or minus a factor."""
        start = self.now.start
        if not self._is("-"):
            return self.power()
        self.take()
        self._deeper()
        operand = self.factor()
        self.nesting -= 1
        return Negative(operand, self.span(start))

    def power(self) -> Expr:
        """A primary, raised to what follows ^."""
        start = self.now.start
        base = self.primary()
        if not self._is("^"):
            return base
        self.take()
        self._deeper()
        if self.now.kind == "open" and self.now.text == "{":
            exponent = self.primary()
        elif self.now.kind == "number" and self.now.dialect == "math" and not self.now.text.isdigit():
            raise self.fail("an exponent")
        else:
            exponent = self.exponent()
        self.nesting -= 1
        if exponent == Name("T"):
            raise self.fail("a number or letter, not a transposed matrix")
        return Power(base, exponent, self.span(start))

    def exponent(self) -> Expr:
        r"""What follows ^ without braces: in LaTeX one digit or letter, elsewhere a number."""
        token = self.now
        if token.kind == "number":
            self.take()
            return Num(number_value(token, self.text), None, token.text, Span(token.start, token.end))
        if token.kind == "operator" and token.text == "-":
            self.take()
            self._deeper()
            negative = Negative(self.exponent(), self.span(token.start))
            self.nesting -= 1
            return negative
        return self.primary(bare=True)

    def primary(self, *, bare: bool = False) -> Expr:
        """A number, a letter, a name, a function, a fraction or a bracket."""
        token = self.now
        if token.kind == "odd" and token.text == "~":
            self.take()
            token = self.now
        if token.kind in ("number", "money"):
            return self.number()
        if token.kind == "open":
            return self.bracket()
        if token.kind in ("frac", "sqrt", "function", "sum"):
            return self.command()
        if token.kind == "name":
            self.take()
            return Name(token.text, Span(token.start, token.end))
        if token.kind == "words" and not bare:
            return self.words()
        if token.kind == "word" and not bare:
            return self.phrase()
        raise self.fail("a number, a letter or '('")

    def command(self) -> Expr:
        """A fraction, a root, a function or a sum."""
        token = self.now
        self._deeper()
        found: Expr
        if token.kind == "function":
            found = self.call()
        elif token.kind == "sum":
            found = self.series()
        elif token.kind == "frac":
            self.take()
            above, below = self.argument(), self.argument()
            found = Product(above, (("/", below),), self.span(token.start))
        else:
            self.take()
            if self.now.kind == "open" and self.now.text == "[":
                raise self.fail("a square root")
            found = Call("sqrt", (self.argument(),), self.span(token.start))
        self.nesting -= 1
        return found

    def argument(self) -> Expr:
        r"""What a LaTeX command takes: a group, or one digit or letter."""
        token = self.now
        if token.kind == "open":
            return self.bracket()
        if (
            token.kind == "number"
            and token.text.isdigit()
            and token.dialect == "math"
            and len(token.text) > 1
        ):
            raise self.fail("a group in braces")
        return self.primary(bare=True)

    def bracket(self) -> Expr:
        """`(…)`, `[…]`, `{…}`, and the rounding brackets."""
        token = self.take()
        self.skip_breaks()
        inner = self.sum()
        self.skip_breaks()
        if self.now.kind != "close" or self.now.text != _CLOSES[token.text]:
            raise self.fail(f"{_CLOSES[token.text]!r}")
        self.take()
        if token.text in "⌈⌊":
            return Call("ceil" if token.text == "⌈" else "floor", (inner,), self.span(token.start))
        self.remark_below()
        return inner

    def remark_below(self) -> None:
        r"""Skip what `\underbrace{…}` hangs below or above a group."""
        if self.now.kind == "odd" and self.now.text == "_" and self.at + 1 < self.limit:
            self.take()
            if self.is_kind("open"):
                depth = 0
                while self.at < self.limit:
                    kind = self.take().kind
                    depth += (kind == "open") - (kind == "close")
                    if depth == 0:
                        break
            else:
                self.take()

    def call(self) -> Call:
        """A known function of its arguments."""
        name = self.take()
        if self.now.kind != "open":
            if FUNCTIONS[name.text][1] > 1:
                raise self.fail("'('")
            return Call(name.text, (self.factor(),), self.span(name.start))
        closes = _CLOSES[self.take().text]
        args = [self.sum()]
        while self.is_kind("comma"):
            self.take()
            args.append(self.sum())
        if not self.is_kind("close") or self.now.text != closes:
            raise self.fail(f"',' or {closes!r}")
        self.take()
        least, most = FUNCTIONS[name.text]
        if not least <= len(args) <= most:
            raise self.fail(f"{least} to {most} arguments of {name.text}")
        return Call(name.text, tuple(args), self.span(name.start))

    def series(self) -> Series:
        r"""`\sum_{i=1}^{n} body`."""
        token = self.take()
        index, low, high = token.limits
        lower, upper = (self.inside(part) for part in (low, high))
        outside = self.symbols
        self.symbols = Symbols(outside.letters | {index}, outside.names)  # of `2k` the k is no thousand
        try:
            body = self.product()
        finally:
            self.symbols = outside
        return Series(body, index, lower, upper, self.span(token.start))

    def inside(self, text: str) -> Expr:
        """A limit of a sum, which is a text of its own."""
        tokens = page_tokens(text, lambda _: "math", self.symbols)
        inner = PageGrammar(text, tokens, self.symbols)
        inner.nesting = self.nesting + 1
        expression, end = inner.read(0, len(tokens) - 1)
        if end != len(tokens) - 1:
            raise self.fail("a whole limit of the sum")
        return expression
