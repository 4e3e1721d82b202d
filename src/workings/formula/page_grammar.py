"""The one grammar, as pages write it: implicit products, units and nouns behind numbers, remarks.

What people write beyond the strict grammar, and how it is read:

* `2BFD`, `4DF(X-1)`, `\\frac{a}{b} c`: factors side by side are a product;
* `2.4 × 10^11`, `70B`, `8 billion`, `32k`, `40%`: one number;
* `80 GB`, `9e10 bytes/sec`, `64 heads`, `2 (batch)`: a number with its unit, noun or remark;
* `Model Parameters`, `\\text{Total KV Memory}`: a name of several words.

It reads as much as it can from a given token on and says where it stopped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeGuard

from workings.formula.grammar import MAX_NESTING
from workings.formula.page_lexer import PageToken, Symbols, page_tokens
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
from workings.formula.words import BITS, MULTIPLIERS, NOUNS, OTHER_UNITS, SUFFIXES, UNIT_WORDS
from workings.units import UnitError, parse_number, parse_unit

MAX_CHARACTERS = 4_000
MAX_TOKENS = 1_500
MAX_DEPTH = 2 * MAX_NESTING  # of the tree: a bracket may hold a sum of products
MAX_PHRASE = 6

TYPE_BYTES = {"bfloat16": 2, "bf16": 2, "float16": 2, "fp16": 2, "float32": 4, "fp32": 4, "int8": 1, "fp8": 1,
              "int32": 4, "float64": 8, "fp64": 8}  # fmt: skip
_SIZE_OF = re.compile(rf"sizeof\s*\(?\s*({'|'.join(TYPE_BYTES)})\b\)?", re.IGNORECASE)

# What `8TP/nX` and `a / b * c` are divided by: nX (what stands side by side), n alone, or all that follows.
Division = Literal["side by side", "one factor", "all that follows"]
DIVISIONS: tuple[Division, ...] = ("side by side", "one factor", "all that follows")

_CLOSES = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "⌊": "⌋"}
_STARTS = ("number", "name", "open", "frac", "sqrt", "function", "sum", "words", "money")
# Words that never belong to the name of a quantity nor behind a number.
STOP_WORDS = frozenset(
    """
    is are was were be been being the a an and or but if then so that this these those it we you they i he she
    has have had having do does did get gets got gives give given gave yields yield takes take took means mean
    equals equal because since when where while which who what how why with without for from to of in on at by as
    into onto over under about roughly approximately around nearly almost only just also not no than can could
    should would will may might must let let's assume assuming suppose use uses using used need needs needed
    requires require costs cost here there thus hence therefore now total's our your their its each every per
    both all any some more most less fewer least between during after before via per
    """.split()
)
ABOUT = frozenset("about roughly approximately around nearly almost circa ca approx 约 大约 约为 大概 近似 约等于 ~".split())


class TooLargeError(FormulaError):
    """A formula beyond the limits, and how many tokens of it were read."""

    def __init__(self, message: str, text: str, position: int, tokens: int) -> None:
        super().__init__(message, text, position)
        self.tokens = tokens


class _TooDeepError(Exception):
    """Nested too deep; no reading of the parts may go on from there."""


class PageGrammar:
    """A cursor over a page's tokens."""

    def __init__(
        self, text: str, tokens: Sequence[PageToken], symbols: Symbols, division: Division = "side by side"
    ) -> None:
        """`division`: how much of what follows a slash is divided by."""
        self.text, self.tokens, self.symbols, self.division = text, tokens, symbols, division
        self.at, self.nesting = 0, 0
        self.limit = len(tokens)
        self.ambiguous = False  # whether `division` mattered
        self.has_unit = False

    def read(self, at: int, limit: int) -> tuple[Expr, int]:
        """The longest expression from token `at` on, and the token behind it. Raises FormulaError."""
        self.at, self.limit = at, min(limit, at + MAX_TOKENS + 1)
        begin = self.tokens[at].start
        deep = f"nested deeper than {MAX_NESTING}"
        try:
            expression = self.sum()
        except _TooDeepError:
            raise TooLargeError(deep, self.text, begin, max(1, self.at - at)) from None
        read = self.at - at
        if self.tokens[self.at - 1].end - begin > MAX_CHARACTERS or read > MAX_TOKENS:
            words = f"formula longer than {MAX_CHARACTERS} characters or {MAX_TOKENS} tokens"
            raise TooLargeError(words, self.text, begin, read)
        if depth(expression) > MAX_DEPTH:
            raise TooLargeError(deep, self.text, begin, read)
        return expression, self.at

    @property
    def now(self) -> PageToken:
        """The token under the cursor, or the end where reading must stop."""
        return self.tokens[self.at] if self.at < self.limit else self.tokens[-1]

    def fail(self, expected: str) -> FormulaError:
        """The error at the cursor."""
        return FormulaError(f"found {self.now.text[:40]!r}, expected {expected}", self.text, self.now.start)

    def take(self) -> PageToken:
        """The token under the cursor, moving past it."""
        token = self.now
        self.at += 1
        return token

    def span(self, start: int) -> Span:
        """From `start` to the end of the last token taken."""
        return Span(start, self.tokens[self.at - 1].end)

    def skip_breaks(self) -> None:
        """Go past line ends inside a bracket or before an operator."""
        while self.now.kind == "break" and self.at < self.limit:
            self.at += 1

    def _is(self, *texts: str) -> bool:
        return self.now.kind == "operator" and self.now.text in texts

    def _operator_ahead(self, *texts: str) -> bool:
        """Whether one of these operators follows, perhaps on the next line."""
        at = self.at
        while at < self.limit and self.tokens[at].kind == "break":
            at += 1
        token = self.tokens[at] if at < self.limit else self.tokens[-1]
        if token.kind != "operator" or token.text not in texts:
            return False
        if at != self.at and token.text in "-*" and token.dialect == "text":
            return False  # at the start of a line they may be a list's mark
        self.at = at
        return True

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

    def _deeper(self) -> None:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise _TooDeepError

    def product(self) -> Expr:
        """Factors joined by signs or standing side by side."""
        start = self.now.start
        first = self.factor()
        rest: list[tuple[Literal["*", "/"], Expr]] = []
        floors = 0
        while True:
            before, nesting = self.at, self.nesting
            if (unit := self.unit_factor()) is not None:
                rest.append(("*", unit))
                continue
            if self._side_by_side():
                try:
                    factor = self.factor()
                except FormulaError:
                    self.at, self.nesting = before, nesting
                    break
                self._join(rest, factor, self.tokens[before].glued)
                continue
            if not self._operator_ahead("*", "/", "//"):
                break
            sign = self.take().text
            self.skip_breaks()
            try:
                factor = self.factor()
            except FormulaError:
                self.at, self.nesting = before, nesting
                break
            if sign == "//":
                floors += 1
                if self.nesting + floors > MAX_NESTING:
                    raise _TooDeepError
                whole = Product(first, (*rest, ("/", factor))) if rest else Product(first, (("/", factor),))
                first, rest = Call("floor", (whole,), self.span(start)), []
            else:
                self._multiply(rest, "*" if sign == "*" else "/", factor)
        first, rest = _scientific(first, rest)
        return Product(first, tuple(rest), self.span(start)) if rest else first

    def _multiply(self, rest: list[tuple[Literal["*", "/"], Expr]], sign: Literal["*", "/"], factor: Expr) -> None:
        """A factor behind a sign; behind a division the sign may belong to the divisor."""
        if sign == "*" and any(sign == "/" for sign, _ in rest) and _power_of_ten(factor) is None:
            self.ambiguous = True
            if self.division == "all that follows":
                _divide_also(rest, factor)
                return
        rest.append((sign, factor))

    def _join(self, rest: list[tuple[Literal["*", "/"], Expr]], factor: Expr, glued: bool) -> None:
        """Put a factor beside the one before it: `8/nX` divides by both, `1/X (…)` does not."""
        if any(sign == "/" for sign, _ in rest):
            self.ambiguous = True
            held = glued and not isinstance(factor, Add) and _bare(rest[-1][1]) and rest[-1][0] == "/"
            if self.division == "all that follows" or (held and self.division == "side by side"):
                _divide_also(rest, factor)
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
            return Num(_number(token, self.text), None, token.text, Span(token.start, token.end))
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
        if token.kind == "number" and token.text.isdigit() and token.dialect == "math" and len(token.text) > 1:
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
            if self.now.kind == "open":
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
        while self.now.kind == "comma":
            self.take()
            args.append(self.sum())
        if self.now.kind != "close" or self.now.text != closes:
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

    def words(self) -> Expr:
        r"""`\text{…}` where a factor stands: a name, with its argument if one follows."""
        token = self.take()
        name = token.text
        if self.now.kind == "open" and self.now.text == "(" and self.now.dialect == "math":
            at = self.at
            depth, parts = 0, []
            while at < self.limit:
                part = self.tokens[at]
                depth += (part.kind == "open") - (part.kind == "close")
                parts.append(part)
                at += 1
                if depth == 0:
                    break
            if all(part.kind in ("words", "open", "close", "name", "comma") for part in parts):
                name += self.text[parts[0].start : parts[-1].end]
                self.at = at
        return Name(_spelled(name), self.span(token.start))

    def size_of_type(self) -> Num | None:
        """`sizeof bfloat16` and `sizeof(float32)`: so many bytes."""
        match = _SIZE_OF.match(self.text, self.now.start)
        if match is None or self.at >= self.limit:
            return None
        start = self.now.start
        while self.at < self.limit and self.now.start < match.end():
            self.take()
        return Num(Fraction(TYPE_BYTES[match[1].lower()]), "B", str(TYPE_BYTES[match[1].lower()]), self.span(start))

    def phrase(self) -> Expr:
        """Several plain words as one name, such as `Model Parameters`."""
        start, at = self.now, self.at
        if (size := self.size_of_type()) is not None:
            return size
        while at < self.limit and self._continues_phrase(start, at):
            at += 1
        last = self.tokens[at - 1]
        if at - self.at > 1 and last.kind == "name" and last.text[1:2] in ("", "_"):
            raise self.fail("a name")  # `hidden size D`: the letter is the name
        after = self.tokens[at] if at < self.limit else self.tokens[-1]
        bounded = at >= self.limit or after.kind in ("operator", "relation", "close", "end", "stop", "break", "comma")
        begins = start.text.lower() not in STOP_WORDS
        if not bounded or not begins or last.text.lower() in STOP_WORDS:
            raise self.fail("a number, a letter or '('")
        if after.kind in ("stop", "break", "end", "comma") and at - self.at > 1 and at < self.limit:
            raise self.fail("a name")  # the rest of a sentence
        self.at = at
        return Name(_spelled(self.text[start.start : last.end]), Span(start.start, last.end))

    def _continues_phrase(self, start: PageToken, at: int) -> bool:
        """Whether a token is a word of the same stretch of text, and not one too many."""
        token = self.tokens[at]
        return token.kind in ("word", "name") and token.region == start.region and at - self.at < MAX_PHRASE

    def number(self) -> Expr:
        """A number with its suffix, multiplier, per cent, unit, noun and remark."""
        start = self.now.start
        currency = self.take().text if self.now.kind == "money" else None
        token = self.now
        if token.kind != "number":
            raise self.fail("a number")
        self.take()
        value, text = _number(token, self.text), token.text
        if self.now.kind == "percent":
            self.take()
            return Num(value / 100, None, f"{text}%", self.span(start))
        value, text = self.multiplied(value, text)
        if self.now.text in ("x", "X") and self.now.glued and self.now.dialect != "math" and not self._operand_ahead():
            self.take()  # 4.7x: that many times as much
        unit = self.per(currency) if currency else self.unit()
        if self.now.kind in ("word", "words") and self.now.text in OTHER_UNITS:
            raise self.fail("bytes, FLOPs, a time or money")
        self.skip_nouns()
        self.skip_remark()
        return Num(value, unit, text, self.span(start))

    def _operand_ahead(self) -> bool:
        """Whether a number, letter or bracket follows the next token."""
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        return after.kind in ("number", "open", "name") or after.text == "^"

    def multiplied(self, value: Fraction, text: str) -> tuple[Fraction, str]:
        """`70B`, `8 billion`, `70 万`: the number with what multiplies it."""
        token = self.now
        if token.glued and token.kind in ("word", "name") and token.text in SUFFIXES and self._is_suffix(token):
            self.take()
            return value * SUFFIXES[token.text], text + token.text
        if token.kind == "words" and (found := _suffix_in_words(token.text)) is not None:
            self.take()
            return value * SUFFIXES[found], text + found
        while self.now.kind == "word" and self.at < self.limit:
            multiplier = _multiplier(self.now.text)
            if multiplier is None:
                break
            word, factor = multiplier
            value *= factor
            text += " " + word
            if word != self.now.text:  # 万个: the noun goes with it
                self.take()
                break
            self.take()
        return self._and_a_half(value, text)

    def _and_a_half(self, value: Fraction, text: str) -> tuple[Fraction, str]:
        """`6 and a half` years."""
        words = [token.text for token in self.tokens[self.at : self.at + 3]]
        if words != ["and", "a", "half"] or self.at + 3 > self.limit:
            return value, text
        self.at += 3
        return value + Fraction(1, 2), f"{text}.5"

    def _is_suffix(self, token: PageToken) -> bool:
        """Whether the letter behind a number is a power of ten and not a factor."""
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        if after.glued and after.kind in ("name", "word", "open", "frac") and after.dialect == token.dialect:
            return False
        if after.kind == "operator" and after.text == "^":
            return False
        if token.dialect == "text":
            return token.text != "b" or token.text not in self.symbols.letters
        return token.text not in self.symbols.letters

    def unit(self) -> str | None:
        """The unit behind a number, if any."""
        token = self.now
        if token.kind == "words":
            found = unit_of(token.text)
            if found is not None:
                self.take()
                return self.per(found)
            return None
        if token.kind not in ("word", "name") or self.at >= self.limit:
            return None
        if token.kind == "name" and (token.dialect == "math" or token.text in self.symbols.names):
            return None
        if token.text not in UNIT_WORDS or (len(token.text) == 1 and self._is_letter(token)):
            return None
        self.take()
        self.has_unit = True
        slashed = self._is("/") and self.tokens[min(self.at + 1, self.limit - 1)].text in ("s", "sec", "second")
        return self.per(BITS.get(token.text, UNIT_WORDS[token.text]) if slashed else UNIT_WORDS[token.text])

    def _is_letter(self, token: PageToken) -> bool:
        """Whether s or h behind a number is the document's letter and not a second or an hour."""
        if token.text not in self.symbols.letters:
            return False
        after = self.tokens[self.at + 1] if self.at + 1 < self.limit else self.tokens[-1]
        below = self.tokens[self.at + 2] if self.at + 2 < self.limit else self.tokens[-1]
        rate = after.kind == "operator" and after.text == "/" and below.text in UNIT_WORDS
        return token.dialect == "math" or not (self.has_unit or rate)

    def per(self, unit: str) -> str:
        """`GB` followed by `/s`, `per second`, `/ token`: the whole unit."""
        token = self.now
        slash = token.kind == "operator" and token.text == "/"
        per = token.kind == "word" and token.text in ("per", "a", "每")
        if not (slash or per) or self.at + 1 >= self.limit or "/" in unit:
            return unit
        below = self.tokens[self.at + 1]
        word = below.text
        if below.kind == "name" and word in self.symbols.letters and not (slash and below.glued and word == "s"):
            return unit
        if below.kind not in ("word", "words", "name"):
            return unit
        word = word.rsplit("-", 1)[-1]  # GPU-hour
        if word in UNIT_WORDS:
            self.at += 2
            return _ratio(unit, UNIT_WORDS[word])
        if word in NOUNS or word.rstrip("s") in NOUNS:
            self.at += 2
        return unit

    def unit_factor(self) -> Num | None:
        """A unit behind letters or a bracket: `BD bytes`."""
        token, before = self.now, self.tokens[self.at - 1]
        if token.kind not in ("words", "word") or before.kind not in ("close", "name", "number"):
            return None
        found = unit_of(token.text) if token.kind == "words" else UNIT_WORDS.get(token.text)
        if found is None or (token.kind == "word" and len(token.text) == 1):
            if token.kind == "words" and token.text not in self.symbols.names:
                self.take()  # a remark beside a factor
            elif token.kind == "word" and token.text in NOUNS:
                self.skip_nouns()
            return None
        self.take()
        return Num(Fraction(1), self.per(found), "", Span(token.start, self.tokens[self.at - 1].end))

    def skip_nouns(self) -> None:
        """Leave out what is counted: `64 attention heads ×` is 64 ×."""
        at = self.at
        while at < self.limit and at - self.at < 4:
            token = self.tokens[at]
            if token.kind == "words" and not self._is_factor(token):
                at += 1
                continue
            slash = token.kind == "operator" and token.text == "/"
            if slash and at + 1 < self.limit and self.tokens[at + 1].text in NOUNS:
                at += 2
                continue
            if token.kind != "word" or token.text in STOP_WORDS:
                break
            at += 1
        after = self.tokens[at] if at < self.limit else self.tokens[-1]
        known = after.kind in ("operator", "relation", "close") or self._only_nouns(at)
        if at > self.at and (known or self._one_word_before_relation(at)):
            self.at = at
            return
        while self.now.kind in ("word", "words") and self.now.text in NOUNS and self.at < self.limit:
            self.take()

    def _one_word_before_relation(self, at: int) -> bool:
        """`312 TFLOPS × 0.4 util = …`: one unknown word behind the last factor of a first side."""
        factor = self.at >= 2 and self.tokens[self.at - 2].kind == "operator"
        return factor and at == self.limit == self.at + 1 and self.tokens[at].kind == "relation"

    def _only_nouns(self, end: int) -> bool:
        return all(token.text in NOUNS or token.kind == "words" for token in self.tokens[self.at : end])

    def _is_factor(self, token: PageToken) -> bool:
        return token.text in self.symbols.names

    def skip_remark(self) -> None:
        """Leave out words in parentheses behind a number: `2 (for k and v) *`."""
        if self.now.kind != "open" or self.now.text != "(" or self.at >= self.limit:
            return
        at, words = self.at + 1, 0
        while at < self.limit and at - self.at < 16 and self.tokens[at].kind != "close":
            token = self.tokens[at]
            words += token.kind == "word" and len(token.text) > 1
            if token.kind not in ("word", "comma", "operator", "name", "stop", "words"):
                return
            at += 1
        closed = at < self.limit and self.tokens[at].kind == "close"
        if closed and words and (words > 1 or at == self.at + 2 or not self._all_symbols(self.at + 1, at)):
            self.at = at + 1

    def _all_symbols(self, start: int, end: int) -> bool:
        return all(t.kind != "word" for t in self.tokens[start:end])


def unit_of(words: str) -> str | None:
    r"""The unit that the words of a `\text{…}` say: `GiB`, `bytes/s`, `TFLOPs per GPU`."""
    parts = re.split(r"\s*(?:/|\bper\b|每)\s*", words.strip().strip("()."))
    if not 1 <= len(parts) <= 3 or parts[0] not in UNIT_WORDS:
        return None
    unit = UNIT_WORDS[parts[0]]
    for below in parts[1:]:
        if below in UNIT_WORDS:
            unit = _ratio(unit, UNIT_WORDS[below])
        elif below.split(" ")[-1] not in NOUNS:
            return None
    return unit


def _ratio(above: str, below: str) -> str:
    """One unit over another, where the tables know it."""
    text = f"{above}/{below}"
    if "/" in above or "/" in below:
        return above
    try:
        parse_unit(text)
    except UnitError:
        return above
    return text


def _multiplier(word: str) -> tuple[str, int] | None:
    """The multiplier a word is or (in Chinese) begins with."""
    if word in MULTIPLIERS:
        return word, MULTIPLIERS[word]
    for length in (2, 1):
        head = word[:length]
        if head in MULTIPLIERS and not head.isascii():
            return head, MULTIPLIERS[head]
    return None


def _suffix_in_words(words: str) -> str | None:
    r"""The B of `405.85\text{B parameters}`."""
    first, *others = words.split() or [""]
    return first if first in SUFFIXES and first.isupper() and all(w in NOUNS for w in others) else None


def _number(token: PageToken, text: str) -> Fraction:
    try:
        return parse_number("0" + token.text if token.text.startswith(".") else token.text)
    except UnitError as error:
        raise FormulaError(str(error), text, token.start) from None


def _divide_also(rest: list[tuple[Literal["*", "/"], Expr]], factor: Expr) -> None:
    """Put a factor into the last divisor."""
    at = max(i for i, (sign, _) in enumerate(rest) if sign == "/")
    below = rest[at][1]
    inner = (*below.rest, ("*", factor)) if isinstance(below, Product) else (("*", factor),)
    front = below.first if isinstance(below, Product) else below
    divisor: tuple[Literal["*", "/"], Expr] = ("/", Product(front, inner, factor.span))
    rest[at] = divisor


def _bare(node: Expr) -> bool:
    """A factor that a reader takes together with its neighbour: a letter, number or power."""
    if isinstance(node, Product):
        return all(sign == "*" and _bare(part) for sign, part in (("*", node.first), *node.rest))
    return isinstance(node, Name | Num | Power)


def _scientific(
    first: Expr, rest: list[tuple[Literal["*", "/"], Expr]]
) -> tuple[Expr, list[tuple[Literal["*", "/"], Expr]]]:
    """Fold `2.4 * 10^11` into one number, also behind a division."""
    power = _power_of_ten(first)
    if power is not None and (power > 2 or power < 0):
        first = Num(Fraction(10) ** power, _trailing_unit(first), f"1e{power}", first.span)
    factors: list[tuple[Literal["*", "/"], Expr]] = [("*", first)]
    for sign, factor in rest:
        before = factors[-1][1]
        power = _power_of_ten(factor)
        if sign == "*" and power is not None and isinstance(before, Num) and before.unit is None and _plain(before):
            span = Span(before.span.start, factor.span.end) if before.span and factor.span else None
            number = Num(before.value * Fraction(10) ** power, _trailing_unit(factor), f"{before.text}e{power}", span)
            factors[-1] = (factors[-1][0], number)
        elif sign == "*" and isinstance(before, Num) and before.unit is None and _is_unit(factor):
            factors[-1] = (factors[-1][0], replace(before, unit=factor.unit))
        elif power is not None and (power > 2 or power < 0):
            factors.append((sign, Num(Fraction(10) ** power, _trailing_unit(factor), f"1e{power}", factor.span)))
        else:
            factors.append((sign, factor))
    return factors[0][1], factors[1:]


def _is_unit(node: Expr) -> TypeGuard[Num]:
    """A bare unit that stands as a factor."""
    return isinstance(node, Num) and node.unit is not None and node.text == ""


def _plain(number: Num) -> bool:
    return bool(re.fullmatch(r"[0-9,.]+", number.text))


def _power_of_ten(node: Expr) -> int | None:
    """The n of a written 10^n."""
    if not isinstance(node, Power) or not isinstance(node.base, Num) or node.base.text != "10":
        return None
    exponent, sign = node.exponent, 1
    if isinstance(exponent, Negative):
        exponent, sign = exponent.operand, -1
    if not isinstance(exponent, Num) or exponent.value.denominator != 1 or exponent.value > 400:
        return None
    return sign * int(exponent.value)


def _trailing_unit(node: Expr) -> str | None:
    return node.exponent.unit if isinstance(node, Power) and isinstance(node.exponent, Num) else None


def _spelled(name: str) -> str:
    return " ".join(name.split())[:80]
