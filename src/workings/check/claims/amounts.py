"""The amounts of a line of text: quantities, bare numbers, per cents, factors, and ranges of them.

A figure is what a reader points at; an amount is what he compares: from `low` to `high`, both taken
to the last printed digit. Numbers inside formulas, names (`H100`) and meshes (`4x2`) are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from workings.check.tracing import last_digit
from workings.formula.page.grammar import PageGrammar
from workings.formula.page.lexer import PageToken, Symbols
from workings.formula.page.words import SUFFIXES
from workings.formula.tree import FormulaError, Num
from workings.units import ONE, Dimension, UnitError, parse_unit

# quantity: with a unit; number: without; part: of a formula, or bounded by < or >
AmountKind = Literal["quantity", "number", "percent", "factor", "part"]

MAX_POWER = 60
MEANT = 3
_ABOUT = re.compile(
    r"(?:[~∼～≈约近]|\\approx|\\sim"
    r"|\b(?:about|roughly|around|approximately|nearly|almost|some|approx\.?|circa|over|up to)"
    r"|大约|大概|接近|左右|将近)[\s*`$_]*$",
    re.IGNORECASE,
)
_BOUND = re.compile(r"(?:[<>≤≥＜＞]|\\le|\\ge|\\lt|\\gt)[\s=$]*$")
_TIMES = re.compile(r"[\s$`]*(?:[x×X]|\\times|times\b|-?\s?fold\b|倍)")
_OF_THINGS = re.compile(r"[\s$`]*(?:[x×X]|\\times)(?:\(|[\s$`]*(?:[0-9A-Z\\]|[a-z]+[0-9]|[张卡块台]))")
_JOINS = re.compile(r"^\s?(?:-|–|—|~|～|∼|至)\s?$")
_SHARE = re.compile(r"[\s*`$]*[(（]\s*[~≈约]?\s*[0-9.]{1,8}\s*\\?%")
_MANY_TIMES = {"twice": 2, "doubles": 2, "doubled": 2, "tripled": 3, "triples": 3, "两倍": 2, "翻倍": 2}
_WORDS = re.compile("|".join(rf"\b{w}\b" if w.isascii() else w for w in _MANY_TIMES), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount of a line: its interval in base units, its kind and its place in the block."""

    kind: AmountKind
    expression: Num
    low: Fraction
    high: Fraction
    dimension: Dimension
    slack: Fraction  # half the worth of the last digit
    start: int
    end: int
    about: bool = False

    @property
    def is_range(self) -> bool:
        """Whether two ends are printed."""
        return self.low != self.high

    @property
    def digits(self) -> int:
        """How many significant digits are printed; of 1,500 two."""
        text = re.split(r"[eE%A-Za-z\s]", self.expression.text)[0].replace(",", "")
        digits = text.replace(".", "").lstrip("0")
        return len(digits if "." in text else digits.rstrip("0")) or 1


class _Numbers(PageGrammar):
    """Reads a number with its unit and leaves the words behind it alone."""

    def skip_nouns(self) -> None:
        """Words behind a number are looked at by the rules."""

    def skip_remark(self) -> None:
        """Remarks too."""

    def number_at(self, at: int) -> tuple[Num, int]:
        """The number at a token, and the token behind it. Raises FormulaError."""
        self.at, self.limit = at, len(self.tokens) - 1
        found = self.number()
        assert isinstance(found, Num)  # noqa: S101 - what `number` makes
        return found, self.at


def amounts_of(text: str, tokens: Sequence[PageToken], symbols: Symbols) -> list[Amount]:
    """The amounts of a text with these tokens, in reading order; ranges joined."""
    found: list[Amount] = []
    reader = _Numbers(text, tokens, symbols)
    at = 0
    while at < len(tokens) - 1:
        read = _one(text, tokens, at, reader) if tokens[at].kind in ("number", "money") else None
        if read is None:
            at += 1
            continue
        amount, at = read
        found.append(amount)
    words = [_in_words(match) for match in _WORDS.finditer(text)]
    return sorted(_ranges(text, found) + words, key=lambda a: a.start)


def _in_words(match: re.Match[str]) -> Amount:
    value = Fraction(_MANY_TIMES[match.group().lower()])
    return Amount("factor", Num(value, None, str(value)), value, value, ONE, value / 10, *match.span())


def _one(text: str, tokens: Sequence[PageToken], at: int, reader: _Numbers) -> tuple[Amount, int] | None:
    """The amount that begins at a token, and the token behind it."""
    token = tokens[at]
    if _is_in_a_name(text, token.start):
        return None
    try:
        number, stop = reader.number_at(at)
        number, stop = _with_power(number, tokens, stop, reader)
        number, stop = _with_suffix(number, text, tokens, stop)
        unit = parse_unit(number.unit) if number.unit else None
    except (FormulaError, UnitError):
        return None
    start, end = token.start, tokens[stop - 1].end
    dimension = unit.dimension if unit else ONE
    value = number.value * (unit.scale if unit else 1)
    kind: AmountKind = (
        "quantity" if dimension != ONE else "percent" if number.text.endswith("%") else "number"
    )
    behind = tokens[at].end if number.text == tokens[at].text else end
    if kind == "number" and (times := _TIMES.match(text, behind)) and not _OF_THINGS.match(text, behind):
        kind, end = "factor", times.end()
    if (
        _is_part(text, tokens, at, stop)
        or _BOUND.search(text[max(0, start - 6) : start])
        or text[end : end + 1] == "+"
    ):
        kind = "part"
    about = bool(_ABOUT.search(text[max(0, start - 16) : start])) or text[
        end : end + 3
    ].strip().startswith("左右")
    while stop < len(tokens) and tokens[stop].start < end:
        stop += 1
    return Amount(kind, number, value, value, dimension, _slack(number), start, end, about), stop


def _slack(number: Num) -> Fraction:
    """Half the worth of the last digit; the zeros of 80 and 600 are meant, those of 15,000 may not be."""
    digits = re.split(r"[%eE\s]", number.text)[0].replace(",", "")
    if "." not in digits and len(digits) <= MEANT and digits.endswith("0") and digits.isdigit():
        return last_digit(number) / (2 * Fraction(10) ** (len(digits) - len(digits.rstrip("0"))))
    return last_digit(number) / 2


def _is_in_a_name(text: str, start: int) -> bool:
    """Whether a number stands in a name: `v5e`, `GPT-2`, `LLaMA 3-70B`, `x_2`."""
    before = text[max(0, start - 2) : start]
    return bool(re.search(r"[A-Za-z_.][-–]?$|[0-9][.:]$", before)) and not re.search(
        r"[^A-Za-z][.]$", before
    )


def _with_power(number: Num, tokens: Sequence[PageToken], stop: int, reader: _Numbers) -> tuple[Num, int]:
    """`1.8 × 10^11 bytes/s` and `2^20` as one number."""
    texts = [t.text for t in tokens[stop : stop + 4]]
    if number.unit is None and texts[:3] == ["*", "10", "^"] and tokens[stop + 3].kind == "number":
        power, last = reader.number_at(stop + 3)
        if 0 <= power.value <= MAX_POWER and power.value.denominator == 1:
            value = number.value * Fraction(10) ** int(power.value)
            return Num(value, power.unit, f"{number.text}e{power.value}", number.span), last
    return number, stop


def _with_suffix(number: Num, text: str, tokens: Sequence[PageToken], stop: int) -> tuple[Num, int]:
    """`96.64B(28%)` is billions even where B is a letter of the page."""
    after = tokens[stop]
    alone = "." in number.text and not text[after.end :].strip("*` $\n")
    if (
        number.unit
        or after.text not in SUFFIXES
        or not after.glued
        or not (alone or _SHARE.match(text, after.end))
    ):
        return number, stop
    return Num(number.value * SUFFIXES[after.text], None, number.text + after.text, number.span), stop + 1


def _is_part(text: str, tokens: Sequence[PageToken], at: int, stop: int) -> bool:
    """Whether an operator joins it to a neighbour."""
    before = tokens[at - 1] if at else None
    after = tokens[stop] if stop < len(tokens) else tokens[-1]
    if before is not None and before.kind == "operator" and before.text in "*^-+/":
        return before.text != "/" or tokens[at - 2].kind not in (
            "word",
            "words",
            "name",
            "number",
            "percent",
        )
    if after.kind == "operator" and after.text in "*^+-":
        return not _TIMES.match(text, tokens[stop - 1].end) or bool(
            _OF_THINGS.match(text, tokens[stop - 1].end)
        )
    if after.kind in ("name", "frac", "sqrt") and after.glued:
        return not _TIMES.match(text, tokens[stop - 1].end)  # 12N
    return (
        after.kind == "open"
        and after.glued
        and after.text == "("
        and text[after.start] == "("
        and (after.dialect == "math")
    )


def _ranges(text: str, amounts: Sequence[Amount]) -> list[Amount]:
    """Two amounts joined by a dash or a tilde as one."""
    found: list[Amount] = []
    for amount in amounts:
        last = found[-1] if found else None
        joined = _joined(last, amount) if last and _JOINS.match(text[last.end : amount.start]) else None
        if joined is not None:
            found[-1] = joined
        else:
            found.append(amount)
    return found


def _joined(first: Amount, second: Amount) -> Amount | None:
    """`10-15GB`: the unit, suffix or sign of the second belongs to both."""
    scale = Fraction(1)
    if first.dimension != second.dimension or first.kind != second.kind:
        if first.expression.unit or first.expression.text.endswith("%") or first.is_range:
            return None
        unit = parse_unit(second.expression.unit).scale if second.expression.unit else Fraction(1)
        scale = unit / 100 if second.kind == "percent" else unit
    low = first.low * scale
    if not 0 < low < second.high or second.is_range:
        return None
    slack = min(first.slack * scale, second.slack)
    return replace(second, low=low, slack=slack, start=first.start, about=first.about or second.about)
