"""What `workings size` is asked: limits of the run, devices with their prices, numbers of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from workings.planning.inputs.given import Entry, quantity
from workings.planning.inputs.reviews import cost_of, time_of
from workings.planning.inputs.settings import plain
from workings.planning.job import JobError
from workings.planning.sweeping.axes import axis
from workings.scenario.presets import expected_preset, is_preset
from workings.units import CURRENCY, SECOND

_FILE = "command line"


def limits_of(
    days: str | None, budget: str | None, repair: str
) -> tuple[Fraction | None, Fraction | None, Fraction]:
    """Seconds and USD of the run, None where nothing is said; seconds of a repair. Raises JobError."""
    time = None if days is None else time_of(_entry("--days", days))
    cost = None if budget is None else cost_of(_entry("--budget", budget))
    expected = "the time that a failed node is away, such as '1 day' or '12 hours'"
    return time, cost, time_of(_entry("--repair", repair), expected)


def _entry(option: str, text: str) -> Entry:
    return Entry(plain(text), "given", option, _FILE, option)


def devices_of(text: str | None, price: str | None = None) -> Iterator[tuple[str, Fraction | None]]:
    """Presets, each once and perhaps with its price in USD a second: `h100-sxm=2,b200-sxm`.

    `price` is of those that have none. Raises JobError.
    """
    every = None if price is None else _price("--price", price)
    seen = set[str]()
    for part in (text or "").split(",") if text is not None else ():
        name, equals, own = (piece.strip() for piece in part.partition("="))
        if not is_preset("hardware", name):
            expected = expected_preset("hardware", name)
            raise JobError(f"--hardware: found {name[:60]!r}, expected {expected}")
        if name.lower() in seen:
            raise JobError(f"--hardware: found {name.lower()} twice, expected each preset once")
        seen.add(name.lower())
        yield name.lower(), _price(f"--hardware {name}", own) if equals else every


def _price(option: str, text: str) -> Fraction:
    """USD a second, of a number of USD an hour or a price. Raises JobError."""
    text = f"{text} USD/h" if re.fullmatch(r"[\d.]+", text) else text
    entry = Entry(text, "given", option, _FILE, option)
    return quantity(entry, CURRENCY / SECOND, "2 USD/h", zero=True)


def numbers_of(text: str | None) -> tuple[int, ...]:
    """Numbers of devices, as a sweep goes over them: `1024,2048` or `512..4096`. Raises JobError."""
    if text is None:
        return ()
    try:
        found = axis(f"gpus={text}")
    except JobError as error:
        raise JobError(str(error).replace("--over gpus", "--devices", 1)) from error
    return tuple(int(value) for value in found.values)
