"""Counts as people write them: `8k` tokens, `4M` tokens a step, `15.6T` tokens in all."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import Entry, Reader, refused, shown, whole
from workings.units import SUFFIXES, UnitError, parse_amount

_MOST_SEQUENCES = 100_000  # of a plain number: above, it is most likely tokens
_AFTER = re.compile(r"([kKMGBT]?)(?:i?)\s*(tokens|sequences|)")


def _parts(entry: Entry, expected: str) -> tuple[Fraction, int, str]:
    """Number, power of a thousand and noun. Raises JobError."""
    try:
        number, rest = parse_amount(entry.value if isinstance(entry.value, str) else "")
    except UnitError as error:
        raise refused(entry, expected) from error
    match = _AFTER.fullmatch(rest)
    if match is None or not 0 <= number <= 10**18:
        raise refused(entry, expected)
    return number, SUFFIXES.get(match[1], 0), match[2]


def sequence_length(entry: Entry) -> Fraction:
    """Tokens in a sequence; `8k` is 8 × 1,024. Raises JobError."""
    if not isinstance(entry.value, str):
        return whole(entry)
    number, power, _ = _parts(entry, "tokens of a sequence, such as 8192 or '8k'")
    length = number * Fraction(1024) ** power
    if length.denominator != 1 or length < 1:
        raise refused(entry, "a whole number of tokens")
    return length


def decimal_count(entry: Entry) -> Fraction:
    """A count in powers of ten: `15.6T`. Raises JobError."""
    if not isinstance(entry.value, str):
        return whole(entry, most=10**18)
    number, power, _ = _parts(entry, "a number of tokens, such as '15.6T'")
    count = number * Fraction(1000) ** power
    if count.denominator != 1 or not 1 <= count <= 10**18:
        raise refused(entry, "a whole number of tokens up to 10^18")
    return count


def batch(reader: Reader, entry: Entry, length: Fraction) -> Fraction:
    """Sequences of a step. A plain number counts sequences; `4M`, or `tokens`, counts tokens.

    k and M are powers of 1,024 if that gives whole sequences, else of 1,000. Raises JobError.
    """
    sequences = _sequences(entry, length)
    if entry.kind == "given":
        what = (
            f"{shown(sequences)} sequences of {shown(length)} tokens, {shown(sequences * length)} in all"
        )
        reader.note_instead(entry.key, f"{shown(entry.value)} taken as {what}", entry.file)
    return sequences


def plain_batch(entry: Entry) -> Fraction:
    """A plain number of sequences, of which there are not so many that tokens are meant.

    Raises JobError.
    """
    if whole(entry) > _MOST_SEQUENCES:
        most = f"at most {_MOST_SEQUENCES:,} sequences, or tokens with a suffix such as 4M"
        raise refused(entry, most)
    return Fraction(entry.value)


def _sequences(entry: Entry, length: Fraction) -> Fraction:
    """Sequences of a step, as a text or a number has them. Raises JobError."""
    if not isinstance(entry.value, str):
        return whole(entry)
    expected = "sequences of a step, such as 512, or its tokens, such as '4M'"
    number, power, noun = _parts(entry, expected)
    if noun == "sequences" or (not noun and not power):
        if number.denominator != 1 or number < 1:
            raise refused(entry, expected)
        return number if noun else plain_batch(replace(entry, value=number))
    for thousand in (1024, 1000):
        tokens = number * Fraction(thousand) ** power
        if (tokens / length).denominator == 1 and tokens > 0:
            return tokens / length
    raise refused(entry, f"a multiple of the {shown(length)} tokens of a sequence")
