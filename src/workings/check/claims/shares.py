"""Shares: a part, its whole, and the per cent said to be one of the other.

2.6 GB / 32 GB (8 %)        30 % of 312 TFLOPS = 94 TFLOPS        a row `1.33T (29%) … total 4.51T`
a column of counts beside a column of per cents       12 GB (40 % used) where the device has 32 GB
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from workings.check.claims.agreement import Given, agrees, claim_of, quotient
from workings.check.claims.amounts import Amount
from workings.check.claims.columns import constant_quotient
from workings.check.claims.page import FACTOR, NUMBER, PART, PERCENT, QUANTITY, Line, Page
from workings.check.claims.tabular import is_total, only_amount, tables
from workings.check.sentences import Claim
from workings.formula.tree import Add, Num, Product

_ANY = f"[{QUANTITY}{NUMBER}]"
_NO = f"[^{QUANTITY}{NUMBER}{PERCENT}{FACTOR}{PART}.。;；]"
_LEAD = (
    r"(?:i\.e\.,?|that is|or|about|only|roughly|just|utili[sz]ation|usage|used"
    r"|利用率|占用率?|使用率|仅|只|约|占|[~≈=:：\s*`$]){0,12}"
)
_PART_OF = re.compile(
    rf"(?P<a>{_ANY})[^,，(（{QUANTITY}{NUMBER}{PERCENT}]{{0,16}}?(?:/|\bof\b|\bout of\b)"
    rf"[^,，(（{QUANTITY}{NUMBER}{PERCENT}]{{0,20}}?(?P<b>{_ANY})\s*[A-Za-z]{{0,12}}\s*[(（=,，]\s*{_LEAD}(?P<p>{PERCENT})",
    re.IGNORECASE,
)
_PERCENT_OF = re.compile(
    rf"(?P<p>{PERCENT})\s*(?:of(?: the| its| a)?|的)\s*[^,，(（{QUANTITY}{NUMBER}{PERCENT}]{{0,20}}?"
    rf"(?P<b>{QUANTITY})[^,，.(（{QUANTITY}{NUMBER}{PERCENT}]{{0,16}}?"
    r"(?:[=≈]|[(（]|\bis\b|,?\s*i\.e\.,?|,\s*or\b|即)\s*"
    rf"(?:about|roughly|just|约|[~≈\s]){{0,6}}(?P<a>{QUANTITY})",
    re.IGNORECASE,
)
_WITH_SHARE = re.compile(rf"(?P<a>{_ANY})[\s*`$]*[(（]\s*[~≈约]?\s*(?P<p>{PERCENT})\s*[)）]")
_USED = re.compile(
    rf"(?P<a>{QUANTITY})\s*[(（,，]\s*(?:memory |显存)?(?:utili[sz]ation|利用率|占用率|使用率)"
    rf"[\s约仅~:：]{{0,6}}(?P<p>{PERCENT})",
    re.IGNORECASE,
)
_FREE = re.compile(r"free|left|remain|spare|剩|余|空闲|less|sav|省|减|降", re.IGNORECASE)


def shares(page: Page) -> Iterator[Claim]:
    """Every per cent that a line, a row or a column states of amounts it shows."""
    lines = [line for line in page.lines if PERCENT in line.pattern]
    for line in lines:
        for match in _PART_OF.finditer(line.pattern):
            yield from _part_of(line, *(line.found(match, g) for g in ("a", "b", "p")))
        for match in _PERCENT_OF.finditer(line.pattern):
            yield from _percent_of(line, *(line.found(match, g) for g in ("p", "b", "a")))
    yield from _of_the_device(lines)
    yield from _in_rows(page)
    yield from _in_lists(lines)


def _fraction(part: Amount, whole: Amount) -> Given:
    low, high = quotient(part, whole)
    words = f"{_words(part)} / {_words(whole)}"
    ends = part.low / whole.high, part.high / whole.low
    return Given(low, high, words, Product(part.expression, (("/", whole.expression),)), ends)


def _rest(part: Amount, whole: Amount) -> Given:
    low, high = quotient(part, whole)
    one = Num(Fraction(1), None, "1")
    expression = Add(one, (("-", Product(part.expression, (("/", whole.expression),))),))
    return Given(
        max(1 - high, Fraction(0)),
        max(1 - low, Fraction(0)),
        f"1 - {_words(part)} / {_words(whole)}",
        expression,
    )


def _words(amount: Amount) -> str:
    number = amount.expression
    return f"{number.text} {number.unit}" if number.unit else number.text


def _part_of(line: Line, part: Amount, whole: Amount, share: Amount) -> Iterator[Claim]:
    """`2.6 GB / 32 GB (8 %)`; what is left over may be meant."""
    if part.dimension == whole.dimension and part.kind == whole.kind and not whole.is_range:
        yield claim_of(line, share, [_fraction(part, whole), _rest(part, whole), _fraction(whole, part)])


def _percent_of(line: Line, share: Amount, whole: Amount, part: Amount) -> Iterator[Claim]:
    """`30 % of 312 TFLOPS = 94 TFLOPS`."""
    if part.dimension != whole.dimension or share.is_range or whole.is_range or part.is_range:
        return
    low = (share.low - share.slack) * (whole.low - whole.slack)
    high = (share.high + share.slack) * (whole.high + whole.slack)
    words = f"{share.expression.text} of {_words(whole)}"
    given = Given(low, high, words, Product(share.expression, (("*", whole.expression),)))
    left = Given(
        whole.low - high,
        whole.high - low,
        f"{_words(whole)} less {share.expression.text}",
        given.expression,
    )
    yield claim_of(line, part, [given, left])


def _of_the_device(lines: Sequence[Line]) -> Iterator[Claim]:
    """`10-15 GB (50-70 % used)`, where another line gave the whole: `2.6 GB / 32 GB (8 % used)`."""
    wholes = {}
    for line in lines:
        for match in _PART_OF.finditer(line.pattern):
            part, whole, share = (line.found(match, g) for g in ("a", "b", "p"))
            if (
                whole.kind == "quantity"
                and part.dimension == whole.dimension
                and agrees(_fraction(part, whole), share)
            ):
                wholes[whole.low] = whole
    if len(wholes) != 1:
        return
    whole = next(iter(wholes.values()))
    for line in lines:
        for match in () if _PART_OF.search(line.pattern) else _USED.finditer(line.pattern):
            part, share = line.found(match, "a"), line.found(match, "p")
            if part.dimension == whole.dimension:
                yield claim_of(line, share, [_fraction(part, whole)])


def _in_rows(page: Page) -> Iterator[Claim]:
    """Rows of cells `1.33T (29%)` with a total; and columns of counts beside their per cents."""
    for table in tables(page):
        at = [i for i, cell in enumerate(table.head) if i and is_total(cell)]
        for row in table.rows:
            whole = only_amount(row[at[0]]) if len(at) == 1 and at[0] < len(row) else None
            stated = [found for cell in row for found in _with_share(cell)]
            if whole is not None and len(stated) > 1:
                yield from _against(stated, whole)


def _with_share(line: Line) -> list[tuple[Line, Amount, Amount]]:
    """The amounts of a line with their per cents behind them."""
    if PERCENT not in line.pattern:
        return []
    return [(line, line.found(m, "a"), line.found(m, "p")) for m in _WITH_SHARE.finditer(line.pattern)]


def _against(stated: Sequence[tuple[Line, Amount, Amount]], whole: Amount) -> Iterator[Claim]:
    """Each against the whole; one that does not fit is wrong only if the others all do."""
    fits = [agrees(_fraction(part, whole), share) for _, part, share in stated]
    for line, part, share in stated:
        if part.dimension == whole.dimension:
            yield claim_of(
                line, share, [_fraction(part, whole)], accuse=sum(fits) >= max(len(fits) - 1, 2)
            )


def _in_lists(lines: Sequence[Line]) -> Iterator[Claim]:
    """Items `Weights: 140 GB (56 %)`: what is said of each gives one and the same whole."""
    found = [item for line in lines if line.block.cell is None for item in _with_share(line)]
    for _, group in groupby(found, key=lambda item: (item[0].block.section, item[0].block.group)):
        stated = list(group)
        constant = constant_quotient([(part, share) for _, part, share in stated])
        if constant is None:
            continue
        for i, (line, part, share) in enumerate(stated):
            low, high = (part.low - part.slack) / constant.high, (part.high + part.slack) / constant.low
            whole = Num(
                (constant.low + constant.high) / 2, part.expression.unit, f"{float(constant.low):.4g}"
            )
            given = Given(
                low, high, "the whole that the others give", Product(part.expression, (("/", whole),))
            )
            others = len(constant.agreeing) - (i in constant.agreeing)
            yield claim_of(line, share, [given], accuse=others == len(stated) - 1)
