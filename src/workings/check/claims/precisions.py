"""Sizes by precision: what FP32, BF16, INT8 and INT4 rows or items hold must be as 4, 2, 1 and 0.5.

Only where at least two other precisions agree exactly is a size wrong that is off by more than a quarter:
quantised formats carry scales, so a little more is common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from workings.check.claims.agreement import Given, agrees, claim_of
from workings.check.claims.amounts import Amount
from workings.check.claims.page import Line, Page
from workings.check.claims.tabular import Table, only_amount, tables
from workings.check.sentences import Claim
from workings.formula.tree import Num, Product
from workings.units import BYTE

MAX_ROWS = 40
OFF = Fraction(5, 4)
CLOSE = Fraction(2, 100)
_BYTES: dict[str, int | Fraction] = {
    "fp64": 8, "float64": 8, "fp32": 4, "float32": 4, "tf32": 4, "32-bit": 4, "32bit": 4,
    "fp16": 2, "float16": 2, "bf16": 2, "bfloat16": 2, "half": 2, "16-bit": 2, "16bit": 2,
    "fp8": 1, "float8": 1, "int8": 1, "uint8": 1, "8-bit": 1, "8bit": 1,
    "int4": Fraction(1, 2), "fp4": Fraction(1, 2), "nf4": Fraction(1, 2), "nvfp4": Fraction(1, 2),
    "4-bit": Fraction(1, 2), "4bit": Fraction(1, 2),
}  # fmt: skip
_NAME = re.compile(
    r"(?:fp|bf|tf|float|bfloat|u?int|nf|nvfp)(?:4|8|16|32|64)\b|\bhalf\b|\b(?:4|8|16|32)-?bit\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"^[\W_]*(?:{_NAME.pattern})(?:\s*/\s*(?:{_NAME.pattern}))?\W{{0,3}}(?:[(（][^)）]{{0,20}}[)）])?[\W_]*$",
    re.IGNORECASE,
)
_ITEM = re.compile(rf"^[\W_]*(?P<p>{_NAME.pattern})[^0-9A-Za-z\n]{{0,12}}[:：=]", re.IGNORECASE)
_MEMORY = re.compile(
    r"memory|size|bytes|\bG?i?B\b|storage|weights?|param|显存|内存|大小|字节|权重|占用", re.IGNORECASE
)
_OTHER = re.compile(
    r"speed|bandwidth|flop|throughput|latency|/s\b|带宽|算力|速|loss|精度损失", re.IGNORECASE
)

Sized = tuple[Line, Amount, Fraction]


def precisions(page: Page) -> Iterator[Claim]:
    """Every column, list and fence whose rows are precisions."""
    for table in tables(page):
        yield from _in_table(table)
    items = [
        sized for line in page.lines if line.block.cell is None and (sized := _item(line)) is not None
    ]
    for _, group in groupby(items, key=lambda s: (s[0].block.section, s[0].block.group, s[0].block.kind)):
        yield from _compared(list(group))


def _in_table(table: Table) -> Iterator[Claim]:
    rows = [(row, size) for row in table.rows if row and (size := _bytes_of(row[0])) is not None]
    for column in range(1, table.width):
        if _OTHER.search(table.head[column].text):
            continue
        cells = [(row[column], only_amount(row[column]), size) for row, size in rows if column < len(row)]
        sized = [(line, amount, size) for line, amount, size in cells if amount is not None]
        if all(a.dimension == BYTE for _, a, _ in sized) or _MEMORY.search(table.head[column].text):
            yield from _compared(sized)


def _bytes_of(line: Line) -> Fraction | None:
    """The bytes of the one precision, or the equal ones, that a cell names and nothing else."""
    if not _LABEL.match(line.text):
        return None
    sizes = {
        Fraction(_BYTES[m.group().lower()])
        for m in _NAME.finditer(line.text)
        if m.group().lower() in _BYTES
    }
    return sizes.pop() if len(sizes) == 1 else None


def _item(line: Line) -> Sized | None:
    """`- INT8: 7 GB`."""
    match = _ITEM.match(line.text)
    amounts = [a for a in line.amounts if a.kind == "quantity" and a.dimension == BYTE]
    if match is None or len(amounts) != 1 or match["p"].lower() not in _BYTES:
        return None
    return line, amounts[0], Fraction(_BYTES[match["p"].lower()])


def _compared(sized: Sequence[Sized]) -> Iterator[Claim]:
    """Each size against what the others give for one byte a value."""
    if (
        len(sized) > MAX_ROWS
        or len({size for _, _, size in sized}) < 2
        or len({a.dimension for _, a, _ in sized}) != 1
    ):
        return
    if any(a.low <= 0 or a.is_range for _, a, _ in sized):
        return
    for i, (line, amount, size) in enumerate(sized):
        others = [(a, s) for j, (_, a, s) in enumerate(sized) if j != i]
        first = others[0]
        agree = all(abs(a.low / s / (first[0].low / first[1]) - 1) <= CLOSE for a, s in others)
        if not agree:
            continue
        given = _given(first[0], first[1], size)
        sure = len({s for _, s in others}) >= 2 and not 1 / OFF <= amount.low / given.low <= OFF
        if sure or agrees(given, amount):
            yield claim_of(line, amount, [given], accuse=sure)


def _given(other: Amount, its: Fraction, size: Fraction) -> Given:
    value = other.low * size / its
    ratio = Num(size / its, None, str(size / its))
    words = f"{other.expression.text} {other.expression.unit or ''} at {its} bytes a value".replace(
        "  ", " "
    )
    return Given(value, value, words, Product(other.expression, (("*", ratio),)))
