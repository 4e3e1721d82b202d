"""Where devices and batch have little in common, and a search finds few numbers of replicas."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd

from workings.planning.job import Figure

_FEW = 8  # times as many replicas as there may be, that devices and batch would each allow
_PRIMES = (2, 3, 5, 7, 11, 13)


def few_replicas(figures: Mapping[str, Figure]) -> str:
    """A clause with the most replicas that there may be, and a batch that allows more; else nothing.

    Their number divides the devices and the sequences of a step. That is said where it keeps a prime
    of the devices out of data parallelism, or most of them.
    """
    devices, batch = (int(figures[name].value) for name in ("n", "b"))
    most = gcd(devices, batch)
    kept_out = any(devices % prime == 0 and batch % prime for prime in _PRIMES)
    if batch <= devices // _FEW or not (kept_out or most * _FEW <= min(devices, batch)):
        return ""
    place = figures["b"].place
    where = " of ".join(part for part in (place.key, place.file) if part and part != "command line")
    whole = batch - batch % devices
    instead = f"; {whole:,} sequences would allow {devices:,}" if whole else ""
    return (
        f"a search finds at most {most:,} {'replica' if most == 1 else 'replicas'}, the greatest common "
        f"divisor of {devices:,} devices and {batch:,} sequences{where and f' ({where})'}{instead}"
    )
