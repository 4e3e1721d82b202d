"""Ratios: two amounts of one kind and the factor or per cent said to lie between them.

    increased by 3.2x from 460 to 1,484      600 GB/s vs 25 GB/s, 24 times      从 4 增加到 8 (2x)
    5.6 GB → 1.4 GB (75 % less)              4 GPUs → 3.48x (87 % efficiency)

Either direction is admitted, and `more` beside the ratio as well as `as much`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from workings.check.claims.agreement import Given, claim_of, quotient
from workings.check.claims.amounts import Amount
from workings.check.claims.page import FACTOR, NUMBER, PART, PERCENT, QUANTITY, Line, Page
from workings.check.sentences import Claim
from workings.formula.tree import Add, Expr, Num, Product
from workings.units import ONE

LONG = 10**6
_ANY = f"[{QUANTITY}{NUMBER}]"
_RATIO = f"[{FACTOR}{PERCENT}]"
_NO = f"[^{QUANTITY}{NUMBER}{PERCENT}{FACTOR}{PART}]"
# What may stand between B and the ratio: a noun, then a comma, a bracket or `by`; other words are a
# subject of their own.
_THEN = (
    r"\s*(?:[A-Za-z/]{1,14}|[个张卡倍层台]{1,2})?[\s*`$]*(?:[,，(（:：]|\bby\b|即|也就是)[\s*`$]*"
    r"(?:an?|or|i\.e\.,?|that is|that's|即|约|about|roughly"
    r"|提升|增长|增加|提高|降低|减少|下降|缩小|压缩|差距|相差|节省|快|慢"
    r"|by|a factor of|up|down|[~≈=+-]|\s|\\approx|\\sim|了){0,4}[\s*`$]*"
)
_CHANGE = (
    r"(?:increas|decreas|reduc|gr[eo]w|drop|f[ae]ll|rais|ris|rose|shr[aiu]nk|improv|cut|sav|up\b|down\b|factor|x\b|speed|"
    r"more|less|fewer|faster|slower|smaller|larger|bigger|higher|lower|times|增|降|减|升|缩|省|提|加速|扩|快|慢|倍|差)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # from A to B … F: of the same clause
        rf"(?:\bfrom\b|从){_NO}{{0,40}}?(?P<a>{_ANY}){_NO}{{0,30}}?(?:\bto\b|→|->|到|至|为|\\to){_NO}{{0,30}}?(?P<b>{_ANY})"
        rf"{_THEN}(?P<f>{_RATIO})",
        # F … from A to B
        rf"(?P<f>{_RATIO}){_NO}{{0,40}}?(?:\bfrom\b|从){_NO}{{0,20}}?(?P<a>{_ANY}){_NO}{{0,24}}?(?:\bto\b|→|->|到|至)"
        rf"{_NO}{{0,20}}?(?P<b>{_ANY})",
        # B …, increased by F from A
        rf"(?P<b>{_ANY}){_NO}{{0,120}}?{_CHANGE}\w*{_NO}{{0,12}}?\bby\b{_NO}{{0,12}}?(?P<f>{_RATIO}){_NO}{{0,12}}?\bfrom\b"
        rf"{_NO}{{0,12}}?(?P<a>{_ANY})",
        # A vs B … F
        rf"(?P<a>{_ANY}){_NO}{{0,40}}?"
        rf"(?:\bvs\.?|\bversus\b|\bcompared (?:to|with)\b|\bagainst\b|对比|相比|比){_NO}{{0,30}}?"
        rf"(?P<b>{_ANY}){_NO}{{0,30}}?(?P<f>{_RATIO})",
        # A → B (F)
        rf"(?P<a>{_ANY}){_NO}{{0,16}}?(?:→|->|=>|⇒|\\to|\\rightarrow){_NO}{{0,20}}?(?P<b>{_ANY}){_NO}{{0,24}}?[(（,，:：]"
        rf"{_NO}{{0,16}}?(?P<f>{_RATIO})",
        # A is F times (larger than) B
        rf"(?P<b>{QUANTITY})\s*(?:is|are|是|为)\s*{_NO}{{0,12}}?(?P<f>{FACTOR}){_NO}{{0,40}}?(?P<a>{QUANTITY})",
    )
)
_EFFICIENCY = re.compile(
    rf"(?P<n>{NUMBER}){_NO}{{0,12}}?(?:→|->|:|：|,|，|gives?|得到?|加速){_NO}{{0,16}}?(?P<s>{FACTOR})\s*[(（,，]{_NO}{{0,12}}?"
    rf"(?P<p>{PERCENT}){_NO}{{0,12}}?(?:effici|效率)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"^\s*(?:of\b|points?|个百分点|的)", re.IGNORECASE)
_MESH = re.compile(r"\b(?:TP|PP|DP|EP|CP|SP)\s*=", re.IGNORECASE)


def ratios(page: Page) -> Iterator[Claim]:
    """Every ratio that a line states of two amounts of its own."""
    for line in page.lines:
        if len(line.amounts) < 3 or (FACTOR not in line.pattern and PERCENT not in line.pattern):
            continue
        for pattern in _PATTERNS:
            for match in pattern.finditer(line.pattern):
                claim = _stated(
                    line, line.found(match, "a"), line.found(match, "b"), line.found(match, "f"), match
                )
                if claim is not None:
                    yield claim
        for match in _EFFICIENCY.finditer(line.pattern):
            yield _efficient(line, match)


def _stated(line: Line, a: Amount, b: Amount, claimed: Amount, match: re.Match[str]) -> Claim | None:
    """The factor or per cent against the ratio of the two amounts."""
    if not _alike(a, b) or a.is_range or b.is_range or not (a.low > 0 < b.low):
        return None
    words = line.pattern[max(0, match.start() - 30) : match.end() + 12]
    if claimed.kind == "percent" and not re.search(_CHANGE, words, re.IGNORECASE):
        return None
    if _RELATIVE.match(line.pattern[match.end("f") :]) or _MESH.search(line.text):
        return None
    return claim_of(line, claimed, _ways(a, b, percent=claimed.kind == "percent"))


def _alike(a: Amount, b: Amount) -> bool:
    """Of one kind; a long count may lack the unit that the other has."""
    long = min(a.low, b.low) >= LONG and "quantity" in (a.kind, b.kind)
    return (a.kind == b.kind and a.dimension == b.dimension) or (
        long and ONE in (a.dimension, b.dimension)
    )


def _ways(a: Amount, b: Amount, *, percent: bool) -> list[Given]:
    """Ratio and relative change in both directions, the usual one first."""
    grows = b.low >= a.low
    first, second = (b, a) if grows else (a, b)
    ways = [_as_much(first, second), _as_much(second, first)]
    changes = [_change(a, b), _change(b, a)]
    return [*changes, *ways] if percent else [*ways, *changes]


def _as_much(above: Amount, below: Amount) -> Given:
    low, high = quotient(above, below)
    return Given(low, high, f"{_words(above)} / {_words(below)}", _over(above, below))


def _change(old: Amount, new: Amount) -> Given:
    """By how much of the old the new differs from it."""
    low, high = quotient(new, old)
    expression = Add(_over(new, old), (("-", Num(Fraction(1), None, "1")),))
    ends = sorted((abs(low - 1), abs(high - 1)))
    words = f"the change from {_words(old)} to {_words(new)}"
    return Given(ends[0], ends[1], words, expression)


def _over(above: Amount, below: Amount) -> Expr:
    return Product(above.expression, (("/", below.expression),))


def _words(amount: Amount) -> str:
    number = amount.expression
    return f"{number.text} {number.unit}" if number.unit else number.text


def _efficient(line: Line, match: re.Match[str]) -> Claim:
    """`4 GPUs → 3.48x (87 % efficiency)`."""
    devices, speedup, share = (line.found(match, g) for g in ("n", "s", "p"))
    return claim_of(line, share, [_as_much(speedup, devices)])
