"""Names of several words: `Model Parameters`, `\\text{Total KV Memory}`."""

from __future__ import annotations

import re
from fractions import Fraction

from workings.formula.page.lexer import PageToken
from workings.formula.page.numbers import NumberReader
from workings.formula.page.words import STOP_WORDS, TYPE_BYTES
from workings.formula.tree import Expr, Name, Num, Span

MAX_PHRASE = 6
_SIZE_OF = re.compile(rf"sizeof\s*\(?\s*({'|'.join(TYPE_BYTES)})\b\)?", re.IGNORECASE)


class NameReader(NumberReader):
    """Reads what is written out in words where a factor stands."""

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
        bounded = at >= self.limit or after.kind in (
            "operator",
            "relation",
            "close",
            "end",
            "stop",
            "break",
            "comma",
        )
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
        return (
            token.kind in ("word", "name") and token.region == start.region and at - self.at < MAX_PHRASE
        )

    def size_of_type(self) -> Num | None:
        """`sizeof bfloat16` and `sizeof(float32)`: so many bytes."""
        match = _SIZE_OF.match(self.text, self.now.start)
        if match is None or self.at >= self.limit:
            return None
        start = self.now.start
        while self.at < self.limit and self.now.start < match.end():
            self.take()
        return Num(
            Fraction(TYPE_BYTES[match[1].lower()]),
            "B",
            str(TYPE_BYTES[match[1].lower()]),
            self.span(start),
        )


def _spelled(name: str) -> str:
    return " ".join(name.split())[:80]
