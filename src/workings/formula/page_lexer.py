"""A page's mixture of plain text, code and LaTeX into tokens for the one grammar.

The same letters mean different things in different places: `BFD` is a product in mathematics, a
word in a sentence and a variable in code. So the lexer is told the dialect of each stretch, and
which letters and words the document uses as symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from workings.formula.latex import GREEK
from workings.formula.tree import FormulaError
from workings.formula.words import CJK

Dialect = Literal["math", "code", "text"]
PageKind = Literal[
    "number", "name", "word", "words", "operator", "relation", "open", "close", "comma", "frac",
    "sqrt", "function", "sum", "break", "stop", "odd", "percent", "money", "end",
]  # fmt: skip

MAX_NAME = 80
MAX_TOKENS = 60_000  # a paragraph is much longer than a formula; formulas are limited where they are read


@dataclass(frozen=True, slots=True)
class PageToken:
    """One token: `glued` if nothing stood before it; `words` is prose inside \\text{…}."""

    kind: PageKind
    text: str
    start: int
    end: int
    dialect: Dialect
    glued: bool = False
    limits: tuple[str, str, str] = ("", "", "")  # of a sum: index, lower, upper
    region: int = -1  # which mark of the block it stands in; formulas do not run on into the next


@dataclass(frozen=True, slots=True)
class Symbols:
    """The letters and the longer names that a document uses in its formulas."""

    letters: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


NUMBER = re.compile(
    r"(?:[0-9]{1,3}(?:(?:\{,\}|,|\\,|[\u2009\u202f])[0-9]{3})+(?![0-9])|[0-9]+(?:_[0-9]{3})+|[0-9]+)"
    r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4}(?![0-9]))?|\.[0-9]+"
)
_SEPARATOR = re.compile(r"\{,\}|\\,|[\u2009\u202f]")
_COMMAND = re.compile(r"\\([A-Za-z]+\*?|.)", re.DOTALL)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*_?")
_HYPHENATED = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-'’][A-Za-z0-9]+)+")
_TWO_DIGITS = re.compile(r"\s*([0-9])\s*([0-9])")
_BRACE = re.compile(r"[{}]")
_SPACE = re.compile(r"[ \t\u00a0\u2009\u200b\u202f\u3000]+")
_SIZE = re.compile(r"\|\s*([A-Za-z](?:_[A-Za-z0-9]+)?)\s*\|")
_TIMES_X = re.compile(r"[xX](?=\s*[0-9(])")

# Behind a figure: LLaMA 3-70B and 10-15GB are no differences.
_RANGE = re.compile(r"[-–][0-9]+(?:\.[0-9]+)?\s?(?:[BMKTbmk]\b|[KMGT]i?B\b|%|倍|[x×]|tokens?\b|days?\b|hours?\b|ms\b|bit\b)")

_RELATIONS = {
    "<=>": "<=>", "==": "=", ":=": "=", "<=": "<=", ">=": ">=", "!=": "!=", "<<": "<<", ">>": ">>",
    "=>": "=>", "->": "->", "~=": "≈", "=~": "≈", "≈": "≈", "≃": "≈", "≅": "≈", "≤": "<=", "≥": ">=", "≦": "<=",
    "≧": ">=", "≪": "<<", "≫": ">>", "⇒": "=>", "⟹": "=>", "→": "->", "⟶": "->", "≡": "=", "≠": "!=",
    "⇔": "<=>", "⟺": "<=>", "＝": "=", "=": "=", "<": "<", ">": ">", "≲": "<=", "≳": ">=", "∝": "∝",
}  # fmt: skip
_RULE = re.compile(r"={3,}|==[ \t]*(?:\n|$)|(?:-{3,})")  # lines drawn under or beside headings
_RELATION = re.compile("|".join(re.escape(r) for r in sorted(_RELATIONS, key=len, reverse=True)))
_OPERATORS = {
    "**": "^", "//": "//", "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*", "⋅": "*",
    "∙": "*", "∗": "*", "•": "*", "✕": "*", "⨯": "*", "＊": "*", "＋": "+", "÷": "/", "/": "/", "∕": "/", "⁄": "/",
    "^": "^", "％": "%",
}  # fmt: skip
_OPERATOR = re.compile("|".join(re.escape(o) for o in sorted(_OPERATORS, key=len, reverse=True)))
_BRACKETS = {"(": "(", ")": ")", "[": "[", "]": "]", "{": "{", "}": "}", "（": "(", "）": ")",
             "⌈": "⌈", "⌉": "⌉", "⌊": "⌊", "⌋": "⌋"}  # fmt: skip
_OPENING = "([{⌈⌊"
_STOPS = ".;:?!。；：？！\"“”"
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPTS = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")

_LATEX_RELATIONS = {
    "approx": "≈", "simeq": "≈", "cong": "≈", "sim": "~", "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=",
    "geq": ">=", "geqslant": ">=", "lt": "<", "gt": ">", "ll": "<<", "gg": ">>", "equiv": "=", "to": "->",
    "rightarrow": "->", "longrightarrow": "->", "Rightarrow": "=>", "Longrightarrow": "=>", "implies": "=>",
    "iff": "<=>", "Leftrightarrow": "<=>", "Longleftrightarrow": "<=>", "ne": "!=", "neq": "!=", "coloneqq": "=",
    "propto": "∝", "lesssim": "<=", "gtrsim": ">=", "therefore": "=>", "triangleq": "=", "doteq": "=",
}  # fmt: skip
_LATEX_OPERATORS = {"cdot": "*", "times": "*", "ast": "*", "div": "/", "bullet": "*", "cdotp": "*", "slash": "/"}
_LATEX_BRACKETS = {
    "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "{": "(", "}": ")", "lbrace": "(",
    "rbrace": ")", "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")",
}  # fmt: skip
_BYTES = frozenset("KB MB GB TB PB KiB MiB GiB TiB".split())
_FUNCTIONS = {"max": "max", "min": "min", "ceil": "ceil", "floor": "floor", "sqrt": "sqrt", "log2": "log2"}
_TEXT_COMMANDS = frozenset(
    "text textrm textbf textit texttt textsf mathrm mathbf mathit mathsf mathtt mathcal mathbb mathscr mbox "
    "operatorname operatorname* bm boldsymbol rm bf it tt textnormal hbox emph texorpdfstring".split()
)
_TRANSPARENT = frozenset("underbrace overbrace boxed underline overline cancel bcancel smash fbox hat bar tilde "
                         "widehat widetilde vec mathop mathbin mathrel mathstrut ensuremath color".split())  # fmt: skip
_SKIPPED = frozenset(
    ", ; : ! > left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle "
    "displaystyle textstyle scriptstyle limits nolimits nonumber notag hline hfill noindent space enspace "
    "thinspace negthinspace medspace thickspace centering scriptscriptstyle protect label".split()
) | {" ", "~"}
_WITH_ARGUMENT = frozenset("label tag ref eqref cite begin end hspace vspace phantom hphantom vphantom tag* "
                           "color textcolor".split())  # fmt: skip


class PageLexer:
    """A cursor over one block of a page."""

    def __init__(
        self, text: str, dialect: Callable[[int], Dialect], symbols: Symbols, region: Callable[[int], int]
    ) -> None:
        self.text, self.dialect, self.symbols, self.region = text, dialect, symbols, region
        self.tokens: list[PageToken] = []
        self.at = 0
        self.glued = False

    def all(self) -> list[PageToken]:
        """Every token of the block, ending with `end`."""
        while self.at < len(self.text) and len(self.tokens) < MAX_TOKENS:
            before = self.at
            self.step()
            if self.at <= before:  # whatever it was, go on behind it
                self.at = before + 1
        self.tokens.append(PageToken("end", "end", len(self.text), len(self.text), "text"))
        return self.tokens

    def put(self, kind: PageKind, text: str, end: int, start: int | None = None) -> None:
        """Add a token that ends at `end`, and go there."""
        begin = self.at if start is None else start
        dialect, region = self.dialect(begin), self.region(begin)
        self.tokens.append(PageToken(kind, text, begin, end, dialect, self.glued, region=region))
        self.at, self.glued = end, True

    def skip(self, end: int) -> None:
        """Leave out what stands before `end`."""
        self.at, self.glued = end, False

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
        if match := _SUPERSCRIPTS.match(text, at):
            return self.superscript(match)
        if here == "|" and (match := _SIZE.match(text, at)):
            return self.put("name", match[1], match.end())
        if here.isalpha() or unicodedata.category(here) == "Lm":
            return self.letters()
        return self.sign()

    def number(self, match: re.Match[str]) -> None:
        r"""A number: `57{,}344`, `57\,344` and `57_344` keep no separator but the comma."""
        self.put("number", _SEPARATOR.sub(",", match.group()).replace("_", ""), match.end())

    def superscript(self, match: re.Match[str]) -> None:
        digits = match.group().translate(_SUPERSCRIPT)
        if not re.fullmatch(r"[+-]?[0-9]{1,4}", digits):
            return self.put("odd", digits, match.end())
        self.put("operator", "^", match.end())
        self.tokens.append(PageToken("number", digits, match.start(), match.end(), "math", True, region=self.region(match.start())))
        return None

    def sign(self) -> None:
        """Everything that is neither number, letter nor command."""
        text, at = self.text, self.at
        here = text[at]
        if match := _RULE.match(text, at):
            return self.put("break", match.group(), match.end())
        if match := _RELATION.match(text, at):
            return self.put("relation", _RELATIONS[match.group()], match.end())
        if here in "-–" and self.dialect(at) == "text" and _RANGE.match(text, at) and text[at - 1 : at].isdigit():
            return self.put("odd", "–", at + 1)
        if match := _OPERATOR.match(text, at):
            found = _OPERATORS[match.group()]
            return self.put("percent" if found == "%" else "operator", found, match.end())
        if here in _BRACKETS:
            bracket = _BRACKETS[here]
            return self.put("open" if bracket in _OPENING else "close", bracket, at + 1)
        if here in ",，、":
            return self.put("comma", ",", at + 1)
        if here == "~" and self.dialect(at) == "math" and not self.between_figures(at):
            return self.skip(at + 1)  # a space that does not break
        if here in "~∼～":
            return self.put("relation", "~", at + 1) if self.between_figures(at) else self.put("odd", "~", at + 1)
        if here == "%":
            return self.put("percent", "%", at + 1)
        if here == "$":
            return self.put("money", "USD", at + 1)
        if here == "€":
            return self.put("money", "EUR", at + 1)
        if here == "&":  # one aligns; two, or one in the middle of a row, begin a column of remarks
            return self.put("stop", "&", at + 2) if text.startswith("&&", at) else self.skip(at + 1)
        if here == "√":
            return self.put("sqrt", "√", at + 1)
        if here in _STOPS:
            return self.put("stop", here, at + 1)
        return self.put("odd", here, at + 1)

    def between_figures(self, at: int) -> bool:
        """Whether a tilde joins two figures, as in a range."""
        before = self.tokens[-1].kind if self.tokens else "break"
        return before in ("number", "close", "word", "percent") and self.glued and self.text[at + 1 : at + 2].isdigit()

    def letters(self) -> None:
        """A run of letters: one name, several letters side by side, or a word."""
        text, at = self.text, self.at
        here = text[at]
        if CJK.match(here):
            match = CJK.match(text, at)
            assert match is not None  # noqa: S101 - matched just before
            return self.put("word", match.group(), match.end())
        plain = unicodedata.normalize("NFKC", here)
        if here not in "µ" and plain != here and len(plain) == 1 and plain.isascii():  # 𝐵 is B
            return self.name(plain, at + 1)
        if not here.isascii():
            greek = _GREEK_LETTERS.get(here)
            if greek:
                return self.name(greek, at + 1)
            end = at + 1
            while end < len(text) and text[end].isalpha() and not CJK.match(text[end]):
                end += 1
            return self.put("word", text[at:end], end)
        dialect = self.dialect(at)
        if dialect == "math":
            return self.run_of_letters()
        if self.tokens and self.tokens[-1].kind in ("number", "close", "name") and (x := _TIMES_X.match(text, at)):
            return self.put("operator", "*", x.end())
        if dialect == "text" and (match := _HYPHENATED.match(text, at)) and not self.is_difference(match.group()):
            return self.put("word", match.group(), match.end())
        match = _WORD.match(text, at)
        assert match is not None  # noqa: S101 - a letter stands here
        return self.word(match.group(), match.end(), dialect)

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
        if word in _FUNCTIONS and self.text[end : end + 1] == "(":
            return self.put("function", word, end)
        after_number = bool(self.tokens) and self.tokens[-1].kind == "number" and self.tokens[-1].end == self.at
        if "_" in word or self.is_symbol(word):
            return self.name(word.rstrip("_"), end)
        if dialect == "code" and len(word) <= 2 and not after_number:
            return self.name(word, end)
        known = self.symbols.letters
        if word.isalpha() and 1 < len(word) <= 6 and all(c in known for c in word) and not _is_unit(word):
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
        if run in _FUNCTIONS and text[end : end + 1] in "({ ":
            return self.put("function", run, end)
        number = bool(self.tokens) and self.tokens[-1].kind == "number" and self.tokens[-1].end == at
        if number and run in _BYTES:
            return self.put("words", run, end)
        if len(run) > 1 and (run in self.symbols.names or self.is_one_name(run)):
            return self.name(run, end)
        return self.name(run[0], at + 1)

    def is_one_name(self, run: str) -> bool:
        """`batch` is a name even where nobody declared it; `bsh` is three letters."""
        if all(letter in self.symbols.letters for letter in run):
            return False
        return len(run) >= 4 and run.lower() == run

    def name(self, base: str, end: int) -> None:
        """A letter with its index, prime or star."""
        index, end = self.index_at(end)
        mark = re.compile(r"\s*(?:'+|\^\s*(?:\{\s*(?:\\prime|\\star|\\top|\*|\([A-Za-z0-9]+\)|\\text\{[A-Za-z ]{1,20}\})\s*\}|\\star|\\prime|\*|\\top))").match(self.text, end)  # noqa: E501 - one pattern
        if mark and self.dialect(self.at) == "math":
            index += "".join(c for c in mark.group() if c.isalnum() or c in "*'")
            end = mark.end()
        whole = f"{base}_{index}" if index else base
        self.put("name" if len(whole) <= MAX_NAME else "odd", whole, end)

    def index_at(self, at: int) -> tuple[str, int]:
        """The subscript that follows, cleaned of markup: `_{\\text{step 1}}` is `step1`."""
        text = self.text
        if match := re.compile("[₀-₉]+").match(text, at):
            return match.group().translate(_SUBSCRIPTS), match.end()
        match = re.compile(r"\s*_\s*").match(text, at)
        if match is None or (self.dialect(at) != "math" and match.group() != "_"):
            return "", at
        begin = match.end()
        if text.startswith("{", begin):
            end = closing(text, begin)
            return cleaned(text[begin + 1 : end - 1]), end
        if command := _COMMAND.match(text, begin):
            if command[1] in _TEXT_COMMANDS and text.startswith("{", command.end()):
                end = closing(text, command.end())
                return cleaned(text[command.end() + 1 : end - 1]), end
            return command[1], command.end()
        if begin < len(text) and text[begin].isalnum():
            return text[begin], begin + 1
        return "", at

    def command(self) -> None:  # one rule a kind of command
        r"""A LaTeX command."""
        text, at = self.text, self.at
        match = _COMMAND.match(text, at)
        if match is None:
            return self.put("odd", "\\", at + 1)
        name, end = match[1], match.end()
        if name == "\\" or name == "newline":
            return self.put("break", "\\\\", end)
        if name in _WITH_ARGUMENT:
            end = closing(text, end) if text.startswith("{", end) else end
            return self.skip(end)
        if name in ("quad", "qquad"):
            return self.put("stop", name, end)
        if name in _SKIPPED:
            return self.skip(end + (text.startswith(".", end) and name in ("left", "right")))
        if name in _LATEX_RELATIONS:
            return self.put("relation", _LATEX_RELATIONS[name], end)
        if name in _LATEX_OPERATORS:
            return self.put("operator", _LATEX_OPERATORS[name], end)
        if name in _LATEX_BRACKETS:
            bracket = _LATEX_BRACKETS[name]
            return self.put("open" if bracket in _OPENING else "close", bracket, end)
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            return self.fraction(end)
        if name == "sqrt":
            return self.put("sqrt", name, end)
        if name == "sum":
            return self.sum_sign(end)
        if name in ("overset", "stackrel", "underset", "xrightarrow"):
            return self.skip(closing(text, end) if text.startswith("{", end) else end)
        if name == "log" and re.match(r"\s*_\{?2\}?", text[end : end + 6]):
            return self.put("function", "log2", end + text[end : end + 6].index("2") + 1 + text.startswith("}", end + text[end : end + 6].index("2") + 1))  # noqa: E501
        if name in _FUNCTIONS:
            return self.put("function", name, end)
        if name in ("num", "qty", "SI"):
            return self.quantity(end, with_unit=name != "num")
        if name in _TRANSPARENT:
            return self.skip(end)
        if name in _TEXT_COMMANDS:
            return self.text_command(end)
        if name == "%":
            return self.put("percent", "%", end)
        if name == "$":
            return self.put("money", "USD", end)
        if name == "ell" or name in GREEK or name in ("varepsilon", "varphi"):
            return self.name(name.removeprefix("var"), end)
        if name in ("_", "#", "&"):
            return self.skip(end)
        return self.put("odd", match.group(), end)

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
        return texts[-1:] == ["}"] and any(texts[at : at + 3] == ["10", "^", "{"] for at in range(len(texts)))

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
        self.tokens.append(PageToken("sum", "sum", begin, stop, "math", self.glued, limits, self.region(begin)))
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
        if words in _FUNCTIONS:
            return self.put("function", words, end)
        if not words:
            return self.skip(end)
        index, stop = self.index_at(end)
        whole = f"{words}_{index}" if index else words
        return self.put("words" if len(whole) <= MAX_NAME else "odd", whole, stop)


_GREEK_LETTERS = dict(zip("αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon "
    "phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega").split(), strict=True))  # fmt: skip


def _is_unit(word: str) -> bool:
    from workings.formula.words import UNIT_WORDS  # noqa: PLC0415

    return word in UNIT_WORDS


def plain_words(latex: str) -> str:
    """Words without LaTeX markup."""
    without = re.sub(r"\\(?:text\w*|math\w+|rm|bf|it)\b", "", latex)
    without = re.sub(r"\\[,;:! ]|~", " ", without).replace("\\_", "_").replace("\\#", "#")
    return re.sub(r"[{}\\$]", "", without)


def cleaned(index: str) -> str:
    """A subscript as part of a name: letters, digits, commas and plus signs."""
    return re.sub(r"[^A-Za-z0-9,+\u3400-\u9fff]", "", plain_words(index))[:MAX_NAME]


def closing(text: str, brace: int) -> int:
    """The offset behind the brace that closes the one at `brace`, or the end of the text."""
    return _closings(text).get(brace, len(text))


@lru_cache(maxsize=8)
def _closings(text: str) -> Mapping[int, int]:
    """Behind which offset every brace of a text is closed, found in one pass."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        at = match.start()
        if text[at - 1 : at] == "\\" and text[max(0, at - 2) : at] != "\\\\":
            continue
        if match.group() == "{":
            opened.append(at)
        elif opened:
            found[opened.pop()] = at + 1
    return found


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
