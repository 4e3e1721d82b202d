"""What a sweep goes over: `seq=2k..128k`, `gpus=8..64..8`, `microbatch=1,2,4`.

A list is taken word by word; a comma is never part of a number. A range goes from its first end by
doubling, by a step (`8..64..8`) or by a factor (`8..512..x8`), up to its last end. k, M, G and T are
powers of 1,024, as everywhere in a job, and of 1,000 for the tokens of a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import prod

from workings.planning.inputs.names import called, key_of
from workings.planning.job import JobError
from workings.units import UnitError, parse_number

MOST_AXES, MOST_POINTS, MOST_TEXT = 4, 10_000, 4000
_COUNTS = ("sequence_length", "batch", "training_tokens")  # a job reads k and M of these by itself
_WHOLE = ("devices", "node_devices", "pod_devices")
_DEGREES = (
    "tp",
    "cp",
    "pp",
    "dp",
    "ep",
    "etp",
    "virtual_stages",
    "microbatch",
    "microbatches",
    "replicas",
)
_MOST: Mapping[str, int] = {"devices": 10**7, "sequence_length": 10**9}
_POWERS = {"k": 1, "K": 1, "M": 2, "G": 3, "B": 3, "T": 4}
_END = re.compile(r"([0-9]{1,40}(?:\.[0-9]{1,40})?) ?([A-Za-zµ][A-Za-zµ/]{0,15}|)", re.ASCII)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,59}")


@dataclass(frozen=True, slots=True)
class Axis:
    """A key of a job and the texts it takes; `name` is what the user calls it."""

    name: str
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _End:
    """A number with what follows it: nothing, a suffix such as k, or a unit."""

    number: Fraction
    after: str


def axes(texts: Iterable[str]) -> tuple[Axis, ...]:
    """Axes as text. Raises JobError for one that cannot be read, and for too many points."""
    found = tuple(axis(text) for text in texts)
    if not found:
        raise JobError("--over: found nothing, expected an axis such as gpus=8..512")
    if len(found) > MOST_AXES:
        raise JobError(f"--over: found {len(found)} axes, expected at most {MOST_AXES}")
    keys = [one.key for one in found]
    for place, one in enumerate(found):
        if one.key in keys[:place]:
            raise JobError(f"--over {one.name}: found twice, expected each key once")
    points = prod(len(one.values) for one in found)
    if points > MOST_POINTS:
        raise JobError(f"--over: found {points:,} points, expected at most {MOST_POINTS:,}")
    return found


def axis(text: str) -> Axis:
    """One axis: `NAME=FROM..TO`, `NAME=FROM..TO..STEP` or `NAME=A,B,C`. Raises JobError."""
    name, equals, values = (part.strip() for part in text[: MOST_TEXT + 1].partition("="))
    if not equals or not _NAME.fullmatch(name) or len(text) > MOST_TEXT:
        raise JobError(f"--over: found {_short(text)}, expected NAME=FROM..TO or NAME=A,B,C")
    key = called(name)
    name = key if "." in name or key_of(name) else name  # as a search and the tables call it
    found = tuple(_range(name, key, values) if ".." in values else _list(name, key, values))
    _check(name, key, found)
    if len(set(found)) < len(found):
        twice = max(found, key=found.count)
        raise JobError(f"--over {name}: found {_short(twice)} twice, expected each value once")
    return Axis(name, key, found)


def _check(name: str, key: str, values: Sequence[str]) -> None:
    """Refuse what no job could read as a count. Raises JobError."""
    if not (_counted(key) or key in _DEGREES):
        return
    most = _MOST.get(key, 10**15)
    for text in values:
        match = _END.fullmatch(text)
        allowed = ("", "tokens", "sequences", *_POWERS) if _counted(key) else ("",)
        fits = match is not None and match[2] in allowed
        number = numbers(Axis(name, key, (text,))).get(text) if fits else None
        if number is None or number > most or (not _counted(key) and not number.is_integer()):
            raise JobError(
                f"--over {name}: found {_short(text)}, expected a number above 0, up to {most:,}"
            )


def numbers(found: Axis) -> dict[str, float]:
    """The values of an axis as numbers above 0 by their text; nothing where one of them is none."""
    known: dict[str, float] = {}
    units = set()
    for text in found.values:
        match = _END.fullmatch(text)
        if match is None or not Fraction(match[1]):
            return {}
        number = _End(Fraction(match[1]), match[2])
        if number.after in _POWERS:
            number = _in_ones(found.name, found.key, number) if _counted(found.key) else number
        units.add(number.after)
        known[text] = float(number.number)
    return known if len(units) == 1 else {}


def _counted(key: str) -> bool:
    return key in (*_COUNTS, *_WHOLE)


def _list(name: str, key: str, text: str) -> Iterator[str]:
    """Values between commas."""
    for part in text.split(","):
        word = part.strip()
        if not word or len(word) > 40 or not word.isprintable():
            raise JobError(f"--over {name}: found {_short(text)}, expected values such as 2,4,8")
        end = _END.fullmatch(word)
        yield _said(key, _end(name, word)) if end and end[2] in _POWERS and key in _WHOLE else word


def _range(name: str, key: str, text: str) -> Iterator[str]:
    """Values from one end to the other."""
    parts = [part.strip() for part in text.split("..")]
    if len(parts) not in (2, 3):
        raise JobError(f"--over {name}: found {_short(text)}, expected FROM..TO or FROM..TO..STEP")
    factor = _factor(name, parts[2]) if len(parts) == 3 and parts[2][:1] in ("x", "×") else 2
    added = len(parts) == 3 and parts[2][:1] not in ("x", "×")
    ends = _alike(name, key, [_end(name, part) for part in parts[: 3 if added else 2]])
    first, last, step = ends[0].number, ends[1].number, ends[2].number if added else Fraction(0)
    if not 0 < first <= last or (added and step <= 0):
        text = f"found {_short(text)}, expected a range that grows from above 0"
        raise JobError(f"--over {name}: {text}")
    found = list(islice(_grown(first, last, step, 1 if added else factor), MOST_POINTS + 1))
    if len(found) > MOST_POINTS:
        raise JobError(f"--over {name}: found more than {MOST_POINTS:,} values, expected fewer")
    for number in found:
        yield _said(key, _End(number, ends[0].after))


def _factor(name: str, text: str) -> int:
    if not re.fullmatch(r"[x×][0-9]{1,4}", text, re.ASCII) or int(text[1:]) < 2:
        raise JobError(f"--over {name}: found {_short(text)}, expected a factor from 2 on, such as x4")
    return int(text[1:])


def _grown(first: Fraction, last: Fraction, step: Fraction, factor: int) -> Iterator[Fraction]:
    while first <= last:
        yield first
        first = first * factor + step


def _end(name: str, text: str) -> _End:
    match = _END.fullmatch(text.strip())
    if match is None:
        raise JobError(f"--over {name}: found {_short(text)}, expected a number such as 8, 2k or 50 GB/s")
    try:
        return _End(parse_number(match[1]), match[2])
    except UnitError as error:
        raise JobError(f"--over {name}: {error}") from error


def _alike(name: str, key: str, ends: list[_End]) -> list[_End]:
    """Ends and step with the same after them, or as plain numbers."""
    if len({end.after for end in ends}) == 1:
        return ends
    if key == "batch":  # a plain number counts sequences, one with a suffix tokens
        text = " and ".join(f"{end.number}{end.after}" for end in ends)
        raise JobError(f"--over {name}: found {text}, expected all in tokens or all in sequences")
    return [_in_ones(name, key, end) for end in ends]


def _in_ones(name: str, key: str, end: _End) -> _End:
    """A number with its suffix multiplied out. Raises JobError for a unit."""
    if end.after and (end.after not in _POWERS or not _counted(key)):
        raise JobError(f"--over {name}: found {end.after} beside another unit, expected one unit")
    thousand = 1000 if key == "training_tokens" else 1024
    return _End(end.number * thousand ** _POWERS.get(end.after, 0), "")


def _said(key: str, end: _End) -> str:
    """A value as the text that a job reads."""
    if end.after in _POWERS and key in _WHOLE:
        end = _in_ones(key, key, end)
    spaced = end.after if end.after in _POWERS or not end.after else f" {end.after}"
    return f"{_decimal(end.number)}{spaced}"


def _decimal(number: Fraction) -> str:
    """A number whose decimals end, exactly."""
    if number.denominator == 1:
        return str(number.numerator)
    places = next(n for n in range(1, 400) if (number * 10**n).denominator == 1)
    digits = f"{int(number * 10**places):0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}…")
