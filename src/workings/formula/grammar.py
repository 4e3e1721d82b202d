"""The one grammar of formulas: recursive descent over tokens, whatever notation they came from.

    formula  = sum (relation sum)*
    sum      = ["-"] product (("+" | "-") product)*
    product  = factor (("*" | "/") factor)*
    factor   = "-" factor | power
    power    = primary ["^" factor]
    primary  = number [unit] | name | function "(" sum ("," sum)* ")" | "(" sum ")"
             | "sum" "(" sum "," "(" name "," sum "," sum ")" ")"

It refuses rather than guesses: no implicit products, no thousands comma inside an argument list.
"""

from __future__ import annotations

from typing import Literal, cast

from workings.formula.lexer import Token, tokens_of
from workings.formula.tree import (
    FUNCTIONS,
    Add,
    Call,
    Expr,
    Formula,
    FormulaError,
    Name,
    Negative,
    Num,
    Power,
    Product,
    Relations,
    Series,
    Span,
)
from workings.units import UnitError, parse_number, parse_unit

MAX_NESTING = 60


def parse_formula(text: str) -> Formula:
    """Read plain text as an expression or a chain of relations. Raises FormulaError."""
    return Grammar(text, tokens_of(text)).formula()


def parse_expression(text: str) -> Expr:
    """Read plain text as an expression without relations. Raises FormulaError."""
    formula = parse_formula(text)
    if isinstance(formula, Relations):
        raise FormulaError("found a relation, expected an expression", text, 0)
    return formula


class Grammar:
    """A cursor over tokens; each method reads one rule of the grammar above."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text, self.tokens, self.at = text, tokens, 0
        self.nesting = 0
        self.in_arguments = 0

    def fail(self, expected: str) -> FormulaError:
        """The error at the current token."""
        return FormulaError(f"found {self.now.text!r}, expected {expected}", self.text, self.now.start)

    @property
    def now(self) -> Token:
        """The token under the cursor."""
        return self.tokens[self.at]

    def take(self) -> Token:
        """The token under the cursor, moving past it."""
        token = self.now
        self.at += 1
        return token

    def expect(self, kind: str, what: str) -> Token:
        """The next token, which must be of this kind."""
        if self.now.kind != kind:
            raise self.fail(what)
        return self.take()

    def span(self, start: int) -> Span:
        """From `start` to the end of the last token taken."""
        return Span(start, self.tokens[self.at - 1].end)

    def formula(self) -> Formula:
        """A whole formula up to the end of the text."""
        start = self.now.start
        first = self.sum()
        rest: list[tuple[str, Expr]] = []
        while self.now.kind == "relation":
            rest.append((self.take().text, self.sum()))
        if self.now.kind != "end":
            raise self.fail("an operator, a relation or the end")
        return Relations(first, tuple(rest), self.span(start)) if rest else first

    def sum(self) -> Expr:
        """Terms joined by + and -; a leading minus takes the whole first product."""
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise FormulaError(f"nested deeper than {MAX_NESTING}", self.text, self.now.start)
        start = self.now.start
        if self._is("-"):
            self.take()
            first: Expr = Negative(self.product(), self.span(start))
        else:
            first = self.product()
        rest: list[tuple[Literal["+", "-"], Expr]] = []
        while self._is("+", "-"):
            sign = cast(Literal["+", "-"], self.take().text)
            rest.append((sign, self.product()))
        self.nesting -= 1
        return Add(first, tuple(rest), self.span(start)) if rest else first

    def product(self) -> Expr:
        """Factors joined by * and /, read from the left."""
        start = self.now.start
        first = self.factor()
        rest: list[tuple[Literal["*", "/"], Expr]] = []
        while self._is("*", "/"):
            sign = cast(Literal["*", "/"], self.take().text)
            rest.append((sign, self.factor()))
        return Product(first, tuple(rest), self.span(start)) if rest else first

    def factor(self) -> Expr:
        """A power, or minus a factor."""
        start = self.now.start
        if not self._is("-"):
            return self.power()
        self.take()
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise FormulaError(f"nested deeper than {MAX_NESTING}", self.text, self.now.start)
        operand = self.factor()
        self.nesting -= 1
        return Negative(operand, self.span(start))

    def power(self) -> Expr:
        """A primary, raised to a factor if ^ follows: powers bind to the right."""
        start = self.now.start
        base = self.primary()
        if not self._is("^"):
            return base
        self.take()
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise FormulaError(f"nested deeper than {MAX_NESTING}", self.text, self.now.start)
        exponent = self.factor()
        self.nesting -= 1
        return Power(base, exponent, self.span(start))

    def primary(self) -> Expr:
        """A number, a letter, a function or a parenthesis."""
        token = self.now
        if token.kind == "number":
            return self.number()
        if token.kind == "open":
            self.take()
            arguments, self.in_arguments = self.in_arguments, 0
            inner = self.sum()
            self.in_arguments = arguments
            self.expect("close", "')'")
            return inner
        if token.kind != "name":
            raise self.fail("a number, a letter or '('")
        self.take()
        if token.text == "sum":
            return self.series(token.start)
        if token.text in FUNCTIONS:
            return self.call(token)
        if self.now.kind == "open":
            raise FormulaError(
                f"unknown function {token.text!r}, or a missing '*' before '('",
                self.text,
                token.start,
            )
        return Name(token.text, Span(token.start, token.end))

    def number(self) -> Num:
        """A literal, with its unit in brackets if one follows."""
        token = self.take()
        if "," in token.text and self.in_arguments:
            message = f"{token.text!r} is ambiguous among arguments: drop the comma or add a space"
            raise FormulaError(message, self.text, token.start)
        unit = self.take().text if self.now.kind == "unit" else None
        try:
            if unit is not None:
                parse_unit(unit)
            return Num(parse_number(token.text), unit, token.text, self.span(token.start))
        except UnitError as error:
            raise FormulaError(str(error), self.text, token.start) from None

    def call(self, name: Token) -> Call:
        """The arguments of a function."""
        self.expect("open", "'('")
        self.in_arguments += 1
        args = [self.sum()]
        while self.now.kind == "comma":
            self.take()
            args.append(self.sum())
        self.in_arguments -= 1
        self.expect("close", "',' or ')'")
        least, most = FUNCTIONS[name.text]
        if not least <= len(args) <= most:
            message = f"{name.text} takes {least} to {most} arguments, found {len(args)}"
            raise FormulaError(message, self.text, name.start)
        return Call(name.text, tuple(args), self.span(name.start))

    def series(self, start: int) -> Series:
        """`sum(body, (index, lower, upper))`."""
        self.expect("open", "'('")
        self.in_arguments += 1
        body = self.sum()
        self.expect("comma", "', (index, lower, upper)'")
        self.expect("open", "'(index, lower, upper)'")
        index = self.expect("name", "the index, a letter").text
        self.expect("comma", "','")
        lower = self.sum()
        self.expect("comma", "','")
        upper = self.sum()
        self.expect("close", "')'")
        self.in_arguments -= 1
        self.expect("close", "')'")
        return Series(body, index, lower, upper, self.span(start))

    def _is(self, *texts: str) -> bool:
        return self.now.kind == "operator" and self.now.text in texts
