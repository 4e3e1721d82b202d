"""One efficiency fitted, so that the step takes as long as it was measured to take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from workings.planning.job import Figure

# What can be fitted, and the ends between which it is looked for; the more of it, the less time.
FITTED: Mapping[str, tuple[Fraction, Fraction]] = {
    **dict.fromkeys(
        (
            "matmul_efficiency",
            "attention_efficiency",
            "memory_efficiency",
            "link_efficiency",
            "network_efficiency",
        ),
        (Fraction(1, 1000), Fraction(1)),
    ),
    **dict.fromkeys(("tp_hidden", "pp_hidden", "dp_hidden"), (Fraction(0), Fraction(1))),
}
STEP = Fraction(1, 10**7)  # values between two of these are not looked at


@dataclass(frozen=True, slots=True)
class Fit:
    """What was fitted to which result; no value where none gives the time that was measured.

    `between` are the shortest and the longest time that the model gives.
    """

    name: str
    target: str
    time: Fraction
    value: Fraction | None
    assumed: Figure
    between: tuple[Fraction, Fraction]

    @property
    def range(self) -> tuple[Fraction, Fraction]:
        """What was assumed, from the least to the most."""
        f = self.assumed
        ends = [f.value if end is None else end for end in (f.low, f.high)]
        return min(ends), max(ends)

    @property
    def inside(self) -> bool:
        """Whether the value lies in the range that was assumed."""
        low, high = self.range
        return self.value is not None and low <= self.value <= high


def fitted(
    name: str, target: str, time: Fraction, assumed: Figure, step_time: Callable[[Fraction], Fraction]
) -> Fit:
    """Halve the range until the step time, which falls with the value, meets what was measured."""
    low, high = FITTED[name]
    slowest, fastest = step_time(low), step_time(high)
    between = (fastest, slowest)
    if not fastest <= time <= slowest or fastest == slowest:
        return Fit(name, target, time, None, assumed, between)
    below, above = int(low / STEP), int(high / STEP)
    while above - below > 1:
        middle = (below + above) // 2
        if step_time(middle * STEP) > time:
            below = middle
        else:
            above = middle
    best = min((below * STEP, above * STEP), key=lambda value: abs(step_time(value) - time))
    return Fit(name, target, time, best, assumed, between)
