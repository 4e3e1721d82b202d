"""What stands as one factor of a page's formula: powers, brackets, commands, functions and sums."""

from __future__ import annotations

from workings.formula.page.functions import applied, arguments_of
from workings.formula.page.lexer import Symbols, page_tokens
from workings.formula.page.numbers import number_value
from workings.formula.page.phrases import NameReader
from workings.formula.tree import (
    Call,
    Expr,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Series,
    Span,
)

_CLOSES = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}


class FactorReader(NameReader):
    """Reads one factor; what stands inside a bracket, `PageGrammar` reads."""

    def read(self, at: int, limit: int) -> tuple[Expr, int]:
        """The longest expression from a token on, and the token behind it."""
        raise NotImplementedError

    def sum(self) -> Expr:
        """Terms joined by + and -."""
        raise NotImplementedError

    def product(self) -> Expr:
        """Factors joined by signs or standing side by side."""
        raise NotImplementedError

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

    def call(self) -> Expr:
        """A known function of its arguments."""
        name = self.take()
        least, most = arguments_of(name.text)
        if self.now.kind != "open":
            if most > 1:
                raise self.fail("'('")
            return applied(name.text, (self.factor(),), self.span(name.start))
        closes = _CLOSES[self.take().text]
        args = [self.sum()]
        while self.is_kind("comma"):
            self.take()
            args.append(self.sum())
        if not self.is_kind("close") or self.now.text != closes:
            raise self.fail(f"',' or {closes!r}")
        self.take()
        if not least <= len(args) <= most:
            raise self.fail(f"{least} to {most} arguments of {name.text}")
        return applied(name.text, tuple(args), self.span(name.start))

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
        inner = type(self)(text, tokens, self.symbols)
        inner.nesting = self.nesting + 1
        expression, end = inner.read(0, len(tokens) - 1)
        if end != len(tokens) - 1:
            raise self.fail("a whole limit of the sum")
        return expression
