"""A quantity said again in another unit, in words or in a bracket."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from workings.claims.claim import SUPPORTS, Finding, Rule
from workings.claims.closeness import agree, ratio_of
from workings.claims.marked import Amount, said
from workings.claims.misprints import power_between, unit_slip
from workings.claims.page import Page
from workings.claims.relations import surprise_of
from workings.claims.restating import (
    TELLING,
    again,
    alike,
    aside,
    beside,
    counts,
    one_kind,
    quiet,
    restated,
)
from workings.claims.sayings import Saying
from workings.claims.voiced import finding

FARTHEST = 10**5  # what two amounts of one thing may be apart by a slip


def judge(page: Page) -> Iterator[Finding]:
    """Every two amounts that are said of one thing in different units of one kind."""
    for saying in _with_those_before(page):
        places = [place for place, mark in enumerate(saying.marks) if isinstance(mark, Amount)]
        for first, second in pairwise(places):
            a, b = saying.marks[first], saying.marks[second]
            if isinstance(a, Amount) and isinstance(b, Amount):
                yield from _judged(saying, first, second, (a, b))


def _judged(saying: Saying, first: int, second: int, both: tuple[Amount, Amount]) -> Iterator[Finding]:
    a, b = both
    one, count = one_kind(a, b), counts(a, b)
    if not one and not count:
        return
    sure = one and again(saying, first, second)
    slip = aside(saying, first, second) or restated(saying, first, second)
    near = slip or alike(saying, first, second)
    if not sure and not near and not (one and beside(saying, first, second)):
        return
    if _of_one(saying, a, b):
        return  # one PFLOP/s-day is 8.64e19 FLOPs, which makes 3,646 of them in all
    about = "≈" if b.about or a.about else "="
    said_of = agree(a.node, about, b.node, prefixes=count, faces=False)
    factor = ratio_of(a.node, b.node)
    if said_of.word == "wrong" and factor is not None and not 1 / FARTHEST < factor < FARTHEST:
        return  # 18 bytes, or 50.4 GB: of one parameter, and of all
    power = surprise_of(b.node.printed[0].value) >= TELLING and power_between(a.node, b.node)
    wrong = said_of.word == "wrong" and (
        alike(saying, first, second) or (slip and unit_slip(a.node, b.node)) or power
    )
    if sure or wrong or said_of.word in SUPPORTS:
        found = finding(RULE.id, saying, (a, b), (b.start, b.end), said_of)
        verb = saying.marks[first - 1] if first else None
        yield replace(found, start=verb.start) if verb and said(verb, "takes", "is") else found


def _of_one(saying: Saying, a: Amount, b: Amount) -> bool:
    """Whether the first amount is said to be one unit of the second."""
    unit = b.node.units[0].word.rstrip("s")
    before = saying.block.text[saying.marks[0].start : a.start]
    return len(unit) > 1 and re.search(rf"\b(?:one|an?|1)\s+{re.escape(unit)}", before, re.I) is not None


def _with_those_before(page: Page) -> Iterator[Saying]:
    """Each sentence; and where one begins with `that is`, its amount with the one that ends the last."""
    last: Saying | None = None
    for saying in page.sayings:
        yield saying
        first = next((at for at, mark in enumerate(saying.marks) if isinstance(mark, Amount)), None)
        if last is not None and first and last.block is saying.block and said(saying.marks[0], "again"):
            place = max((at for at, m in enumerate(last.marks) if isinstance(m, Amount)), default=None)
            if place is not None and quiet(last.marks[place + 1 :]):
                yield replace(saying, marks=(*last.marks[place:], *saying.marks[: first + 2]))
        last = saying


RULE = Rule(
    "conversion",
    "A quantity said again in another unit is not the same quantity.",
    judge,
    bad=(
        "The checkpoint has 98.4 GB (105.7 GiB) and goes to the object store every night.",
        "That is 4.32e6 s of training, i.e. 500 days.",
        "On one card it takes 2.71e6 s, about 313 days.",
        "Der Lauf braucht 86.400 s, das sind 2,4 Tage.",
        "Un jeton occupe 65 536 octets, soit 640 Kio.",
        "El paso tarda 1,25 s, es decir, 125 ms.",
        "每个 token 占用 98,304 字节，即 98 KiB，缓存按请求分配。共有 8,192 个 token。",
        "キャッシュは 262,144 バイト、つまり 320 KiB です。",
        "캐시는 토큰마다 131,072 바이트, 즉 131 KiB이다.",
        "We pay $3.20/h, i.e. $28,302 a year for a card.",
        "At 312 GB, or 240 GiB, the state is too large for one card.",
        "The link is 400 Gb/s (40 GB/s).",
        "The store takes 40 GB/s from the whole of the cluster in the evening (5 Gb/s), so we wait.",
        "The tied weights occupy 39.91 GB,\nwhich is 42.86 GiB; in FP32 twice that.",
        "Na roda há 126 passos, e a espera de 630 µs, isto é, 6,3 ms, não é nada para uma rede.",
        "模型有 34.3B(3.43 亿)参数，训练的时间很长。",
        "The tables hold 41,943,040 weights (43.9M) between them.",
        "The cache of the batch is 29.54 GB (30.26 GiB, without the paging).",
        "The switch has 400 Gb/s a port, so 60 GB/s.",
        "The whole run lasts 1.45e6 seconds. That is 14.8 days.",
        "The block has 3,407,872 numbers, which is to say about $3.4 \\cdot 10^7$.",
        "Together they occupy 31.46 MB, or 29.3 GiB.",
    ),
    good=(
        "One PFLOP/s-day is 8.64e19 FLOPs, which makes 3,646 PFLOP/s-days.",
        "Then count 2 + 4 + 12 = 18 bytes, or 50.4 GB.",
        "The checkpoint has 98.4 GB (91.6 GiB) and goes to the object store every night.",
        "The step takes 1.2 s (120 ms of it are waits).",
        "Each rank keeps 14 GB of weights, 28 MB of norms.",
        "We save every 30 min or 1 h, depending on the fleet.",
        "A layer takes 12 ms (0.96 s for all eighty).",
        "The node has 640 GB of HBM (2 TB of host memory).",
        "$2/h, i.e. $17,520 a year, is what a card costs.",
        "1,024 tokens, that is 2 MB, fit into the window.",
        "Ein Tag hat 86.400 s, also 24 Stunden, und kostet 48 €.",
        "La carte a 80 Go, soit 74,5 Gio.",
        "The timeout is 10 s, about 2 min with retries.",
        "The job used 4,096 GPU-hours, or 8 h on 512 cards.",
        "The link is 400 Gb/s (50 GB/s), of which 45 GB/s are usable.",
        "全体で 1.451e6 秒、つまり約 16.8 日です。",
        "带宽 400 Gb/s，即 50 GB/s；每步 0.42 秒，约 420 毫秒。",
        "It needs 70 GB at FP8 (1 byte each).",
        "The 560 buckets of 25 MB make 14 GB, and 16 nodes with 24 GB each that is 0.4 TB.",
        "The job used 18,432 GPU-hours; at $2.10 that is $38.7k.",
        "A layer takes 12 ms per token, i.e. 0.96 s in all.",
        "One epoch is 3.1e5 s (86 h), 3.6 days.",
        "We read 40 GB/s from the old store of the cluster (its link has 100 Gb/s), so it is slow.",
        "We use 8 GPUs (64 K tokens each) and 1,000 tokens (1 M parameters) in a test.",
        "The run costs 3.8e24 FLOP, i.e. 44,000 PFLOP/s-days.",
        "共 48.6 万卡时（20,250 卡天），每天 12 小时（6,144 卡时）。",
        "Llama-7B (6.74 billion parameters) has a batch of 262,144 tokens (256K).",
        "We rent 80 GB (of which 74 GiB are free) and see 400 Gb/s, so about 45 GB/s.",
        "The model has 41,943,040 weights (43.9M with the norms).",
        "The run took 12 s. That is 3 min less than before.",
        "A step is 4.2 s. That is, 36 steps take 2.52 min.",
    ),
    preview=False,
)
