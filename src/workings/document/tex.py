"""LaTeX between dollars as a formula: its tokens are those of the one grammar of formulas.

It reads what people write in exercises: fractions, roots, powers, indices, products without a sign,
brackets, whole parts, relations, and units behind a number in `\\text{…}`. Anything else is refused at
its place, so that no formula is printed that was not understood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from workings.formula import Formula, FormulaError
from workings.formula.grammar import Grammar
from workings.formula.lexer import MAX_CHARACTERS, MAX_TOKENS, Kind, Token
from workings.formula.readings.typeset import GREEK
from workings.formula.tree import FUNCTIONS
from workings.units import NUMBER, UnitError, parse_unit

_DEEPEST = 30
_GAPS = re.compile(
    r"(?:\s|~|\\[,;:! ]|\\(?:left|right|quad|qquad|displaystyle|[bB]igg?[lr]?)(?![A-Za-z]))+"
)
_COMMAND = re.compile(r"\\([A-Za-z]+|[{}|\\])")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\{,\}[0-9]{3})+(?:\.[0-9]+)?")
_WORD = re.compile(r"\\(?:text|mathrm|mathit|operatorname)\s*\{([^{}]{1,40})\}")
_INDEX = re.compile(r"[A-Za-z0-9]{1,20}(?:_[A-Za-z0-9]{1,20})*")
_SIGNS: Mapping[str, tuple[str, str]] = {
    "+": ("operator", "+"), "-": ("operator", "-"), "−": ("operator", "-"), "*": ("operator", "*"),
    "×": ("operator", "*"), "·": ("operator", "*"), "/": ("operator", "/"), "^": ("operator", "^"),
    "(": ("open", "("), ")": ("close", ")"), "[": ("open", "("), "]": ("close", ")"),
    "{": ("open", "("), "}": ("close", ")"), ",": ("comma", ","), "=": ("relation", "="),
    "<": ("relation", "<"), ">": ("relation", ">"), "≤": ("relation", "<="), "≥": ("relation", ">="),
    "≈": ("relation", "≈"),
}  # fmt: skip
_COMMANDS: Mapping[str, tuple[str, str]] = {
    "cdot": ("operator", "*"), "times": ("operator", "*"), "div": ("operator", "/"),
    "le": ("relation", "<="), "leq": ("relation", "<="), "leqslant": ("relation", "<="),
    "ge": ("relation", ">="), "geq": ("relation", ">="), "geqslant": ("relation", ">="),
    "lt": ("relation", "<"), "gt": ("relation", ">"), "approx": ("relation", "≈"),
    "iff": ("relation", "<=>"), "Leftrightarrow": ("relation", "<=>"),
    "rceil": ("close", ")"), "rfloor": ("close", ")"), "{": ("open", "("), "}": ("close", ")"),
}  # fmt: skip
_OPENING = {"lceil": "ceil", "lfloor": "floor"}
_ENDS, _BEGINS = ("number", "name", "unit", "close"), ("number", "name", "open")


def tex_formula(text: str) -> Formula:
    """Read LaTeX of a formula. Raises FormulaError with its place."""
    return Grammar(text, _Lexer(text).tokens()).formula()


class _Lexer:
    """The tokens of a text so far."""

    def __init__(self, text: str) -> None:
        self.text, self.out, self.at, self.deep = text, list[Token](), 0, 0
        self.divided = [False]  # in every bracket, whether the last factor is divided by

    def tokens(self) -> list[Token]:
        """All tokens, and the end."""
        if len(self.text) > MAX_CHARACTERS:
            raise FormulaError("formula too long", self.text, MAX_CHARACTERS)
        while self.skip() < len(self.text):
            self.next()
        return [*self.out, Token("end", "end of formula", len(self.text), len(self.text))]

    def skip(self) -> int:
        """Move past gaps."""
        gap = _GAPS.match(self.text, self.at)
        self.at = gap.end() if gap else self.at
        return self.at

    def put(self, kind: str, text: str, start: int) -> None:
        """Add a token; between two factors without a sign stands a product."""
        last = self.out[-1] if self.out else None
        called = last is not None and last.kind == "name" and last.text in FUNCTIONS and kind == "open"
        if last is not None and last.kind in _ENDS and kind in _BEGINS and not called:
            if self.divided[-1]:
                problem = "found a product without a sign behind a /, expected brackets or \\frac"
                raise FormulaError(problem, self.text, start)
            self.out.append(Token("operator", "*", start, start))
        if kind == "open":
            self.divided.append(False)
        elif kind == "close" and len(self.divided) > 1:
            self.divided.pop()
        elif kind in ("operator", "relation", "comma") and text != "^":
            self.divided[-1] = text == "/"
        self.out.append(Token(cast(Kind, kind), text, start, max(self.at, start)))
        if len(self.out) > MAX_TOKENS:
            raise FormulaError("formula too long", self.text, start)

    def next(self) -> None:
        """Take what begins here."""
        start, text = self.at, self.text
        if found := _THOUSANDS.match(text, start) or NUMBER.match(text, start):
            self.at = found.end()
            self.put("number", found[0].replace("{,}", ","), start)
        elif found := _WORD.match(text, start):
            self.at = found.end()
            self.word(found[1].strip(), start)
        elif found := _COMMAND.match(text, start):
            self.at = found.end()
            self.command(found[1], start)
        elif text[start].isascii() and text[start].isalpha():
            self.at += 1
            self.name(text[start], start)
        elif text[start] in _SIGNS:
            self.at += 1
            self.put(*_SIGNS[text[start]], start)
        else:
            raise self.unread(text[start], start)

    def word(self, word: str, start: int) -> None:
        """A unit behind a number, else a name or a function."""
        if self.out and self.out[-1].kind == "number":
            try:
                parse_unit(word)
            except UnitError:
                raise self.unread(word, start) from None
            self.put("unit", word, start)
        elif re.fullmatch("[A-Za-z][A-Za-z0-9]*", word):
            self.name(word, start)
        else:
            raise self.unread(word, start)

    def command(self, name: str, start: int) -> None:
        """A command: a Greek letter, a sign, or one with arguments."""
        if name in GREEK:
            self.name(name, start)
        elif name in _COMMANDS:
            self.put(*_COMMANDS[name], start)
        elif name in FUNCTIONS and name != "sqrt":
            self.put("name", name, start)
        elif name in _OPENING:
            self.put("name", _OPENING[name], start)
            self.put("open", "(", start)
        elif name in ("frac", "dfrac", "tfrac"):
            self.put("open", "(", start)
            self.argument(name)
            self.put("operator", "/", self.at)
            self.argument(name)
            self.put("close", ")", self.at)
        elif name == "sqrt":
            self.put("name", "sqrt", start)
            self.argument(name)
        else:
            raise self.unread(f"\\{name}", start)

    def argument(self, command: str) -> None:
        """What a command is applied to: a group, or one letter or digit."""
        self.deep += 1
        if self.skip() >= len(self.text) or self.deep > _DEEPEST:
            raise FormulaError(f"found no argument of \\{command}, expected {{…}}", self.text, self.at)
        start = self.at
        self.put("open", "(", start)
        if self.text[start] != "{":
            self.next() if not self.text[start].isdigit() else self.digit()
        else:
            self.at += 1
            while self.skip() < len(self.text) and self.text[self.at] != "}":
                if self.text[self.at] == "{":
                    self.argument(command)
                else:
                    self.next()
            if self.at >= len(self.text):
                raise FormulaError("found no end to this {", self.text, start)
            self.at += 1
        self.put("close", ")", self.at)
        self.deep -= 1

    def digit(self) -> None:
        """One digit alone, as LaTeX takes it."""
        self.at += 1
        self.put("number", self.text[self.at - 1], self.at - 1)

    def name(self, base: str, start: int) -> None:
        """A letter with its index: `N_{\\text{max}}` is N_max."""
        if self.text[self.at : self.at + 1] == "_":
            self.at += 1
            base = f"{base}_{self.index()}"
        self.put("name", base, start)

    def index(self) -> str:
        """What stands below a letter: letters and digits."""
        start = self.at
        if self.text[start : start + 1] != "{":
            word = _WORD.match(self.text, start)
            self.at = word.end() if word else start + 1
            inside = word[1] if word else self.text[start : start + 1]
        else:
            word = _WORD.match(self.text, start + 1)
            end = word.end() if word else self.text.find("}", start)
            inside = word[1] if word else self.text[start + 1 : end]
            if self.text[end : end + 1] != "}":
                raise FormulaError("found no end to this {", self.text, start)
            self.at = end + 1
        inside = inside.strip().replace(" ", "").replace(",", "_")
        if not _INDEX.fullmatch(inside):
            raise FormulaError(
                f"found the index {inside[:40]!r}, expected letters and digits", self.text, start
            )
        return inside

    def unread(self, what: str, start: int) -> FormulaError:
        """The error for what is not read."""
        return FormulaError(
            f"found {what[:40]!r}, which no formula here may hold, expected letters, numbers, \\frac and "
            "the like", self.text, start,
        )  # fmt: skip
