"""A cursor over a page's tokens, with the limits of what is read as one formula."""

from __future__ import annotations

from collections.abc import Sequence

from workings.formula.grammar import MAX_NESTING
from workings.formula.page.lexer import PageKind, PageToken, Symbols
from workings.formula.tree import FormulaError, Span


class TooLargeError(FormulaError):
    """A formula beyond the limits, and how many tokens of it were read."""

    def __init__(self, message: str, text: str, position: int, tokens: int) -> None:
        super().__init__(message, text, position)
        self.tokens = tokens


class TooDeepError(Exception):
    """Nested too deep; no reading of the parts may go on from there."""


class Cursor:
    """The token that is read next, and how far reading may go."""

    def __init__(self, text: str, tokens: Sequence[PageToken], symbols: Symbols) -> None:
        self.text, self.tokens, self.symbols = text, tokens, symbols
        self.at, self.nesting = 0, 0
        self.limit = len(tokens)

    @property
    def now(self) -> PageToken:
        """The token under the cursor, or the end where reading must stop."""
        return self.tokens[self.at] if self.at < self.limit else self.tokens[-1]

    def is_kind(self, *kinds: PageKind) -> bool:
        """Whether the token under the cursor is of one of these kinds."""
        return self.now.kind in kinds

    def fail(self, expected: str) -> FormulaError:
        """The error at the cursor."""
        return FormulaError(
            f"found {self.now.text[:40]!r}, expected {expected}", self.text, self.now.start
        )

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

    def _deeper(self) -> None:
        self.nesting += 1
        if self.nesting > MAX_NESTING:
            raise TooDeepError
