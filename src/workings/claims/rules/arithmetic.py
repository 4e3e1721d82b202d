"""A displayed calculation against what is printed as its result."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from workings.claims.claim import SUPPORTS, Claim, Finding, Rule, Word
from workings.claims.closeness import Said, agree, ratio_of
from workings.claims.digits import sole
from workings.claims.lent_units import with_units
from workings.claims.misprints import power_between
from workings.claims.page import Page
from workings.claims.portions import is_portion, of_a_unit
from workings.claims.relations import surprise_of
from workings.claims.restarts import begun_anew
from workings.claims.shown import noun_end, text_of
from workings.claims.worked_cells import worked_out
from workings.marks.quantity import BARE, BYTE, PLAIN
from workings.marks.tree import Node, Number, Operation, leaves, letters

_TRUE = ("ok", "rounds")
LARGE = 1_000  # a power of two that is no accident
TELLING = 2.0  # digits beside twos and fives
MOST = 2_000  # times: a prefix lost, or a slip


def judge(page: Page) -> Iterator[Finding]:
    """Every relation between two calculations in numbers."""
    for claim in page.chains:
        if not letters(claim.left) and not letters(claim.right):
            yield from _judged(claim, page)
    yield from _in_units(page)
    tied = {(id(one.block), one.figure[0]) for one in page.tied}
    for claim, said in worked_out(page.document.blocks, page.style, page.known):
        if (id(claim.block), claim.figure[0]) not in tied:
            yield found(claim, RULE.id, said.word, said.expected)


def _judged(claim: Claim, page: Page) -> Iterator[Finding]:
    calculated = isinstance(claim.left, Operation) or _powers_of_two(claim)
    judged = calculated or _converts(claim.left, claim.right)
    if not judged and not (claim.relation in "=≈" and _the_same(claim.left, claim.right)):
        return
    said = _best(claim, page)
    if not judged and said.word not in _TRUE:
        return
    if said.word == "wrong" and begun_anew(claim):
        said = Said("ok")
    if said.word == "wrong" and is_portion(claim):
        said = Said("undecided")
    sure = claim.sure or _by_a_power(claim.left, claim.right)
    if said.word != "wrong" or (sure and (calculated or not _doubtful(claim))):
        yield found(claim, RULE.id, said.word, said.expected)


def _doubtful(claim: Claim) -> bool:
    """Whether one amount is so much each, and the other so much in all: 12 B = 110.4 GB."""
    each = isinstance(claim.left, Number) and _for_each(claim.left) and not _close(claim)
    return each or _far(claim)


def _by_a_power(left: Node, right: Node) -> bool:
    """Whether a power of ten explains all digits of a result."""
    number = sole(right)
    telling = number is not None and surprise_of(number.printed[0].value) >= TELLING
    return telling and power_between(left, right) is not None


def _the_same(left: Node, right: Node) -> bool:
    """Whether a figure is said again: 4M tokens = 2,048 × 2,048, 3.5 · 10³ = 3,500, 1 Bio. = 10^12."""
    if not isinstance(left, Number):
        return False
    powers = left.printed[0].ulp != 1 and left.units == (PLAIN,)
    return isinstance(right, Operation) or (
        powers and isinstance(right, Number) and right.units == (PLAIN,)
    )


def _powers_of_two(claim: Claim) -> bool:
    """Whether two powers of two are said to be one: 131,072 tokens (2^16)."""
    match claim.left, claim.right:
        case Number(units=(unit,)) as left, Operation("^", (Number() as base, Number())) if unit == PLAIN:
            value = left.printed[0].value
            return (
                base.printed[0].value == 2
                and value >= LARGE
                and value == 1 << int(value).bit_length() - 1
            )
    return False


def _best(claim: Claim, page: Page) -> Said:
    """What is said of a claim, or of its result before it was rounded, or with the units of the page."""
    said = agree(claim.left, claim.relation, claim.right)
    for earlier in claim.before:
        if said.word not in _TRUE and not letters(earlier):
            other = agree(earlier, claim.relation, claim.right)
            said = other if other.word in SUPPORTS else said
    if said.word not in _TRUE and (whole := of_a_unit(claim.left)) != claim.left:
        other = agree(whole, claim.relation, claim.right)
        said = other if other.word in SUPPORTS else said
    if said.word not in _TRUE and isinstance(claim.left, Operation):
        lent = with_units(claim.left, page.lent)
        other = agree(lent, claim.relation, claim.right)
        slip = said.word == "undecided" and other.word == "wrong" and _by_a_power(lent, claim.right)
        said = other if other.word in _TRUE or slip else said
    return said


def _in_bytes(claim: Claim) -> bool:
    """Whether the last operand is in bytes, and the result in millions of them: `× 2 B = 33.6 MB`."""
    *_, last = leaves(claim.left)
    number = sole(claim.right)
    return (
        isinstance(last, Number) and number is not None and last.units[0].word == "B"
        and number.units[0].dimension == BYTE and number.units[0].word != "B"
    )  # fmt: skip


def _in_units(page: Page) -> Iterator[Finding]:
    """What holds where a letter that the page uses is a unit, and what can be meant in units only."""
    for claim in page.unit_chains:
        if isinstance(claim.left, Operation) and not letters(claim.left) and not letters(claim.right):
            said = agree(claim.left, claim.relation, claim.right)
            if said.word in _TRUE or (said.word == "wrong" and claim.sure and _in_bytes(claim)):
                yield found(claim, RULE.id, said.word, said.expected)


def _for_each(number: Number) -> bool:
    """Whether it is so much for each of something: `400 Gb/s per GPU`, not `172k tokens/s`."""
    return bool(number.noun) and not number.units[0].word.startswith("/")


def _close(claim: Claim) -> bool:
    """Whether so much each and the other amount can only be meant as one: 400 Gb/s per GPU = 40 GB/s."""
    ratio = ratio_of(claim.left, claim.right)
    return ratio is not None and Fraction(2, 3) < abs(ratio) < Fraction(3, 2)


def _far(claim: Claim) -> bool:
    """Whether two quantities are too far apart for one said again in another unit."""
    ratio = ratio_of(claim.left, claim.right)
    return ratio is None or not 1 / MOST <= abs(ratio) <= MOST


def _converts(left: Node, right: Node) -> bool:
    """Whether one quantity is said again in another unit of the same kind."""
    if not (isinstance(left, Number) and isinstance(right, Number)):
        return False
    kinds = [{unit.dimension for unit in side.units} - {BARE} for side in (left, right)]
    words = [{unit.word for unit in side.units} for side in (left, right)]
    return bool(kinds[0] & kinds[1]) and not words[0] & words[1]  # … + m, v 8 B = 14 B is a sum


def found(claim: Claim, rule: str, word: Word, expected: str = "", reason: str = "") -> Finding:
    """A claim with what a rule says of it."""
    if word == "wrong" and expected and not reason:
        reason = f"this comes to {expected}"
    end = noun_end(claim.block.text, claim.end)
    return Finding(rule, word, claim.block, claim.start, end, claim.figure, claim.relation, reason,
                   text_of(claim.block, claim.figure), expected)  # fmt: skip


RULE = Rule(
    "arithmetic",
    "A displayed calculation in numbers does not come to the result that is printed behind it.",
    judge,
    bad=(
        "The adapter takes them from $`4096 * 4096 \\approx 15M`$ to $`8 * 8192 \\approx 66K`$.",
        "The table has $50304\\cdot 2048 = 103{,}202{,}592$ entries.",
        "512 GPUs * 24 h * 32 d = 39,322 GPU-hours",
        "Compute takes 2.78e14 / 3.0e14 = 0.693 s.",
        "1.581 h × 60 = 91.5 min",
        "5.19 GB / 8 = 0.65 TB",
        "The budget comes to 6 × 9e9 × 2e12 = 1.08e24 FLOPs.",
        "With a batch of $B = 64$ sequences. A matrix has $8192\\times 4096\\times 2$ B $= 33.6$ MB.",
        "The links: 400 Gb/s per GPU = 40 GB/s.",
        "One sequence of $T = 131{,}072$ tokens ($2^{16}$) is cut in eight.",
        "Le total est 3 × 1 172,5 = 3 617,5 Go, soit 1,5 fois plus.",
    ),
    good=(
        "2 bytes × 70 = 140 GB",
        "With a batch of $B = 64$ sequences. A matrix has $8192\\times 4096\\times 2$ B $= 67.1$ MB.",
        "per parameter: bf16 weights 2 B + fp32 master 4 B + Adam m, v 8 B = 14 B.",
        "1.1 days x 24 x 4096 = ~108k GPU-hours",
        "$$\\frac{16.06 + 0.54}{2039\\ \\text{GB/s}} = 8.14\\ \\text{ms}$$",
        "The links: 400 Gb/s per GPU = 50 GB/s, and 400 Gb/s per GPU = 3.2 Tb/s per node.",
        "16 * 32 = 512 sequences × 4096 tokens = 2.1M tokens",
        "160 kB = 160 * 8192 = 1.31 GB",
        "12 × 1.5 = 18万",
        "16 GB / 400 Gb/s × 8 = 0.32 s",
        "It has 4,194,304 tokens (2^22), 1,024 cards (128 × 8), windows of 128k (2^17), 12 hosts (8 + 3)",
        "| mesh | cards | s |\n|---|---|---|\n| 8 × 4 | 32 | 1.2 |\n| 8 × 8 | 64 | 0.7 |\n"
        "\n| mesh | s |\n|---|---|\n| 8 × 4 | 1.2 |\n| 8 × 8 | 0.7 |",
        "2.92e8 seconds/(24 × 60 × 60) = 3380 days",
        "16 B * 219.85e9 = 3517.6 GB",
        "4 B + 4 B + 8 B = 16 B",
        "2 B × 8e9 = 16 GB",
        "2 (K and V) × 80 layers × 8 heads × 128 × 2 B = 327,680 B",
        "8 × 3.35 = 26.8 TB/s, of which 70 % = 18.8 TB/s",
        "$1.38\\times 10^{20} / 1.5\\times10^{14} = 9.20\\times 10^{5}$ s",
        "$11,680 / 8,200 M = $1.42 per million",
        "Le total est 1 172,5 × 3 = 3 517,5 Go, soit 1,5 fois plus.",
        "goodput = 100 - 7.525 = 92.475%",
        "The optimizer (master + m + v) = 12 B = 110.4 GB; as 18 B/param = 165.6 GB in all.",
        "```\n- 80 GiB = 80 * 1024^3 bytes\n```",
        "A shift is 1/3 day = 8 h, the spare disk 3/4 TB = 750 GB.",
        "The dump has 213 GB in all, of which a host keeps 1/16 = 13.3 GB and sends 15/16 = 200 GB.",
        "Together the two phases need $27.31 + 4.06 = 31.37\\times10^{17}$ operations.",
    ),
    preview=False,
)
