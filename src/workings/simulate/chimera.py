"""Chimera: two pipelines in opposite directions, each of 1F1B, merged on the same ranks.

Rank r holds stage r of those micro-batches that go up the ranks (chunk 0) and stage p - 1 - r of
those that go down (chunk 1). Half of the micro-batches go either way.
"""

from ._checks import positive_count
from .pipeline import check_times
from .schedule import Path, Schedule, Slot, Step, Time, run


def chimera(ranks: int, forward: Time = 1, backward: Time = 2) -> Schedule:
    """Run Chimera with as many micro-batches as ranks; the first half goes up the ranks.

    `forward` and `backward` are the times of one task. ValueError if a time is not above 0 or the
    ranks are odd.
    """
    if positive_count("ranks", ranks) % 2:
        raise ValueError(f"ranks must be even, not {ranks}.")
    times = check_times(forward, backward)
    up: Path = tuple((rank, 0) for rank in range(ranks))
    down: Path = tuple((rank, 1) for rank in reversed(range(ranks)))
    half = ranks // 2
    return run(
        _merged(ranks), [up] * half + [down] * half, lambda _, slot: times[slot[0].kind == "backward"]
    )


def _merged(ranks: int) -> list[list[Slot]]:
    """List each rank's work: the steps of both directions by the tick at which they start.

    A micro-batch enters at every second tick, which is 1F1B's rhythm at the last stage. So the
    directions, whose stages on a rank are an odd number apart, take turns.
    """
    work: list[dict[int, Step]] = [{} for _ in range(ranks)]
    for microbatch in range(ranks):
        chunk, turn = divmod(microbatch, ranks // 2)
        for stage in range(ranks):
            ticks = work[ranks - 1 - stage if chunk else stage]
            ticks[stage + 2 * turn] = Step(microbatch, "forward", chunk)
            ticks[2 * ranks - 1 - stage + 2 * turn] = Step(microbatch, "backward", chunk)
    return [[(ticks[tick],) for tick in sorted(ticks)] for ticks in work]
