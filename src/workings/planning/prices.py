"""What a rented device costs an hour, where a job says nothing of it: by the device's name.

Of each device the value lies between a commitment and the lists; the range goes from the cheapest that
was found to what is asked without a commitment, or by a large cloud with one. Prices move by the month: a
job that is decided by its cost had better give its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from workings.units import parse_quantity


class Price(NamedTuple):
    """What is taken, its range, and why."""

    value: str
    low: str
    high: str
    source: str

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The range, in base units."""
        return parse_quantity(self.low).value, parse_quantity(self.high).value


def _price(value: str, low: str, high: str, source: str) -> Price:
    return Price(f"{value} USD/h", f"{low} USD/h", f"{high} USD/h", f"assumed: {source}")


def _tpu(name: str, year: str, three_years: str, listed: str) -> Price:
    """Google's three prices of a chip: the list, and with a commitment of a year or of three."""
    return _price(
        year, three_years, listed,
        f"Google asks {listed} USD an hour for a {name}, {year} with a commitment of a year, "
        f"{three_years} of three (cloud.google.com/tpu/pricing, by lists of 2026)",
    )  # fmt: skip


_HOPPER = _price(
    "3", "2.35", "5",
    "an H100 is 2.35 by one-year contract (SemiAnalysis, March 2026), 5 at AWS, which is 6.88 less 27 % "
    "for a year (August 2026); RunPod asks 2.69, Nebius 3.85, Lambda 3.99, by the hour CoreWeave 6.16, "
    "Google 10.98, Azure 12.29 (September 2026)",
)  # fmt: skip
_H200 = _price(
    "4", "2.5", "6.3",
    "RunPod asks 3.59 for an H200, Nebius 4.50, CoreWeave 6.30, or up to 60 % less with a commitment, "
    "2.5 (September 2026); AWS by the hour 7.91 to 9.89 (dstack, pull request 4110, August 2026)",
)  # fmt: skip
_A100 = _price(
    "1.6", "1.1", "2.8",
    "RunPod asks 1.39 to 1.59 for an A100, Lambda 2.79, CoreWeave 2.70, or up to 60 % less with a "
    "commitment, 1.1 (September 2026)",
)  # fmt: skip
_B200 = _price(
    "5.5", "3.5", "8.6",
    "RunPod asks 5.98 for a B200, Lambda 6.99, Nebius 7.15, CoreWeave 8.60, or up to 60 % less with a "
    "commitment, 3.5 (September 2026)",
)  # fmt: skip
_GB200 = _price(
    "5.5", "4.2", "10.5",
    "Spheron asks 4.54 for a GPU of a GB200 (March 2026), CoreWeave 10.50, or up to 60 % less with a "
    "commitment, 4.2 (September 2026)",
)  # fmt: skip
_MI300X = _price(
    "2", "1.5", "6",
    "TensorWave asks 1.50 for an MI300X, Azure and Oracle 6; the middle of lists is 1.99 (Cliff Center, "
    "May 2026)",
)  # fmt: skip
_TPU_V4 = _price(
    "2.25", "1.45", "3.22",
    "Google asks 3.22 USD an hour for a TPU v4 (cloud.google.com/tpu/pricing, 2025), taken to be 30 % "
    "less with a commitment of a year and 55 % of three, as of its later TPUs",
)  # fmt: skip
OTHER = _price(
    "3", "1.1", "10.5",
    "no price of this device was found, so that of an H100, its range from the cheapest A100 to the "
    "dearest GB200 of September 2026",
)  # fmt: skip

# By the words in a device's name; of several that fit, the first.
PRICES: Mapping[str, Price] = {
    "GB200": _GB200,
    "B200": _B200,
    "H200": _H200,
    "H100": _HOPPER,
    "H800": _HOPPER._replace(source=f"{_HOPPER.source}; an H800 is taken as an H100"),
    "A100": _A100,
    "A800": _A100._replace(source=f"{_A100.source}; an A800 is taken as an A100"),
    "MI300X": _MI300X,
    "TPU v4": _TPU_V4,
    "TPU v5e": _tpu("TPU v5e", "0.84", "0.54", "1.20"),
    "TPU v5p": _tpu("TPU v5p", "2.94", "1.89", "4.20"),
    "TPU v6e": _tpu("TPU v6e", "1.89", "1.22", "2.70"),
}


def price(device: str) -> Price:
    """The price of a device that is called so; of any other that of an H100, with a wide range."""
    plain = re.sub(r"[\s_-]+", " ", device)
    return next(
        (found for name, found in PRICES.items()
         if re.search(rf"(?<!\w){name}(?!\w)", plain, re.IGNORECASE)), OTHER,
    )  # fmt: skip
