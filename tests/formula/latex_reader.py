r"""Reads the LaTeX that `latex()` writes, strictly: what would a reader of the page take it for?

Where a reader could hesitate it takes sides by `loose`: in `a/b c`, whether the division or the
product beside it comes first. What no reader should meet is an error: numbers side by side, a
number beside a fraction of numbers (`2 \frac{1}{2}` is two and a half), an empty product.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

_TOKEN = re.compile(
    r"\s+|\\,|\d+(?:\{,\}\d{3})*(?:\.\d+)?|\\text\{[^}]*\}|\\[A-Za-z]+(?:_2)?|[A-Za-z]|[-+*/^_(){}=,]"
)
_GREEK = {"alpha", "Lambda"}


class _Misread(AssertionError):  # noqa: N818 - an assertion of the tests
    pass


def read_latex(text: str, values: Mapping[str, Fraction], *, loose: bool) -> Fraction:
    """The value of printed LaTeX at these letters."""
    reader = _Reader(text, loose)
    meaning = reader.sum()
    if reader.at != len(reader.tokens):
        raise _Misread(f"{reader.rest()!r} is left over in {text!r}")
    return meaning(dict(values))


Meaning = Callable[[dict[str, Fraction]], Fraction]


class _Reader:
    def __init__(self, text: str, loose: bool) -> None:
        self.text, self.loose, self.at = text, loose, 0
        found = list(_TOKEN.finditer(text))
        assert "".join(m.group() for m in found) == text, f"unknown LaTeX in {text!r}"
        self.tokens = [m.group() for m in found if m.group().strip() and m.group() != r"\,"]
        self.tokens = [t for t in self.tokens if t not in (r"\left", r"\right")]

    def rest(self) -> str:
        return " ".join(self.tokens[self.at :])

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        piece = self.peek()
        if wanted and piece not in wanted:
            raise _Misread(f"found {piece!r}, not {wanted} in {self.text!r}")
        self.at += 1
        return piece

    def group(self) -> Meaning:
        self.take("{")
        inside = self.sum()
        self.take("}")
        return inside

    def sum(self) -> Meaning:
        sign = -1 if self.peek() == "-" else 1
        if sign == -1:
            self.take()
        terms = [(sign, self.term())]
        while self.peek() in ("+", "-"):
            sign = 1 if self.take() == "+" else -1
            terms.append((sign, self.term()))
        return lambda at: sum((s * t(at) for s, t in terms), Fraction(0))

    def term(self) -> Meaning:
        """Products and inline divisions; a run of juxtaposed factors is one, unless `loose`."""
        runs: list[tuple[str, list[Meaning]]] = [("*", [self.factor(None)])]
        while piece := self.peek():
            if piece in (r"\cdot", r"\times"):
                self.take()
                previous = None
            elif piece == "/":
                self.take()
                runs.append(("/", [self.factor(None)]))
                continue
            elif piece in ("+", "-", ")", "}", ",", "=", r"\rceil", r"\rfloor", "^", "_"):
                break
            else:
                previous = self.tokens[self.at - 1]
            factor = self.factor(previous)
            if self.loose:
                runs.append(("*", [factor]))
            else:
                runs[-1][1].append(factor)

        def meaning(at: dict[str, Fraction]) -> Fraction:
            result = Fraction(1)
            for operation, factors in runs:
                part = math.prod((f(at) for f in factors), start=Fraction(1))
                result = result * part if operation == "*" else result / part
            return result

        return meaning

    def factor(self, beside: str | None) -> Meaning:
        """One factor; `beside`: the piece it directly follows, without a sign between."""
        piece = self.peek()
        if beside is not None and piece[:1].isdigit():
            raise _Misread(f"{beside} {piece} run together in {self.text!r}")
        following = self.tokens[self.at : self.at + 3]
        mixed = following[:2] == [r"\frac", "{"] and following[2][:1].isdigit()
        if mixed and beside is not None and beside[-1:].isdigit():
            raise _Misread(f"a mixed number in {self.text!r}")
        base = self.base()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.group()
        return lambda at: _power(base(at), exponent(at))

    def base(self) -> Meaning:
        piece = self.take()
        if piece[0].isdigit():
            number = Fraction(piece.replace("{,}", ""))
            return lambda _: number
        if piece == "(":
            inside = self.sum()
            self.take(")")
            return inside
        if piece == "{":
            self.at -= 1
            return self.group()
        if piece == r"\frac":
            above, below = self.group(), self.group()
            return lambda at: above(at) / below(at)
        if piece == r"\lceil":
            inside = self.sum()
            self.take(r"\rceil")
            return lambda at: Fraction(math.ceil(inside(at)))
        if piece == r"\lfloor":
            inside = self.sum()
            self.take(r"\rfloor")
            return lambda at: Fraction(math.floor(inside(at)))
        if piece in (r"\max", r"\min"):
            self.take("(")
            args = [self.sum()]
            while self.peek() == ",":
                self.take()
                args.append(self.sum())
            self.take(")")
            best = max if piece == r"\max" else min
            return lambda at: best(arg(at) for arg in args)
        if piece == r"\sum":
            return self.series()
        name = self.name(piece)
        return lambda at: at[name]

    def series(self) -> Meaning:
        self.take("_")
        self.take("{")
        index = self.name(self.take())
        self.take("=")
        low = self.sum()
        self.take("}")
        self.take("^")
        high = self.group()
        body = self.term()

        def meaning(at: dict[str, Fraction]) -> Fraction:
            ends = range(int(low(at)), int(high(at)) + 1)
            return sum((body({**at, index: Fraction(i)}) for i in ends), Fraction(0))

        return meaning

    def name(self, piece: str) -> str:
        if piece.startswith(r"\text{"):
            base = piece[6:-1]
        elif piece[1:] in _GREEK:
            base = piece[1:]
        elif len(piece) == 1 and piece.isalpha():
            base = piece
        else:
            raise _Misread(f"found {piece!r} in {self.text!r}")
        if self.peek() != "_":
            return base
        self.take("_")
        self.take("{")
        index = self.take()
        self.take("}")
        return f"{base}_{index.removeprefix(chr(92) + 'text{').removesuffix('}')}"


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    assert exponent.denominator == 1
    return Fraction(base ** int(exponent))
