"""Whether a sentence leaves no doubt that its figures belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from workings.claims.claim import SUPPORTS
from workings.claims.closeness import agree, ratio_of
from workings.claims.marked import ASIDE, Amount, Word, said
from workings.claims.restating import form
from workings.claims.sayings import Saying
from workings.claims.spoken_products import Reading
from workings.claims.voiced import exactly, over, times
from workings.marks.tree import Operation

_EIGHT = re.compile(r"(?<![\w.,])(?:8|eight|acht|huit|ocho|oito|八)(?![\w.,]*\d)")
MOST_WORDS = 6  # that we do not know, in a sentence that we trust to say nothing else
_CLOSE = Fraction(1, 40)
_SLIPS = tuple(Fraction(10) ** k for k in (1, 2, 3, 4, 5, 6, 9))


def slipped(factor: Fraction | None) -> bool:
    """Whether two figures are apart by a power of ten."""
    return factor is not None and any(
        abs(f * s - 1) < _CLOSE for s in _SLIPS for f in (factor, 1 / factor)
    )


def sure(saying: Saying, operands: Sequence[Amount], result: Amount, reading: Reading) -> bool:
    """Whether no factor that the sentence does not count can be behind the difference."""
    factor = ratio_of(reading.node, result.node)
    total = Operation("+", (operands[0].node, operands[1].node))
    if factor is None or agree(total, "=", result.node, faces=False).word in SUPPORTS:
        return False
    slip = slipped(factor)
    changed, quiet = _spoken(saying, operands, result)
    if bits_for_bytes(operands, result, reading):
        return quiet and not _says_eight(saying, operands, result)
    if slip:
        return not changed
    if not quiet or (reading.single and not saying.says("so", "again")):
        return False
    if reading.asked:  # six GB over 32 ranks may move more than a share each
        return Fraction(1, 5) < factor < 5
    return not _simple(factor)


def bits_for_bytes(operands: Sequence[Amount], result: Amount, reading: Reading) -> Amount | None:
    """The operand in bits that the result takes for bytes, where that alone explains it."""
    bits = [one for one in operands if form(one.node.units)[0]]
    eight = exactly(Fraction(8), 0, 0)
    ways = (over(reading.node, eight), times(reading.node, eight))
    if len(bits) == 1 and any(agree(way, "=", result.node, faces=False).word in SUPPORTS for way in ways):
        return bits[0]
    return None


def _spoken(saying: Saying, operands: Sequence[Amount], result: Amount) -> tuple[bool, bool]:
    """Whether another case is spoken of, and whether nothing is that could hide a factor."""
    amounts = (*operands, result)
    start = min(amount.start for amount in amounts)
    nouns = {noun for amount in amounts for noun in amount.nouns}
    inside = [m for m in saying.marks if isinstance(m, Word) and start <= m.start < result.end]
    others = [mark for mark in inside if mark.text.casefold() not in nouns]
    unknown = [mark for mark in others if not mark.means - ASIDE]
    changed = any(said(mark, "case", "not") for mark in inside)
    hidden = any(said(mark, "hidden", "case", "not") for mark in others)
    return changed, not hidden and len(unknown) <= MOST_WORDS


def _says_eight(saying: Saying, operands: Sequence[Amount], result: Amount) -> bool:
    """Whether the block counts eight of something, which may share what is moved."""
    known = (*operands, result)
    return any(
        not any(one.start <= counted.start() < one.end for one in known)
        for counted in _EIGHT.finditer(saying.block.text)
    )


def _simple(factor: Fraction) -> bool:
    """Twice, a third: perhaps there and back, or a part of what moves."""
    return any(
        abs(f * k - round(f * k)) <= f * k / 50 and round(f * k)
        for f in (factor, 1 / factor)
        for k in (1, 2, 3)
    )
