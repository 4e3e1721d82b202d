"""[review]: what the first page says of itself, and the limits of the run: memory, days, money, MFU."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import (
    MOST_TEXT,
    Entry,
    Reader,
    entries,
    only,
    quantity,
    ratio,
    refused,
    share,
    words,
)
from workings.planning.job import Cover, JobError
from workings.units import ONE, UnitError, parse_amount

# Shares of the memory up to which it is GO and GO IF, seconds, USD and MFU of the run, in a job's order.
Limits = tuple[Fraction, Fraction, Fraction | None, Fraction | None, Fraction | None]
LIMITS: Limits = (Fraction(9, 10), Fraction(97, 100), None, None, None)
MOST_SENTENCES = 6
_TEXTS = ("decision", "owner", "version", "date")
_SENTENCES = "a list of one to six sentences"
_LISTS = ("caveats", "conditions")
_KEYS = (*_LISTS, "limits", "max_days", "max_cost", "min_mfu")
_SECONDS = {"h": 3600, "hour": 3600, "day": 86400, "week": 604800}
_TIME = r"(h|hour|day|week)s?"
_TIMES = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "B": 10**9,
          "thousand": 10**3, "million": 10**6, "billion": 10**9}  # fmt: skip
# The least limit is a second or a millionth of a USD; a report can still print the most as a float.
_LEAST_TIME, _LEAST_COST, _MOST = Fraction(1), Fraction(1, 10**6), 10**24
_DOLLARS = re.compile(r"\$?\s*([\d.,_]+\s*(?:[kKMGB]|thousand|million|billion|))")
_COST = r"(thousand|million|billion|[kKMGB]|)\s*USD"


def review_of(reader: Reader, raw: object) -> tuple[Cover, Limits]:
    """The cover, and the limits. Raises JobError."""
    found = entries(reader, "review", raw)
    only(reader, found, (*_TEXTS, *_KEYS))
    texts = {key: _text(found[key]) for key in _TEXTS if key in found}
    memory = _memory(found["limits"]) if "limits" in found else LIMITS[:2]
    time = time_of(found["max_days"]) if "max_days" in found else None
    cost = cost_of(found["max_cost"]) if "max_cost" in found else None
    mfu = _mfu(found["min_mfu"]) if "min_mfu" in found else None
    caveats, conditions = (_sentences(found[key]) if key in found else () for key in _LISTS)
    cover = Cover(**texts, caveats=caveats, conditions=conditions)
    return cover, (*memory, time, cost, mfu)


def _sentences(entry: Entry) -> tuple[str, ...]:
    """What its author knows and the plan does not, or asks for: sentences for the first page."""
    if not isinstance(entry.value, list) or not 1 <= len(entry.value) <= MOST_SENTENCES:
        raise refused(entry, _SENTENCES)
    return tuple(words(replace(entry, value=value), MOST_TEXT) for value in entry.value)


def _text(entry: Entry) -> str:
    """One line; a date may be written as TOML's."""
    value = entry.value
    return words(
        replace(entry, value=value.isoformat() if hasattr(value, "isoformat") else value), MOST_TEXT
    )


def _memory(entry: Entry) -> tuple[Fraction, Fraction]:
    expected = "two shares such as [0.9, 0.97], the second for GO IF"
    if not isinstance(entry.value, list) or len(entry.value) != 2:
        raise refused(entry, expected)
    go, go_if = (share(replace(entry, value=value)) for value in entry.value)
    if not 0 < go <= go_if:
        raise refused(entry, expected)
    return go, go_if


def _mfu(entry: Entry) -> Fraction:
    """The share of the peak that the model's FLOPs must reach: 0.35 or `35 %`."""
    expected = "a share above 0, at most 1, such as 0.35 or '35 %'"
    found = ratio(entry, expected)
    if not 0 < found <= 1:
        raise refused(entry, expected)
    return found


def time_of(entry: Entry, expected: str = "days of the run, such as 30 or '6 weeks'") -> Fraction:
    """Seconds: a number of days, or a text such as `6 weeks`."""
    amount = _amount(entry, _TIME, _SECONDS, "day", expected)
    return _bounded(entry, amount, _LEAST_TIME, "from 1 to 10^24 seconds")


def cost_of(entry: Entry) -> Fraction:
    """USD: a number, or a text such as `5M USD`, `5M` or `$5M`."""
    expected = "USD of the run, such as 5000000 or '5M USD'"
    if isinstance(entry.value, str) and (bare := _DOLLARS.fullmatch(entry.value.strip())):
        entry = replace(entry, value=f"{bare[1].strip()} USD")
    amount = _amount(entry, _COST, _TIMES, "", expected)
    return _bounded(entry, amount, _LEAST_COST, "from 10^-6 to 10^24 USD")


def _bounded(entry: Entry, amount: Fraction, least: Fraction, expected: str) -> Fraction:
    """An amount of reasonable size: reports print it as a float. Raises JobError."""
    if not least <= amount <= _MOST:
        raise refused(entry, expected)
    return amount


def _amount(entry: Entry, form: str, scales: Mapping[str, int], plain: str, expected: str) -> Fraction:
    """A text of this form in base units, or a plain number of `plain`. Raises JobError."""
    value, scale = entry.value, scales[plain]
    try:
        number, rest = parse_amount(value) if isinstance(value, str) else (Fraction(0), "")
        match = re.fullmatch(form, rest) if rest else None
        if rest and match is None:
            raise refused(entry, expected)
        if match is not None:
            value, scale = number, scales[match[1]]
        return quantity(replace(entry, value=value), ONE, "30") * scale
    except (JobError, UnitError) as error:
        raise refused(entry, expected) from error
