"""Devices that fail, and jobs that restart from their last checkpoint: exact, without chance.

Where chance would enter, all its outcomes are gone through: failures fall into every part of an
interval in turn, and waiting times are summed over a fine grid or solved for state by state.
"""

from fractions import Fraction

from ._checks import amount, positive_amount, positive_count

_CELLS = 4
_ROUNDS = 5


def mean_gap(devices: int, mtbf: Fraction | int) -> Fraction:
    """Mean time between failures of any of the devices, each failing once every `mtbf`.

    Their failures are laid out on one time line, every device's with an offset of its own, and
    counted. ValueError if there is no device or `mtbf` is not above 0.
    """
    period = positive_amount("mtbf", mtbf)
    failures = sorted(
        period * (number + Fraction(7 * device % devices, devices))
        for device in range(positive_count("devices", devices))
        for number in range(_ROUNDS)
    )
    return _ROUNDS * period / len(failures)


def first_failure(devices: int, mtbf: Fraction | int, grid: int = 10**7) -> tuple[Fraction, Fraction]:
    """Bracket the mean time until the first of the devices fails, each without memory.

    Time goes in ticks of 1/(grid * devices) of `mtbf`; a device fails in a tick with that
    probability, whatever happened before. The mean of the first tick in which any of them
    fails is one over the probability that not all survive a tick.
    """
    period = positive_amount("mtbf", mtbf)
    risk = Fraction(1, grid * positive_count("devices", devices))
    survive = Fraction(1)
    for _ in range(devices):
        survive *= 1 - risk
    ticks = 1 / (1 - survive)
    tick = risk * period
    return (ticks - 1) * tick, ticks * tick


def lost_share(
    interval: Fraction, write: Fraction, gap: Fraction, restart: Fraction | int = 0
) -> Fraction:
    """Share of the time lost to writing checkpoints, to work done again and to restarts.

    A failure strikes every `gap`, each in another part of an interval, in the middle of that
    part; the interval's work up to there is lost. ValueError unless the times are above 0.
    """
    positive_amount("interval", interval)
    positive_amount("gap", gap)
    amount("write", write)
    lost = elapsed = Fraction(0)
    for cell in range(_CELLS):
        middle = interval * (2 * cell + 1) / (2 * _CELLS)
        lost += middle + amount("restart", restart)
        elapsed += gap
    checkpoints = elapsed / interval
    return (lost + checkpoints * write) / elapsed


def ticks_to_finish(ticks: int, risk: Fraction, restart: int = 0) -> Fraction:
    """Mean ticks until a segment of `ticks` has run through without a failure.

    In every tick the job fails with probability `risk`; it then waits `restart` ticks and begins
    the segment again. State by state from the end: the mean from a state is one tick, then the
    mean of the next state or, after a failure, the restart and the mean from the beginning,
    which is the unknown; both its factor and the rest are carried along and solved for.
    """
    positive_count("ticks", ticks)
    rest, factor = Fraction(0), Fraction(0)
    for _ in range(ticks):
        rest = 1 + (1 - risk) * rest + risk * restart
        factor = (1 - risk) * factor + risk
    return rest / (1 - factor)


def interval_series(terms: int) -> tuple[Fraction, ...]:
    """Coefficients of h = c1*x + c2*x^2 + ... that solves exp(-h) + h = 1 + 2*x^2.

    This is where the mean time of an interval h, in units of the mean time between failures, is
    least for its useful part. The exponential is written out; power by power of x, the newest
    coefficient enters linearly, so two trials give it. ValueError unless there is a term.
    """
    h = [Fraction(0), Fraction(2)]  # h*h/2 = 2*x*x
    for _ in range(positive_count("terms", terms) - 1):
        at = [_gap([*h, Fraction(trial)], len(h) + 1) for trial in (0, 1)]
        h.append(-at[0] / (at[1] - at[0]))
    return tuple(h[1 : terms + 1])


def _gap(h: list[Fraction], order: int) -> Fraction:
    """The coefficient of x^order in exp(-h) + h - 1 - 2*x^2."""
    total, power, factorial = Fraction(0), [Fraction(1)], 1
    for exponent in range(1, order + 1):
        power, factorial = _times(power, h, order), factorial * exponent
        if exponent > 1:
            total += (-1) ** exponent * power[order] / factorial
    return total - (2 if order == 2 else 0)


def _times(a: list[Fraction], b: list[Fraction], order: int) -> list[Fraction]:
    """The product of two power series up to an order."""
    product = [Fraction(0)] * (order + 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b[: order + 1 - i]):
            product[i + j] += x * y
    return product
