"""How long one step takes to prove once SymPy is loaded, beside loading SymPy."""

from __future__ import annotations

import statistics
import time

started = time.perf_counter()
import sympy  # noqa: E402, F401 - loading it is the baseline

loading = time.perf_counter() - started

from workings import catalogue  # noqa: E402
from workings.verification import check_steps  # noqa: E402


def main() -> None:
    """Prove every step of the catalogue one by one; print the median."""
    times = []
    for what in catalogue.every():
        list(check_steps(what))  # parse and warm the caches of SymPy's symbols
        steps = check_steps(what)
        while True:
            begun = time.perf_counter()
            if next(steps, None) is None:
                break
            times.append(time.perf_counter() - begun)
    middle, worst = statistics.median(times), max(times)
    print(f"{len(times)} steps: median {middle * 1e3:.1f} ms (aim < 5 ms), slowest {worst * 1e3:.0f} ms")
    print(f"median step over the time SymPy takes to load: 1 : {loading / middle:.0f}")


if __name__ == "__main__":
    main()
