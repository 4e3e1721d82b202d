"""What text 001 claims a layout reaches by its number of devices. These are its figures, not ours."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

TEXT = "unsigned notes on multi-dimensional parallelism (text 001 of reports/seeds)"
CLAIM = "claimed by unsigned notes (text 001 of reports/seeds), without a source"


@dataclass(frozen=True, slots=True)
class Band:
    """A row of the text's table: devices, the layout it gives, and two ranges as shares."""

    devices: int
    layout: tuple[int, int, int]  # TP, PP, DP
    efficiency: tuple[Fraction, Fraction]
    mfu: tuple[Fraction, Fraction]


def _row(devices: int, layout: tuple[int, int, int], efficiency: str, mfu: str) -> Band:
    return Band(devices, layout, _range(efficiency), _range(mfu))


def _range(text: str) -> tuple[Fraction, Fraction]:
    low, _, high = text.partition("-")
    return Fraction(int(low), 100), Fraction(int(high), 100)


BANDS: tuple[Band, ...] = (
    _row(8, (2, 1, 4), "85-95", "45-50"),
    _row(64, (4, 4, 4), "75-85", "48-55"),
    _row(512, (8, 8, 8), "70-80", "50-58"),
    _row(2048, (8, 16, 16), "65-75", "52-60"),
)


def band_for(devices: Fraction) -> Band | None:
    """The last row whose devices are not more than these; None below the first."""
    rows = [band for band in BANDS if band.devices <= devices]
    return rows[-1] if rows else None
