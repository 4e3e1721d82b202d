"""What is counted: `64 attention heads`, `80 GB / GPU`, `2 (for K and V)` change nothing of a number."""

from __future__ import annotations

from workings.formula.page.cursor import Cursor
from workings.formula.page.lexer import PageToken
from workings.formula.page.words import NOUNS, STOP_WORDS

MOST_WORDS = 4  # of what is counted


class NounReader(Cursor):
    """Goes past nouns and remarks, and tells a noun from a name that a number is divided by."""

    def skip_nouns(self) -> None:
        """Leave out what is counted: `64 attention heads ×` is 64 ×."""
        at = self.at
        while at < self.limit and at - self.at < MOST_WORDS:
            token = self.tokens[at]
            if token.kind == "words" and not self._is_factor(token):
                at += 1
                continue
            if self.is_each(at):
                at += 2
                continue
            if not self._counted(at) and (token.kind != "word" or token.text in STOP_WORDS):
                break
            at += 1
        after = self.tokens[at] if at < self.limit else self.tokens[-1]
        known = after.kind in ("operator", "relation", "close") or self._only_nouns(at)
        if at > self.at and (known or self._words_before_relation(at)):
            self.at = at
            return
        while self.now.kind in ("word", "words") and self.now.text in NOUNS and self.at < self.limit:
            self.take()

    def is_each(self, at: int, *, unit: bool = False) -> bool:
        """Whether a slash and the noun below it say of what each: `80 GB / GPU`, not `208 / gpus * 2`.

        A name that the document defines is what it divides by, and so is an operand between signs:
        people say GB per GPU, never 208 per GPUs.
        """
        slash = self.tokens[at]
        if slash.kind != "operator" or slash.text != "/" or at + 1 >= self.limit:
            return False
        noun = self.tokens[at + 1]
        if noun.text not in NOUNS and noun.text.rstrip("s") not in NOUNS:
            return False
        several = noun.text.endswith("s")
        if noun.kind == "name" or (noun.kind == "words" and self._is_factor(noun)):
            return unit and noun.glued and not several  # GB/GPU says so, whatever GPU is elsewhere
        bare = not unit and self.tokens[at - 1].kind == "number"
        after = self.tokens[at + 2] if at + 2 < self.limit else self.tokens[-1]
        goes_on = after.kind == "operator" and after.dialect == noun.dialect
        ends = after.kind in ("relation", "close")
        return not (several and (goes_on or ends)) and not (bare and goes_on)

    def _counted(self, at: int) -> bool:
        """Whether a noun behind a figure of prose only looks like a name, as in `13B params`."""
        token = self.tokens[at]
        name = token.kind == "name" and token.dialect == "text" and not token.glued
        return name and _is_noun(token.text)

    def _words_before_relation(self, at: int) -> bool:
        """`312 TFLOPS × 0.4 util = …`, `13B model parameters = …`: unknown words behind a first side."""
        if at != self.limit or self.tokens[at].kind != "relation":
            return False
        factor = self.at >= 2 and self.tokens[self.at - 2].kind == "operator"
        return (factor and at == self.at + 1) or _is_noun(self.tokens[at - 1].text)

    def _only_nouns(self, end: int) -> bool:
        passed = self.tokens[self.at : end]
        return all(_is_noun(t.text) or t.kind in ("words", "operator") for t in passed)

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
        if (
            closed
            and words
            and (words > 1 or at == self.at + 2 or not self._all_symbols(self.at + 1, at))
        ):
            self.at = at + 1

    def _all_symbols(self, start: int, end: int) -> bool:
        return all(t.kind != "word" for t in self.tokens[start:end])


def _is_noun(word: str) -> bool:
    return word in NOUNS or word.lower() in NOUNS
