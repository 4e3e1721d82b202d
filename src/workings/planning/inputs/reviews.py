"""[review]: what the first page says of itself, and how much of the memory may be used."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from workings.planning.inputs.given import (
    MOST_TEXT,
    Entry,
    Reader,
    entries,
    only,
    quantity,
    refused,
    words,
)
from workings.planning.job import Cover
from workings.units import ONE

LIMITS = (Fraction(9, 10), Fraction(97, 100))
_TEXTS = ("decision", "owner", "version", "date")


def review_of(reader: Reader, raw: object) -> tuple[Cover, tuple[Fraction, Fraction]]:
    """The cover, and the shares of memory up to which it is GO and GO IF. Raises JobError."""
    found = entries(reader, "review", raw)
    only(reader, found, (*_TEXTS, "limits"))
    texts = {key: _text(found[key]) for key in _TEXTS if key in found}
    limits = _limits(found["limits"]) if "limits" in found else LIMITS
    return Cover(**texts), limits


def _text(entry: Entry) -> str:
    """One line; a date may be written as TOML's."""
    value = entry.value
    return words(
        replace(entry, value=value.isoformat() if hasattr(value, "isoformat") else value), MOST_TEXT
    )


def _limits(entry: Entry) -> tuple[Fraction, Fraction]:
    expected = "two shares such as [0.9, 0.97], the second for GO IF"
    if not isinstance(entry.value, list) or len(entry.value) != 2:
        raise refused(entry, expected)
    go, go_if = (_share(replace(entry, value=value)) for value in entry.value)
    if not go <= go_if <= 1:
        raise refused(entry, expected)
    return go, go_if


def _share(entry: Entry) -> Fraction:
    value = entry.value
    if isinstance(value, str) and value.strip().endswith("%"):
        return quantity(replace(entry, value=value.strip()[:-1]), ONE, "90 %") / 100
    return quantity(entry, ONE, "0.9")
