"""A calculation said in words, with what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from workings.claims.claim import SUPPORTS, Finding, Rule
from workings.claims.closeness import Said, agree
from workings.claims.doubt import bits_for_bytes, sure
from workings.claims.marked import Amount, Mark, said, same_kind
from workings.claims.page import Page
from workings.claims.ratios import ratios_of
from workings.claims.sayings import Saying
from workings.claims.spoken_products import readings
from workings.claims.voiced import finding, over, times
from workings.marks.quantity import BARE

EARLIER = 2  # sentences in which a rate may have been said


def judge(page: Page) -> Iterator[Finding]:
    """Every result in words whose two operands the sentence leaves no doubt about."""
    for number, saying in enumerate(page.sayings):
        if saying.block.kind == "cell" or not saying.amounts:
            continue
        before = [s for s in page.sayings[max(0, number - EARLIER) : number] if s.block is saying.block]
        yield from _of_sentence(saying, before)


def _of_sentence(saying: Saying, before: Sequence[Saying]) -> Iterator[Finding]:
    taken = {place for ratio in ratios_of(saying) for place in range(ratio.first, ratio.last + 1)}
    places = [at for at, mark in enumerate(saying.marks) if isinstance(mark, Amount)]
    free = [at for at in places if at not in taken and not _amount(saying, at).part]
    if taken & set(places) or not _results_only(saying.marks, places):
        return
    for at in [at for at in free if _linked(saying.marks, at)][-1:]:
        result, others = _operands(saying, free, at)
        if result.bound or any(other.bound for other in others):
            continue
        figures = [other for other in others if not other.worded]  # two moments of 4 bytes each
        if len(figures) == 2 and len(others) <= 3:
            yield from _judged(saying, figures, result, [other for other in others if other.worded])
        elif len(others) == 2:
            yield from _judged(saying, others, result)
        elif len(others) == 1:
            yield from _with_one(saying, before, others[0], result)


def _operands(saying: Saying, free: Sequence[int], at: int) -> tuple[Amount, list[Amount]]:
    """The result, and the other amounts of the sentence."""
    result = _amount(saying, at)
    others = [_amount(saying, place) for place in free if place != at]
    later = [o for o in others if o.start > result.start and not o.each and same_kind(o, result)]
    if result.each and later:  # 2.4 MB a run, 58 MB for all 24 runs
        return later[0], [other for other in (*others, result) if other is not later[0]]
    return result, others


def _with_one(
    saying: Saying, before: Sequence[Saying], operand: Amount, result: Amount
) -> Iterator[Finding]:
    """One operand here, and the other in the clause or in a sentence before."""
    one = _only(before[-1], operand, result) if saying.goes_on and before else None
    if one is not None:
        yield from _judged(saying, (one, operand), result)
    elif operand.start < result.start:
        yield from _with_earlier(saying, before, operand, result)


def _only(saying: Saying, other: Amount, result: Amount) -> Amount | None:
    """The one amount of a clause that fits, where the next goes on behind a semicolon."""
    if saying.says("hidden", "case", "not"):
        return None
    fit = [amount for amount in saying.amounts if any(readings(amount, other, result))]
    return fit[0] if len(fit) == 1 and not fit[0].part and not fit[0].bound else None


def _amount(saying: Saying, at: int) -> Amount:
    mark = saying.marks[at]
    if not isinstance(mark, Amount):
        raise TypeError(mark.text)
    return mark


def _results_only(marks: Sequence[Mark], places: Sequence[int]) -> bool:
    """Whether every displayed calculation ends in a result: `2 × 14 GB and 3 GB` does not."""
    for at, after in zip(places, [*places[1:], None], strict=False):
        mark = marks[at]
        if isinstance(mark, Amount) and mark.part:
            follows = marks[after] if after is not None else None
            if follows is None or after is None or not isinstance(follows, Amount):
                return False
            if not follows.part and not any(said(m, "=") for m in marks[at + 1 : after]):
                return False
    return True


def _linked(marks: Sequence[Mark], at: int) -> bool:
    """Whether the words before an amount say that it is a result."""
    place = at - 1
    hedged = False
    while place >= 0 and said(marks[place], "about", "a"):
        hedged = hedged or said(marks[place], "about")
        place -= 1
    if place < 0:
        return False
    if said(marks[place], "so", "is", "again", "takes"):
        return True
    if isinstance(marks[place], Amount):  # braucht das Laden von 68 GB nur 23 s
        return any(said(mark, "takes") for mark in marks[:place])
    return said(marks[place], ",") and (hedged or (place > 0 and said(marks[place - 1], "so")))


def _judged(
    saying: Saying, operands: Sequence[Amount], result: Amount, factors: Sequence[Amount] = ()
) -> Iterator[Finding]:
    found = list(readings(operands[0], operands[1], result))
    if not found:  # 400 Gb/s per GPU, so 14.5 GB take 36 ms: what it is each of says nothing here
        plain = [replace(one, each=frozenset()) for one in operands]
        found = [
            way for way in readings(plain[0], plain[1], result) if bits_for_bytes(plain, result, way)
        ]
    if not found:
        return
    relation = "≈" if result.about or any(operand.about for operand in operands) else "="
    said_of = [agree(reading.node, relation, result.node, faces=False) for reading in found]
    for way in (times, over):  # and times the two of them
        more = [way(reading.node, factor.node) for reading in found for factor in factors]
        said_of += [agree(node, relation, result.node, faces=False) for node in more]
    good = next((one for one in said_of if one.word in SUPPORTS), None)
    one = good or said_of[0]
    if good is None and (len(found) > 1 or not sure(saying, operands, result, found[0])):
        one = Said("undecided")
    bits = bits_for_bytes(operands, result, found[0])
    reason = f"the figure takes {bits.text} for bytes; this comes to {one.expected}" if bits else ""
    yield finding(RULE.id, saying, (*operands, result), (result.start, result.end), one, reason)


def _with_earlier(
    saying: Saying, before: Sequence[Saying], operand: Amount, result: Amount
) -> Iterator[Finding]:
    """So many tokens, where a sentence before says what one takes."""
    if BARE not in operand.dimensions or not operand.nouns:
        return
    spoken = [a for sentence in before for a in sentence.amounts if not a.part and a.dimensions - {BARE}]
    rates = [
        amount for amount in spoken
        if (amount.each or amount.whose) and not amount.bound
        and any(reading.asked for reading in readings(amount, operand, result))
    ]  # fmt: skip
    rates += [a for a in spoken if rates and same_kind(a, rates[0]) and a not in rates]
    if not rates or any(
        agree(rates[0].node, "≈", rate.node, faces=False).word not in SUPPORTS for rate in rates[1:]
    ):
        return
    product = next(reading for reading in readings(rates[0], operand, result) if reading.asked)
    one = agree(product.node, "≈", result.node, faces=False)
    if one.word == "wrong" and not sure(saying, (operand, operand), result, product):
        one = Said("undecided")
    yield finding(RULE.id, saying, (operand, result), (result.start, result.end), one)


RULE = Rule(
    "calculation-in-words",
    "A calculation said in words does not come to the result that the sentence gives.",
    judge,
    bad=(
        "Reading 70 GB at 18.8 TB/s takes 37.2 ms.",
        "At 172k tokens/s, 26.0B tokens take 1.512e4 s.",
        "The bucket of 16.8 MB is small, and over 50 GB/s it takes 3.36 ms.",
        "The checkpoint has 412 GB, and the store takes 20 GB/s, so 206 s.",
        "Un paquet de 25 Mo est petit pour la carte, et à 50 Go/s il demande 5 ms.",
        "One pass costs 1.55e12 FLOP; at 400 TFLOP/s it takes 38.8 ms.",
        "每卡发送 2.14 + 2.01 = 4.15 GB;网卡带宽 50 GB/s,耗时约 830 毫秒。",
        "The node has 8 GPUs with 80 GB each, so 680 GB.",
        "A cache of 3,000 tokens of 327,680 B each, about 98 MB, belongs to a conversation.",
        "16 bytes a parameter for 7B parameters make 121 GB.",
        "We spread 1,120 GB over 64 ranks, which makes 71.5 GB per rank.",
        "Die 16 Karten haben je 24 GB, zusammen 348 GB.",
        "Le calcul demande 140 GFLOP par jeton. Pour 1 000 jetons, il faut donc 14 TFLOP.",
        "Adam keeps two FP32 moments, 8 bytes a parameter, so 76 GB for a 7B model.",
        "A token takes 327,680 B, so 3,000 tokens take 9.8 GB.",
        "A request costs 35 TFLOP. 2,000 requests cost 7 PFLOP.",
        "Los 32 nodos cuestan 18 $ por nodo, en total 756 $.",
        "512 GPUs for 24 h are 122,880 GPU-hours.",
        "KV per token: 80 × 4,096 B = 327,680 B. A prompt of 2,000 tokens needs 6.55 GB.",
        "8 枚の GPU に各 80 GB、合計 460 GB です。",
        "400 Gb/s per GPU, so 14.5 GB take 36 ms.",
    ),
    good=(
        "The bucket of 16.8 MB moves in a ring; over 50 GB/s it takes 0.63 ms.",
        "The cards have 3.35 TB/s. We see 70 % of it, 2.35 TB/s, and 80 % at night, or 2.7 TB/s.",
        "13.69 GB per micro-batch over PCIe, 25 GB/s measured: 0.55 s one way, 8.8 s for sixteen.",
        "The checkpoint has 412 GB, and the store takes 20 GB/s, so 20.6 s.",
        "A layer moves 2 GB; at 50 GB/s the 10 layers need 400 ms.",
        "The ring moves 4.2 GB twice, at 50 GB/s that takes 0.17 s.",
        "The state of 412 GB is written by 10 hosts at 20 GB/s each, so 2.06 s.",
        "A pass takes 3 s if the link has 50 GB/s, and 12 GB are in flight.",
        "The peak is 989 TFLOP/s; at 40 % MFU that is 395.6 TFLOP/s.",
        "From 450 GB/s we see 80 %, with 16 GB of buffers at each card.",
        "Die 16,8 MB gehen bei 50 GB/s in 0,336 ms über die Leitung.",
        "The node has 8 GPUs with 80 GB each, so 640 GB.",
        "A ring all-reduce of 14 GB at 50 GB/s takes 0.56 s.",
        "Each of the 8 GPUs holds 80 GB, and the host has 2 TB.",
        "16 bytes a parameter for 7B parameters make 112 GB.",
        "At 172k tokens/s, 26.0B tokens take 151.2k s.",
        "We move 56 GB at 50 GB/s at 80 % efficiency, so 1.4 s.",
        "Two directions of 50 GB/s and 14 GB of gradients give 0.14 s.",
        "A job of 32 nodes with 8 GPUs each runs for 6 h, so 1,536 GPU-hours.",
        "The 16 layers have 4 GB each, but the first is 1 GB larger, so 65 GB.",
        "At $2 per GPU-hour the week costs $2,688 on 8 GPUs.",
        "512 GPUs for 24 h are 12,288 GPU-hours.",
        "KV per token: 80 × 4,096 B = 327,680 B. A prompt of 2,000 tokens needs 655 MB.",
        "Adam keeps two FP32 moments, 4 bytes a parameter, so 56 GB for a 7B model.",
        "A card has 80 GB, and 8 cards hold 560 GB of weights.",
        "A card has 80 GB. 8 cards hold 560 GB of weights.",
        "100 steps take 420 s, so a step takes 4.2 s.",
        "The 12 checkpoints have 15.6 GB each, 187 GB together with the old 14 GB one.",
        "It reads 3.35 TB/s from 80 GB, and each token takes 4.8 ms.",
        "Die 16 Karten haben je 24 GB, zusammen 384 GB.",
        "400 Gb/s per GPU, so 14.5 GB take 290 ms.",
        "The 8 GPUs have 400 Gb/s each and share the load, so 14.5 GB take 36 ms.",
    ),
    preview=False,
)
