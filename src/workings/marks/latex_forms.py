"""The tokens of a block so far, and the forms of LaTeX that brackets make: fractions, roots, powers."""

from __future__ import annotations

import re

from workings.marks.quantity import Printed
from workings.marks.style import Style, plain
from workings.marks.token import Kind, Token
from workings.reading.blocks import Block, Dialect

MOST = 20_000  # tokens of a block
DEEPEST = 30  # groups within each other
_STARRED = re.compile(r"\^\s*(?:\*|\{\s*\*\s*\}|\{?\\(?:star|ast)\b\s*\}?)")
_INDEX = re.compile(r"\[([^\[\]]{1,20})\]")


class Forms:
    """The tokens of a block so far, and how brackets add to them."""

    def __init__(self, block: Block, style: Style) -> None:
        self.block, self.style, self.source = block, style, plain(block.text)
        self.out: list[Token] = []
        self.spaced, self.deep = False, 0
        self.same: Dialect | None = None if block.marks else block.dialect_at(0)
        self.closing = _closing_braces(block.text) if "{" in block.text else {}

    def dialect(self, at: int) -> Dialect:
        """How the character at a place is to be read."""
        return self.same or self.block.dialect_at(at)

    def put(self, kind: Kind, text: str, start: int, end: int, numbers: tuple[Printed, ...] = ()) -> None:
        """Add a token."""
        dialect = self.dialect(start)
        if kind == "number" and not numbers:  # longer than anybody writes
            kind = "other"
        if text == "s" and self.out and self.out[-1].text in ("μ", "micro"):  # 5\\,\\mu s
            last = self.out.pop()
            kind, text, start, self.spaced = "word", "µs", last.start, last.spaced
        self.out.append(
            Token(kind, text, start, end, dialect != "text", self.spaced, numbers, dialect == "code")
        )
        self.spaced = False

    def text(self, at: int, end: int) -> None:
        """Every token from a place to before another; what is nested too deep is no formula."""
        self.deep += 1
        if self.deep > DEEPEST:
            self.put("other", "…", at, at)
            at = end
        while at < end and len(self.out) <= MOST:
            at = self.next(at, end)
        self.deep -= 1

    def next(self, at: int, end: int) -> int:
        """Take one token; where the next begins."""
        raise NotImplementedError

    def argument(self, at: int, end: int) -> tuple[int, int] | None:
        """Start and end of what stands in the braces that open at a place."""
        while at < end and self.source[at].isspace():
            at += 1
        if at >= end or self.source[at] != "{":
            return None
        close = self.closing.get(at, end)
        return (at + 1, close) if close < end else None

    def fraction(self, at: int, after: int, end: int) -> int:
        """`\\frac{a}{b}` as `((a)/(b))`."""
        above = self.argument(after, end)
        if above is None:  # \frac12
            found = re.compile(r"\s*([A-Za-z0-9])\s*([A-Za-z0-9])").match(self.source, after, end)
            if found is None:
                self.put("other", "\\", at, after)
                return after
            above, below = found.span(1), found.span(2)
            stop = found.end()
        else:
            low = self.argument(above[1] + 1, end)
            if low is None:
                self.put("other", "\\", at, after)
                return after
            below, stop = low, low[1] + 1
        self.put("open", "(", at, after)
        self._bracketed(*above)
        self.put("operator", "/", at, after)
        self._bracketed(*below)
        self.put("close", ")", stop, stop)
        return stop

    def choice(self, at: int, after: int, end: int) -> int:
        """`\\binom{n}{k}` as `binom(n, k)`."""
        above = self.argument(after, end)
        low = self.argument(above[1] + 1, end) if above is not None else None
        if above is None or low is None:
            self.put("other", "\\", at, after)
            return after
        self.put("name", "binom", at, after)
        self.put("open", "(", after, after)
        self.text(*above)
        self.put("stop", ",", above[1], above[1])
        self.text(*low)
        self.put("close", ")", low[1] + 1, low[1] + 1)
        return low[1] + 1

    def root(self, after: int, end: int) -> int | None:
        """`\\sqrt[3]{a}` as `(a)^(1/3)`."""
        found = _INDEX.match(self.source, after, end)
        inside = self.argument(found.end(), end) if found is not None else None
        one = self.style.number("1", 0)
        if found is None or inside is None or one is None:
            return None
        self._bracketed(*inside)
        self.put("operator", "^", after, after)
        self.put("open", "(", after, after)
        self.put("number", "1", after, after, one[1])
        self.put("operator", "/", after, after)
        self.text(*found.span(1))
        self.put("close", ")", inside[1] + 1, inside[1] + 1)
        return inside[1] + 1

    def _bracketed(self, start: int, end: int) -> None:
        self.put("open", "(", start, start)
        self.text(start, end)
        self.put("close", ")", end, end)

    def group(self, at: int, end: int) -> int:
        """Braces that group: those of a comma in a number are read with it, others count for nothing."""
        inside = self.argument(at, end)
        if inside is None:
            return at + 1
        self.text(*inside)
        return inside[1] + 1

    def power(self, at: int, end: int) -> int:
        """`^{…}` as `^(…)`; what `^*` marks is no power."""
        if mark := _STARRED.match(self.source, at, end):
            return mark.end()
        self.put("operator", "^", at, at + 1)
        inside = self.argument(at + 1, end)
        if inside is None:
            if self.source[at + 1 : at + 2].isdigit():  # ^23 raises the 2 only
                found = self.style.number(self.source[at + 1], 0) or ("", ())
                self.put("number", self.source[at + 1], at + 1, at + 2, found[1])
                return at + 2
            return at + 1
        self._bracketed(*inside)
        return inside[1] + 1


def _closing_braces(text: str) -> dict[int, int]:
    """Where each brace closes that does."""
    found: dict[int, int] = {}
    still_open: list[int] = []
    for place, sign in enumerate(text):
        if sign == "{":
            still_open.append(place)
        elif sign == "}" and still_open:
            found[still_open.pop()] = place
    return found
