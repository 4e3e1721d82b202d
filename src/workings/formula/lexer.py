"""Plain text into tokens. Another notation (LaTeX) needs another lexer, not another grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from workings.formula.tree import FormulaError
from workings.units import NUMBER

MAX_CHARACTERS = 4_000
MAX_TOKENS = 1_500
MAX_NAME = 80

Kind = Literal["number", "name", "unit", "operator", "relation", "open", "close", "comma", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind, its canonical text and where it stands."""

    kind: Kind
    text: str
    start: int
    end: int


# What people type, and the one way the grammar knows it.
_SYMBOLS: dict[str, tuple[Kind, str]] = {
    "<=>": ("relation", "<=>"),
    "⟺": ("relation", "<=>"),
    "⇔": ("relation", "<=>"),
    "<=": ("relation", "<="),
    "≤": ("relation", "<="),
    ">=": ("relation", ">="),
    "≥": ("relation", ">="),
    "<": ("relation", "<"),
    ">": ("relation", ">"),
    "=": ("relation", "="),
    "≈": ("relation", "≈"),
    "+": ("operator", "+"),
    "-": ("operator", "-"),
    "−": ("operator", "-"),
    "*": ("operator", "*"),
    "×": ("operator", "*"),
    "·": ("operator", "*"),
    "⋅": ("operator", "*"),
    "/": ("operator", "/"),
    "^": ("operator", "^"),
    "(": ("open", "("),
    ")": ("close", ")"),
    ",": ("comma", ","),
}
_SYMBOL = re.compile("|".join(re.escape(s) for s in sorted(_SYMBOLS, key=len, reverse=True)))
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_UNIT = re.compile(r"\[((?:1/)?[A-Za-zµ/]{1,20})\]")
_SPACE = re.compile(r"[ \t\n]+")


def tokens_of(text: str) -> list[Token]:
    """Split plain text into tokens, ending with an `end` token. Raises FormulaError."""
    if len(text) > MAX_CHARACTERS:
        raise FormulaError(f"formula longer than {MAX_CHARACTERS} characters", text, MAX_CHARACTERS)
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        if space := _SPACE.match(text, position):
            position = space.end()
            continue
        token = _token_at(text, position)
        tokens.append(token)
        position = token.end
        if len(tokens) > MAX_TOKENS:
            raise FormulaError(f"formula longer than {MAX_TOKENS} tokens", text, position)
    return [*tokens, Token("end", "end of formula", len(text), len(text))]


def _token_at(text: str, start: int) -> Token:
    if match := NUMBER.match(text, start):
        return Token("number", match.group(), start, match.end())
    if match := _NAME.match(text, start):
        if len(match.group()) > MAX_NAME:
            raise FormulaError(f"name longer than {MAX_NAME} characters", text, start)
        return Token("name", match.group(), start, match.end())
    if match := _UNIT.match(text, start):
        return Token("unit", match.group(1), start, match.end())
    if match := _SYMBOL.match(text, start):
        kind, canonical = _SYMBOLS[match.group()]
        return Token(kind, canonical, start, match.end())
    raise FormulaError(f"found {text[start]!r}, expected a number, letter or operator", text, start)
