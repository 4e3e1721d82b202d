"""What a plot of a sweep can show, and the axis that goes with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, log10

from workings.planning.sweeping.points import Point
from workings.planning.working import shown
from workings.units import BYTE, ONE, SECOND, Dimension

At = Callable[[float], float]


@dataclass(frozen=True)
class Scale:
    """An axis: where a value lies, from 0 to 1, and its ticks."""

    at: At
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Measure:
    """Something a point comes to: its name, its value in base units, and how it is written."""

    name: str
    value: Callable[[Mapping[str, Fraction]], Fraction]
    dimension: Dimension = ONE
    percent: bool = False
    decades: bool = False  # the axis is logarithmic where values span more than a power of ten

    def of(self, point: Point) -> float:
        """Its value at a point that has a layout."""
        return float(self.value(point.values))

    def words(self, point: Point) -> str:
        """Its value at a point, as it is written."""
        return self.shown(self.of(point))

    def shown(self, value: float) -> str:
        """A value as it is written."""
        exact = Fraction(value).limit_denominator(10**12) if value < 1 else Fraction(value)
        if self.percent:
            return f"{value * 100:.1f} %"
        return str(shown(exact, self.dimension, 3))

    def axis(self, values: Sequence[float]) -> Scale:
        """An axis on which these lie."""
        wide = self.decades and max(values) > 10 * min(values)
        return self._decades(values) if wide else self._linear(max(values))

    def _linear(self, most: float) -> Scale:
        """From 0 in four to eight round steps."""
        power = 10.0 ** floor(log10(most)) if most > 0 else 1.0
        step = next(s * power for s in (0.1, 0.2, 0.5, 1.0, 2.0) if most / (s * power) <= 8)
        count = max(1, ceil(most / step * 1.0001))
        top = count * step
        return Scale(lambda value: value / top, tuple((n / count, self._tick(n * step))
                                                      for n in range(count + 1)))  # fmt: skip

    def _decades(self, values: Sequence[float]) -> Scale:
        """From a power of ten to a power of ten."""
        low, high = floor(log10(min(values))), ceil(log10(max(values)) + 1e-9)
        return Scale(
            lambda value: (log10(value) - low) / (high - low),
            tuple(((n - low) / (high - low), self._tick(10.0**n)) for n in range(low, high + 1)),
        )

    def _tick(self, value: float) -> str:
        if self.percent:
            return f"{value * 100:.0f} %"
        if not value:
            return "0"
        return str(shown(Fraction(value).limit_denominator(10**9), self.dimension, 3))


MEASURES: Mapping[str, Measure] = {
    "mfu": Measure("MFU", lambda v: v["u"], percent=True),
    "step": Measure("step time", lambda v: v["T_step"], SECOND, decades=True),
    "memory": Measure("memory of the fullest rank", lambda v: v["M"], BYTE),
    "tokens": Measure("tokens per second of a device", lambda v: v["R_s"] / v["n"]),
}
