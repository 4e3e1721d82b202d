"""Names with their indices, and LaTeX commands, as tokens."""

from __future__ import annotations

import re
from collections.abc import Callable

from workings.formula.latex import GREEK
from workings.formula.page.markup import MAX_NAME, cleaned, closing, plain_words
from workings.formula.page.signs import (
    COMMAND_SIGNS,
    FUNCTIONS,
    SKIPPED,
    SUBSCRIPTS,
    TEXT_COMMANDS,
    TRANSPARENT,
    WITH_ARGUMENT,
)
from workings.formula.page.token import Dialect, PageKind, PageToken, Symbols

NUMBER = re.compile(
    r"(?:[0-9]{1,3}(?:(?:\{,\}|,|\\,|[\u2009\u202f])[0-9]{3})+(?![0-9])|[0-9]+(?:_[0-9]{3})+|[0-9]+)"
    r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4}(?![0-9]))?|\.[0-9]+"
)
UPRIGHT_E = re.compile(
    r"\\(?:text|textrm|mathrm|texttt|mathtt)\s*\{[eE]([+-]?)\}"
    r"\s*(?:([+-]?[0-9]{1,4})(?![0-9])|\{\s*([+-]?[0-9]{1,4})\s*\})"
)
COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_SECOND = re.compile(r"\s*\\(?:mathrm|text|textrm|mathsf|operatorname)\s*\{\s*s(?:ec)?\s*\}")
_TWO_DIGITS = re.compile(r"\s*([0-9])\s*([0-9])")
# A prime, a star, or an upper index that belongs to the name: x', x^*, x^{(i)}, x^{\text{new}}.
_MARK = re.compile(
    r"\s*(?:'+|\^\s*(?:\{\s*(?:\\prime|\\star|\\top|\*|\([A-Za-z0-9]+\)"
    r"|\\text\{[A-Za-z ]{1,20}\})\s*\}|\\star|\\prime|\*|\\top))"
)
_BASE = re.compile(r"\s*_\s*(?:(2)(?![0-9])|\{\s*(2|10)\s*\})")  # of a logarithm


class CommandLexer:
    """A cursor over one block of a page that reads what LaTeX writes."""

    def __init__(
        self, text: str, dialect: Callable[[int], Dialect], symbols: Symbols, region: Callable[[int], int]
    ) -> None:
        self.text, self.dialect, self.symbols, self.region = text, dialect, symbols, region
        self.tokens: list[PageToken] = []
        self.at = 0
        self.glued = False

    def put(self, kind: PageKind, text: str, end: int, start: int | None = None) -> None:
        """Add a token that ends at `end`, and go there."""
        begin = self.at if start is None else start
        dialect, region = self.dialect(begin), self.region(begin)
        self.tokens.append(PageToken(kind, text, begin, end, dialect, self.glued, region=region))
        self.at, self.glued = end, True

    def skip(self, end: int) -> None:
        """Leave out what stands before `end`."""
        self.at, self.glued = end, False

    def name(self, base: str, end: int) -> None:
        """A letter with its index, prime or star."""
        index, end = self.index_at(end)
        mark = _MARK.match(self.text, end)
        if mark and self.dialect(self.at) == "math":
            index += "".join(c for c in mark.group() if c.isalnum() or c in "*'")
            end = mark.end()
        whole = f"{base}_{index}" if index else base
        self.put("name" if len(whole) <= MAX_NAME else "odd", whole, end)

    def index_at(self, at: int) -> tuple[str, int]:
        """The subscript that follows, cleaned of markup: `_{\\text{step 1}}` is `step1`."""
        text = self.text
        if match := re.compile("[₀-₉]+").match(text, at):
            return match.group().translate(SUBSCRIPTS), match.end()
        match = re.compile(r"\s*_\s*").match(text, at)
        if match is None or (self.dialect(at) != "math" and match.group() != "_"):
            return "", at
        begin = match.end()
        if text.startswith("{", begin):
            end = closing(text, begin)
            return cleaned(text[begin + 1 : end - 1]), end
        if command := COMMAND.match(text, begin):
            if command[1] in TEXT_COMMANDS and text.startswith("{", command.end()):
                end = closing(text, command.end())
                return cleaned(text[command.end() + 1 : end - 1]), end
            return command[1], command.end()
        if begin < len(text) and text[begin].isalnum():
            return text[begin], begin + 1
        return "", at

    def command(self) -> None:
        r"""A LaTeX command: it stands for a sign, is left out, or means something of its own."""
        match = COMMAND.match(self.text, self.at)
        if match is None:
            return self.put("odd", "\\", self.at + 1)
        name, end = match[1], match.end()
        if name in ("min", "max") and (index := self.index_at(end))[0]:
            return self.put("words", f"{name} over {index[0]} of", index[1])  # \min_X T names a minimum
        if name in COMMAND_SIGNS:
            return self.put(*COMMAND_SIGNS[name], end)
        if name in WITH_ARGUMENT:
            return self.skip(closing(self.text, end) if self.text.startswith("{", end) else end)
        if name in SKIPPED or name in TRANSPARENT or name in ("_", "#", "&"):
            return self.skip(end + (self.text.startswith(".", end) and name in ("left", "right")))
        if name in TEXT_COMMANDS:
            return self.text_command(end)
        if name == "mu" and (second := _SECOND.match(self.text, end)) and self.behind_figure():
            return self.put("words", "µs", second.end())
        if name == "ell" or name in GREEK or name in ("varepsilon", "varphi"):
            return self.name(name.removeprefix("var"), end)
        return self.structure(name, end)

    def structure(self, name: str, end: int) -> None:
        r"""A command with parts: `\frac`, `\sum`, `\log_2`, `\num`; any other is not understood."""
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return self.fraction(end)
        if name == "sum":
            return self.sum_sign(end)
        if name == "log" and (base := _BASE.match(self.text, end)):
            return self.put("function", f"log{base[1] or base[2]}", base.end())
        if name in ("num", "qty", "SI"):
            return self.quantity(end, with_unit=name != "num")
        return self.put("odd", f"\\{name}", end)

    def fraction(self, end: int) -> None:
        r"""`\frac`, which takes one digit each where braces are left out: `\frac12`."""
        self.put("frac", "frac", end)
        if match := _TWO_DIGITS.match(self.text, end):
            self.put("number", match[1], match.end(1), match.start(1))
            self.put("number", match[2], match.end(2), match.start(2))

    def quantity(self, after: int, *, with_unit: bool) -> None:
        r"""`\num{3.94e14}` and `\qty{3.35}{TB/s}`."""
        text = self.text
        if not text.startswith("{", after):
            return self.skip(after)
        end = closing(text, after)
        inner = text[after + 1 : end - 1].strip()
        if not NUMBER.fullmatch(inner):
            return self.put("odd", inner[:20], end)
        self.put("number", inner.replace("{,}", ","), end)
        if with_unit and text.startswith("{", end):
            stop = closing(text, end)
            self.put("words", " ".join(plain_words(text[end + 1 : stop - 1]).split()), stop)
        return None

    def behind_power_of_ten(self) -> bool:
        r"""Whether `10^{-3}` stands before, so that `\text{s}` is a unit."""
        texts = [token.text for token in self.tokens[-6:]]
        return texts[-1:] == ["}"] and any(
            texts[at : at + 3] == ["10", "^", "{"] for at in range(len(texts))
        )

    def behind_figure(self) -> bool:
        """Whether a number or a power of ten stands right before."""
        return bool(self.tokens and self.tokens[-1].kind == "number") or self.behind_power_of_ten()

    def sum_sign(self, after: int) -> None:
        r"""`\sum_{i=1}^{n}` with its limits; without them it is not understood."""
        begin, text = self.at, self.text
        if text.startswith("\\limits", after):
            after += len("\\limits")
        match = re.compile(r"\s*_\s*\{\s*([A-Za-z])\s*=").match(text, after)
        if match is None:
            return self.put("odd", "sum", after)
        end = closing(text, text.index("{", after))
        lower = text[match.end() : end - 1]
        up = re.compile(r"\s*\^\s*").match(text, end)
        if up is None or up.end() >= len(text):
            return self.put("odd", "sum", end)
        stop = closing(text, up.end()) if text[up.end()] == "{" else up.end() + 1
        upper = text[up.end() : stop].removeprefix("{").removesuffix("}")
        limits = (match[1], lower, upper)
        self.tokens.append(
            PageToken("sum", "sum", begin, stop, "math", self.glued, limits, self.region(begin))
        )
        self.at, self.glued = stop, True
        return None

    def text_command(self, after: int) -> None:
        r"""`\text{…}`: words, or a formula written upright."""
        text = self.text
        brace = re.compile(r"\s*\{").match(text, after)
        if brace is None:
            return self.skip(after)
        end = closing(text, brace.end() - 1)
        content = text[brace.end() : end - 1]
        if re.search(r"[0-9]", content) and re.search(r"[=×*+<>≈]|\\times|\\cdot", content):
            self.skip(brace.end())  # the closing brace reads as the end of a group
            return None
        words = " ".join(plain_words(content).split())
        number = bool(self.tokens) and self.tokens[-1].kind == "number"
        if len(words) == 1 and words.isalpha() and not number and not self.behind_power_of_ten():
            return self.name(words, end)
        if words in FUNCTIONS:
            return self.put("function", words, end)
        if not words:
            return self.skip(end)
        index, stop = self.index_at(end)
        whole = f"{words}_{index}" if index else words
        return self.put("words" if len(whole) <= MAX_NAME else "odd", whole, stop)
