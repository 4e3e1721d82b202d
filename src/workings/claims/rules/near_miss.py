"""A figure that is a power of ten, or a slip of digits, away from what the amounts before it come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from math import floor, log

from workings.claims.claim import SUPPORTS, Finding, Rule
from workings.claims.closeness import Said, agree
from workings.claims.elsewhere import Elsewhere
from workings.claims.misprints import LEAST, misprinted, nearest_power, power_between, told
from workings.claims.near import Figure, Way, figures_of, loose_values, values_of, ways_of
from workings.claims.page import Page
from workings.claims.restating import form
from workings.claims.shown import value_text
from workings.claims.voiced import exactly, finding, times
from workings.marks.quantity import BARE, Printed
from workings.marks.tree import Node, Number
from workings.marks.values import Reading, choices, value_of

ROUGH = 0.02  # half a last digit: less exact figures come to anything
TELLING = 1.2  # digits of a figure beside twos and fives
LUCK = 0.012  # how likely a slip may explain a figure by chance
SUPPORTED = 0.05  # the same for amounts to support it
DIGITS = 3.0  # that a count must have beside twos and fives for others to support it
LARGE = 1_000  # a whole number that so many times are hardly by chance
_SMALL = (2, 3, 4, 6, 8, 12, 16)  # what is counted in without a word


def judge(page: Page) -> Iterator[Finding]:
    """Every figure that amounts before it come to by their units, or miss by a slip."""
    own = page.calculated
    refuted = {place for place, word in own.items() if word == "wrong"}
    for figure in figures_of(page, refuted):
        amount = figure.amount
        place = (id(figure.saying.block), amount.start)
        if own.get(place, "undecided") != "undecided":
            continue
        if amount.part or amount.percent or amount.bound or not figure.pool or amount.worded:
            continue
        ways = ways_of(figure)
        for found in _judged(figure, ways, page.elsewhere) if ways and figure.width <= ROUGH else ():
            refuted |= {place} if found.word == "wrong" else set()
            yield found


def _judged(figure: Figure, ways: Sequence[Way], elsewhere: Elsewhere) -> Iterator[Finding]:
    wide = 1.5 * figure.width + 1e-9
    for tried, way in enumerate(ways, 1):
        if any(abs(way.value / v - 1) <= wide for v, kind in figure.values if kind == way.kind):
            said_of = agree(way.node, "=", figure.amount.node, faces=False)
            if _telling(figure, way, tried) and said_of.word in SUPPORTS - {"depends"}:
                start, end = _place(figure)
                one = finding(RULE.id, figure.saying, (), (start, end), said_of)
                yield replace(one, start=start, end=end)  # nothing else is supported by it
            return
    found = next(_slips(figure, ways), None)
    if found is not None and not _explained(figure, ways) and not _before(figure, found[0], elsewhere):
        way, node, slip = found
        unit = figure.amount.node.units[0]
        expected = value_text(value_of(node, Reading(next(choices(node, figure.amount.node)))), unit)
        reason = f"this comes to {expected}; {slip}"
        said_of = Said("wrong", expected)
        here = [part for part in way.parts if part in figure.pool[: figure.here]]
        yield finding(RULE.id, figure.saying, here, _place(figure), said_of, reason)


def _telling(figure: Figure, way: Way, tried: int) -> bool:
    """Whether amounts that come to a figure tell that it is right: their units, or its digits."""
    if way.typed:
        return _luck(figure, tried) <= SUPPORTED
    rare = figure.surprise >= DIGITS or BARE not in figure.amount.dimensions
    if way.sign in ("+", "-") and figure.saying.says("whole", "left"):
        return False  # a total may leave a part out
    return bool(way.sign) and rare and _luck(figure, tried) <= SUPPORTED


def _place(figure: Figure) -> tuple[int, int]:
    return figure.amount.start, figure.amount.end


def _explained(figure: Figure, ways: Sequence[Way]) -> bool:
    """Whether units left out, or something small that is counted in without a word, make the figure."""
    wide = 1.5 * figure.width + 1e-9
    counts = [v for one in figure.pool for v, kind in values_of(one) if kind == BARE]
    factors = [factor for count in (*_SMALL, *counts) for factor in (count, 1 / count)]
    counted = (way.value * factor for way in ways for factor in factors)
    worth = [value for value, _ in figure.values]
    return any(
        abs(made / v - 1) <= wide for made in chain(loose_values(figure.pool), counted) for v in worth
    )


def _luck(figure: Figure, tried: int) -> float:
    """How likely one of so many ways has the digits of a figure by chance."""
    return tried * 2 * figure.width / log(10)


def _slips(figure: Figure, ways: Sequence[Way]) -> Iterator[tuple[Way, Node, str]]:
    """The ways that a slip makes the figure of, with what they come to, and the slip in words."""
    exact = _whole(figure.amount.node)
    for tried, way in enumerate(ways, 1):
        telling = _luck(figure, tried) <= LUCK and figure.surprise >= TELLING and not figure.amount.plain
        for node, made in _wholes(figure, way) if exact is not None else ():
            if exact is not None and (slip := misprinted(exact, made)):
                yield way, node, slip
        if exact is not None:
            continue
        if telling and _linked(figure, way, tried) and (power := _power(figure, way)):
            yield way, way.node, told(power)


def _linked(figure: Figure, way: Way, tried: int) -> bool:
    """Whether units, one sentence or very many digits tie a figure to a calculation."""
    if not way.sign:  # said again: a long number, or in bits and in bytes
        first = way.parts[0]
        forms = [form(amount.node.units) for amount in (first, figure.amount)]
        return _whole(first.node) is not None or (first is figure.pool[0] and forms[0][0] != forms[1][0])
    here = all(part in figure.pool[: figure.here] for part in way.parts)
    calculated = len(way.parts) == 2 and way.sign in "*/"
    return calculated and (way.typed or here or _luck(figure, tried) <= LUCK / 6)


def _power(figure: Figure, way: Way) -> int | None:
    """The power of ten that the figure is too large by."""
    wide = 1.5 * figure.width + 1e-9
    for value, kind in figure.values:
        power = nearest_power(value / way.value) if kind == way.kind and way.value else 0
        if power and abs(way.value * 10.0**power / value - 1) <= wide:
            return power_between(way.node, figure.amount.node)
    return None


def _before(figure: Figure, way: Way, elsewhere: Elsewhere) -> bool:
    """Whether the page says an amount before as that power of ten would make it: it is what slipped."""
    power = _power(figure, way) or 0
    for place, part in enumerate(way.parts):
        ten = Fraction(10) ** (-power if place and way.sign == "/" else power)
        digits = Printed(part.node.printed[0].value * ten, part.node.printed[0].ulp * ten)
        other = digits.value != figure.amount.node.printed[0].value
        if power and other and elsewhere.rounds_to(digits):
            return True
    return False


def _whole(node: Node) -> int | None:
    """A whole number of so many digits that a slip in one can be told."""
    if not isinstance(node, Number):
        return None
    digits, unit = node.printed[0], node.units[0]
    exact = digits.whole and unit.scale == 1 and digits.zeros < len(str(int(digits.value))) - LEAST + 2
    return int(digits.value) if exact and digits.value >= 10 ** (LEAST - 1) else None


def _wholes(figure: Figure, way: Way) -> Iterator[tuple[Node, int]]:
    """What whole numbers come to, exactly; and the number before in this sentence, so many times."""
    whole = all(part.node.printed[0].whole for part in way.parts)
    exact = whole and all(part.node.units[0].scale == 1 for part in way.parts)
    if not exact and (way.sign != "/" or not whole):
        return
    value = value_of(way.node, Reading(next(choices(way.node)))).middle
    if abs(value - figure.amount.node.printed[0].value) <= 1:
        return  # what fits is rounded down; one of many may be meant without the first or the last
    made = round(value)
    near = way.parts[0] in figure.pool[: figure.here] or made >= LARGE**2
    if way.sign:
        yield from ((way.node, count) for count in dict.fromkeys((made, floor(value))))
    elif near and made >= 10 * LARGE:
        yield from ((times(exactly(Fraction(k), 0, 0), way.node), made * k) for k in _SMALL)


RULE = Rule(
    "near-miss",
    "A figure is a power of ten or a slip of digits away from what the amounts before it come to.",
    judge,
    bad=(
        "The shard is 37.4 GB. A link has 45 GB/s. We saw 8.31 s.",
        "With 384 cards and their peak of 312 TFLOP/s we rent 119.8 TFLOP/s here.",
        "Pro Knoten liegen 46,8 GB auf der Platte; bei 6,5 GB/s dauert das Lesen 720 ms.",
        "A step has 524,288 tokens, each sent to 6 experts, so the router makes 3,154,728 choices.",
        "Les trois blocs comptent 402 653 184, 134 217 728 et 16 777 216 poids. En tout, 553 468 128.",
        "| link | rate |\n|---|---|\n| NIC | 42 GB/s |\n\nThe gradients of 27.3 GB go out in 65 ms.",
        "一台机器写出 88.4 GB，磁盘速度为 3.4 GB/s。忽略元数据，260 秒后写完。",
        "The table has 128,256 rows of 5,120 numbers, which makes 656,760,720 weights.",
    ),
    good=(
        "The shard of 37.4 GB leaves over a link of 45 GB/s: 831 ms if nothing else does.",
        "With 384 cards at a peak of 312 TFLOP/s each, the pod has 119.8 PFLOP/s.",
        "396 TF/s each, 512 of them are 203 PF/s.",
        "The 29.0B weights take two bytes each, 58.0 GB in all, and 21.7B more take 43.5 GB.",
        "Each layer sends 37.4 MB. All thousand of them send 37.4 GB over 45 GB/s.",
        "A step has 524,288 tokens, each sent to 6 experts, so the router makes 3,145,728 choices.",
        "The model has 12,687,769,600 weights in ten parts of 1,268,776,960.",
        "Les trois blocs comptent 402 653 184, 134 217 728 et 16 777 216 poids. En tout, 553 648 128.",
        "The link has 450 GB/s (the data sheet says 900, both ways), the store 9.1 GB/s.",
        "At $1.47 an hour and 180K tokens an hour, a million tokens cost $8.17.",
        "One rank holds 58.7 MB of its layer, the eight 470 MB; at 45 GB/s that is 10.4 ms.",
        "We ran 36,500 steps and saved 365 times; each state has 12.4 GB and takes 1.24 min to write.",
        "Of 1,048,576 slots 1,048,567 were taken in the first hour.",
        "ZeRO keeps 14.2 GB here and 1.42 GB there, since ten times as many cards share it.",
        "1.2 s of 12 s are lost, 10 %; with 120 GB at 10 GB/s that is no wonder.",
        "The racks draw 135 MWh. At $0.11 per kWh: $14,850.",
        "- 3.75 s compute\n- 0.375 s communication\n- 37.5 GB in the cache",
        "We give it 12 GiB, and a page has 28 KiB, so 449,389 pages fit.",
        "A run has 1,310,720 tokens in 5 parts, and the first has no target: 1,310,719 are scored.",
    ),
    preview=False,
)
