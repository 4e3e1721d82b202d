"""Texts read by the page's grammar, for tests: what was read, as plain text."""

from workings.formula.page.grammar import PageGrammar
from workings.formula.page.lexer import Dialect, PageToken, Symbols, page_tokens
from workings.formula.plain import plain
from workings.formula.tree import Expr, FormulaError


def tokens(text: str, dialect: Dialect = "math", letters: str = "", *names: str) -> list[PageToken]:
    """The tokens of a text, without its end."""
    return page_tokens(text, lambda _: dialect, Symbols(frozenset(letters), frozenset(names)))[:-1]


def tree(text: str, dialect: Dialect = "math", letters: str = "", *names: str) -> Expr:
    """A text read from end to end."""
    symbols = Symbols(frozenset(letters), frozenset(names))
    found = page_tokens(text, lambda _: dialect, symbols)
    expression, stop = PageGrammar(text, found, symbols).read(0, len(found) - 1)
    if stop != len(found) - 1:
        raise FormulaError(f"stopped before {found[stop].text!r}", text, found[stop].start)
    return expression


def read(text: str, dialect: Dialect = "math", letters: str = "", *names: str) -> str:
    """How a text is read, as plain text; `?` where it is not, or not to its end."""
    try:
        return plain(tree(text, dialect, letters, *names))
    except FormulaError:
        return "?"
