"""A page's mixture of plain text, code and LaTeX into tokens for the one grammar.

The same letters mean different things in different places: `BFD` is a product in mathematics, a
word in a sentence and a variable in code. So the lexer is told the dialect of each stretch, and
which letters and words the document uses as symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from workings.formula.page.commands import NUMBER, UPRIGHT_E, CommandLexer
from workings.formula.page.markup import MAX_NAME, cleaned, closing, plain_words
from workings.formula.page.signs import (
    FUNCTIONS,
    GREEK_LETTERS,
    OPERATOR,
    OPERATORS,
    RELATION,
    RELATIONS,
    RULE,
    SINGLE_SIGNS,
    SUPERSCRIPT,
    SUPERSCRIPTS,
)
from workings.formula.page.token import Dialect, PageKind, PageToken, Symbols
from workings.formula.page.units import RATES, is_unit
from workings.formula.page.words import CJK, UNIT_WORDS
from workings.formula.tree import FormulaError

__all__ = [
    "MAX_NAME",
    "MAX_TOKENS",
    "NUMBER",
    "Dialect",
    "PageKind",
    "PageToken",
    "Symbols",
    "cleaned",
    "closing",
    "page_tokens",
    "plain_words",
]

MAX_TOKENS = 60_000  # a paragraph is much longer than a formula; formulas are limited where they are read
_SEPARATOR = re.compile(r"\{,\}|\\,|[\u2009\u202f]")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")
_HYPHENATED = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-'’][A-Za-z0-9]+)+")
_SPACE = re.compile(r"[ \t\u00a0\u2009\u200b\u202f\u3000]+")
_SIZE = re.compile(r"\|\s*([A-Za-z](?:_[A-Za-z0-9]+)?)\s*\|")
_TIMES_X = re.compile(r"[xX](?=\s*[0-9(])")

# Behind a figure: LLaMA 3-70B and 10-15GB are no differences.
_RANGE = re.compile(
    r"[-–][0-9]+(?:\.[0-9]+)?\s?(?:[BMKTbmk]\b|[KMGT]i?B\b|%|倍|[x×]|tokens?\b|days?\b|hours?\b|ms\b|bit\b)"
)


class PageLexer(CommandLexer):
    """A cursor over one block of a page."""

    def all(self) -> list[PageToken]:
        """Every token of the block, ending with `end`."""
        while self.at < len(self.text) and len(self.tokens) < MAX_TOKENS:
            before = self.at
            self.step()
            if self.at <= before:  # whatever it was, go on behind it
                self.at = before + 1
        self.tokens.append(PageToken("end", "end", len(self.text), len(self.text), "text"))
        return self.tokens

    def step(self) -> None:
        """Read one token at the cursor."""
        text, at = self.text, self.at
        here = text[at]
        if match := _SPACE.match(text, at):
            return self.skip(match.end())
        if here == "\n":
            return self.put("break", "\n", at + 1) if self.dialect(at) != "math" else self.skip(at + 1)
        if here == "\\":
            return self.command()
        if match := NUMBER.match(text, at):
            return self.number(match)
        if match := SUPERSCRIPTS.match(text, at):
            return self.superscript(match)
        if here == "|" and (match := _SIZE.match(text, at)):
            return self.put("name", match[1], match.end())
        if here.isalpha() or unicodedata.category(here) == "Lm":
            return self.letters()
        return self.sign()

    def number(self, match: re.Match[str]) -> None:
        r"""A number: `57{,}344` and `57_344` keep no separator but the comma; `13\text{e}9` is one."""
        digits, end = _SEPARATOR.sub(",", match.group()).replace("_", ""), match.end()
        if power := UPRIGHT_E.match(self.text, end):
            digits, end = f"{digits}e{power[1]}{power[2] or power[3]}", power.end()
        self.put("number", digits, end)

    def superscript(self, match: re.Match[str]) -> None:
        digits = match.group().translate(SUPERSCRIPT)
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", digits):
            return self.put("odd", digits, match.end())
        self.put("operator", "^", match.end())
        self.tokens.append(
            PageToken(
                "number",
                digits,
                match.start(),
                match.end(),
                "math",
                True,
                region=self.region(match.start()),
            )
        )
        return None

    def sign(self) -> None:
        """Everything that is neither number, letter nor command."""
        text, at = self.text, self.at
        here = text[at]
        if match := RULE.match(text, at):
            return self.put("break", match.group(), match.end())
        if match := RELATION.match(text, at):
            return self.put("relation", RELATIONS[match.group()], match.end())
        if (
            here in "-–"
            and self.dialect(at) == "text"
            and _RANGE.match(text, at)
            and text[at - 1 : at].isdigit()
        ):
            return self.put("odd", "–", at + 1)
        if match := OPERATOR.match(text, at):
            found = OPERATORS[match.group()]
            return self.put("percent" if found == "%" else "operator", found, match.end())
        if here in "~∼～":
            return self.tilde()
        if here == "&":  # one aligns; two, or one in the middle of a row, begin a column of remarks
            return self.put("stop", "&", at + 2) if text.startswith("&&", at) else self.skip(at + 1)
        return self.put(*SINGLE_SIGNS.get(here, ("odd", here)), at + 1)

    def tilde(self) -> None:
        """A range between figures, a space in LaTeX, elsewhere `about`."""
        if self.between_figures(self.at):
            return self.put("relation", "~", self.at + 1)
        if self.text[self.at] == "~" and self.dialect(self.at) == "math":
            return self.skip(self.at + 1)  # a space that does not break
        return self.put("odd", "~", self.at + 1)

    def between_figures(self, at: int) -> bool:
        """Whether a tilde joins two figures, as in a range."""
        before = self.tokens[-1].kind if self.tokens else "break"
        return (
            before in ("number", "close", "word", "percent")
            and self.glued
            and self.text[at + 1 : at + 2].isdigit()
        )

    def letters(self) -> None:
        """A run of letters: one name, several letters side by side, or a word."""
        text, at = self.text, self.at
        if not text[at].isascii():
            return self.foreign_letters()
        dialect = self.dialect(at)
        if dialect == "math":
            return self.run_of_letters()
        if (
            self.tokens
            and self.tokens[-1].kind in ("number", "close", "name")
            and (x := _TIMES_X.match(text, at))
        ):
            return self.put("operator", "*", x.end())
        if (
            dialect == "text"
            and (match := _HYPHENATED.match(text, at))
            and not self.is_difference(match.group())
        ):
            return self.put("word", match.group(), match.end())
        match = _WORD.match(text, at)
        assert match is not None  # noqa: S101 - a letter stands here
        return self.word(match.group(), match.end(), dialect)

    def foreign_letters(self) -> None:
        """Chinese words, letters of mathematics (𝐵 is B), Greek, and words of other scripts."""
        text, at = self.text, self.at
        here = text[at]
        if match := CJK.match(text, at):
            return self.put("word", match.group(), match.end())
        plain = unicodedata.normalize("NFKC", here)
        if here not in "µ" and len(plain) == 1 and plain.isascii():
            return self.name(plain, at + 1)
        if here in GREEK_LETTERS:
            return self.name(GREEK_LETTERS[here], at + 1)
        end = at + 1
        while end < len(text) and text[end].isalpha() and not CJK.match(text[end]):
            end += 1
        return self.put("word", text[at:end], end)

    def is_difference(self, hyphenated: str) -> bool:
        """Whether `D-1` is a difference: single letters or known names on both sides of one hyphen."""
        parts = re.split("[-'’]", hyphenated)
        if len(parts) != 2 or "-" not in hyphenated:
            return False
        if len(parts[0]) == 1 and parts[1] in ("1", "2"):
            return True
        return all(part.isdigit() or self.is_symbol(part) for part in parts)

    def is_symbol(self, word: str) -> bool:
        """Whether the document uses this word as a letter or name of its formulas."""
        return word in self.symbols.letters or word in self.symbols.names

    def word(self, word: str, end: int, dialect: Dialect) -> None:
        """A word of prose or code."""
        if word in FUNCTIONS and self.text[end : end + 1] == "(":
            return self.put("function", word, end)
        after_number = (
            bool(self.tokens) and self.tokens[-1].kind == "number" and self.tokens[-1].end == self.at
        )
        if "_" in word or self.is_symbol(word):
            return self.name(word.rstrip("_"), end)
        if dialect == "code" and len(word) <= 2 and not after_number:
            return self.name(word, end)
        known = self.symbols.letters
        if (
            word.isalpha()
            and 1 < len(word) <= 6
            and all(c in known for c in word)
            and word not in UNIT_WORDS
        ):
            return self.side_by_side(word)
        return self.put("word", word, end)

    def side_by_side(self, word: str) -> None:
        for _ in word:
            self.put("name", self.text[self.at], self.at + 1)

    def run_of_letters(self) -> None:
        """In mathematics letters stand side by side, unless the document knows the run as one name."""
        text, at = self.text, self.at
        end, most = at + 1, min(len(text), at + MAX_NAME)
        while end < most and text[end].isascii() and text[end].isalpha():
            end += 1
        run = text[at:end]
        if run in FUNCTIONS and text[end : end + 1] in "({ ":
            return self.put("function", run, end)
        before = self.tokens[-1] if self.tokens else None
        number = before is not None and before.kind == "number"
        if (number and is_unit(run, self.symbols.letters, glued=self.glued)) or (
            run in RATES and self.behind_power_of_ten()
        ):
            return self.put("words", run, end)
        if len(run) > 1 and (run in self.symbols.names or self.is_one_name(run)):
            return self.name(run, end)
        return self.name(run[0], at + 1)

    def is_one_name(self, run: str) -> bool:
        """`batch` is a name even where nobody declared it; `bsh` is three letters."""
        if all(letter in self.symbols.letters for letter in run):
            return False
        return len(run) >= 4 and run.lower() == run


def page_tokens(
    text: str,
    dialect: Callable[[int], Dialect],
    symbols: Symbols,
    region: Callable[[int], int] = lambda _: -1,
) -> list[PageToken]:
    """The tokens of one block. Never raises: what is not understood becomes an `odd` token."""
    try:
        return PageLexer(text, dialect, symbols, region).all()
    except FormulaError:  # pragma: no cover - the lexer makes odd tokens instead
        return [PageToken("end", "end", len(text), len(text), "text")]
